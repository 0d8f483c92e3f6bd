/*
 * Assigns the ranges of a track to lanes, and cuts them into tasks that are gathered in parallel.
 */
#include "core/pages.h"
#include "index/builder_data.h"
#include "index/pack.h"

#include <string.h>

#ifdef NSC_SMALL
enum { TASK_ROWS = 40 };
#else
enum { TASK_ROWS = 65536 };
#endif
enum { AHEAD = 128 }; /* rows that are fetched before they are packed */

/* Begins a task at a range. */
static void begin_task(struct nsc_track_order *order, struct nsc_gather_task task)
{
    if (order->lane) {
        task.n_before = order->n_lanes;
        task.before = nsc_xmalloc(((size_t)task.n_before + 1) * sizeof *task.before);
        if (task.n_before)
            memcpy(task.before, order->rows, task.n_before * sizeof *task.before);
    }
    *NSC_VEC_ADD(&order->tasks) = task;
}

static void end_task(struct nsc_track_order *order, uint32_t range)
{
    if (order->tasks.n)
        order->tasks.at[order->tasks.n - 1].n_ranges =
            range - order->tasks.at[order->tasks.n - 1].first_range;
}

/* Walks the ranges and cuts tasks. */
struct cutter {
    struct nsc_track_order *order;
    uint32_t track;
    uint32_t row, last; /* rows so far; rows before the current task */
};

static void cut_at(struct cutter *cutter, uint32_t range)
{
    struct nsc_track_order *order = cutter->order;

    /* a task keeps a number per lane: fewer than its rows */
    if (!order->tasks.n || cutter->row - cutter->last >= TASK_ROWS + order->n_lanes) {
        end_task(order, range);
        begin_task(order, (struct nsc_gather_task){
                              .track = cutter->track, .first_range = range, .row = cutter->row});
        cutter->last = cutter->row;
    }
    cutter->row += order->ranges.at[range].n;
}

/* Whether the rows of the ranges are known to be disjoint, without looking at each. */
static bool is_disjoint(const struct nsc_family *family, const struct nsc_track_order *order)
{
    nsc_time reach = INT64_MIN;

    for (size_t p = 0; p < order->ranges.n; p++) {
        const struct nsc_chunk_range *range = &order->ranges.at[p];
        const struct nsc_chunk *chunk = &family->chunks[range->chunk];

        if (chunk->overlaps || chunk->rows[range->first].start < reach)
            return false;
        reach = nsc_chunk_reach(chunk, range->first + range->n - 1);
    }
    return true;
}

static void add_lane(struct nsc_track_order *order)
{
    uint32_t n = order->n_lanes++;

    if ((n & (n - 1)) == 0) /* full at each power of two */
        order->rows = nsc_xrealloc(order->rows, n ? 2 * (size_t)n : 1, sizeof *order->rows);
    order->rows[n] = 0;
}

/* Packs the rows of the range, which are the track's from the cutter's row on. */
static void pack_range(struct nsc_packer *packer, struct nsc_track_order *order, uint32_t *lane,
                       const struct nsc_chunk *chunk, const struct nsc_chunk_range *range)
{
    for (uint32_t row = range->first; row < range->first + range->n; row++) {
        uint32_t at = 0;

        NSC_FETCH(&chunk->rows[row + AHEAD]);
        at = nsc_packer_add(packer, chunk->rows[row].start, nsc_chunk_reach(chunk, row));
        if (at == order->n_lanes)
            add_lane(order);
        order->rows[at]++;
        *lane++ = at;
    }
}

static void pack_ranges(const struct nsc_family *family, struct cutter *cutter)
{
    struct nsc_track_order *order = cutter->order;
    struct nsc_packer packer = {NULL, 0, 0};

    for (uint32_t p = 0; p < order->ranges.n; p++) {
        const struct nsc_chunk_range *range = &order->ranges.at[p];
        uint32_t *lane = order->lane + cutter->row;

        cut_at(cutter, p);
        pack_range(&packer, order, lane, &family->chunks[range->chunk], range);
    }
    nsc_packer_fini(&packer);
    end_task(order, (uint32_t)order->ranges.n);
}

bool nsc_track_pack(struct nsc_family *family, uint32_t track)
{
    struct nsc_track_order *order = &family->orders[track];
    uint32_t n = nsc_family_track(family, track)->n;
    struct cutter cutter = {order, track, 0, 0};

    if (nsc_family_track(family, track)->key.kind == NSC_TRACK_COUNTER)
        return true;
    if (is_disjoint(family, order)) {
        for (uint32_t p = 0; p < order->ranges.n; p++)
            cut_at(&cutter, p);
        end_task(order, (uint32_t)order->ranges.n);
        order->n_lanes = 1;
        return true;
    }
    order->lane = nsc_pages_new((size_t)n * sizeof *order->lane);
    if (order->lane)
        pack_ranges(family, &cutter);
    return order->lane != NULL;
}
