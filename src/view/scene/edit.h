/*
 * The scene, its earlier views to go back to, and the target of the next fit. Only the files that
 * write a scene include this.
 */
#ifndef NSC_VIEW_SCENE_EDIT_H
#define NSC_VIEW_SCENE_EDIT_H

#include "view/model/arrangement.h"
#include "view/model/viewport.h"
#include "view/scene/scene.h"

#define NSC_HISTORY 64

/* Which rows are shown, and how. */
struct nsc_row_state {
    struct nsc_arrangement arrangement;
    uint64_t *folds;
    size_t top; /* the first line below the pinned ones */
};

/* A view to return to. */
struct nsc_place {
    struct nsc_span span;
    nsc_time cursor;
    uint32_t track, lane;         /* of the cursor's row */
    uint32_t filter;              /* the application's number of the filter */
    struct nsc_window range;      /* empty: none */
    struct nsc_row_state *rows;   /* before they changed; owned; NULL: they did not */
    enum nsc_scene_option option; /* that changed; NSC_N_SCENE_OPTIONS: none */
    uint32_t value;               /* of the option, before */
};

struct nsc_history {
    struct nsc_place at[NSC_HISTORY]; /* [0, n) past, [n, n + ahead) undone */
    uint32_t n, ahead;
    struct nsc_place back; /* view before the last jump, without rows */
    bool has_back;
};

enum nsc_fit { NSC_FIT_SELECTION, NSC_FIT_RANGE, NSC_FIT_PARENT };

struct nsc_moves {
    struct nsc_history history;
    uint32_t filter;     /* filter in effect */
    bool panned;         /* the last change of the view was a pan */
    bool range_is_new;   /* set since the last fit: the next fit starts with it */
    enum nsc_fit fit;    /* first target of the next fit */
    nsc_event fit_event; /* for NSC_FIT_PARENT: the child */
};

struct nsc_scene_edit {
    struct nsc_scene scene;
    struct nsc_moves moves;
    uint64_t *projected_mask; /* what the filter keeps of scene.lines.projection, a bit a row */
    struct nsc_summary *projected;
};

/* The current view, without its rows. */
struct nsc_place nsc_history_place(const struct nsc_scene_edit *edit);
/* The same with a copy of its rows, before a change of them. The next call stores it for undo if the
 * rows changed, which it returns. */
struct nsc_place nsc_history_rows(const struct nsc_scene_edit *edit);
bool nsc_history_keep(struct nsc_scene_edit *edit, struct nsc_place before, bool changed);
/* Exchanges the rows of the scene with those of a place; the caller rebuilds the lines. */
void nsc_history_swap_rows(struct nsc_scene_edit *edit, struct nsc_row_state *rows);
/* Forgets the rows of all places; then also the places. */
void nsc_history_drop_rows(struct nsc_history *history);
void nsc_history_clear(struct nsc_history *history);

#endif
