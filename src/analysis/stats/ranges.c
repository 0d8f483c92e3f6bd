/*
 * Nests ranges by time, thread by thread, and finds the ranges around calls.
 */
#include "analysis/stats/ranges.h"

#include "analysis/ranges/launches.h"
#include "core/die.h"
#include "core/heap.h"
#include "core/sum.h"
#include "core/vec.h"
#include "index/lane_merge.h"

#include <stdlib.h>

/* ---- times ---- */

/* The end of the last row of the lanes of NVTX whose columns are not read; counts such rows. */
static nsc_time last_closed(const struct nsc_stats_input *input, uint64_t *n)
{
    const struct nsc_fields *ends = input->fields[NSC_STATS_FIELDS_NVTX];
    const struct nsc_events *events = nsc_trace_events(input->trace);
    nsc_time last = INT64_MIN;

    *n = 0;
    for (struct nsc_lane_walk at = nsc_trace_all_lanes(input->trace, NSC_RANGE_TRACKS);
         nsc_lane_walk_next(&at);) {
        nsc_event row = at.rows->first + at.rows->n;

        while (row > at.rows->first && nsc_fields_find(ends, row - 1) != NSC_NONE)
            row--;
        *n += row - at.rows->first;
        if (row > at.rows->first)
            last = nsc_later(last, nsc_event_end(events, row - 1));
    }
    return last;
}

/* The end of ranges without one: the latest time of any row in the table. */
static nsc_time last_time(const struct nsc_stats_input *input)
{
    const struct nsc_events *events = nsc_trace_events(input->trace);
    const struct nsc_fields *ends = input->fields[NSC_STATS_FIELDS_NVTX];
    uint64_t n;
    nsc_time last = last_closed(input, &n);
    int64_t end;

    for (uint32_t row = 0; ends && row < ends->n; row++) {
        last = nsc_later(last, events->start[ends->event[row]]);
        if (nsc_fields_int(&end, ends, 0, row))
            last = nsc_later(last, end);
    }
    return last;
}

/* The end as exported. A range without one ends at `last`, or at its start if that is later. */
static nsc_time end_of(const struct nsc_stats_input *input, const struct nsc_stats_range *range,
                       nsc_time last)
{
    const struct nsc_events *events = nsc_trace_events(input->trace);
    const struct nsc_fields *ends = input->fields[NSC_STATS_FIELDS_NVTX];
    uint32_t row = nsc_fields_find(ends, range->event);
    int64_t end;

    if (row != NSC_NONE && nsc_fields_has(ends, 0) && !nsc_fields_int(&end, ends, 0, row))
        return nsc_later(last, range->start);
    return nsc_event_end(events, range->event);
}

static bool has_no_ends(const struct nsc_stats_input *input)
{
    const struct nsc_fields *ends = input->fields[NSC_STATS_FIELDS_NVTX];
    bool no_ends = nsc_fields_has(ends, 0) && ends->n > 0;
    uint64_t n_closed;
    int64_t end;

    (void)last_closed(input, &n_closed);
    no_ends = no_ends && n_closed == 0;
    for (uint32_t row = 0; no_ends && row < ends->n; row++)
        no_ends = !nsc_fields_int(&end, ends, 0, row);
    return no_ends;
}

static bool is_special(const struct nsc_events *events, nsc_event e, nsc_time last)
{
    return events->kind[e] == NSC_KIND_NVTX_SPAN ||
           (events->kind[e] == NSC_KIND_NVTX_RANGE &&
            (events->name[e] == 0 || nsc_event_end(events, e) >= last));
}

bool nsc_stats_wants_nvtx(const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time last = nsc_trace_extent(trace).t1;

    for (nsc_event e = 0; e < events->n; e++)
        if (is_special(events, e, last))
            return true;
    return false;
}

bool nsc_stats_wants_range(const struct nsc_trace *trace, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    return events->kind[event] == NSC_KIND_NVTX_MARK ||
           is_special(events, event, nsc_trace_extent(trace).t1);
}

