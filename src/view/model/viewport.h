/*
 * The visible time: a window inside the trace's extent, divided into columns.
 *
 * A plain value. Bounds are kept in 2^-62 ns, so that zooming in and out again about a point gives
 * back the same window to the bit; callers get whole nanoseconds. A window lies inside the extent,
 * and has at least one nanosecond per column unless the extent is shorter.
 */
#ifndef NSC_VIEW_MODEL_VIEWPORT_H
#define NSC_VIEW_MODEL_VIEWPORT_H

#include "nsyscope/trace.h"

__extension__ typedef __int128 nsc_fine_time; /* 2^-62 ns */

struct nsc_span {
    nsc_fine_time t0, t1;
};

struct nsc_viewport {
    struct nsc_window extent;
    uint32_t cols; /* at least 1 */
    struct nsc_span span;
};

void nsc_viewport_init(struct nsc_viewport *viewport, struct nsc_window extent, uint32_t cols);
/* Keeps the window, unless columns would become shorter than a nanosecond. */
void nsc_viewport_resize(struct nsc_viewport *viewport, uint32_t cols);

/* The visible window in whole ns: t0 < t1 always. */
struct nsc_window nsc_viewport_window(const struct nsc_viewport *viewport);
bool nsc_viewport_is_whole(const struct nsc_viewport *viewport);

/* Shows w, moved and shortened to fit. */
void nsc_viewport_set(struct nsc_viewport *viewport, struct nsc_window w);
/* Shows a span seen earlier. */
void nsc_viewport_restore(struct nsc_viewport *viewport, struct nsc_span span);
/* Halves or doubles the window; at stays in its column. False if nothing changed. */
bool nsc_viewport_zoom(struct nsc_viewport *viewport, nsc_time at, bool in);
/* Moves the window by columns (negative: back in time). False if nothing changed. */
bool nsc_viewport_pan(struct nsc_viewport *viewport, int64_t cols);
/* Moves the window as little as possible to make t visible, or centres it if t is far away. False
 * if t was visible. */
bool nsc_viewport_show(struct nsc_viewport *viewport, nsc_time t);

/* Moves window and extent by so many ns; all columns stay. Sums must fit into 64 bits. */
void nsc_viewport_move(struct nsc_viewport *viewport, nsc_time by);

/* First nanosecond of a column; cols gives the end of the window. */
nsc_time nsc_viewport_time(const struct nsc_viewport *viewport, uint32_t col);
/* The column of t: -1 before the window, cols after it. nsc_viewport_time() of a column is in that
 * column. */
int nsc_viewport_col(const struct nsc_viewport *viewport, nsc_time t);
/* The same for any window divided into n columns. */
int nsc_window_col(struct nsc_window w, uint32_t n, nsc_time t);

/* ns of a column of a window divided into n. */
static inline nsc_time nsc_window_column(struct nsc_window w, uint32_t col, uint32_t n)
{
    return nsc_window_cut(w, col + 1, n) - nsc_window_cut(w, col, n);
}

/* The window that an event touches. */
static inline struct nsc_window nsc_event_window(const struct nsc_events *events, nsc_event event)
{
    return (struct nsc_window){events->start[event], nsc_event_touch_end(events, event)};
}

#endif
