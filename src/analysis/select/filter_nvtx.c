/*
 * The terms nvtx: and captured: finds the matching ranges of each thread, and tests whether an event lies inside
 * one.
 */
#include "analysis/select/filter_data.h"
#include "core/bisect.h"
#include "core/progress.h"
#include "core/vec.h"
#include "index/lane_merge.h"

#include <stdlib.h>

struct thread_ranges {
    uint64_t process;
    uint32_t tid;
    /* Start and end both ascend: a range that ends no later than an earlier one lies inside that
     * one, and is dropped. */
    NSC_VEC(struct nsc_window) ranges;
};

struct nsc_filter_ranges {
    const struct nsc_filter_term *term;
    const struct nsc_trace *trace;
    NSC_VEC(struct thread_ranges) threads;
    uint32_t *thread_of; /* thread of each track; NSC_NONE if it has none */
    uint8_t *verdicts;   /* one byte per name */
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

/* ---- making them ---- */

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
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);

    ranges->term = term;
    ranges->trace = trace;
    ranges->verdicts = nsc_xmalloc((size_t)nsc_trace_names(trace)->n + 1);
    list_threads(ranges, tracks, n_tracks);
    return ranges;
}

void nsc_filter_ranges_free(struct nsc_filter_ranges *ranges)
{
    if (!ranges)
        return;
    free(ranges->verdicts);
    for (uint32_t i = 0; i < ranges->threads.n; i++)
        NSC_VEC_FINI(&ranges->threads.at[i].ranges);
    NSC_VEC_FINI(&ranges->threads);
    free(ranges->thread_of);
    free(ranges);
}

void nsc_filter_ranges_match(struct nsc_filter_ranges *ranges, nsc_name name)
{
    ranges->verdicts[name] = (uint8_t)nsc_filter_match_name(ranges->term, ranges->trace, name);
}

static void match_row(const struct nsc_filter_ranges *ranges, struct thread_ranges *thread,
                      nsc_event row)
{
    const struct nsc_events *events = nsc_trace_events(ranges->trace);
    uint8_t verdict = ranges->verdicts[events->name[row]];
    nsc_time end = nsc_event_touch_end(events, row);

    if (verdict == NSC_FILTER_NO ||
        (verdict == NSC_FILTER_ASK && !nsc_filter_match_event(ranges->term, ranges->trace, row)))
        return;
    if (thread->ranges.n == 0 || end > thread->ranges.at[thread->ranges.n - 1].t1)
        *NSC_VEC_ADD(&thread->ranges) = (struct nsc_window){events->start[row], end};
}

static void begin_thread(struct nsc_lane_merge *rows, const struct nsc_filter_ranges *ranges,
                         uint32_t thread)
{
    NSC_VEC(uint32_t) lanes = {0};

    for (struct nsc_lane_walk at =
             nsc_trace_all_lanes(ranges->trace, NSC_TRACK_BIT(NSC_TRACK_NVTX));
         nsc_lane_walk_next(&at);)
        if (ranges->thread_of[at.track] == thread)
            *NSC_VEC_ADD(&lanes) = at.lane;
    nsc_lane_merge_init(rows, ranges->trace, lanes.at, (uint32_t)lanes.n);
    NSC_VEC_FINI(&lanes);
}

void nsc_filter_ranges_find(struct nsc_filter_ranges *ranges, struct nsc_progress *progress)
{
    for (uint32_t thread = 0; thread < ranges->threads.n; thread++) {
        struct nsc_lane_merge rows;
        nsc_event row;

        begin_thread(&rows, ranges, thread);
        while (!nsc_progress_is_cancelled(progress) &&
               (row = nsc_lane_merge_next(&rows)) != NSC_NONE)
            match_row(ranges, &ranges->threads.at[thread], row);
        nsc_lane_merge_fini(&rows);
    }
}

/* ---- asking ---- */

/* Counts the ranges that start by `start`. */
static size_t ranges_before(const struct thread_ranges *thread, nsc_time start)
{
    size_t low = 0;
    size_t high = thread->ranges.n;

    NSC_BISECT(low, high, middle, thread->ranges.at[middle].t0 <= start);
    return low;
}

/* As ranges_before, but searches from the last answer on, because rows come in order of time. Without it
 * `summary --filter nvtx:` of 10 M kernels takes 21 % more. */
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
    bool is_captured = ranges->term->field == NSC_FILTER_CAPTURED;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
    const struct thread_ranges *thread = NULL;
    const struct nsc_events *events;

    trace = is_captured ? nsc_trace_captured(trace) : trace;
    if (!trace)
        return false;
    events = nsc_trace_events(trace);
    if (is_captured && !nsc_kind_is_gpu(events->kind[event]))
        return false;
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
