/* Keeps the ranges around the last event of each thread and stream, lane by lane. */
#include "analysis/base/path_memo.h"

#include "nsyscope/summary.h"

#include "core/bisect.h"
#include "core/die.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTHS = 32 };

struct lane { /* a lane of NVTX: one depth of one domain */
    uint32_t lane;
    nsc_event row;        /* first row that ends after the time of the query */
    nsc_time from, until; /* for which this is so */
};

struct slot { /* state of a thread's events, or of a stream's launches, whose times mostly ascend */
    uint32_t thread;
    struct lane *lanes;
    uint32_t n_lanes;
    nsc_time from, until; /* for which path holds */
    nsc_event *path;
    uint32_t n;
    nsc_event call_first, call_end; /* rows of the lane of the last launch */
    uint32_t call_track;
};

struct nsc_path_memo {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    const struct nsc_track *tracks;
    const struct nsc_lane *lanes;
    uint32_t n_tracks, n_nvtx, n_places;
    uint32_t *nvtx;     /* tracks of push/pop ranges, by process and thread */
    uint32_t *thread;   /* by track: its thread's first entry in nvtx; NSC_NONE: the thread has no
                         * ranges */
    uint32_t *place;    /* by track: its first place */
    struct slot *slots; /* by stream track, or by the first track of a thread's ranges */
    nsc_event own[NSC_PATH_MOST];
};

static int compare_threads(const struct nsc_track *a, const struct nsc_track *b)
{
    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    return a->tid < b->tid ? -1 : a->tid > b->tid;
}

/* Sorts by insertion: tracks of a thread mostly follow one another. */
static void list_nvtx(struct nsc_path_memo *memo)
{
    for (uint32_t i = 0; i < memo->n_tracks; i++) {
        uint32_t at = memo->n_nvtx;

        if (memo->tracks[i].kind != NSC_TRACK_NVTX)
            continue;
        for (; at && compare_threads(&memo->tracks[memo->nvtx[at - 1]], &memo->tracks[i]) > 0; at--)
            memo->nvtx[at] = memo->nvtx[at - 1];
        memo->nvtx[at] = i;
        memo->n_nvtx++;
    }
}

static uint32_t find_thread(const struct nsc_path_memo *memo, const struct nsc_track *track)
{
    uint32_t low = 0, high = memo->n_nvtx;

    NSC_BISECT(low, high, middle, compare_threads(&memo->tracks[memo->nvtx[middle]], track) < 0);
    return low < memo->n_nvtx && track->device < 0 &&
                   compare_threads(&memo->tracks[memo->nvtx[low]], track) == 0
               ? low
               : NSC_NONE;
}

struct nsc_path_memo *nsc_path_memo_new(const struct nsc_trace *trace)
{
    struct nsc_path_memo *memo = nsc_xcalloc(1, sizeof *memo);
    uint32_t n_lanes;

    memo->trace = trace;
    memo->events = nsc_trace_events(trace);
    memo->tracks = nsc_trace_tracks(trace, &memo->n_tracks);
    memo->lanes = nsc_trace_lanes(trace, &n_lanes);
    memo->nvtx = nsc_xcalloc(memo->n_tracks + 1u, sizeof *memo->nvtx);
    memo->thread = nsc_xcalloc(memo->n_tracks + 1u, sizeof *memo->thread);
    memo->place = nsc_xcalloc(memo->n_tracks + 1u, sizeof *memo->place);
    memo->slots = nsc_xcalloc(memo->n_tracks + 1u, sizeof *memo->slots);
    list_nvtx(memo);
    for (uint32_t i = 0; i < memo->n_tracks; i++) {
        const struct nsc_track *track = &memo->tracks[i];

        memo->thread[i] = find_thread(memo, track);
        memo->place[i] = memo->n_places;
        memo->slots[i].thread = NSC_NONE;
        memo->n_places += track->kind != NSC_TRACK_NVTX ? 1
                          : track->n_lanes < DEPTHS     ? track->n_lanes
                                                        : DEPTHS;
    }
    return memo;
}

static void slot_fini(struct slot *slot)
{
    free(slot->lanes);
    free(slot->path);
}

void nsc_path_memo_free(struct nsc_path_memo *memo)
{
    for (uint32_t i = 0; i < memo->n_tracks; i++)
        slot_fini(&memo->slots[i]);
    free(memo->nvtx);
    free(memo->thread);
    free(memo->place);
    free(memo->slots);
    free(memo);
}

uint32_t nsc_path_memo_places(const struct nsc_path_memo *memo)
{
    return memo->n_places;
}

/* ---- the ranges of one thread ---- */

/* Takes the lanes of a thread's domains, one more than a path shows, to detect a cut path. */
static void slot_begin(struct slot *slot, const struct nsc_path_memo *memo, uint32_t thread)
{
    const struct nsc_track *first = &memo->tracks[memo->nvtx[thread]];
    uint32_t capacity = 0;

    slot_fini(slot);
    slot->thread = thread;
    slot->n_lanes = slot->n = 0;
    slot->from = 1; /* holds for no time */
    slot->until = 0;
    for (uint32_t i = thread; i < memo->n_nvtx; i++)
        if (compare_threads(&memo->tracks[memo->nvtx[i]], first) == 0)
            capacity += memo->tracks[memo->nvtx[i]].n_lanes;
        else
            break;
    slot->lanes = nsc_xcalloc(capacity + 1u, sizeof *slot->lanes);
    for (uint32_t i = thread; i < memo->n_nvtx; i++) {
        const struct nsc_track *track = &memo->tracks[memo->nvtx[i]];

        if (compare_threads(track, first) != 0)
            break;
        for (uint32_t k = 0; k < track->n_lanes && k <= NSC_PATH_MOST; k++) {
            struct lane *lane = &slot->lanes[slot->n_lanes++];

            lane->lane = track->first_lane + k;
            lane->row = memo->lanes[lane->lane].first;
            lane->from = 1; /* holds for no time */
        }
    }
    slot->path = nsc_xcalloc(slot->n_lanes + 1u, sizeof *slot->path);
}

