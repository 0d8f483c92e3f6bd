/* The nsys options of a recording: from the command line, else the preset, else the default. */
#ifndef NSC_CLI_CMD_CAPTURE_OPTIONS_H
#define NSC_CLI_CMD_CAPTURE_OPTIONS_H

#include "cli/options.h"
#include "core/argv.h"

/* Checks --preset, options with a fixed set of values, seconds, and that stacks have samples.
 * NSC_EINVAL. */
NSC_NODISCARD enum nsc_status nsc_capture_options_check(const struct nsc_options *options,
                                                        struct nsc_error *error);
/* Appends "--name=value" for each option that has a value. */
void nsc_capture_options_add(struct nsc_argv *argv, const struct nsc_options *options);
/* The suffix that the preset adds to the report's name: "-%h-%p"; usually "". */
const char *nsc_capture_suffix(const struct nsc_options *options);
/* --explain: prints each option with its value, its cost and the views that need it. */
enum nsc_status nsc_capture_explain(const struct nsc_options *options, struct nsc_error *error);
/* nsyscope docs capture: presets, and the same table. */
void nsc_capture_document(struct nsc_buf *out);

#endif
