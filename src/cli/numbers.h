/*
 * Options that are numbers, read with their error lines.
 */
#ifndef NSC_CLI_NUMBERS_H
#define NSC_CLI_NUMBERS_H

#include "cli/options.h"

/* The option's number into *out, which is left as it is when the option is not set. NSC_EINVAL. */
NSC_NODISCARD enum nsc_status nsc_option_u32(uint32_t *out, const struct nsc_options *options,
                                             enum nsc_option option, struct nsc_error *error);

#endif
