/*
 * Exact bins of a lane over a window, for any selection of events at any zoom.
 *
 * A summary belongs to a trace and a selection: a mask of rows, or all. It is immutable; the caller
 * owns it, and it borrows the mask. For each block of 64 rows it holds running totals (ns, rows)
 * and the longest row, with a flat tree of the longest rows above: about 0.5 bytes a row.
 */
#ifndef NSYSCOPE_SUMMARY_H
#define NSYSCOPE_SUMMARY_H

#include "nsyscope/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct nsc_summary;

/* mask: one bit per row, bit i % 64 of word i / 64; NULL: all rows. NULL if out of memory. */
struct nsc_summary *nsc_summary_build(const struct nsc_trace *trace, const uint64_t *mask);
void nsc_summary_free(struct nsc_summary *summary);
/* The summary of all rows, built with the trace. Borrowed. */
const struct nsc_summary *nsc_trace_summary(const struct nsc_trace *trace);

struct nsc_bin {
    nsc_time busy;     /* ns of selected events inside the column */
    uint32_t events;   /* selected events that touch the column */
    nsc_event longest; /* the longest of them (the first of equals); NSC_NONE: none */
    bool enters;       /* `longest` starts before the column */
    bool leaves;       /* `longest` ends after the column */
};

/*
 * Cuts w into n columns [c0, c1) (nsc_window_cut) and bins the lane's selected events. Equals,
 * column by column,
 *     select sum(max(0, min(end, c1) - max(start, c0))), count(*), argmax(end - start) as longest,
 *            longest's start < c0, longest's end > c1
 *     from lane where selected and start < c1 and touch_end > c0
 * (touch_end: nsc_event_touch_end) in O(n log rows), at any zoom. If n exceeds the length of the
 * window, some columns are empty (c0 == c1): an event across such a column touches it with 0 ns.
 */
void nsc_lane_bins(const struct nsc_trace *trace, const struct nsc_summary *summary, uint32_t lane,
                   struct nsc_window w, uint32_t n, struct nsc_bin out[]);

/* The height of a column of `length` ns: 0 for an idle column, `levels` (2 or more) for a busy one,
 * else the nearest of 1 to levels - 1; ties round up. */
uint32_t nsc_bin_level(nsc_time busy, nsc_time length, uint32_t levels);

/* The bin of one window. */
struct nsc_bin nsc_lane_measure(const struct nsc_trace *trace, const struct nsc_summary *summary,
                                uint32_t lane, struct nsc_window w);

/* Selected rows, and their summed duration in ns (saturating). */
uint64_t nsc_summary_count(const struct nsc_summary *summary);
nsc_time nsc_summary_busy(const struct nsc_summary *summary);
bool nsc_summary_has(const struct nsc_summary *summary, nsc_event event);

/* The event at t, or the next one: the first row of the lane whose touch_end is after t; first + n
 * if there is none. Ignores the selection. O(log rows). */
nsc_event nsc_lane_find(const struct nsc_trace *trace, uint32_t lane, nsc_time t);
/* The same in O(log distance) from a row of the lane, or from its first + n. */
nsc_event nsc_lane_find_near(const struct nsc_trace *trace, uint32_t lane, nsc_time t,
                             nsc_event near);
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
