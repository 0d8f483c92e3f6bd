/*
 * Drawing the labels of rows: "python 111 · thread 111", where the dot is ours and the rest is text
 * of the file.
 */
#ifndef NSC_VIEW_KIT_LABEL_H
#define NSC_VIEW_KIT_LABEL_H

#include "core/buf.h"
#include "view/kit/page.h"

/* Bytes before the first dot between two parts of a label; all of them where there is none. */
uint32_t nsc_label_part(struct nsc_text label);
/* The first line of a rectangle; returns the column behind the last cell. The dots have a place in
 * ASCII, where other text that is none is spelled out. */
int nsc_label_draw(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role,
                   struct nsc_text label);
/* Appends it as it would be drawn, for a line that can be changed: as it is, or its dots in
 * ASCII. */
void nsc_label_add(struct nsc_buf *out, struct nsc_text label, bool ascii);
/* The same in scrolling text. */
void nsc_label_put(struct nsc_page *page, enum nsc_role role, struct nsc_text label);

#endif
