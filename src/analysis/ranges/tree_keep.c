/*
 * A selection with the ranges around it: from the launches to their innermost ranges, then from
 * each lane to the one above.
 */
#include "analysis/ranges/tree_keep.h"

#include "analysis/base/around.h"
#include "core/bits.h"
#include "core/pages.h"

#include <string.h>

static void keep_launching(uint64_t *keep, const struct nsc_trace *trace,
                           const struct nsc_launches *launches, uint32_t track)
{
    struct nsc_positions in = nsc_launches_of_track(launches, track);
    const struct nsc_track *of = nsc_trace_track(trace, track);
    struct nsc_around around;

    nsc_around_nested(&around, trace, of->first_lane, of->n_lanes);
    for (uint32_t i = in.first; i < in.end; i++) {
        nsc_time t = nsc_launches_time(launches, i);
        nsc_event row = nsc_around_latest(&around, t, t);

        if (row != NSC_NONE)
            nsc_bits_set(keep, row);
    }
    nsc_around_fini(&around);
}

/* Rows of the lane above that enclose one that is kept. */
static void keep_above(uint64_t *keep, const struct nsc_trace *trace, uint32_t below)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_lane *lane = &nsc_trace_lanes(trace, NULL)[below];
    struct nsc_around above;

    nsc_around_nested(&above, trace, below - 1, 1);
    for (nsc_event row = lane->first; row < lane->first + lane->n; row++) {
        nsc_event outer = nsc_bits_get(keep, row)
                              ? nsc_around_latest(&above, events->start[row], events->start[row])
                              : NSC_NONE;

        if (outer != NSC_NONE)
            nsc_bits_set(keep, outer);
    }
    nsc_around_fini(&above);
}

uint64_t *nsc_tree_keep(size_t *bytes, const struct nsc_trace *trace,
                        const struct nsc_launches *launches, const uint64_t *mask)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    uint64_t *keep = NULL;

    *bytes = (nsc_bits_words(events->n) + 1) * sizeof *keep;
    keep = nsc_pages_new(*bytes);
    if (!keep)
        return NULL;
    memcpy(keep, mask, nsc_bits_words(events->n) * sizeof *keep);
    for (uint32_t t = 0; t < n; t++) {
        if (tracks[t].kind != NSC_TRACK_NVTX || !tracks[t].n_lanes)
            continue;
        keep_launching(keep, trace, launches, t);
        for (uint32_t k = tracks[t].n_lanes; k-- > 1;)
            keep_above(keep, trace, tracks[t].first_lane + k);
    }
    return keep;
}