/* ---- nesting ---- */

struct walking {
    const struct nsc_stats_input *input;
    const struct nsc_stats_walk *walk;
    NSC_VEC(struct nsc_stats_range) ahead; /* a heap: ranges that start at the same time */
    NSC_VEC(struct nsc_stats_open) open;   /* open ranges of one thread, in opening order */
    NSC_VEC(uint32_t) place;               /* scratch: new places of the open ranges that stay */
    const nsc_event *op, *ops_end;         /* launches of the thread that are still ahead */
    uint32_t ops;                          /* kinds of ops that are visited */
    uint32_t thread, n;                    /* n: ranges opened */
};

/* The shortest of the open ranges that contains range; NSC_NONE: none. */
static uint32_t find_parent(const struct walking *walking, const struct nsc_stats_range *range)
{
    const struct nsc_stats_open *open = walking->open.at;
    size_t n = walking->open.n;
    uint32_t found = NSC_NONE;
    nsc_time shortest = 0;

    for (size_t i = n; i > 0 && n - i < NSC_STATS_OPEN; i--) {
        const struct nsc_stats_range *outer = &open[i - 1].range;
        nsc_time length = nsc_stats_range_duration(outer);

        if (outer->end < range->end || (found != NSC_NONE && length >= shortest))
            continue;
        found = (uint32_t)(i - 1);
        shortest = length;
        if (i == 1 || open[i - 2].least >= outer->end)
            return found; /* the ranges below began earlier and end later, so they are longer */
    }
    return found;
}

/* Sets what a range knows of those opened before. */
static void set_before(struct nsc_stats_open *open, size_t i)
{
    open[i].least = i > 0 ? nsc_earlier(open[i - 1].least, open[i].range.end) : open[i].range.end;
    open[i].nested = i > 0 ? open[i - 1].nested && open[i].below == i - 1 : true;
}

static void open_range(struct walking *walking, const struct nsc_stats_range *range)
{
    uint32_t below = find_parent(walking, range);
    struct nsc_stats_open *open = NSC_VEC_ADD(&walking->open);

    *open = (struct nsc_stats_open){.range = *range, .number = walking->n++, .below = below};
    open->range.parent = NSC_NONE;
    open->range.level = 0;
    open->range.outer = open->number;
    set_before(walking->open.at, walking->open.n - 1);
    if (below == NSC_NONE)
        return;
    open->range.parent = walking->open.at[below].number;
    open->range.level = walking->open.at[below].range.level + 1;
    if (open->range.level >= NSC_STATS_DEEP)
        open->range.outer = walking->open.at[below].range.outer;
}

static void add_work(struct nsc_stats_work *to, const struct nsc_stats_work *work)
{
    if (work->ops == 0)
        return;
    to->start = to->ops == 0 ? work->start : nsc_earlier(to->start, work->start);
    to->end = to->ops == 0 ? work->end : nsc_later(to->end, work->end);
    to->ops += work->ops;
}

static void close_range(const struct walking *walking, size_t i)
{
    struct nsc_stats_open *open = &walking->open.at[i];
    struct nsc_stats_open *parent = open->below == NSC_NONE ? NULL : &walking->open.at[open->below];

    add_work(&open->work, &open->passed);
    if (parent) {
        parent->range.children++;
        parent->range.inside =
            nsc_sum(parent->range.inside, nsc_stats_range_duration(&open->range));
        add_work(&parent->passed, &open->passed);
    }
    if (walking->walk->close)
        walking->walk->close(walking->walk->context, open, parent);
}

/* Closes ranges that ended before t. Nested ranges end from the last one down; crossing ranges end
 * anywhere, each after those inside it. */
