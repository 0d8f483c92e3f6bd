/*
 * nvtx: the ranges that match, a list a thread, made in steps, and whether an event lies inside one
 * of them.
 */
#include "analysis/select/filter_data.h"
#include "core/vec.h"

#include <stdlib.h>

enum {
    ROW_COST = 3,   /* of looking at a range on one thread, in rows of a mask on two */
    KEEP_COST = 16, /* of writing one down */
    ASK_COST = 128
};

/*
 * Start and end both ascend: a range that ends no later than one before it holds nothing that that
 * one does not hold, and is left out.
 */
struct windows { /* NSC_VEC */
    struct nsc_window *at;
    size_t n, capacity;
};

struct thread_ranges {
    uint64_t process;
    uint32_t tid;
    struct windows ranges;
    NSC_VEC(struct windows) lists; /* while they are made: what ranges is merged of */
};

struct merge {
    struct thread_ranges *thread; /* whose last two lists it merges; NULL: none */
    size_t left, right;           /* taken of either */
    struct windows out;
};

struct nsc_filter_ranges {
    const struct nsc_filter_term *term;
    const struct nsc_trace *trace;
    NSC_VEC(struct thread_ranges) threads;
    uint32_t *thread_of; /* of each track, NSC_NONE without one */
    uint8_t *verdicts;   /* a byte a name */
    /* Where making them stands. */
    uint32_t track, lane; /* lane: of the track's */
    uint32_t row;         /* of the lane's */
    struct windows fresh; /* of the lane */
    struct merge merge;
    bool done;
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

static void drop_making(struct nsc_filter_ranges *ranges)
{
    for (uint32_t i = 0; i < ranges->threads.n; i++) {
        struct thread_ranges *thread = &ranges->threads.at[i];

        for (size_t k = 0; k < thread->lists.n; k++)
            NSC_VEC_FINI(&thread->lists.at[k]);
        NSC_VEC_FINI(&thread->lists);
    }
    NSC_VEC_FINI(&ranges->fresh);
    NSC_VEC_FINI(&ranges->merge.out);
    free(ranges->verdicts);
    ranges->verdicts = NULL;
}

void nsc_filter_ranges_free(struct nsc_filter_ranges *ranges)
{
    if (!ranges)
        return;
    drop_making(ranges);
    for (uint32_t i = 0; i < ranges->threads.n; i++)
        NSC_VEC_FINI(&ranges->threads.at[i].ranges);
    NSC_VEC_FINI(&ranges->threads);
    free(ranges->thread_of);
    free(ranges);
}

void nsc_filter_ranges_judge(struct nsc_filter_ranges *ranges, nsc_name name)
{
    ranges->verdicts[name] = (uint8_t)nsc_filter_match_name(ranges->term, ranges->trace, name);
}

static void spend(uint32_t *rows, uint32_t cost)
{
    *rows -= cost < *rows ? cost : *rows;
}

static void add_window(struct windows *to, struct nsc_window w)
{
    if (to->n == 0 || w.t1 > to->at[to->n - 1].t1)
        *NSC_VEC_ADD(to) = w;
}

static void match_rows(struct nsc_filter_ranges *ranges, const struct nsc_lane *lane,
                       uint32_t *rows)
{
    const struct nsc_events *events = nsc_trace_events(ranges->trace);

    for (; ranges->row < lane->n && *rows; ranges->row++) {
        nsc_event row = lane->first + ranges->row;
        uint8_t verdict = ranges->verdicts[events->name[row]];

        spend(rows, verdict == NSC_FILTER_ASK   ? ASK_COST
                    : verdict == NSC_FILTER_YES ? KEEP_COST
                                                : ROW_COST);
        if (verdict == NSC_FILTER_YES ||
            (verdict == NSC_FILTER_ASK && nsc_filter_match_event(ranges->term, ranges->trace, row)))
            add_window(&ranges->fresh,
                       (struct nsc_window){events->start[row], nsc_event_touch_end(events, row)});
    }
}

/* Begins a merge of the thread's last two lists, unless the last one is much shorter: so no window
 * is moved more often than the number of lists has digits. */
static void begin_merge(struct merge *merge, struct thread_ranges *thread, bool all)
{
    size_t n = thread->lists.n;

    if (n > 1 && (all || thread->lists.at[n - 1].n >= thread->lists.at[n - 2].n / 2))
        *merge = (struct merge){.thread = thread};
}

static void end_merge(struct merge *merge)
{
    struct thread_ranges *thread = merge->thread;
    struct windows *lists = thread->lists.at;

    NSC_VEC_FINI(&lists[thread->lists.n - 1]);
    NSC_VEC_FINI(&lists[thread->lists.n - 2]);
    lists[thread->lists.n - 2] = merge->out;
    thread->lists.n--;
    *merge = (struct merge){0};
    begin_merge(merge, thread, false);
}

static void run_merge(struct merge *merge, uint32_t *rows)
{
    const struct windows *left = &merge->thread->lists.at[merge->thread->lists.n - 2];
    const struct windows *right = left + 1;

    for (; (merge->left < left->n || merge->right < right->n) && *rows; spend(rows, KEEP_COST)) {
        const struct nsc_window *a = merge->left < left->n ? &left->at[merge->left] : NULL;
        const struct nsc_window *b = merge->right < right->n ? &right->at[merge->right] : NULL;
        bool is_left = a && (!b || a->t0 < b->t0 || (a->t0 == b->t0 && a->t1 >= b->t1));

        add_window(&merge->out, is_left ? *a : *b);
        merge->left += is_left;
        merge->right += !is_left;
    }
    if (merge->left == left->n && merge->right == right->n)
        end_merge(merge);
}

/* The lane that is looked at; NULL past the last. */
static const struct nsc_lane *find_lane(struct nsc_filter_ranges *ranges)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(ranges->trace, &n);

