/*
 * Draws labels of rows, "python 111 · thread 111", and names that look the same when cut. The dot
 * is the view's own, the rest is text of the file.
 */
#ifndef NSC_VIEW_KIT_LABEL_H
#define NSC_VIEW_KIT_LABEL_H

#include "core/buf.h"
#include "view/kit/page.h"

/* Bytes before the first dot between two parts of a label; all if there is none. */
uint32_t nsc_label_part(struct nsc_text label);
/* Draws on the first line of rect. Returns the next column. In ASCII mode dots become an ASCII
 * glyph; other non-ASCII text is spelled out. */
int nsc_label_draw(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role,
                   struct nsc_text label);
/* Appends the label as drawn, for a line that the user can edit. */
void nsc_label_add(struct nsc_buf *out, struct nsc_text label, bool ascii);
/* Puts the label into scrolling text. */
void nsc_label_put(struct nsc_page *page, enum nsc_role role, struct nsc_text label);

/*
 * Bytes of names[i] to skip, back to the start of a word, so that it differs from all names that
 * would look the same in so many cells; fewer if more of it fits. 0 if no name looks the same, or the name is not ASCII.
 * O(n).
 */
uint32_t nsc_name_shared(const struct nsc_text names[], uint32_t n, uint32_t i, uint32_t cells);
/* Draws the name in the rest of the line: its beginning, "…", and the text after the shared bytes.
 * shared 0: the whole name. */
void nsc_name_put(struct nsc_page *page, enum nsc_role role, struct nsc_text name, uint32_t shared);

#endif
