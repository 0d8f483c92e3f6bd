/* The flame graph: one line per level, frames as wide as their share of the time. */
#ifndef NSC_VIEW_PANE_FLAME_H
#define NSC_VIEW_PANE_FLAME_H

#include "nsyscope/summary.h"

#include "view/kit/keymap.h"
#include "view/model/flame.h"
#include "view/scene/scene.h"

#define NSC_PANE_FLAME_HEAD 2 /* lines above the graph */

struct nsc_pane_flame {
    const struct nsc_scene *scene;
    const struct nsc_flame_view *view;
    const struct nsc_summary *hits; /* hits of a search; NULL: none */
    const char *search;             /* its text: marks functions, which are not events */
    const struct nsc_keymap *keymap;
    bool is_building; /* the graph shown is for the previous window */
    bool focus;
    int top; /* levels scrolled off */
};

/* Returns the number of lines needed. */
int nsc_pane_flame_draw(const struct nsc_pane_flame *pane, struct nsc_grid *grid,
                        struct nsc_rect rect);

#endif
