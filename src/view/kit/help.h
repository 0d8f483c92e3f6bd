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

/* What an action does here, where that is not the same everywhere. */
struct nsc_hint_word {
    enum nsc_action action;
    const char *word; /* NULL: nothing */
};

/* What has the focus; words may be NULL when n is 0. */
struct nsc_hint_place {
    enum nsc_key_scope scope;
    const struct nsc_hint_word *words;
    size_t n;
};

/* Draws the line of key hints, the few actions that help most where the focus is: as many as fit into the
 * first line of rect, the last of them whole. Returns the column behind the last cell. */
int nsc_hint_draw(struct nsc_grid *grid, struct nsc_rect rect, const struct nsc_keymap *keymap,
                  const struct nsc_hint_place *place);

#endif
