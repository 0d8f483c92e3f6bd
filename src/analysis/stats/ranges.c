/*
 * Nests ranges by time, thread by thread, and finds the ranges around calls.
 */
#include "analysis/stats/ranges.h"

#include "analysis/base/around.h"
#include "core/die.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/vec.h"
#include "index/lane_merge.h"

#include <stdlib.h>

/* ---- times ---- */

/* The end of ranges without one: the last time in the table, of any row. */
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

/* The end as exported. A range without one ends at last, or at its start if that is later. */
static nsc_time end_of(const struct nsc_stats_ranges *ranges, const struct nsc_stats_range *range,
                       nsc_time last)
{
    const struct nsc_events *events = nsc_trace_events(ranges->input->trace);
    const struct nsc_fields *ends = ranges->input->fields[NSC_STATS_FIELDS_NVTX];
    int64_t end;

    if (nsc_fields_has(ends, 0) &&
        !nsc_fields_int(&end, ends, 0, nsc_fields_find(ends, range->event)))
        return nsc_later(last, range->start);
    return nsc_event_end(events, range->event);
}

static void find_no_ends(struct nsc_stats_ranges *ranges)
{
    const struct nsc_fields *ends = ranges->input->fields[NSC_STATS_FIELDS_NVTX];
    int64_t end;

    ranges->no_ends = nsc_fields_has(ends, 0) && ends->n > 0;
    for (uint32_t row = 0; ranges->no_ends && row < ends->n; row++)
        ranges->no_ends = !nsc_fields_int(&end, ends, 0, row);
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

/* Whether a is opened after b although both start at once on one thread: the longer first, then by
 * row id. */
static bool is_after(const struct nsc_stats_range *a, const struct nsc_stats_range *b)
{
    if (a->thread != b->thread || a->start != b->start)
        return false;
    return a->end != b->end ? a->end < b->end
                            : a->level > b->level; /* level still holds the row id */
}

struct open_range {
    uint32_t at;
    nsc_time least; /* least end of it and of all opened before */
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
            return found; /* the ranges below began earlier and end later: they are longer */
    }
    return found;
}

static void nest(struct nsc_stats_ranges *ranges)
{
    NSC_VEC(struct open_range) open = {0};

    for (uint32_t i = 0; i < ranges->n; i++) {
        struct nsc_stats_range *range = &ranges->at[i];
        struct open_range entry = {i, range->end};

        range->parent = NSC_NONE;
        range->level = 0;
        range->outer = i;
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
        if (range->level >= NSC_STATS_DEEP)
            range->outer = ranges->at[range->parent].outer;
        ranges->at[range->parent].children++;
        ranges->at[range->parent].inside =
            nsc_sum(ranges->at[range->parent].inside, nsc_stats_range_duration(range));
    }
    NSC_VEC_FINI(&open);
}

/* ---- gathering ---- */

/* Whether a start/end range ends on its own thread; else it belongs to no thread. */
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

/* The lanes of a thread that hold ranges, in order of their rows. */
struct thread_lanes {
    NSC_VEC(uint32_t) lanes;
    size_t last; /* used last */
};

static int compare_lanes(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static void find_lanes(struct thread_lanes *of, const struct nsc_trace *trace, uint32_t group)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);

    NSC_VEC_CLEAR(&of->lanes);
    of->last = 0;
    for (uint32_t t = group; t < tracks[group].skip; t++)
        for (uint32_t k = 0;
             (tracks[t].kind == NSC_TRACK_NVTX || tracks[t].kind == NSC_TRACK_SPANS) &&
             k < tracks[t].n_lanes;
             k++)
            *NSC_VEC_ADD(&of->lanes) = tracks[t].first_lane + k;
    if (of->lanes.n > 1) /* tracks are sorted by label, not by row */
        qsort(of->lanes.at, of->lanes.n, sizeof *of->lanes.at, compare_lanes);
}

/* The track of a row, which most often is that of the row before. */
static uint32_t track_of(struct thread_lanes *of, const struct nsc_lane lanes[], nsc_event row)
{
    const struct nsc_lane *lane = &lanes[of->lanes.at[of->last]];
    size_t low = 0, high = of->lanes.n - 1;

    if (row >= lane->first && row - lane->first < lane->n)
        return lane->track;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        lane = &lanes[of->lanes.at[middle]];
        if (row < lane->first + lane->n)
            high = middle;
        else
            low = middle + 1;
    }
    of->last = low;
    return lanes[of->lanes.at[low]].track;
}

/* Inserts a range after those that start before it; of ranges that start at once the longer comes
 * first. */
static void add_range(struct nsc_stats_ranges *ranges, const struct nsc_stats_range *range)
{
    uint32_t at = ranges->n++;

    for (; at > 0 && is_after(&ranges->at[at - 1], range); at--)
        ranges->at[at] = ranges->at[at - 1];
    ranges->at[at] = *range;
}

static void add_thread(struct nsc_stats_ranges *ranges, struct thread_lanes *of, uint32_t group,
                       enum nsc_kind kind, nsc_time last)
{
    const struct nsc_stats_input *input = ranges->input;
    const struct nsc_events *events = nsc_trace_events(input->trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(input->trace, NULL);
    struct nsc_lane_merge merge;

    find_lanes(of, input->trace, group);
    nsc_lane_merge_init(&merge, input->trace, of->lanes.at, (uint32_t)of->lanes.n);
    for (nsc_event e; (e = nsc_lane_merge_next(&merge)) != NSC_NONE;) {
        struct nsc_stats_range range = {.event = e,
                                        .track = track_of(of, lanes, e),
                                        .start = events->start[e],
                                        .thread = group,
                                        .level = events->source[e]};

        if (!is_wanted(input, e, range.track, kind))
            continue;
        range.end = end_of(ranges, &range, last);
        add_range(ranges, &range);
    }
    nsc_lane_merge_fini(&merge);
}

static uint32_t count_ranges(const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t n = 0;

    for (nsc_event e = 0; e < events->n; e++)
        n += events->kind[e] == NSC_KIND_NVTX_RANGE || events->kind[e] == NSC_KIND_NVTX_SPAN;
    return n;
}

void nsc_stats_ranges_init(struct nsc_stats_ranges *ranges, const struct nsc_stats_input *input,
                           enum nsc_kind kind)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(input->trace, &n);
    struct thread_lanes of = {.last = 0};
    nsc_time last;

