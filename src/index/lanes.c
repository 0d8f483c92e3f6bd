/*
 * Assigns the ranges of a track to lanes, and cuts them into tasks that are gathered in parallel.
 */
#include "core/pages.h"
#include "index/builder_data.h"
#include "index/pack.h"

#include <string.h>

#ifdef NSC_SMALL
enum { TASK_ROWS = 40, MOST_LANES = 7 };
#else
enum { TASK_ROWS = 65536, MOST_LANES = 65535 };
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

static void cut_at(struct cutter *cutter, uint32_t range)
{
    struct nsc_track_order *order = cutter->order;

    if (!order->tasks.n || cutter->row - cutter->last >= TASK_ROWS) {
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

static void take_one_lane(struct cutter *cutter)
{
    for (uint32_t p = 0; p < cutter->order->ranges.n; p++)
        cut_at(cutter, p);
    end_task(cutter->order, (uint32_t)cutter->order->ranges.n);
    cutter->order->n_lanes = 1;
}

/* Packs the rows of a track. */
struct packing {
    struct nsc_packer packer;
    struct nsc_track_order *order;
    uint32_t n;    /* rows of the track */
    uint32_t room; /* lanes that fit in order->rows */
    uint32_t few;  /* lanes that are known and need no upper byte */
};

/* Notes the lane of a row: a new one, or one with an upper byte. False if there are too many, or if
 * out of memory. */
NSC_RARE static bool note_lane(struct packing *packing, uint32_t row, uint32_t lane)
{
    struct nsc_track_order *order = packing->order;

    if (lane >= MOST_LANES)
        return false;
    if (lane == packing->room) {
        packing->room = lane ? 2 * lane : 8;
        order->rows = nsc_xrealloc(order->rows, packing->room, sizeof *order->rows);
    }
    if (lane == order->n_lanes)
        order->rows[order->n_lanes++] = 0;
    packing->few = order->n_lanes < 1u << NSC_LANE_BITS ? order->n_lanes : 1u << NSC_LANE_BITS;
    if (lane < packing->few)
        return true;
    if (!order->lane_high)
        order->lane_high = nsc_pages_new(packing->n);
    if (order->lane_high)
        order->lane_high[row] = (uint8_t)(lane >> NSC_LANE_BITS);
    return order->lane_high != NULL;
}

/* Rows of the range are the track's from `first` on. False as note_lane. */
static bool pack_range(struct packing *packing, uint32_t first, const struct nsc_chunk *chunk,
                       const struct nsc_chunk_range *range)
{
    uint8_t *lane = packing->order->lane + first;
    uint32_t *rows = packing->order->rows;
    uint32_t few = packing->few;

    for (uint32_t i = 0; i < range->n; i++) {
        uint32_t row = range->first + i;
        uint32_t at = 0;

        NSC_FETCH(&chunk->rows[row + AHEAD]);
        at = nsc_packer_add(&packing->packer, chunk->rows[row].start, nsc_chunk_reach(chunk, row));
        if (at >= few) {
            if (!note_lane(packing, first + i, at))
                return false;
            rows = packing->order->rows;
            few = packing->few;
        }
        rows[at]++;
        lane[i] = (uint8_t)(at & ((1u << NSC_LANE_BITS) - 1));
    }
    return true;
}

/* Finds the lanes of a track. False if there are too many. */
static bool pack_ranges(const struct nsc_family *family, struct cutter *cutter, uint32_t n)
{
    struct nsc_track_order *order = cutter->order;
    struct packing packing = {.order = order, .n = n};
    bool few = true;

    for (uint32_t p = 0; few && p < order->ranges.n; p++) {
        const struct nsc_chunk_range *range = &order->ranges.at[p];
        uint32_t first = cutter->row;

        cut_at(cutter, p);
        few = pack_range(&packing, first, &family->chunks[range->chunk], range);
    }
    nsc_packer_fini(&packing.packer);
    end_task(order, (uint32_t)order->ranges.n);
    return few;
}

static void drop_lanes(struct nsc_track_order *order, uint32_t n)
{
    nsc_pages_free(order->lane, n);
    nsc_pages_free(order->lane_high, n);
    free(order->rows);
    order->lane = order->lane_high = NULL;
    order->rows = NULL;
    order->n_lanes = 0;
}

bool nsc_track_pack(struct nsc_family *family, uint32_t track)
{
    struct nsc_track_order *order = &family->orders[track];
    uint32_t n = nsc_family_track(family, track)->n;
    struct cutter cutter = {order, track, 0, 0};
    bool few = false;

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
    few = pack_ranges(family, &cutter, n);
    if (few && order->n_lanes > 1)
        return true;
    drop_lanes(order, n);
    clear_tasks(order);
    if (!few) {
        NSC_VEC_FINI(&order->ranges);
        return false;
    }
    cutter.row = cutter.last = 0;
    take_one_lane(&cutter);
    return true;
}
