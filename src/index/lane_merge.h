/*
 * The rows of many lanes in one order of start: a heap of lanes, O(log lanes) a row.
 */
#ifndef NSC_INDEX_LANE_MERGE_H
#define NSC_INDEX_LANE_MERGE_H

#include "nsyscope/trace.h"

#include "core/vec.h"

struct nsc_lane_merge {
    const struct nsc_events *events;
    struct nsc_lane_cursor {
        nsc_time start;
        nsc_event row, end;
    } * heap;
    uint32_t n;
};

void nsc_lane_merge_init(struct nsc_lane_merge *merge, const struct nsc_trace *trace,
                         const uint32_t lanes[], uint32_t n_lanes);
void nsc_lane_merge_fini(struct nsc_lane_merge *merge);
/* The next row, NSC_NONE after the last. Rows of equal start come in order of row. */
nsc_event nsc_lane_merge_next(struct nsc_lane_merge *merge);

#endif
