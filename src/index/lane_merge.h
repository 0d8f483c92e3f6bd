/* Merges rows of many lanes by start: a heap of lanes, O(log lanes) a row. */
#ifndef NSC_INDEX_LANE_MERGE_H
#define NSC_INDEX_LANE_MERGE_H

#include "nsyscope/trace.h"

#include "core/vec.h"

struct nsc_lane_merge {
    const struct nsc_events *events;
    struct nsc_lane_cursor {
        nsc_time start;
        nsc_event row, end;
    } * lanes; /* a heap */
    uint32_t n;
    bool (*keep)(const void *context, nsc_event row); /* NULL: all rows */
    const void *context;
};

struct nsc_row_range { /* [first, end) */
    nsc_event first, end;
};

/* The rows of a lane that touch w: they are consecutive. O(log rows). */
struct nsc_row_range nsc_lane_rows(const struct nsc_trace *trace, uint32_t lane,
                                   struct nsc_window w);

/* Each range lies in one lane. */
void nsc_lane_merge_open(struct nsc_lane_merge *merge, const struct nsc_trace *trace,
                         const struct nsc_row_range ranges[], uint32_t n);
/* As nsc_lane_merge_open, with all rows of the lanes. */
void nsc_lane_merge_init(struct nsc_lane_merge *merge, const struct nsc_trace *trace,
                         const uint32_t lanes[], uint32_t n_lanes);
/* Leaves out the rows for which keep returns false. Call it before the first row. */
void nsc_lane_merge_set_filter(struct nsc_lane_merge *merge,
                               bool (*keep)(const void *context, nsc_event row),
                               const void *context);
void nsc_lane_merge_fini(struct nsc_lane_merge *merge);
/*
 * The next row; NSC_NONE after the last. Rows that start together come in order of their numbers.
 */
nsc_event nsc_lane_merge_next(struct nsc_lane_merge *merge);

/* Sorts ranges outermost first: by start, the longer first, then by row. O(n log n). */
void nsc_sort_outermost(const struct nsc_trace *trace, nsc_event *rows, size_t n);

#endif
