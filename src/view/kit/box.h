/*
 * A box with a border and a title, over what is there.
 */
#ifndef NSC_VIEW_KIT_BOX_H
#define NSC_VIEW_KIT_BOX_H

#include "view/kit/grid.h"

void nsc_box_draw(struct nsc_grid *grid, struct nsc_rect box, const char *title);

#endif
