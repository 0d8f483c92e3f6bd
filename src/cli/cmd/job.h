/* The screen of a job, with a terminal and without one. */
#ifndef NSC_CLI_CMD_JOB_H
#define NSC_CLI_CMD_JOB_H

#include "cli/options.h"
#include "cli/session/session.h"
#include "fleet/documents.h"

/* Finds the documents of the first n operands, in order, and says which are broken. */
NSC_NODISCARD enum nsc_status nsc_job_documents(struct nsc_documents *out,
                                                const struct nsc_options *options, unsigned n,
                                                struct nsc_error *error);
/* Shows the job of the sketches that the operands name. */
NSC_NODISCARD enum nsc_status nsc_job_show(const struct nsc_screen_setup *setup,
                                           struct nsc_error *error);
/* Presses the keys of the options on a screen and prints it. */
NSC_NODISCARD enum nsc_status nsc_screen_render(struct nsc_screen screen,
                                                const struct nsc_theme *theme,
                                                const struct nsc_options *options,
                                                struct nsc_error *error);

#endif
