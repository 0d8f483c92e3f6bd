/*
 * A track's pieces dealt out to lanes, and cut into slices that can be gathered side by side.
 */
#include "core/pages.h"
#include "index/builder_data.h"
#include "index/pack.h"

#include <string.h>

#ifdef NSC_SMALL
enum { SLICE_ROWS = 40, FEW_LANES = 5 };
#else
enum { SLICE_ROWS = 65536, FEW_LANES = NSC_FEW_LANES };
#endif

/* Begins a slice at a piece. rows: of each lane so far; NULL when there is one lane. */
static void begin_slice(struct nsc_track_order *order, struct nsc_slice slice, const uint32_t *rows)
{
    if (rows) {
        slice.before = nsc_xmalloc(NSC_FEW_LANES * sizeof *slice.before);
        memcpy(slice.before, rows, NSC_FEW_LANES * sizeof *slice.before);
    }
    *NSC_VEC_ADD(&order->slices) = slice;
}

static void end_slice(struct nsc_track_order *order, uint32_t piece)
{
    if (order->slices.n)
        order->slices.at[order->slices.n - 1].n_pieces =
            piece - order->slices.at[order->slices.n - 1].first_piece;
}

static void clear_slices(struct nsc_track_order *order)
{
    for (size_t i = 0; i < order->slices.n; i++)
        free(order->slices.at[i].before);
    NSC_VEC_CLEAR(&order->slices);
}

/* Walks through the pieces and cuts slices on the way. */
struct cutter {
    struct nsc_track_order *order;
    uint32_t track;
    uint32_t row, last; /* rows so far; of them before the slice at hand */
};

static void cut_at(struct cutter *cutter, uint32_t piece, const uint32_t *rows)
{
    struct nsc_track_order *order = cutter->order;

    if (!order->slices.n || cutter->row - cutter->last >= SLICE_ROWS) {
        end_slice(order, piece);
        begin_slice(order, (struct nsc_slice){cutter->track, piece, 0, cutter->row, NULL}, rows);
        cutter->last = cutter->row;
    }
    cutter->row += order->pieces.at[piece].n;
}

/* Whether no two rows of the pieces overlap, as far as that is known without looking at each. */
static bool is_disjoint(const struct nsc_family *family, const struct nsc_track_order *order)
{
    nsc_time reach = INT64_MIN;

    for (size_t p = 0; p < order->pieces.n; p++) {
        const struct nsc_piece *piece = &order->pieces.at[p];
        const struct nsc_chunk *chunk = &family->chunks[piece->chunk];

        if (chunk->overlaps || chunk->rows[piece->first].start < reach)
            return false;
        reach = nsc_chunk_reach(chunk, piece->first + piece->n - 1);
    }
    return true;
}

static void take_one_lane(struct cutter *cutter)
{
    for (uint32_t p = 0; p < cutter->order->pieces.n; p++)
        cut_at(cutter, p, NULL);
    end_slice(cutter->order, (uint32_t)cutter->order->pieces.n);
    cutter->order->n_lanes = 1;
}

/* False when a row needs a lane too many. */
static bool pack_piece(struct nsc_packer *packer, uint32_t rows[], uint8_t *lane,
                       const struct nsc_chunk *chunk, const struct nsc_piece *piece)
{
    for (uint32_t i = 0; i < piece->n; i++) {
        const struct nsc_raw *row = &chunk->rows[piece->first + i];
        nsc_time reach = INT64_MAX;
        uint32_t at = 0;

        if (row->duration == NSC_LONG)
            reach = nsc_chunk_reach(chunk, piece->first + i);
        else if (__builtin_add_overflow(row->start, row->duration + (row->duration == 0), &reach))
            reach = INT64_MAX;
        at = nsc_packer_add(packer, row->start, reach);
        if (at >= FEW_LANES)
            return false;
        rows[at]++;
        lane[i] = (uint8_t)at;
    }
    return true;
}

/* The number of lanes; 0 when they are too many. */
static uint32_t pack_pieces(const struct nsc_family *family, struct cutter *cutter,
                            uint32_t rows[NSC_FEW_LANES])
{
    struct nsc_track_order *order = cutter->order;
    struct nsc_packer packer = {NULL, 0, 0};
    bool few = true;
    uint32_t n = 0;

    for (uint32_t p = 0; few && p < order->pieces.n; p++) {
        const struct nsc_piece *piece = &order->pieces.at[p];
        uint32_t first = cutter->row;

        cut_at(cutter, p, rows);
        few = pack_piece(&packer, rows, order->lane + first, &family->chunks[piece->chunk], piece);
    }
    n = few ? packer.n : 0;
    nsc_packer_fini(&packer);
    end_slice(order, (uint32_t)order->pieces.n);
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
    order->n_lanes = pack_pieces(family, &cutter, rows);
    if (order->n_lanes > 1) {
        order->rows = nsc_xmalloc(order->n_lanes * sizeof *order->rows);
        memcpy(order->rows, rows, order->n_lanes * sizeof *order->rows);
        return true;
    }
    drop_lane(order, n);
    clear_slices(order);
    if (order->n_lanes == 0) {
        NSC_VEC_FINI(&order->pieces);
        return false;
    }
    cutter.row = cutter.last = 0;
    take_one_lane(&cutter);
    return true;
}
