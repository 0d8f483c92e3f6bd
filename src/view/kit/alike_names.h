/*
 * Names that would be cut to the same letters: where to begin so that they can be told apart.
 */
#ifndef NSC_VIEW_KIT_ALIKE_NAMES_H
#define NSC_VIEW_KIT_ALIKE_NAMES_H

#include "view/kit/page.h"

/*
 * How many bytes of names[i] are shared by another that looks the same in so many cells, by the one
 * that shares the fewest, back to where a word begins: 0 when none looks the same, or the name is
 * not ASCII. O(n) names.
 */
uint32_t nsc_name_shared(const struct nsc_text names[], uint32_t n, uint32_t i, uint32_t cells);
/* The name in what is left of the line: its beginning, "…", and what stands behind the first shared
 * bytes. With 0 the name as it is. */
void nsc_name_put(struct nsc_page *page, enum nsc_role role, struct nsc_text name, uint32_t shared);

#endif
