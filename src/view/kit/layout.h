/*
 * The layout of the screen: a pure function from its size and the open parts to rectangles.
 *
 * Visible rectangles are disjoint, not empty, and inside the screen; hidden ones have rows == 0.
 */
#ifndef NSC_VIEW_KIT_LAYOUT_H
#define NSC_VIEW_KIT_LAYOUT_H

#include "view/kit/grid.h"

#define NSC_LAYOUT_MIN_ROWS 10
#define NSC_LAYOUT_MIN_COLS 40

struct nsc_layout {
    bool too_small;           /* only note is shown */
    struct nsc_rect note;     /* one line */
    int left;                 /* columns of the labels, also if they are hidden */
    struct nsc_rect title;    /* one line */
    struct nsc_rect overview; /* over the timeline's columns */
    struct nsc_rect corner;   /* left of overview and ruler, over the labels */
    struct nsc_rect ruler;
    struct nsc_rect strip; /* iterations, under the ruler; to its left the corner */
    struct nsc_rect labels;
    struct nsc_rect timeline;
    int room;             /* rows for timeline and pane together */
    struct nsc_rect tabs; /* one line: the border of the bottom pane with its names */
    struct nsc_rect pane;
    struct nsc_rect status; /* one line */
};

struct nsc_layout_options {
    bool pane;      /* open the bottom pane */
    bool pane_full; /* as large as possible */
    bool beside;    /* then beside the timeline, where there is room */
    bool pane_tall; /* or at least half of the room */
    int pane_lines; /* a tall pane needs no more; 0: unknown */
    bool strip;     /* iterations are known */
    int labels;     /* columns for the longest label; 0: the usual */
    int spare;      /* rows that the timeline does not need */
};

struct nsc_layout nsc_layout_build(uint32_t rows, uint32_t cols, struct nsc_layout_options options);
bool nsc_rect_has(struct nsc_rect rect, int row, int col);

#endif
