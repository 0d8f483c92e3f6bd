/*
 * Earlier views to go back to, and the target of the next fit. Private to move.c and the files that
 * write the scene.
 */
#ifndef NSC_VIEW_SCENE_HISTORY_H
#define NSC_VIEW_SCENE_HISTORY_H

#include "view/model/viewport.h"

#define NSC_HISTORY 64

/* A view to return to. */
struct nsc_place {
    struct nsc_span span;
    nsc_time cursor;
    uint32_t track, lane; /* of the cursor's row */
    uint32_t filter;      /* the application's number of the filter */
};

struct nsc_history {
    struct nsc_place at[NSC_HISTORY]; /* [0, n) past, [n, n + ahead) undone */
    uint32_t n, ahead;
    struct nsc_place back; /* view before the last jump */
    bool has_back;
};

enum nsc_fit { NSC_FIT_SELECTION, NSC_FIT_RANGE, NSC_FIT_PARENT };

struct nsc_moves {
    struct nsc_history history;
    uint32_t filter;     /* filter in effect */
    bool range_is_new;   /* set since the last fit: the next fit starts with it */
    enum nsc_fit fit;    /* first target of the next fit */
    nsc_event fit_event; /* for NSC_FIT_PARENT: the child */
};

#endif
