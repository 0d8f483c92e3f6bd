/*
 * A flame graph on the screen: the frame with the cursor, the frame that fills the width, and the
 * place of each frame.
 *
 * Levels go from top to bottom. The frames around the one that fills the width are drawn above it,
 * in full width.
 */
#ifndef NSC_VIEW_MODEL_FLAME_H
#define NSC_VIEW_MODEL_FLAME_H

#include "analysis/ranges/flame.h"
#include "core/units.h"

#define NSC_FLAME_WHY 240

/* Kinds of graphs. */
extern const struct nsc_flame_kind {
    uint8_t track;            /* enum nsc_track_kind of its events */
    const char *title, *word; /* word: short, for the key to it */
    const char *one;          /* what a frame counts */
    const char *what;         /* it shows: "GPU work" */
    const char *lack;         /* nsc_flame_lack */
} nsc_flame_kinds[NSC_N_FLAME_BYS];

struct nsc_flame_view {
    struct nsc_flame *made;         /* owned; NULL: not built yet */
    struct nsc_stacks *stacks;      /* owned: of the CPU samples and CUDA calls; NULL: none */
    bool stacks_asked, stacks_read; /* the state of reading them */
    char stacks_why[NSC_FLAME_WHY]; /* why there are none; "": the export has none */
    enum nsc_flame_by by;           /* of the latest request */
    enum nsc_flame_by made_by;
    struct nsc_window window; /* window of made */
    uint32_t filter;          /* scene->summary_no of made */
    uint32_t cursor;          /* frame; 0 without any */
    uint32_t zoom;            /* frame that fills the width; NSC_NONE: none */
};

void nsc_flame_view_fini(struct nsc_flame_view *view);
/* Replaces the graph and takes flame over. Cursor and zoom stay on the frames with the same path,
 * or on the deepest remaining one above; functions and ranges have no common paths. */
void nsc_flame_view_take(struct nsc_flame_view *view, struct nsc_flame *flame,
                         enum nsc_flame_by by);
/* The first kind that the trace has events for. */
enum nsc_flame_by nsc_flame_view_first(const struct nsc_trace *trace);
bool nsc_flame_view_has(const struct nsc_trace *trace, enum nsc_flame_by by);
/* Why the export has nothing to show, and what to do; NULL if it has. */
const char *nsc_flame_lack(const struct nsc_trace *trace, const struct nsc_stacks *stacks,
                           enum nsc_flame_by by);
/* Whether the frames of a kind are functions. */
static inline bool nsc_flame_is_code(enum nsc_flame_by by)
{
    return by >= NSC_FLAME_SAMPLES;
}
/* A time; for CPU samples "30 samples". */
void nsc_flame_view_amount(char text[NSC_UNITS_BYTES], const struct nsc_flame_view *view,
                           nsc_time amount, bool ascii);
/* The kind that follows, in a circle; captured work only if there is some. */
enum nsc_flame_by nsc_flame_view_next(const struct nsc_trace *trace, enum nsc_flame_by by);

enum nsc_flame_step { NSC_FLAME_PARENT, NSC_FLAME_CHILD, NSC_FLAME_PREV, NSC_FLAME_NEXT };
/* Moves the cursor: to its parent, its largest child, or a neighbour on its level inside the zoomed
 * frame. False if there is none. */
bool nsc_flame_view_step(struct nsc_flame_view *view, enum nsc_flame_step step);
/* Zooms to the frame with the cursor. False if it fills the width already. */
bool nsc_flame_view_zoom(struct nsc_flame_view *view);
/* Zooms out to the parent of the zoomed frame. False if nothing is zoomed. */
bool nsc_flame_view_back(struct nsc_flame_view *view);
bool nsc_flame_view_set(struct nsc_flame_view *view, uint32_t frame);
/* The function of a frame of a kind of code. */
struct nsc_text nsc_flame_view_function(const struct nsc_flame_view *view, uint32_t frame);

/* Functions whose name holds a text. */
struct nsc_flame_found {
    uint32_t n;       /* frames */
    nsc_time total;   /* in at least one of them */
    uint32_t largest; /* the frame with the most of it; NSC_NONE */
};
/* Ignores case. Moves the cursor to the largest, and out of the zoomed frame if need be. */
struct nsc_flame_found nsc_flame_view_find(struct nsc_flame_view *view, struct nsc_text text);

/* The columns of a frame in eighths of a column, of `cols`: [from, to), with to > from for frames
 * with time. False for frames outside the zoomed one. */
bool nsc_flame_view_span(const struct nsc_flame_view *view, uint32_t frame, uint32_t cols,
                         uint32_t *from, uint32_t *to);
/* The frame at a level and a column; if several share it, the largest; NSC_NONE. */
uint32_t nsc_flame_view_at(const struct nsc_flame_view *view, uint32_t level, uint32_t col,
                           uint32_t cols);

#endif
