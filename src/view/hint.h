/*
 * The line of key hints at the bottom: the few actions that help most where the focus is, with
 * their keys as mapped now.
 */
#ifndef NSC_VIEW_HINT_H
#define NSC_VIEW_HINT_H

#include "view/grid.h"
#include "view/keymap.h"

/* One line in [col, col + width): as many hints as fit, the last of them whole. Returns the column
 * behind the last cell. */
int nsc_hint_draw(struct nsc_grid *grid, int row, int col, int width,
                  const struct nsc_keymap *keymap, enum nsc_key_scope scope);

#endif
