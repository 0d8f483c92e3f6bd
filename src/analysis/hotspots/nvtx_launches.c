/*
 * Finds the range a call was made in: a cursor a lane of the thread's ranges, moved along the
 * calls.
 */
#include "analysis/hotspots/nvtx_launches.h"

#include "analysis/base/scope_walk.h"
#include "analysis/hotspots/parts.h"

#include <string.h>

void nsc_nvtx_launches_init(struct nsc_nvtx_launches *at, const struct nsc_hotspots *report)
{
    memset(at, 0, sizeof *at);
    at->report = report;
    at->events = nsc_trace_events(report->query->scope.trace);
    at->lane = NSC_NONE;
}

void nsc_nvtx_launches_fini(struct nsc_nvtx_launches *at)
{
    NSC_VEC_FINI(&at->cursors);
}

static void begin_lane(struct nsc_nvtx_launches *at, uint32_t lane)
{
    const struct nsc_trace *trace = at->report->query->scope.trace;
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    const struct nsc_track *own = &tracks[lanes[lane].track];

    at->lane = lane;
    NSC_VEC_CLEAR(&at->cursors);
    for (uint32_t l = 0; l < n; l++) {
        const struct nsc_track *track = &tracks[lanes[l].track];

        if ((NSC_RANGE_TRACKS & NSC_TRACK_BIT(track->kind)) && track->process == own->process &&
            track->tid == own->tid)
            *NSC_VEC_ADD(&at->cursors) = (struct nsc_nvtx_cursor){lanes[l].first, lanes[l].first,
                                                                  lanes[l].first + lanes[l].n};
    }
}

static bool is_in_lane(const struct nsc_nvtx_launches *at, nsc_event call)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(at->report->query->scope.trace, NULL);

    return at->lane != NSC_NONE && call >= lanes[at->lane].first &&
           call - lanes[at->lane].first < lanes[at->lane].n;
}

/* Rows of a lane do not overlap: of those that last only the latest by then can hold the call. */
static nsc_event candidate(const struct nsc_nvtx_launches *at, const struct nsc_nvtx_cursor *cursor,
                           nsc_event call)
{
    nsc_event row = cursor->next;

    while (row > cursor->first && nsc_event_duration(at->events, row - 1) == 0)
        row--;
    if (row == cursor->first)
        return NSC_NONE;
    row--;
    return nsc_event_end(at->events, row) >= nsc_event_end(at->events, call) &&
                   !nsc_hotspots_is_open(at->report, row)
               ? row
               : NSC_NONE;
}

nsc_event nsc_nvtx_launches_step(struct nsc_nvtx_launches *at, nsc_event call)
{
    nsc_time start = at->events->start[call];
    nsc_event found = NSC_NONE;

    if (!is_in_lane(at, call))
        begin_lane(at, nsc_trace_lane_of(at->report->query->scope.trace, call));
    for (size_t i = 0; i < at->cursors.n; i++) {
        struct nsc_nvtx_cursor *cursor = &at->cursors.at[i];
        nsc_event row;

        while (cursor->next < cursor->end && at->events->start[cursor->next] <= start)
            cursor->next++;
        row = candidate(at, cursor, call);
        if (row != NSC_NONE &&
            (found == NSC_NONE || at->events->start[row] >= at->events->start[found]))
            found = row;
    }
    return found;
}
