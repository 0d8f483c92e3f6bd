/*
 * The files of baselines: NAME.baseline.json in --dir, or in the state folder.
 */
#ifndef NSC_CLI_BASELINE_FILE_H
#define NSC_CLI_BASELINE_FILE_H

#include "analysis/job/baseline.h"
#include "cli/options.h"

#define NSC_BASELINE_END ".baseline.json"

/* Appends the path of a baseline; with name NULL that of the folder. NSC_EINVAL: no name for one;
 * NSC_EIO: no folder. */
NSC_NODISCARD enum nsc_status nsc_baseline_path(struct nsc_buf *out,
                                                const struct nsc_options *options, const char *name,
                                                struct nsc_error *error);
/* Reads a baseline. NSC_EIO: there is none of that name; NSC_EFORMAT, NSC_EDAMAGED. */
NSC_NODISCARD enum nsc_status nsc_baseline_open(struct nsc_baseline *out,
                                                const struct nsc_options *options, const char *name,
                                                struct nsc_error *error);
/* Appends the options that narrow the recording, as on the command line. */
void nsc_baseline_options(struct nsc_buf *out, const struct nsc_options *options);

#endif
