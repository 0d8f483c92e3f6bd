/*
 * Options that are numbers, parsed with their error lines.
 */
#ifndef NSC_CLI_NUMBERS_H
#define NSC_CLI_NUMBERS_H

#include "cli/options.h"

/* Sets *out to the option's number; leaves it alone when the option is not set. NSC_EINVAL. */
NSC_NODISCARD enum nsc_status nsc_option_u32(uint32_t *out, const struct nsc_options *options,
                                             enum nsc_option option, struct nsc_error *error);

#endif
