/*
 * Exact answers about any selection of events at any zoom: bins of a lane over a window.
 *
 * A summary belongs to a trace and a selection (a mask of rows, or all). It is built once,
 * immutable, owned by the caller; it borrows the mask. Per block of NSC_SUMMARY_BLOCK rows it holds
 * running totals (ns, rows) and a flat implicit tree of the longest row: about 0.5 bytes a row.
 */
#ifndef NSYSCOPE_SUMMARY_H
#define NSYSCOPE_SUMMARY_H

#include "nsyscope/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct nsc_summary;

/* mask: one bit a row, bit i of word i / 64; NULL selects all rows. NULL when the memory is
 * refused. */
struct nsc_summary *nsc_summary_build(const struct nsc_trace *trace, const uint64_t *mask);
void nsc_summary_free(struct nsc_summary *summary);
/* The summary of all rows, built with the trace. Borrowed. */
const struct nsc_summary *nsc_trace_summary(const struct nsc_trace *trace);

struct nsc_bin {
    nsc_time busy;     /* ns inside the column of the events that touch it */
    uint32_t events;   /* how many selected events touch the column */
    nsc_event longest; /* the one of them with the longest duration (ties: the first), NSC_NONE for
                          none */
    bool enters;       /* that one starts before the column */
    bool leaves;       /* and that one ends past it */
};

/*
 * Cuts w into n columns [c0, c1) (nsc_window_cut) and says for each what the lane's selected events
 * do in it. Equals, column by column,
 *     select sum(max(0, min(end, c1) - max(start, c0))), count(*), argmax(end - start) as longest,
 *            longest's start < c0, longest's end > c1
 *     from lane where selected and start < c1 and touch_end > c0
 * (touch_end: see nsc_event_touch_end) in O(n log rows), whatever the zoom. Where n exceeds the
 * window some columns have no width (c0 == c1): the event that goes on across such a column touches
 * it, as the query says, with 0 ns.
 */
void nsc_lane_bins(const struct nsc_trace *trace, const struct nsc_summary *summary, uint32_t lane,
                   struct nsc_window w, uint32_t n, struct nsc_bin out[]);

/* How high a column of some length (ns) is drawn: 0 where nothing is busy, levels (2 or more) where
 * all of it is, else the nearest of 1 to levels - 1, the upper of two. */
uint32_t nsc_bin_level(nsc_time busy, nsc_time length, uint32_t levels);

struct nsc_raster {
    struct nsc_window window;
    uint32_t n;      /* columns */
    uint32_t levels; /* of a column; 0: bins are those of nsc_lane_bins */
};

/*
 * As nsc_lane_bins, for a picture: longest, enters and leaves are the same; busy is a time of the
 * same nsc_bin_level, 0 where it is 0; events is the same or both are more than one. Reads less of
 * the trace where columns hold thousands of rows.
 */
void nsc_lane_levels(const struct nsc_trace *trace, const struct nsc_summary *summary,
                     uint32_t lane, const struct nsc_raster *raster, struct nsc_bin out[]);

/* The same figures for one window: a single bin. */
struct nsc_bin nsc_lane_measure(const struct nsc_trace *trace, const struct nsc_summary *summary,
                                uint32_t lane, struct nsc_window w);

/* Selected rows in all, and their total duration (saturating). */
uint64_t nsc_summary_count(const struct nsc_summary *summary);
nsc_time nsc_summary_busy(const struct nsc_summary *summary);
bool nsc_summary_has(const struct nsc_summary *summary, nsc_event event);

/*
 * The first row of the lane whose touch_end is past t (row first + n when none): the event at t, or
 * else the next one. The naive meaning is a scan from the first row. Ignores the selection. O(log
 * rows).
 */
nsc_event nsc_lane_find(const struct nsc_trace *trace, uint32_t lane, nsc_time t);
/* The row of the lane around t, start <= t < touch_end; NSC_NONE without one. */
nsc_event nsc_lane_around(const struct nsc_trace *trace, uint32_t lane, nsc_time t);
/* The nearest selected row of the lane after / before event's position; NSC_NONE when there is
 * none. */
nsc_event nsc_lane_next(const struct nsc_trace *trace, const struct nsc_summary *summary,
                        uint32_t lane, nsc_event event);
nsc_event nsc_lane_prev(const struct nsc_trace *trace, const struct nsc_summary *summary,
                        uint32_t lane, nsc_event event);

#ifdef __cplusplus
}
#endif
#endif
