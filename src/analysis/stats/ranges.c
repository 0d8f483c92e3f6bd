/* Walks the ranges and the launches of each thread in order of time. */
#include "analysis/ranges/launches.h"
#include "analysis/stats/range_stack.h"
#include "core/die.h"
#include "core/heap.h"
#include "index/lane_merge.h"

#include <stdlib.h>

struct walking {
    const struct nsc_stats_input *input;
    const struct nsc_stats_walk *walk;
    NSC_VEC(struct nsc_stats_range) ahead; /* a heap: ranges that start at the same time */
    struct nsc_range_stack stack;          /* the open ranges of one thread */
    const nsc_event *op, *ops_end;         /* launches of the thread that are still ahead */
    uint32_t ops;                          /* kinds of ops that are visited */
    uint32_t thread;
};

/* ---- ops ---- */

static void launch_op(struct walking *walking, nsc_event op)
{
    const struct nsc_events *events = nsc_trace_events(walking->input->trace);
    const struct nsc_stats_walk *walk = walking->walk;
    struct nsc_stats_launch launch = {op, events->link[op], walking->thread, 0};
    size_t n = 0;

    if (launch.call != NSC_NONE) {
        nsc_range_stack_close(&walking->stack, events->start[launch.call]);
        launch.end = nsc_event_end(events, launch.call);
        n = walking->stack.open.n;
    }
    if (walk->launch)
        walk->launch(walk->context, &launch, walking->stack.open.at, (uint32_t)n);
    if (walk->outside && launch.call != NSC_NONE &&
        !nsc_range_stack_add(
            &walking->stack,
            &(struct nsc_stats_work){events->start[op], nsc_event_end(events, op), 1, 0},
            launch.end))
        walk->outside(walk->context, &launch);
}

static bool is_op(const struct walking *walking, nsc_event e)
{
    const struct nsc_events *events = nsc_trace_events(walking->input->trace);

    return walking->ops >> events->kind[e] & 1 && nsc_stats_has(walking->input, events, e);
}

/* Passes on the ops whose calls start before t. */
static void launch_before(struct walking *walking, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(walking->input->trace);

    for (; walking->op < walking->ops_end && events->start[events->link[*walking->op]] < t;
         walking->op++)
        if (is_op(walking, *walking->op))
            launch_op(walking, *walking->op);
}

