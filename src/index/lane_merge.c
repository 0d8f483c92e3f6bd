/*
 * The rows of many lanes in one order of start, by a binary heap of lanes.
 */
#include "index/lane_merge.h"

#include "index/trace_data.h"

static bool comes_before(const struct nsc_lane_cursor *a, const struct nsc_lane_cursor *b)
{
    return a->start != b->start ? a->start < b->start : a->row < b->row;
}

static void sift_down(struct nsc_lane_merge *merge, uint32_t i)
{
    struct nsc_lane_cursor moving = merge->heap[i];

    for (;;) {
        uint32_t child = 2 * i + 1;

        if (child >= merge->n)
            break;
        if (child + 1 < merge->n && comes_before(&merge->heap[child + 1], &merge->heap[child]))
            child++;
        if (!comes_before(&merge->heap[child], &moving))
            break;
        merge->heap[i] = merge->heap[child];
        i = child;
    }
    merge->heap[i] = moving;
}

void nsc_lane_merge_init(struct nsc_lane_merge *merge, const struct nsc_trace *trace,
                         const uint32_t lanes[], uint32_t n_lanes)
{
    *merge = (struct nsc_lane_merge){.events = &trace->events};
    merge->heap = nsc_xmalloc((size_t)n_lanes * sizeof *merge->heap + 1);
    for (uint32_t i = 0; i < n_lanes; i++) {
        const struct nsc_lane *lane = &trace->lanes[lanes[i]];

        if (lane->n > 0)
            merge->heap[merge->n++] = (struct nsc_lane_cursor){merge->events->start[lane->first],
                                                               lane->first, lane->first + lane->n};
    }
    for (uint32_t i = merge->n / 2; i-- > 0;)
        sift_down(merge, i);
}

void nsc_lane_merge_fini(struct nsc_lane_merge *merge)
{
    free(merge->heap);
    merge->heap = NULL;
}

nsc_event nsc_lane_merge_next(struct nsc_lane_merge *merge)
{
    struct nsc_lane_cursor *top = merge->heap;
    nsc_event row = 0;

    if (merge->n == 0)
        return NSC_NONE;
    row = top->row++;
    if (top->row < top->end)
        top->start = merge->events->start[top->row];
    else
        *top = merge->heap[--merge->n];
    if (merge->n > 1)
        sift_down(merge, 0);
    return row;
}
