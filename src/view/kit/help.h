/*
 * The help: every action that has a key where the focus is, grouped, with the keys as they are
 * mapped now, and what the command line understands.
 */
#ifndef NSC_VIEW_KIT_HELP_H
#define NSC_VIEW_KIT_HELP_H

#include "view/kit/grid.h"
#include "view/kit/keymap.h"

/*
 * Draws a box inside rect over what is there, from line top of the help on. scope is what has the
 * focus behind the help. Returns how far top can go: the most lines that can be scrolled off.
 */
int nsc_help_draw(struct nsc_grid *grid, struct nsc_rect rect, const struct nsc_keymap *keymap,
                  enum nsc_key_scope scope, int top);
/* The same without drawing: what top is clamped to. */
int nsc_help_max_top(struct nsc_rect rect, const struct nsc_keymap *keymap,
                     enum nsc_key_scope scope);

#endif