/* Passes on the ops without a call. */
static void launch_unknown(struct walking *walking)
{
    const struct nsc_trace *trace = walking->input->trace;
    const struct nsc_events *events = nsc_trace_events(trace);

    for (struct nsc_lane_walk at = nsc_trace_all_lanes(trace, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_lane_walk_next(&at);)
        for (nsc_event e = at.rows->first; e < at.rows->first + at.rows->n; e++)
            if (events->link[e] == NSC_NONE && is_op(walking, e))
                launch_op(walking, e);
}

/* Opening order of ranges that start together: the longer first, then by row id. */
static bool opens_first(const void *context, const void *a, const void *b)
{
    const struct nsc_events *events = context;
    const struct nsc_stats_range *range = a, *other = b;

    if (range->end != other->end)
        return range->end > other->end;
    return events->source[range->event] < events->source[other->event];
}

static struct nsc_heap heap_of(const struct walking *walking)
{
    return (struct nsc_heap){walking->ahead.at, walking->ahead.n, sizeof *walking->ahead.at,
                             opens_first, nsc_trace_events(walking->input->trace)};
}

/* Opens the ranges ahead, after passing on the ops launched before they start. */
static void open_ahead(struct walking *walking)
{
    while (walking->ahead.n > 0) {
        struct nsc_stats_range range = walking->ahead.at[0];

        walking->ahead.at[0] = walking->ahead.at[--walking->ahead.n];
        nsc_heap_set(heap_of(walking));
        launch_before(walking, range.start);
        nsc_range_stack_close(&walking->stack, range.start);
        nsc_range_stack_open(&walking->stack, &range);
    }
}

static void end_thread(struct walking *walking)
{
    open_ahead(walking);
    launch_before(walking, INT64_MAX);
    nsc_range_stack_close_all(&walking->stack);
}

static void add_range(struct walking *walking, const struct nsc_stats_range *range)
{
    if (walking->ahead.n > 0 && walking->ahead.at[0].start != range->start)
        open_ahead(walking);
    *NSC_VEC_ADD(&walking->ahead) = *range;
    nsc_heap_add(heap_of(walking));
}

/* ---- gathering ---- */

/* Whether a start/end range ends on its own thread; otherwise it belongs to no thread. */
static bool ends_here(const struct nsc_stats_input *input, nsc_event event, uint32_t track)
{
    const struct nsc_fields *nvtx = input->fields[NSC_STATS_FIELDS_NVTX];
    const struct nsc_track *tracks = nsc_trace_tracks(input->trace, NULL);
    int64_t thread;

    return !nvtx || !nsc_fields_int(&thread, nvtx, 1, nsc_fields_find(nvtx, event)) ||
           ((uint64_t)thread & 0xffffff) == (tracks[track].tid & 0xffffff);
}

static bool is_wanted(const struct nsc_stats_input *input, nsc_event e, uint32_t track,
                      enum nsc_kind kind)
{
    const struct nsc_events *events = nsc_trace_events(input->trace);
    uint8_t own = events->kind[e];

    if ((own != NSC_KIND_NVTX_RANGE && own != NSC_KIND_NVTX_SPAN) ||
        !nsc_stats_has(input, events, e))
        return false;
    if (kind == NSC_N_KINDS)
        return own == NSC_KIND_NVTX_RANGE || ends_here(input, e, track);
    return kind == NSC_KIND_UNKNOWN || own == kind;
}

/* ---- walking ---- */

static void walk_thread(struct walking *walking, enum nsc_kind kind, nsc_time last)
{
    const struct nsc_stats_input *input = walking->input;
    const struct nsc_events *events = nsc_trace_events(input->trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(input->trace, NULL);
    NSC_VEC(uint32_t) of = {0};
    struct nsc_lane_merge merge;

    for (struct nsc_lane_walk at = nsc_group_lanes(input->trace, walking->thread, NSC_RANGE_TRACKS);
         nsc_lane_walk_next(&at);)
        *NSC_VEC_ADD(&of) = at.lane;
    nsc_lane_merge_init(&merge, input->trace, of.at, (uint32_t)of.n);
    for (nsc_event e; (e = nsc_lane_merge_next(&merge)) != NSC_NONE;) {
        struct nsc_stats_range range = {.event = e,
                                        .track = lanes[nsc_trace_lane_of(input->trace, e)].track,
                                        .start = events->start[e]};

        if (!is_wanted(input, e, range.track, kind))
            continue;
        range.end = nsc_stats_range_end(input, &range, last);
        add_range(walking, &range);
    }
    nsc_lane_merge_fini(&merge);
    NSC_VEC_FINI(&of);
    end_thread(walking);
}

void nsc_stats_ranges_walk(const struct nsc_stats_input *input, enum nsc_kind kind, uint32_t ops,
                           const struct nsc_stats_walk *walk)
{
    struct walking walking = {
        .input = input, .walk = walk, .stack = {.walk = walk}, .ops = ops, .thread = NSC_NONE};
    struct nsc_launches *launches =
        ops ? nsc_launches_build(input->trace, input->mask, NULL) : NULL;
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(input->trace, &n);
    nsc_time last = nsc_stats_last_time(input);

    if (ops && !launches)
        nsc_die_oom();
    if (ops)
        launch_unknown(&walking);
    for (uint32_t g = nsc_trace_next_group(input->trace, 0); g < n;
         g = nsc_trace_next_group(input->trace, nsc_group_end(tracks, g))) {
        walking.thread = g;
        if (launches && nsc_launches_count(launches) > 0) {
            struct nsc_positions in = nsc_launches_of_track(launches, g);

            walking.op = nsc_launches_ops(launches) + in.first;
            walking.ops_end = nsc_launches_ops(launches) + in.end;
        }
        walk_thread(&walking, kind, last);
    }
    nsc_launches_free(launches);
    NSC_VEC_FINI(&walking.ahead);
    nsc_range_stack_fini(&walking.stack);
}

static uint32_t count_ranges(const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t n = 0;

    for (nsc_event e = 0; e < events->n; e++)
        n += events->kind[e] == NSC_KIND_NVTX_RANGE || events->kind[e] == NSC_KIND_NVTX_SPAN;
    return n;
}

void nsc_stats_ranges_init(struct nsc_stats_ranges *ranges, const struct nsc_stats_input *input)
{
    *ranges = (struct nsc_stats_ranges){.input = input, .no_ends = nsc_stats_has_no_ends(input)};
    ranges->most = count_ranges(input->trace);
    ranges->at = nsc_xmalloc(((size_t)ranges->most + 1) * sizeof *ranges->at);
}

void nsc_stats_ranges_put(struct nsc_stats_ranges *ranges, const struct nsc_stats_open *open)
{
    ranges->at[open->number] = open->range;
    ranges->n++;
}

static void put_range(void *context, const struct nsc_stats_open *range,
                      struct nsc_stats_open *parent)
{
    (void)parent;
    nsc_stats_ranges_put(context, range);
}

void nsc_stats_ranges_load(struct nsc_stats_ranges *ranges, const struct nsc_stats_input *input,
                           enum nsc_kind kind)
{
    nsc_stats_ranges_init(ranges, input);
    nsc_stats_ranges_walk(input, kind, 0,
                          &(struct nsc_stats_walk){.close = put_range, .context = ranges});
}

void nsc_stats_ranges_fini(struct nsc_stats_ranges *ranges)
{
    free(ranges->at);
}
