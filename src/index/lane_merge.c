/* Merges rows of many lanes by start, with a binary heap of lanes; sorts rows outermost first. */
#include "index/lane_merge.h"

#include "core/bisect.h"
#include "core/heap.h"
#include "index/trace_data.h"

static bool comes_before(const void *context, const void *a, const void *b)
{
    const struct nsc_lane_cursor *x = a;
    const struct nsc_lane_cursor *y = b;

    (void)context;
    return x->start != y->start ? x->start < y->start : x->row < y->row;
}

static inline struct nsc_heap heap_of(const struct nsc_lane_merge *merge)
{
    return (struct nsc_heap){merge->lanes, merge->n, sizeof *merge->lanes, comes_before, NULL};
}

static void add_range(struct nsc_lane_merge *merge, nsc_event first, nsc_event end)
{
    if (first < end)
        merge->lanes[merge->n++] =
            (struct nsc_lane_cursor){merge->events->start[first], first, end};
}

struct nsc_row_range nsc_lane_rows(const struct nsc_trace *trace, uint32_t lane,
                                   struct nsc_window w)
{
    const struct nsc_lane *at = &trace->lanes[lane];
    struct nsc_row_range range = {nsc_lane_find(trace, lane, w.t0), at->first + at->n};
    nsc_event row = range.first;

    NSC_BISECT(row, range.end, middle, trace->events.start[middle] < w.t1);
    return range;
}

void nsc_lane_merge_open(struct nsc_lane_merge *merge, const struct nsc_trace *trace,
                         const struct nsc_row_range ranges[], uint32_t n)
{
    *merge = (struct nsc_lane_merge){.events = &trace->events};
    merge->lanes = nsc_xmalloc((size_t)n * sizeof *merge->lanes + 1);
    for (uint32_t i = 0; i < n; i++)
        add_range(merge, ranges[i].first, ranges[i].end);
    nsc_heap_init(heap_of(merge));
}

void nsc_lane_merge_init(struct nsc_lane_merge *merge, const struct nsc_trace *trace,
                         const uint32_t lanes[], uint32_t n_lanes)
{
    *merge = (struct nsc_lane_merge){.events = &trace->events};
    merge->lanes = nsc_xmalloc((size_t)n_lanes * sizeof *merge->lanes + 1);
    for (uint32_t i = 0; i < n_lanes; i++) {
        const struct nsc_lane *lane = &trace->lanes[lanes[i]];

        add_range(merge, lane->first, lane->first + lane->n);
    }
    nsc_heap_init(heap_of(merge));
}

/* The first row in [row, end) that is kept; end if there is none. Rows that are left out never reach
 * the heap. */
static nsc_event skip_rows(const struct nsc_lane_merge *merge, nsc_event row, nsc_event end)
{
    while (row < end && !merge->keep(merge->context, row))
        row++;
    return row;
}

void nsc_lane_merge_set_filter(struct nsc_lane_merge *merge,
                               bool (*keep)(const void *context, nsc_event row),
                               const void *context)
{
    uint32_t n = merge->n;

    merge->keep = keep;
    merge->context = context;
    merge->n = 0;
    for (uint32_t i = 0; i < n; i++)
        add_range(merge, skip_rows(merge, merge->lanes[i].row, merge->lanes[i].end),
                  merge->lanes[i].end);
    nsc_heap_init(heap_of(merge));
}

void nsc_lane_merge_fini(struct nsc_lane_merge *merge)
{
    free(merge->lanes);
    merge->lanes = NULL;
}

nsc_event nsc_lane_merge_next(struct nsc_lane_merge *merge)
{
    struct nsc_lane_cursor *top = merge->lanes;
    nsc_event row = 0;

    if (merge->n == 0)
        return NSC_NONE;
    row = top->row++;
    if (merge->keep)
        top->row = skip_rows(merge, top->row, top->end);
    if (top->row < top->end)
        top->start = merge->events->start[top->row];
    else
        *top = merge->lanes[--merge->n];
    /* Usually the same lane has the next row, too. */
    if (merge->n > 1 &&
        (top[1].start <= top->start || (merge->n > 2 && top[2].start <= top->start)))
        nsc_heap_set(heap_of(merge));
    return row;
}

/* ---- the outermost first ---- */

struct found {
    nsc_time start, duration;
    nsc_event row;
};

NSC_COMPARE(compare_found, struct found, NSC_LEAST(start) || NSC_MOST(duration) || NSC_LEAST(row))

void nsc_sort_outermost(const struct nsc_trace *trace, nsc_event *rows, size_t n)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct found last = {INT64_MIN, 0, 0};
    struct found *list = NULL;
    size_t ascending = 0;

    for (; ascending < n; ascending++) {
        nsc_event row = rows[ascending];
        struct found next = {events->start[row], nsc_event_duration(events, row), row};

        if (ascending > 0 && compare_found(&last, &next) > 0)
            break;
        last = next;
    }
    if (ascending == n)
        return;
    list = nsc_xcalloc(n, sizeof *list);
    for (size_t i = 0; i < n; i++)
        list[i] =
            (struct found){events->start[rows[i]], nsc_event_duration(events, rows[i]), rows[i]};
    qsort(list, n, sizeof *list, compare_found);
    for (size_t i = 0; i < n; i++)
        rows[i] = list[i].row;
    free(list);
}
