/* Compiles users' regular expressions, if they can neither exhaust memory nor match for ever. */
#ifndef NSC_ANALYSIS_PATTERN_H
#define NSC_ANALYSIS_PATTERN_H

#include "nsyscope/types.h"

#include <regex.h>

#define NSC_PATTERN_BYTES 256 /* longest regular expression */

/* Compiles an extended expression, to be freed with regfree and free. Returns NULL, or the reason
 * for refusing it; then *out is NULL. */
const char *nsc_pattern_compile(regex_t **out, struct nsc_text pattern, bool ignores_case);

#endif
