/*
 * Nests ranges by time, thread by thread, and finds the ranges around calls.
 */
#include "analysis/stats_ranges.h"

#include "core/die.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>

/* ---- times ---- */

/* The end of ranges that have none: the last time of the table, whichever row has it. */
static nsc_time last_time(const struct nsc_stats_ranges *ranges)
{
    const struct nsc_events *events = nsc_trace_events(ranges->input->trace);
    const struct nsc_fields *ends = ranges->input->fields[NSC_STATS_FIELDS_NVTX];
    nsc_time last = INT64_MIN;
    int64_t end;

    for (uint32_t row = 0; ends && row < ends->n; row++) {
        last = nsc_later(last, events->start[ends->event[row]]);
        if (nsc_fields_int(&end, ends, 0, row))
            last = nsc_later(last, end);
    }
    return last;
}

static void set_ends(struct nsc_stats_ranges *ranges)
{
    const struct nsc_fields *ends = ranges->input->fields[NSC_STATS_FIELDS_NVTX];
    nsc_time last = last_time(ranges);
    int64_t end;

    ranges->no_ends = nsc_fields_has(ends, 0) && ends->n > 0;
    for (uint32_t row = 0; ranges->no_ends && row < ends->n; row++)
        ranges->no_ends = !nsc_fields_int(&end, ends, 0, row);
    for (uint32_t i = 0; i < ranges->n && nsc_fields_has(ends, 0); i++)
        if (!nsc_fields_int(&end, ends, 0, nsc_fields_find(ends, ranges->at[i].event)))
            ranges->at[i].end = nsc_later(last, ranges->at[i].start);
}

bool nsc_stats_wants_nvtx(const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time last = nsc_trace_extent(trace).t1;

    for (nsc_event e = 0; e < events->n; e++)
        if (events->kind[e] == NSC_KIND_NVTX_SPAN ||
            (events->kind[e] == NSC_KIND_NVTX_RANGE &&
             (events->name[e] == 0 || nsc_event_end(events, e) >= last)))
            return true;
    return false;
}

/* ---- nesting ---- */

/* Whether a was opened after b, on the same thread at the same time: the longer first, then by row
 * id. */
static bool is_after(const struct nsc_stats_range *a, const struct nsc_stats_range *b)
{
    if (a->thread != b->thread || a->start != b->start)
        return false;
    return a->end != b->end ? a->end < b->end : a->level > b->level; /* still the row id */
}

/* By thread, start, the longer first, row id: by radix, since there are millions, and what starts
 * at once put right afterwards. */
static void sort_ranges(struct nsc_stats_ranges *ranges)
{
    size_t n = ranges->n;
    struct nsc_sort_pair *pairs = nsc_xmalloc((2 * n + 1) * sizeof *pairs);
    struct nsc_stats_range *out = nsc_xcalloc(n + 1, sizeof *out);

    for (uint32_t i = 0; i < n; i++)
        pairs[i] = (struct nsc_sort_pair){nsc_sort_key(ranges->at[i].start), i};
    nsc_sort_pairs(pairs, pairs + n, n);
    for (size_t i = 0; i < n; i++)
        pairs[i].key = ranges->at[pairs[i].value].thread;
    nsc_sort_pairs(pairs, pairs + n, n);
    for (size_t i = 0; i < n; i++) {
        struct nsc_stats_range range = ranges->at[pairs[i].value];
        size_t at = i;

        for (; at > 0 && is_after(&out[at - 1], &range); at--)
            out[at] = out[at - 1];
        out[at] = range;
    }
    free(pairs);
    free(ranges->at);
    ranges->at = out;
}

struct open_range {
    uint32_t at;
    nsc_time least; /* end of it and of all that were opened before */
};

/* The shortest of the open ranges that contains range. */
static uint32_t find_parent(const struct nsc_stats_ranges *ranges, const struct open_range open[],
                            size_t n, const struct nsc_stats_range *range)
{
    uint32_t found = NSC_NONE;
    nsc_time shortest = 0;

    for (size_t i = n; i > 0 && n - i < NSC_STATS_OPEN; i--) {
        const struct nsc_stats_range *outer = &ranges->at[open[i - 1].at];
        nsc_time length = nsc_stats_range_duration(outer);

        if (outer->end < range->end || (found != NSC_NONE && length >= shortest))
            continue;
        found = open[i - 1].at;
        shortest = length;
        if (i == 1 || open[i - 2].least >= outer->end)
            return found; /* what lies below began earlier and ends later: it is longer */
    }
    return found;
}

