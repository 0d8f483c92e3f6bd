/*
 * Names that would look the same when cut: where to start drawing so that they differ.
 */
#ifndef NSC_VIEW_KIT_ALIKE_NAMES_H
#define NSC_VIEW_KIT_ALIKE_NAMES_H

#include "view/kit/page.h"

/*
 * Bytes of names[i] to skip so that it differs from every name that would look the same in so many
 * cells, back to the start of a word. 0 if no name looks the same, or the name is not ASCII. O(n).
 */
uint32_t nsc_name_shared(const struct nsc_text names[], uint32_t n, uint32_t i, uint32_t cells);
/* Draws the name in the rest of the line: its beginning, "…", and the text after the shared bytes.
 * With 0 the whole name. */
void nsc_name_put(struct nsc_page *page, enum nsc_role role, struct nsc_text name, uint32_t shared);

#endif
