/*
 * The files and folders that the command line names for writing.
 */
#ifndef NSC_CLI_OUTPUTS_H
#define NSC_CLI_OUTPUTS_H

#include "cli/options.h"

enum { NSC_OUTPUTS_MOST = 8 };

/* Writes the named outputs to out, borrowed from the options, and returns their number. Not among
 * them: files that the screen asks for, and those beside the exports (stats -o . and --wal). */
unsigned nsc_outputs_list(const char *out[NSC_OUTPUTS_MOST], const struct nsc_options *options);
/* The rule for all outputs: the folder that is to hold one exists. NSC_EWRITE with what to do. Only the
 * program's own folders of settings and state are made with those above them. */
NSC_NODISCARD enum nsc_status nsc_outputs_check(const struct nsc_options *options,
                                                struct nsc_error *error);

#endif
