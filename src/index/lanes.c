/*
 * Assigns the ranges of a track to lanes, and cuts them into tasks that are gathered in parallel.
 */
#include "core/pages.h"
#include "index/builder_data.h"
#include "index/pack.h"

#include <string.h>

#ifdef NSC_SMALL
enum { TASK_ROWS = 40, FEW_LANES = 5 };
#else
enum { TASK_ROWS = 65536, FEW_LANES = NSC_FEW_LANES };
#endif
enum { AHEAD = 128 }; /* rows that are fetched before they are packed */

/* Begins a task at a range. rows: per lane so far; NULL if there is one lane. */
static void begin_task(struct nsc_track_order *order, struct nsc_gather_task task,
                       const uint32_t *rows)
{
    if (rows) {
        task.before = nsc_xmalloc(NSC_FEW_LANES * sizeof *task.before);
        memcpy(task.before, rows, NSC_FEW_LANES * sizeof *task.before);
    }
    *NSC_VEC_ADD(&order->tasks) = task;
}

static void end_task(struct nsc_track_order *order, uint32_t range)
{
    if (order->tasks.n)
        order->tasks.at[order->tasks.n - 1].n_ranges =
            range - order->tasks.at[order->tasks.n - 1].first_range;
}

static void clear_tasks(struct nsc_track_order *order)
{
    for (size_t i = 0; i < order->tasks.n; i++)
        free(order->tasks.at[i].before);
    NSC_VEC_CLEAR(&order->tasks);
}

/* Walks the ranges and cuts tasks. */
struct cutter {
    struct nsc_track_order *order;
    uint32_t track;
    uint32_t row, last; /* rows so far; rows before the current task */
};

static void cut_at(struct cutter *cutter, uint32_t range, const uint32_t *rows)
{
    struct nsc_track_order *order = cutter->order;

    if (!order->tasks.n || cutter->row - cutter->last >= TASK_ROWS) {
        end_task(order, range);
        begin_task(order, (struct nsc_gather_task){cutter->track, range, 0, cutter->row, NULL},
                   rows);
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

static void take_one_lane(struct cutter *cutter)
{
    for (uint32_t p = 0; p < cutter->order->ranges.n; p++)
        cut_at(cutter, p, NULL);
    end_task(cutter->order, (uint32_t)cutter->order->ranges.n);
    cutter->order->n_lanes = 1;
}

/* False if a row needs too many lanes. */
static bool pack_range(struct nsc_packer *packer, uint32_t rows[], uint8_t *lane,
                       const struct nsc_chunk *chunk, const struct nsc_chunk_range *range)
{
    for (uint32_t i = 0; i < range->n; i++) {
        uint32_t row = range->first + i;
        uint32_t at = 0;

        NSC_FETCH(&chunk->rows[row + AHEAD]);
        at = nsc_packer_add(packer, chunk->rows[row].start, nsc_chunk_reach(chunk, row));

        if (at >= FEW_LANES)
            return false;
        rows[at]++;
        lane[i] = (uint8_t)at;
    }
    return true;
}

/* The number of lanes; 0 if there are too many. */
static uint32_t pack_ranges(const struct nsc_family *family, struct cutter *cutter,
                            uint32_t rows[NSC_FEW_LANES])
{
    struct nsc_track_order *order = cutter->order;
    struct nsc_packer packer = {NULL, 0, 0};
    bool few = true;
    uint32_t n = 0;

    for (uint32_t p = 0; few && p < order->ranges.n; p++) {
        const struct nsc_chunk_range *range = &order->ranges.at[p];
        uint32_t first = cutter->row;

        cut_at(cutter, p, rows);
        few = pack_range(&packer, rows, order->lane + first, &family->chunks[range->chunk], range);
    }
    n = few ? packer.n : 0;
    nsc_packer_fini(&packer);
    end_task(order, (uint32_t)order->ranges.n);
    return n;
}

static void drop_lane(struct nsc_track_order *order, uint32_t n)
{
    nsc_pages_free(order->lane, n);
    order->lane = NULL;
}

bool nsc_track_pack(struct nsc_family *family, uint32_t track)
{
    struct nsc_track_order *order = &family->orders[track];
    uint32_t n = nsc_family_track(family, track)->n;
    struct cutter cutter = {order, track, 0, 0};
    uint32_t rows[NSC_FEW_LANES] = {0};

    if (nsc_family_track(family, track)->key.kind == NSC_TRACK_COUNTER)
        return true;
    if (is_disjoint(family, order)) {
        take_one_lane(&cutter);
        return true;
    }
    order->lane = nsc_pages_new(n);
    order->failed = !order->lane;
    if (order->failed)
        return true;
    order->n_lanes = pack_ranges(family, &cutter, rows);
    if (order->n_lanes > 1) {
        order->rows = nsc_xmalloc(order->n_lanes * sizeof *order->rows);
        memcpy(order->rows, rows, order->n_lanes * sizeof *order->rows);
        return true;
    }
    drop_lane(order, n);
    clear_tasks(order);
    if (order->n_lanes == 0) {
        NSC_VEC_FINI(&order->ranges);
        return false;
    }
    cutter.row = cutter.last = 0;
    take_one_lane(&cutter);
    return true;
}