static void nest(struct nsc_stats_ranges *ranges)
{
    const struct nsc_events *events = nsc_trace_events(ranges->input->trace);
    NSC_VEC(struct open_range) open = {0};

    for (uint32_t i = 0; i < ranges->n; i++) {
        struct nsc_stats_range *range = &ranges->at[i];
        struct open_range entry = {i, range->end};

        range->parent = NSC_NONE;
        range->level = 0;
        if (events->kind[range->event] != NSC_KIND_NVTX_RANGE)
            continue;
        while (open.n && (ranges->at[open.at[open.n - 1].at].thread != range->thread ||
                          ranges->at[open.at[open.n - 1].at].end < range->start))
            open.n--;
        range->parent = find_parent(ranges, open.at, open.n, range);
        if (open.n)
            entry.least = nsc_earlier(open.at[open.n - 1].least, entry.least);
        *NSC_VEC_ADD(&open) = entry;
        if (range->parent == NSC_NONE)
            continue;
        range->level = ranges->at[range->parent].level + 1;
        ranges->at[range->parent].children++;
        ranges->at[range->parent].inside =
            nsc_sum(ranges->at[range->parent].inside, nsc_stats_range_duration(range));
    }
    NSC_VEC_FINI(&open);
}

/* A start/end range that ends on another thread belongs to none. */
static bool ends_here(const struct nsc_stats_input *input, nsc_event event)
{
    const struct nsc_fields *nvtx = input->fields[NSC_STATS_FIELDS_NVTX];
    const struct nsc_track *track = nsc_stats_track(input->trace, event);
    int64_t thread;

    return !nvtx || !nsc_fields_int(&thread, nvtx, 1, nsc_fields_find(nvtx, event)) ||
           ((uint64_t)thread & 0xffffff) == (track->tid & 0xffffff);
}

void nsc_stats_ranges_init(struct nsc_stats_ranges *ranges, const struct nsc_stats_input *input,
                           enum nsc_kind kind)
{
    static const uint8_t kinds[] = {NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_SPAN};
    const struct nsc_events *events = nsc_trace_events(input->trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(input->trace, &(uint32_t){0});
    struct nsc_stats_list list = nsc_stats_list(input, kinds, 2);

    *ranges = (struct nsc_stats_ranges){.input = input};
    ranges->at = nsc_xcalloc((size_t)list.n + 1, sizeof *ranges->at);
    for (uint32_t i = 0; i < list.n; i++) {
        nsc_event e = list.event[i];

        if ((kind != NSC_N_KINDS && kind != NSC_KIND_UNKNOWN && events->kind[e] != kind) ||
            (kind == NSC_N_KINDS && events->kind[e] == NSC_KIND_NVTX_SPAN && !ends_here(input, e)))
            continue;
        ranges->at[ranges->n++] = (struct nsc_stats_range){
            .event = e,
            .start = events->start[e],
            .end = nsc_event_end(events, e),
            .thread =
                nsc_trace_group_of(input->trace, lanes[nsc_trace_lane_of(input->trace, e)].track),
            .level = events->source[e]};
    }
    free(list.event);
    set_ends(ranges);
    sort_ranges(ranges);
    nest(ranges);
}

void nsc_stats_ranges_fini(struct nsc_stats_ranges *ranges)
{
    free(ranges->at);
}

/* ---- launches ---- */

static nsc_time launch_time(const void *context, uint32_t op)
{
    const struct nsc_events *events = context;
    uint32_t call = events->link[op];

    return call == NSC_NONE ? INT64_MIN : events->start[call];
}

/* By thread, then by the start of the call; ops without a call have thread 0 and come first. */
static struct nsc_stats_launch *sort_launches(const struct nsc_stats_ranges *ranges,
                                              const struct nsc_stats_list *ops)
{
    const struct nsc_trace *trace = ranges->input->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &(uint32_t){0});
    struct nsc_stats_launch *out = nsc_xmalloc(((size_t)ops->n + 1) * sizeof *out);
    uint32_t *index = nsc_xmalloc(((size_t)ops->n + 1) * 2 * sizeof *index);
    struct nsc_sort_pair *pairs = nsc_xmalloc(((size_t)ops->n + 1) * 2 * sizeof *pairs);