    *ranges = (struct nsc_stats_ranges){.input = input};
    ranges->at = nsc_xmalloc(((size_t)count_ranges(input->trace) + 1) * sizeof *ranges->at);
    last = last_time(ranges);
    for (uint32_t g = nsc_trace_next_group(input->trace, 0); g < n;
         g = nsc_trace_next_group(input->trace, tracks[g].skip))
        add_thread(ranges, &of, g, kind, last);
    NSC_VEC_FINI(&of.lanes);
    find_no_ends(ranges);
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

/* Ops by thread, then by the start of the call; those without a call come first. */
struct launch_order {
    uint32_t *op;
    uint32_t *end; /* by track of the thread + 1, and 0 for ops without a call: where its ops end */
};

/* Where the ends of an op's thread are kept. */
static uint32_t slot_of(const struct nsc_trace *trace, nsc_event op)
{
    uint32_t call = nsc_trace_events(trace)->link[op];

    return call == NSC_NONE
               ? 0
               : 1 + nsc_trace_group_of(
                         trace, nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, call)].track);
}

/* Takes 12 bytes an op: there are millions. */
static struct launch_order sort_launches(const struct nsc_stats_ranges *ranges,
                                         const struct nsc_stats_list *ops)
{
    const struct nsc_trace *trace = ranges->input->trace;
    uint32_t n_tracks = 0;
    uint32_t *index = nsc_xmalloc(((size_t)ops->n + 1) * 2 * sizeof *index);
    uint32_t *slot = index + ops->n;
    struct launch_order out = {.op = nsc_xmalloc(((size_t)ops->n + 1) * sizeof *out.op)};
    uint32_t at = 0;

    (void)nsc_trace_tracks(trace, &n_tracks);
    out.end = nsc_xcalloc((size_t)n_tracks + 1, sizeof *out.end);
    for (uint32_t i = 0; i < ops->n; i++)
        index[i] = ops->event[i];
    nsc_sort_by_time(index, slot, ops->n, launch_time, nsc_trace_events(trace));
    for (uint32_t i = 0; i < ops->n; i++) {
        slot[i] = slot_of(trace, index[i]);
        out.end[slot[i]]++;
    }
    for (uint32_t t = 0; t <= n_tracks; t++) {
        uint32_t n = out.end[t];

        out.end[t] = at; /* its first place, until its ops stand there */
        at += n;
    }
    for (uint32_t i = 0; i < ops->n; i++)
        out.op[out.end[slot[i]]++] = index[i];
    free(index);
    return out;
}

/* The ranges of one thread, as the cursor takes them. */
struct of_thread {
    const struct nsc_stats_ranges *ranges;
    uint32_t thread;
    uint32_t next; /* the first range not taken yet */
};

static bool next_of_thread(struct nsc_around *around, struct nsc_around_range *range)
{
    struct of_thread *of = around->context;
    const struct nsc_stats_range *at = &of->ranges->at[of->next];

    if (of->next == of->ranges->n || at->thread != of->thread)
        return false;
    range->start = at->start;
    range->end = at->end;
    range->id = of->next++;
    return true;
}

static void begin_thread(struct nsc_around *around, struct of_thread *of, uint32_t thread)
{
    of->thread = thread;
    while (of->next < of->ranges->n && of->ranges->at[of->next].thread < thread)
        of->next++;
    nsc_around_fini(around);
    nsc_around_list(around, next_of_thread, of);
}

void nsc_stats_ranges_walk(const struct nsc_stats_ranges *ranges, const struct nsc_stats_list *ops,
                           void (*visit)(void *context, const struct nsc_stats_launch *launch,
                                         const uint32_t around[], uint32_t n),
                           void *context)
{
    const struct nsc_events *events = nsc_trace_events(ranges->input->trace);
    struct launch_order launches = sort_launches(ranges, ops);
    struct of_thread of = {ranges, NSC_NONE, 0};
    struct nsc_around around = {0};
    NSC_VEC(uint32_t) held = {0};
    uint32_t slot = 0;

    for (uint32_t i = 0; i < ops->n; i++) {
        nsc_event call = events->link[launches.op[i]];

        while (i >= launches.end[slot])
            slot++;
        NSC_VEC_CLEAR(&held);
        if (call != NSC_NONE) {
            if (slot - 1 != of.thread)
                begin_thread(&around, &of, slot - 1);
            nsc_around_step(&around, events->start[call]);
        }
        for (size_t k = 0; call != NSC_NONE && k < around.open.n; k++)
            if (around.open.at[k].end >= nsc_event_end(events, call))
                *NSC_VEC_ADD(&held) = around.open.at[k].id;
        visit(context,
              &(struct nsc_stats_launch){launches.op[i], call, slot > 0 ? slot - 1 : NSC_NONE},
              held.at, (uint32_t)held.n);
    }
    nsc_around_fini(&around);
    NSC_VEC_FINI(&held);
    free(launches.op);
    free(launches.end);
}
