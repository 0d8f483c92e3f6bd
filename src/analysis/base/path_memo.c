/* Keeps the ranges around the last event of each thread and stream, lane by lane. */
#include "analysis/base/path_memo.h"

#include "nsyscope/summary.h"

#include "analysis/base/correlate.h"
#include "core/die.h"
#include "core/vec.h"
#include "index/lane_merge.h"

#include <stdlib.h>

enum { DEPTHS = 32 };

struct memo_lane { /* a lane of NVTX: one depth of one domain */
    uint32_t lane;
    nsc_event row;        /* first row that ends after the time of the query */
    nsc_time from, until; /* for which this is so */
    bool is_in;           /* the row has started, too */
};

/* Of a thread's events, or of a stream's launches, whose times mostly ascend. */
struct memo_slot {
    uint32_t thread;                 /* its group */
    NSC_VEC(struct memo_lane) lanes; /* of a thread: a stream uses those of its thread */
    nsc_time from, until;            /* for which path holds */
    NSC_VEC(nsc_event) path;
};

struct nsc_path_memo {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    const struct nsc_track *tracks;
    const struct nsc_lane *lanes;
    uint32_t n_tracks, n_places;
    uint32_t *place;         /* by track: its first place */
    struct memo_slot *slots; /* by track of a stream, or by group of a thread */
};

struct nsc_path_memo *nsc_path_memo_new(const struct nsc_trace *trace)
{
    struct nsc_path_memo *memo = nsc_xcalloc(1, sizeof *memo);

    memo->trace = trace;
    memo->events = nsc_trace_events(trace);
    memo->tracks = nsc_trace_tracks(trace, &memo->n_tracks);
    memo->lanes = nsc_trace_lanes(trace, NULL);
    memo->place = nsc_xcalloc(memo->n_tracks + 1u, sizeof *memo->place);
    memo->slots = nsc_xcalloc(memo->n_tracks + 1u, sizeof *memo->slots);
    for (uint32_t i = 0; i < memo->n_tracks; i++) {
        const struct nsc_track *track = &memo->tracks[i];

        memo->place[i] = memo->n_places;
        memo->slots[i].thread = NSC_NONE;
        memo->n_places += track->kind != NSC_TRACK_NVTX ? 1
                          : track->n_lanes < DEPTHS     ? track->n_lanes
                                                        : DEPTHS;
    }
    return memo;
}

void nsc_path_memo_free(struct nsc_path_memo *memo)
{
    for (uint32_t i = 0; memo && i < memo->n_tracks; i++) {
        NSC_VEC_FINI(&memo->slots[i].lanes);
        NSC_VEC_FINI(&memo->slots[i].path);
    }
    if (memo) {
        free(memo->place);
        free(memo->slots);
    }
    free(memo);
}

uint32_t nsc_path_memo_places(const struct nsc_path_memo *memo)
{
    return memo->n_places;
}

/* ---- the ranges of one thread ---- */

static void begin_thread(struct memo_slot *slot, const struct nsc_path_memo *memo, uint32_t thread)
{
    struct memo_slot *of = &memo->slots[thread];

    slot->thread = thread;
    slot->from = 1; /* holds for no time */
    slot->until = 0;
    if (of->lanes.n > 0)
        return;
    for (struct nsc_lane_walk at =
             nsc_group_lanes(memo->trace, thread, NSC_TRACK_BIT(NSC_TRACK_NVTX));
         nsc_lane_walk_next(&at);)
        *NSC_VEC_ADD(&of->lanes) = (struct memo_lane){at.lane, at.rows->first, 1, 0, false};
}

static void seek(struct memo_lane *lane, const struct nsc_path_memo *memo, nsc_time t)
{
    const struct nsc_events *events = memo->events;
    nsc_event first = memo->lanes[lane->lane].first, end = first + memo->lanes[lane->lane].n;
    nsc_event row = nsc_lane_find_near(memo->trace, lane->lane, t, lane->row);

    lane->row = row;
    lane->is_in = row < end && events->start[row] <= t;
    if (lane->is_in) {
        lane->from = events->start[row];
        lane->until = nsc_event_touch_end(events, row);
    } else {
        lane->from = row > first ? nsc_event_touch_end(events, row - 1) : INT64_MIN;
        lane->until = row < end ? events->start[row] : INT64_MAX;
    }
}

static void find_path(struct memo_slot *slot, const struct nsc_path_memo *memo, nsc_time t)
{
    const struct memo_slot *of = &memo->slots[slot->thread];

    NSC_VEC_CLEAR(&slot->path);
    slot->from = INT64_MIN;
    slot->until = INT64_MAX;
    for (size_t i = 0; i < of->lanes.n; i++) {
        struct memo_lane *lane = &of->lanes.at[i];

        if (t < lane->from || t >= lane->until)
            seek(lane, memo, t);
        slot->from = lane->from > slot->from ? lane->from : slot->from;
        slot->until = lane->until < slot->until ? lane->until : slot->until;
        if (lane->is_in)
            *NSC_VEC_ADD(&slot->path) = lane->row;
    }
    nsc_sort_outermost(memo->trace, slot->path.at, slot->path.n);
}

/* ---- a query ---- */

/* The first ranges of a slot's path. */
static struct nsc_path path_of(const struct memo_slot *slot, size_t depth)
{
    return (struct nsc_path){.rows = slot->path.at,
                             .n = depth < NSC_PATH_MOST ? (uint32_t)depth : NSC_PATH_MOST,
                             .depth = (uint32_t)depth,
                             .is_cut = depth > NSC_PATH_MOST,
                             .innermost = depth > 0 ? slot->path.at[depth - 1] : NSC_NONE,
                             .from = slot->from,
                             .until = slot->until};
}

/* The path before the event itself; what starts with it and comes after it is inside. */
static struct nsc_path path_to(const struct memo_slot *slot, nsc_event event)
{
    size_t n = 0;

    while (n < slot->path.n && slot->path.at[n] != event)
        n++;
    return path_of(slot, n);
}

struct nsc_path nsc_path_memo_at(struct nsc_path_memo *memo, uint32_t asker, uint32_t thread,
                                 nsc_time t)
{
    struct memo_slot *slot = &memo->slots[asker];

    if (slot->thread != thread)
        begin_thread(slot, memo, thread);
    if (t < slot->from || t >= slot->until)
        find_path(slot, memo, t);
    return path_of(slot, slot->path.n);
}

struct nsc_path nsc_path_memo_find(struct nsc_path_memo *memo, nsc_event event, uint32_t lane,
                                   nsc_event launch)
{
    bool is_gpu = nsc_kind_is_gpu(memo->events->kind[event]);
    uint32_t track = memo->lanes[lane].track;
    struct nsc_path path = {.innermost = NSC_NONE};
    nsc_event call = is_gpu ? launch : event;
    uint32_t thread = NSC_NONE;

    if (call != NSC_NONE)
        thread = is_gpu ? nsc_event_group(memo->trace, call) : memo->tracks[track].group;
    if (thread != NSC_NONE && memo->tracks[thread].kind == NSC_TRACK_THREAD) {
        path = nsc_path_memo_at(memo, is_gpu ? track : thread, thread, memo->events->start[call]);
        if (memo->tracks[track].kind == NSC_TRACK_NVTX)
            path = path_to(&memo->slots[thread], event);
    }
    path.place = memo->place[track];
    if (memo->tracks[track].kind == NSC_TRACK_NVTX) {
        uint32_t depth = lane - memo->tracks[track].first_lane;

        path.place += depth < DEPTHS - 1 ? depth : DEPTHS - 1;
    }
    return path;
}