    for (uint32_t i = 0; i < ops->n; i++)
        index[i] = ops->event[i];
    nsc_sort_by_time(index, index + ops->n, ops->n, launch_time, events);
    for (uint32_t i = 0; i < ops->n; i++) {
        uint32_t call = events->link[index[i]];

        pairs[i].value = index[i];
        pairs[i].key = call == NSC_NONE
                           ? 0
                           : (uint64_t)1 + nsc_trace_group_of(
                                               trace, lanes[nsc_trace_lane_of(trace, call)].track);
    }
    nsc_sort_pairs(pairs, pairs + ops->n, ops->n);
    for (uint32_t i = 0; i < ops->n; i++)
        out[i] = (struct nsc_stats_launch){pairs[i].value, events->link[pairs[i].value],
                                           pairs[i].key ? (uint32_t)(pairs[i].key - 1) : NSC_NONE};
    free(index);
    free(pairs);
    return out;
}

/* The sweep over the ranges of one thread. */
struct sweep {
    const struct nsc_stats_ranges *ranges;
    uint32_t next; /* the first range not opened yet */
    uint32_t *open, *around;
    uint32_t n_open, dead; /* dead: those of the open that are known to have ended */
};

static void bury(struct sweep *sweep, nsc_time t)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < sweep->n_open; i++)
        if (sweep->ranges->at[sweep->open[i]].end >= t)
            sweep->open[n++] = sweep->open[i];
    sweep->n_open = n;
    sweep->dead = 0;
}

static uint32_t step(struct sweep *sweep, uint32_t thread, nsc_time start, nsc_time end)
{
    const struct nsc_stats_range *at = sweep->ranges->at;
    uint32_t n = 0;

    while (sweep->next < sweep->ranges->n &&
           (at[sweep->next].thread < thread ||
            (at[sweep->next].thread == thread && at[sweep->next].start <= start)))
        sweep->open[sweep->n_open++] = sweep->next++;
    while (sweep->n_open && (at[sweep->open[sweep->n_open - 1]].end < start ||
                             at[sweep->open[sweep->n_open - 1]].thread != thread))
        sweep->n_open--;
    for (uint32_t i = 0; i < sweep->n_open; i++) {
        const struct nsc_stats_range *range = &at[sweep->open[i]];

        if (range->thread == thread && range->end >= end)
            sweep->around[n++] = sweep->open[i];
        sweep->dead += range->thread != thread || range->end < start;
    }
    if (sweep->dead > sweep->n_open)
        bury(sweep, start);
    return n;
}

void nsc_stats_ranges_visit(const struct nsc_stats_ranges *ranges, const struct nsc_stats_list *ops,
                            void (*visit)(void *context, const struct nsc_stats_launch *launch,
                                          const uint32_t around[], uint32_t n),
                            void *context)
{
    const struct nsc_events *events = nsc_trace_events(ranges->input->trace);
    struct nsc_stats_launch *launches = sort_launches(ranges, ops);
    struct sweep sweep = {.ranges = ranges};

    sweep.open = nsc_xmalloc(((size_t)ranges->n + 1) * sizeof *sweep.open);
    sweep.around = nsc_xmalloc(((size_t)ranges->n + 1) * sizeof *sweep.around);
    for (uint32_t i = 0; i < ops->n; i++) {
        nsc_event call = launches[i].call;
        uint32_t n = 0;

        if (call != NSC_NONE)
            n = step(&sweep, launches[i].thread, events->start[call], nsc_event_end(events, call));
        visit(context, &launches[i], sweep.around, n);
    }
    free(sweep.open);
    free(sweep.around);
    free(launches);
}