/* The first row of [row, end) that ends after t, else end. O(log) of how far that is. */
static nsc_event pass_ended(const struct nsc_events *events, nsc_event row, nsc_event end,
                            nsc_time t)
{
    uint32_t step = 1;

    for (; step < end - row && nsc_event_touch_end(events, row + step - 1) <= t; step *= 2)
        row += step;
    end = step < end - row ? row + step : end;
    NSC_BISECT(row, end, middle, nsc_event_touch_end(events, middle) <= t);
    return row;
}

static void seek(struct lane *lane, const struct nsc_path_memo *memo, nsc_time t)
{
    const struct nsc_events *events = memo->events;
    nsc_event first = memo->lanes[lane->lane].first, end = first + memo->lanes[lane->lane].n;
    bool is_later = t >= lane->from && lane->from <= lane->until;
    nsc_event row = is_later ? pass_ended(events, lane->row, end, t)
                             : nsc_lane_find(memo->trace, lane->lane, t);

    lane->row = row;
    if (row < end && events->start[row] <= t) {
        lane->from = events->start[row];
        lane->until = nsc_event_touch_end(events, row);
    } else {
        lane->from = row > first ? nsc_event_touch_end(events, row - 1) : INT64_MIN;
        lane->until = row < end ? events->start[row] : INT64_MAX;
    }
}

/* Whether range a is outside of b, as nsc_sort_outermost orders them. */
static bool is_outer(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    nsc_time x, y;

    if (events->start[a] != events->start[b])
        return events->start[a] < events->start[b];
    x = nsc_event_duration(events, a);
    y = nsc_event_duration(events, b);
    return x != y ? x > y : a < b;
}

static void add_outermost(struct slot *slot, const struct nsc_events *events, nsc_event row)
{
    uint32_t at = slot->n++;

    for (; at && is_outer(events, row, slot->path[at - 1]); at--)
        slot->path[at] = slot->path[at - 1];
    slot->path[at] = row;
}

static void slot_find(struct slot *slot, const struct nsc_path_memo *memo, nsc_time t)
{
    slot->n = 0;
    slot->from = INT64_MIN;
    slot->until = INT64_MAX;
    for (uint32_t i = 0; i < slot->n_lanes; i++) {
        struct lane *lane = &slot->lanes[i];

        if (t < lane->from || t >= lane->until)
            seek(lane, memo, t);
        slot->from = lane->from > slot->from ? lane->from : slot->from;
        slot->until = lane->until < slot->until ? lane->until : slot->until;
        if (lane->row < memo->lanes[lane->lane].first + memo->lanes[lane->lane].n &&
            memo->events->start[lane->row] <= t)
            add_outermost(slot, memo->events, lane->row);
    }
}

/* ---- a query ---- */

/* The track of a launch. */
static uint32_t find_call_track(const struct nsc_path_memo *memo, struct slot *slot, nsc_event call)
{
    if (call < slot->call_first || call >= slot->call_end) {
        const struct nsc_lane *lane = &memo->lanes[nsc_trace_lane_of(memo->trace, call)];

        slot->call_first = lane->first;
        slot->call_end = lane->first + lane->n;
        slot->call_track = lane->track;
    }
    return slot->call_track;
}

/* Removes the event itself from the path. */
static struct nsc_path leave_out(struct nsc_path_memo *memo, struct nsc_path path, uint32_t n,
                                 nsc_event event)
{
    uint32_t others = 0;

    for (uint32_t i = 0; i < n; i++)
        if (path.rows[i] != event && others++ < NSC_PATH_MOST)
            memo->own[others - 1] = path.rows[i];
    path.rows = memo->own;
    path.n = others < NSC_PATH_MOST ? others : NSC_PATH_MOST;
    path.is_cut = others > NSC_PATH_MOST;
    return path;
}

struct nsc_path nsc_path_memo_find(struct nsc_path_memo *memo, nsc_event event, uint32_t lane,
                                   nsc_event launch)
{
    bool is_gpu = nsc_kind_is_gpu(memo->events->kind[event]);
    uint32_t track = memo->lanes[lane].track, thread = memo->thread[track];
    struct nsc_path path = {NULL, 0, false, memo->place[track]};
    struct slot *slot = NULL;
    nsc_event call = is_gpu ? launch : event;

    if (call == NSC_NONE)
        return path;
    if (is_gpu) {
        slot = &memo->slots[track];
        thread = memo->thread[find_call_track(memo, slot, call)];
    } else if (thread != NSC_NONE) {
        slot = &memo->slots[memo->nvtx[thread]];
    }
    if (thread == NSC_NONE)
        return path;
    if (slot->thread != thread)
        slot_begin(slot, memo, thread);
    if (memo->events->start[call] < slot->from || memo->events->start[call] >= slot->until)
        slot_find(slot, memo, memo->events->start[call]);
    path.rows = slot->path;
    path.n = slot->n < NSC_PATH_MOST ? slot->n : NSC_PATH_MOST;
    path.is_cut = slot->n > NSC_PATH_MOST;
    if (memo->tracks[track].kind == NSC_TRACK_NVTX) {
        uint32_t depth = lane - memo->tracks[track].first_lane;

        path.place += depth < DEPTHS - 1 ? depth : DEPTHS - 1;
        return leave_out(memo, path, slot->n, event);
    }
    return path;
}
