/*
 * A selection with the ranges around it: from the launches to their innermost ranges, then from
 * each lane to the one above.
 */
#include "analysis/ranges/tree_keep.h"

#include "analysis/ranges/innermost.h"
#include "core/bits.h"
#include "core/pages.h"

#include <string.h>

static void keep_launching(uint64_t *keep, const struct nsc_trace *trace,
                           const struct nsc_launches *launches, uint32_t track)
{
    struct nsc_positions in = nsc_launches_of_track(launches, track);
    struct nsc_innermost at;

    nsc_innermost_init(&at, trace, track);
    for (uint32_t i = in.first; i < in.end; i++) {
        nsc_event row = nsc_innermost_step(&at, nsc_launches_time(launches, i));

        if (row != NSC_NONE)
            nsc_bits_set(keep, row);
    }
    nsc_innermost_fini(&at);
}

/* Rows of the lane above that enclose one that is kept. */
static void keep_above(uint64_t *keep, const struct nsc_events *events, const struct nsc_lane *lane,
                       const struct nsc_lane *above)
{
    nsc_event p = above->first;

    for (nsc_event row = lane->first; row < lane->first + lane->n; row++) {
        if (!nsc_bits_get(keep, row))
            continue;
        while (p < above->first + above->n && nsc_event_touch_end(events, p) <= events->start[row])
            p++;
        if (p < above->first + above->n && events->start[p] <= events->start[row])
            nsc_bits_set(keep, p);
    }
}

uint64_t *nsc_tree_keep(size_t *bytes, const struct nsc_trace *trace,
                        const struct nsc_launches *launches, const uint64_t *mask)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
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
            keep_above(keep, events, &lanes[tracks[t].first_lane + k],
                       &lanes[tracks[t].first_lane + k - 1]);
    }
    return keep;
}