    while (ranges->track < n && (tracks[ranges->track].kind != NSC_TRACK_NVTX ||
                                 ranges->lane >= tracks[ranges->track].n_lanes)) {
        ranges->track++;
        ranges->lane = 0;
    }
    return ranges->track < n
               ? &nsc_trace_lanes(ranges->trace,
                                  NULL)[tracks[ranges->track].first_lane + ranges->lane]
               : NULL;
}

static void end_lane(struct nsc_filter_ranges *ranges)
{
    struct thread_ranges *thread = &ranges->threads.at[ranges->thread_of[ranges->track]];

    if (ranges->fresh.n) {
        *NSC_VEC_ADD(&thread->lists) = ranges->fresh;
        ranges->fresh = (struct windows){0};
        begin_merge(&ranges->merge, thread, false);
    }
    ranges->row = 0;
    ranges->lane++;
}

/* All lanes are looked at: what is left is one list a thread. */
static void finish(struct nsc_filter_ranges *ranges)
{
    for (uint32_t i = 0; i < ranges->threads.n; i++) {
        struct thread_ranges *thread = &ranges->threads.at[i];

        begin_merge(&ranges->merge, thread, true);
        if (ranges->merge.thread)
            return;
        if (thread->lists.n)
            thread->ranges = thread->lists.at[0];
        thread->lists.n = 0;
    }
    drop_making(ranges);
    ranges->done = true;
}

bool nsc_filter_ranges_step(struct nsc_filter_ranges *ranges, uint32_t *rows)
{
    while (!ranges->done && *rows) {
        const struct nsc_lane *lane = ranges->merge.thread ? NULL : find_lane(ranges);

        if (ranges->merge.thread)
            run_merge(&ranges->merge, rows);
        else if (!lane)
            finish(ranges);
        else if (ranges->row < lane->n)
            match_rows(ranges, lane, rows);
        else
            end_lane(ranges);
    }
    return ranges->done;
}

/* ---- asking ---- */

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
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
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
