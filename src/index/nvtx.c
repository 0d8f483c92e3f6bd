/*
 * The nesting of NVTX push/pop ranges, by search in the lanes: lane d of a track holds depth d.
 */
#include "nsyscope/calltree.h"

#include "core/vec.h"
#include "index/lane_merge.h"
#include "index/trace_data.h"

nsc_event nsc_lane_around(const struct nsc_trace *trace, uint32_t lane, nsc_time t)
{
    nsc_event row = nsc_lane_find(trace, lane, t);
    const struct nsc_lane *at = &trace->lanes[lane];

    return row < at->first + at->n && trace->events.start[row] <= t ? row : NSC_NONE;
}

nsc_event nsc_nvtx_parent(const struct nsc_trace *trace, nsc_event event)
{
    uint32_t lane = nsc_trace_lane_of(trace, event);
    const struct nsc_track *track = &trace->tracks[trace->lanes[lane].track];

    if (track->kind != NSC_TRACK_NVTX || lane == track->first_lane)
        return NSC_NONE;
    return nsc_lane_around(trace, lane - 1, trace->events.start[event]);
}

uint32_t nsc_nvtx_path(const struct nsc_trace *trace, uint64_t process, uint32_t tid, nsc_time t,
                       nsc_event out[], uint32_t max)
{
    NSC_VEC(nsc_event) found = {0};
    uint32_t thread = nsc_trace_thread(trace, process, tid);
    uint32_t end = thread == NSC_NONE ? 0 : nsc_group_end(trace->tracks, thread);
    uint32_t n = 0;

    for (struct nsc_lane_walk at =
             nsc_track_lanes(trace, thread, end, NSC_TRACK_BIT(NSC_TRACK_NVTX));
         nsc_lane_walk_next(&at);) {
        nsc_event row = nsc_lane_around(trace, at.lane, t);

        if (row != NSC_NONE)
            *NSC_VEC_ADD(&found) = row;
    }
    nsc_sort_outermost(trace, found.at, found.n);
    n = (uint32_t)found.n;
    for (uint32_t i = 0; i < n && i < max; i++)
        out[i] = found.at[i];
    NSC_VEC_FINI(&found);
    return n;
}
