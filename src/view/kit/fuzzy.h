/*
 * How well a text fits what somebody types of it.
 */
#ifndef NSC_VIEW_KIT_FUZZY_H
#define NSC_VIEW_KIT_FUZZY_H

#include "nsyscope/types.h"

#define NSC_FUZZY_NONE INT32_MIN /* the text does not hold the pattern's characters in order */

/*
 * The score of a text, the greater the better. All bytes of the pattern without its blanks must be
 * in the text in this order, with ASCII letters folded. The score is the greatest over all ways to
 * place them: 1000 for a byte that follows the one before, 800 at the start of a word, 700 for a
 * capital inside a word, 0 elsewhere; minus 5 for each byte before the first and behind the last,
 * minus 10 for each between two. An empty pattern scores 0. Texts are looked at up to 256 bytes,
 * patterns up to 64; a longer pattern fits nothing.
 */
int32_t nsc_fuzzy_score(struct nsc_text text, struct nsc_text pattern);

#endif
