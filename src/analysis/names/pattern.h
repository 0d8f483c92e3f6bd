/*
 * Regular expressions of people: compiled only when they can neither eat all memory nor match for
 * ever.
 */
#ifndef NSC_ANALYSIS_PATTERN_H
#define NSC_ANALYSIS_PATTERN_H

#include "nsyscope/types.h"

#include <regex.h>

#define NSC_PATTERN_BYTES 256 /* longest regular expression */

/*
 * An extended expression that matches letters of either case, to be freed with regfree and free.
 * Returns NULL, or what is wrong with it: *out is NULL then.
 */
const char *nsc_pattern_compile(regex_t **out, struct nsc_text pattern);

#endif
