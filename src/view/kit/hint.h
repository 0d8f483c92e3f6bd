/*
 * The line of key hints at the bottom: the few actions that help most where the focus is, with
 * their keys as mapped now.
 */
#ifndef NSC_VIEW_KIT_HINT_H
#define NSC_VIEW_KIT_HINT_H

#include "view/kit/grid.h"
#include "view/kit/keymap.h"

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

/* The first line of a rectangle: as many hints as fit, the last of them whole. Returns the column
 * behind the last cell. */
int nsc_hint_draw(struct nsc_grid *grid, struct nsc_rect rect, const struct nsc_keymap *keymap,
                  const struct nsc_hint_place *place);

#endif
