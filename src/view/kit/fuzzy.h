/* Scores how well a text matches what the user types. */
#ifndef NSC_VIEW_KIT_FUZZY_H
#define NSC_VIEW_KIT_FUZZY_H

#include "nsyscope/types.h"

#define NSC_FUZZY_NONE INT32_MIN /* the text lacks the pattern's characters in this order */

/*
 * The score of a text; greater is better. The text must contain all bytes of the pattern, without
 * its blanks, in order; ASCII letters match in any case. The score is the maximum over all
 * placements: 1000 for a byte that follows the previous one, 800 at the start of a word, 700 for a
 * capital inside a word, 0 elsewhere; minus 5 for each byte before the first and after the last,
 * minus 10 for each between two. An empty pattern scores 0. Only the first 256 bytes of a text are
 * compared. A pattern longer than 64 bytes matches nothing.
 */
int32_t nsc_fuzzy_score(struct nsc_text text, struct nsc_text pattern);

#endif