static void close_ended(struct walking *walking, nsc_time t)
{
    struct nsc_stats_open *open = walking->open.at;
    size_t first, kept;

    for (; walking->open.n > 0 && open[walking->open.n - 1].range.end < t; walking->open.n--)
        close_range(walking, walking->open.n - 1);
    for (first = walking->open.n; first > 0 && open[first - 1].least < t;)
        first--; /* those below are all still open */
    for (size_t i = walking->open.n; i-- > first;)
        if (open[i].range.end < t)
            close_range(walking, i);
    NSC_VEC_CLEAR(&walking->place);
    kept = first;
    for (size_t i = first; i < walking->open.n; i++) {
        *NSC_VEC_ADD(&walking->place) = (uint32_t)kept;
        if (open[i].range.end < t)
            continue;
        open[kept] = open[i];
        if (open[kept].below != NSC_NONE && open[kept].below >= first)
            open[kept].below = walking->place.at[open[kept].below - first];
        set_before(open, kept++);
    }
    walking->open.n = kept;
}

/* Adds the op to the work of the ranges around its call. Returns false if there is none. */
static bool add_op(const struct walking *walking, const struct nsc_stats_launch *launch)
{
    const struct nsc_events *events = nsc_trace_events(walking->input->trace);
    struct nsc_stats_work work = {events->start[launch->op], nsc_event_end(events, launch->op), 1,
                                  0};
    struct nsc_stats_open *open = walking->open.at;
    bool is_inside = false;

    for (size_t i = walking->open.n; i-- > 0;) {
        if (open[i].nested && open[i].least >= launch->end) {
            add_work(&open[i].passed, &work); /* the ranges around it get it when they close */
            return true;
        }
        if (nsc_stats_is_around(&open[i], launch)) {
            add_work(&open[i].work, &work);
            is_inside = true;
        }
    }
    return is_inside;
}

static void launch_op(struct walking *walking, nsc_event op)
{
    const struct nsc_events *events = nsc_trace_events(walking->input->trace);
    const struct nsc_stats_walk *walk = walking->walk;
    struct nsc_stats_launch launch = {op, events->link[op], walking->thread, 0};
    size_t n = 0;

    if (launch.call != NSC_NONE) {
        close_ended(walking, events->start[launch.call]);
        launch.end = nsc_event_end(events, launch.call);
        n = walking->open.n;
    }
    if (walk->launch)
        walk->launch(walk->context, &launch, walking->open.at, (uint32_t)n);
    if (walk->outside && launch.call != NSC_NONE && !add_op(walking, &launch))
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
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);

    for (uint32_t l = 0; l < n; l++)
        for (nsc_event e = lanes[l].first;
             nsc_trace_track(trace, lanes[l].track)->kind == NSC_TRACK_STREAM &&
             e < lanes[l].first + lanes[l].n;
             e++)
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
        close_ended(walking, range.start);
        open_range(walking, &range);
    }
}

static void end_thread(struct walking *walking)
{
    open_ahead(walking);
    launch_before(walking, INT64_MAX);
    for (; walking->open.n > 0; walking->open.n--)
        close_range(walking, walking->open.n - 1);
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
        range.end = end_of(input, &range, last);
        add_range(walking, &range);
    }
    nsc_lane_merge_fini(&merge);
    NSC_VEC_FINI(&of);
    end_thread(walking);
}

void nsc_stats_ranges_walk(const struct nsc_stats_input *input, enum nsc_kind kind, uint32_t ops,
                           const struct nsc_stats_walk *walk)
{
    struct walking walking = {.input = input, .walk = walk, .ops = ops, .thread = NSC_NONE};
    struct nsc_launches *launches =
        ops ? nsc_launches_build(input->trace, input->mask, NULL) : NULL;
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(input->trace, &n);
    nsc_time last = last_time(input);

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
    NSC_VEC_FINI(&walking.open);
    NSC_VEC_FINI(&walking.place);
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
    *ranges = (struct nsc_stats_ranges){.input = input, .no_ends = has_no_ends(input)};
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
