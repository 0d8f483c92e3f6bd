/*
 * A flame graph as the screen shows it: which frame has the cursor, which one fills the width, and
 * where each frame is drawn.
 *
 * Levels go from top to bottom. A frame that fills the width stands below the frames around it,
 * which fill it too.
 */
#ifndef NSC_VIEW_MODEL_FLAME_H
#define NSC_VIEW_MODEL_FLAME_H

#include "analysis/ranges/flame.h"

struct nsc_flame_view {
    struct nsc_flame *made; /* owned; NULL: not built yet */
    enum nsc_flame_by by;   /* of what was asked for last */
    enum nsc_flame_by made_by;
    struct nsc_window window; /* of made */
    uint32_t filter;          /* scene->summary_no of made */
    uint32_t cursor;          /* frame; 0 without any */
    uint32_t zoom;            /* frame that fills the width; NSC_NONE: all do */
};

void nsc_flame_view_fini(struct nsc_flame_view *view);
/* Replaces the graph; cursor and zoom stay on the frames of the same path, or of the deepest one
 * above that is still there. Takes flame over. */
void nsc_flame_view_take(struct nsc_flame_view *view, struct nsc_flame *flame);

enum nsc_flame_step { NSC_FLAME_PARENT, NSC_FLAME_CHILD, NSC_FLAME_PREV, NSC_FLAME_NEXT };
/* Moves the cursor: to the frame around it, the largest below it, or a neighbour of its level inside
 * the zoomed frame. False if there is none. */
bool nsc_flame_view_step(struct nsc_flame_view *view, enum nsc_flame_step step);
/* The frame with the cursor fills the width. False if it does already. */
bool nsc_flame_view_zoom(struct nsc_flame_view *view);
/* Back to the frame around the zoomed one. False if nothing is zoomed. */
bool nsc_flame_view_back(struct nsc_flame_view *view);
bool nsc_flame_view_set(struct nsc_flame_view *view, uint32_t frame);
/* The first level to show of `levels`, nearest to top, so that the cursor's level is among them. */
uint32_t nsc_flame_view_top(const struct nsc_flame_view *view, uint32_t top, uint32_t levels);

/* Where a frame is drawn, in eighths of a column of `cols`: [from, to), to > from for frames with
 * time; false for frames outside the zoomed one. */
bool nsc_flame_view_span(const struct nsc_flame_view *view, uint32_t frame, uint32_t cols,
                         uint32_t *from, uint32_t *to);
/* The frame drawn at a level and a column; the largest of those that share it; NSC_NONE. */
uint32_t nsc_flame_view_at(const struct nsc_flame_view *view, uint32_t level, uint32_t col,
                           uint32_t cols);

#endif
