/*
 * nvtx: the ranges that match, a list a thread, and whether an event lies inside one of them.
 */
#include "analysis/filter_data.h"
#include "core/sort.h"
#include "core/vec.h"

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

struct matching {
    const struct nsc_filter_term *term;
    const struct nsc_trace *trace;
    const uint8_t *verdicts; /* a byte a name */
    NSC_VEC(uint32_t) rows;
    NSC_VEC(uint32_t) scratch;
};

static void match_lane(struct matching *matching, const struct nsc_lane *lane)
{
    const struct nsc_events *events = nsc_trace_events(matching->trace);

    for (nsc_event row = lane->first; row < lane->first + lane->n; row++) {
        uint8_t verdict = matching->verdicts[events->name[row]];

        if (verdict == NSC_FILTER_YES ||
            (verdict == NSC_FILTER_ASK &&
             nsc_filter_match_event(matching->term, matching->trace, row)))
            *NSC_VEC_ADD(&matching->rows) = row;
    }
}

/* The push/pop lanes of all domains of one thread. */
static void match_thread(struct matching *matching, const struct thread_ranges *thread)
{
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(matching->trace, &n_tracks);
    const struct nsc_lane *lanes = nsc_trace_lanes(matching->trace, &(uint32_t){0});

    matching->rows.n = 0;
    for (uint32_t t = 0; t < n_tracks; t++)
        if (tracks[t].kind == NSC_TRACK_NVTX && tracks[t].process == thread->process &&
            tracks[t].tid == thread->tid)
            for (uint32_t k = 0; k < tracks[t].n_lanes; k++)
                match_lane(matching, &lanes[tracks[t].first_lane + k]);
}

static nsc_time start_of(const void *context, uint32_t row)
{
    const struct nsc_events *events = context;

    return events->start[row];
}

static void add_ranges(struct thread_ranges *thread, struct matching *matching)
{
    const struct nsc_events *events = nsc_trace_events(matching->trace);
    nsc_time last_end = INT64_MIN;

    match_thread(matching, thread);
    if (matching->rows.n == 0)
        return;
    while (matching->scratch.n < matching->rows.n)
        *NSC_VEC_ADD(&matching->scratch) = 0;
    nsc_sort_by_time(matching->rows.at, matching->scratch.at, (uint32_t)matching->rows.n, start_of,
                     events);
    for (size_t i = 0; i < matching->rows.n; i++) {
        nsc_event row = matching->rows.at[i];
        nsc_time end = nsc_event_touch_end(events, row);

        if (end <= last_end)
            continue;
        *NSC_VEC_ADD(&thread->ranges) = (struct nsc_window){events->start[row], end};
        last_end = end;
    }
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
    struct matching matching = {.term = term, .trace = trace, .verdicts = verdicts};
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);

    for (nsc_name name = 0; name < names->n; name++)
        verdicts[name] = (uint8_t)nsc_filter_match_name(term, trace, name);
    list_threads(ranges, tracks, n_tracks);
    for (uint32_t i = 0; i < ranges->threads.n; i++)
        add_ranges(&ranges->threads.at[i], &matching);
    NSC_VEC_FINI(&matching.rows);
    NSC_VEC_FINI(&matching.scratch);
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

/* How many ranges start at start or before. */
static size_t ranges_before(const struct thread_ranges *thread, nsc_time start)
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
    return low;
}

/* The same, from where the last answer was: rows come in time. */
static size_t ranges_before_near(const struct thread_ranges *thread, nsc_time start, size_t near)
{
    const struct nsc_window *at = thread->ranges.at;
    size_t n = thread->ranges.n;

    near = near < n ? near : n;
    if (near > 0 && at[near - 1].t0 > start)
        return ranges_before(thread, start);
    for (int steps = 0; near < n && at[near].t0 <= start; near++)
        if (++steps > 4)
            return ranges_before(thread, start);
    return near;
}

bool nsc_filter_ranges_hold(const struct nsc_filter_ranges *ranges, const struct nsc_trace *trace,
                            uint32_t track, nsc_event event, struct nsc_filter_hint *hint)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &(uint32_t){0});
    const struct thread_ranges *thread = NULL;

    if (nsc_kind_is_gpu(events->kind[event])) {
        event = events->link[event];
        if (event == NSC_NONE)
            return false;
        if (event - lanes[hint->lane].first >= lanes[hint->lane].n)
            hint->lane = nsc_trace_lane_of(trace, event);
        track = lanes[hint->lane].track;
    }
    if (ranges->thread_of[track] == NSC_NONE)
        return false;
    thread = &ranges->threads.at[ranges->thread_of[track]];
    hint->range = ranges_before_near(thread, events->start[event], hint->range);
    return hint->range > 0 &&
           nsc_event_touch_end(events, event) <= thread->ranges.at[hint->range - 1].t1;
}
