/*
 * nvtx: the ranges that match, a list a thread, and whether an event lies inside one of them.
 */
#include "analysis/filter_data.h"
#include "core/vec.h"
#include "index/lane_merge.h"

#include <stdlib.h>

/*
 * Start and end both ascend: a range that ends no later than one before it holds nothing that that
 * one does not hold, and is left out.
 */
struct thread_ranges {
    uint64_t process;
    uint32_t tid;
    NSC_VEC(struct nsc_window) ranges;
};

struct nsc_filter_ranges {
    NSC_VEC(struct thread_ranges) threads;
    uint32_t *thread_of; /* of each track, NSC_NONE without one */
};

static uint32_t find_thread(const struct nsc_filter_ranges *ranges, const struct nsc_track *track)
{
    for (uint32_t i = 0; i < ranges->threads.n; i++)
        if (ranges->threads.at[i].process == track->process &&
            ranges->threads.at[i].tid == track->tid)
            return i;
    return NSC_NONE;
}

static bool is_of_thread(const struct nsc_track *track)
{
    return track->device < 0 && !nsc_track_is_group(track->kind) &&
           track->kind != NSC_TRACK_COUNTER;
}

/* The push/pop lanes of all domains of one thread. */
static void add_ranges(struct thread_ranges *thread, const uint8_t verdicts[],
                       const struct nsc_filter_term *term, const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    NSC_VEC(uint32_t) lanes = {0};
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);
    struct nsc_lane_merge merge;
    nsc_time last_end = INT64_MIN;

    for (uint32_t t = 0; t < n_tracks; t++)
        if (tracks[t].kind == NSC_TRACK_NVTX && tracks[t].process == thread->process &&
            tracks[t].tid == thread->tid)
            for (uint32_t k = 0; k < tracks[t].n_lanes; k++)
                *NSC_VEC_ADD(&lanes) = tracks[t].first_lane + k;
    nsc_lane_merge_init(&merge, trace, lanes.at, (uint32_t)lanes.n);
    for (nsc_event row = 0; (row = nsc_lane_merge_next(&merge)) != NSC_NONE;) {
        uint8_t verdict = verdicts[events->name[row]];
        nsc_time end = nsc_event_touch_end(events, row);

        if (end <= last_end || verdict == NSC_FILTER_NO ||
            (verdict == NSC_FILTER_ASK && !nsc_filter_match_event(term, trace, row)))
            continue;
        *NSC_VEC_ADD(&thread->ranges) = (struct nsc_window){events->start[row], end};
        last_end = end;
    }
    nsc_lane_merge_fini(&merge);
    NSC_VEC_FINI(&lanes);
}

static void list_threads(struct nsc_filter_ranges *ranges, const struct nsc_track tracks[],
                         uint32_t n_tracks)
{
    for (uint32_t t = 0; t < n_tracks; t++)
        if (tracks[t].kind == NSC_TRACK_NVTX && find_thread(ranges, &tracks[t]) == NSC_NONE)
            *NSC_VEC_ADD(&ranges->threads) =
                (struct thread_ranges){.process = tracks[t].process, .tid = tracks[t].tid};
    ranges->thread_of = nsc_xmalloc(n_tracks * sizeof *ranges->thread_of + 1);
    for (uint32_t t = 0; t < n_tracks; t++)
        ranges->thread_of[t] =
            is_of_thread(&tracks[t]) ? find_thread(ranges, &tracks[t]) : NSC_NONE;
}

struct nsc_filter_ranges *nsc_filter_ranges_new(const struct nsc_filter_term *term,
                                                const struct nsc_trace *trace)
{
    struct nsc_filter_ranges *ranges = nsc_xcalloc(1, sizeof *ranges);
    const struct nsc_names *names = nsc_trace_names(trace);
    uint8_t *verdicts = nsc_xmalloc((size_t)names->n + 1);
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);

    for (nsc_name name = 0; name < names->n; name++)
        verdicts[name] = (uint8_t)nsc_filter_match_name(term, trace, name);
    list_threads(ranges, tracks, n_tracks);
    for (uint32_t i = 0; i < ranges->threads.n; i++)
        add_ranges(&ranges->threads.at[i], verdicts, term, trace);
    free(verdicts);
    return ranges;
}

void nsc_filter_ranges_free(struct nsc_filter_ranges *ranges)
{
    if (!ranges)
        return;
    for (uint32_t i = 0; i < ranges->threads.n; i++)
        NSC_VEC_FINI(&ranges->threads.at[i].ranges);
    NSC_VEC_FINI(&ranges->threads);
    free(ranges->thread_of);
    free(ranges);
}

static bool thread_holds(const struct thread_ranges *thread, nsc_time start, nsc_time end)
{
    size_t low = 0;
    size_t high = thread->ranges.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (thread->ranges.at[middle].t0 <= start)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && end <= thread->ranges.at[low - 1].t1;
}

bool nsc_filter_ranges_hold(const struct nsc_filter_ranges *ranges, const struct nsc_trace *trace,
                            uint32_t track, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t n_lanes = 0;
    uint32_t thread = 0;

    if (nsc_kind_is_gpu(events->kind[event])) {
        event = events->link[event];
        if (event == NSC_NONE)
            return false;
        track = nsc_trace_lanes(trace, &n_lanes)[nsc_trace_lane_of(trace, event)].track;
    }
    thread = ranges->thread_of[track];
    return thread != NSC_NONE && thread_holds(&ranges->threads.at[thread], events->start[event],
                                              nsc_event_touch_end(events, event));
}
