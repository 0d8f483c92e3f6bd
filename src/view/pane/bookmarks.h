/* The bookmarks as a list. */
#ifndef NSC_VIEW_PANE_BOOKMARKS_H
#define NSC_VIEW_PANE_BOOKMARKS_H

#include "view/kit/keymap.h"
#include "view/kit/list.h"
#include "view/model/bookmark.h"
#include "view/scene/scene.h"

#define NSC_PANE_BOOKMARKS_HEAD 1 /* lines above the list */

#define NSC_APP_REMOVED 16 /* removed bookmarks kept for restoring */

struct nsc_pane_bookmarks {
    struct nsc_bookmarks list;
    struct nsc_list at; /* live bookmarks; the cursor is on the last one visited */
    uint64_t edited;    /* id of the bookmark that a prompt edits */
    bool has_span;      /* the bookmark being named has the span */
    struct nsc_window span;
    struct nsc_bookmark removed[NSC_APP_REMOVED]; /* the most recently removed is the last */
    size_t n_removed;
};

/* Marks bookmarks on the overview. */
void nsc_pane_bookmarks_mark(const struct nsc_scene *scene,
                             const struct nsc_pane_bookmarks *bookmarks, struct nsc_grid *grid);
int nsc_pane_bookmarks_draw(const struct nsc_scene *scene,
                            const struct nsc_pane_bookmarks *bookmarks,
                            const struct nsc_keymap *keymap, bool focus, struct nsc_grid *grid,
                            struct nsc_rect rect);

#endif
