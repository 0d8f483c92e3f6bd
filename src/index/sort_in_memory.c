/*
 * Orders tracks whose rows come without order or need many lanes: sorts one number per row.
 */
#include "core/pages.h"
#include "core/sort.h"
#include "index/builder_data.h"
#include "index/pack.h"

#include <string.h>

#ifdef NSC_SMALL
enum { TASK_ROWS = 40 };
#else
enum { TASK_ROWS = 65536 };
#endif

bool nsc_family_build_ids(struct nsc_family *family)
{
    uint64_t units = 0;

    family->chunk_base = nsc_pages_new(((size_t)family->n_chunks + 1) * sizeof(uint32_t));
    if (!family->chunk_base)
        return false;
    for (uint32_t c = 0; c < family->n_chunks; c++) {
        if (units * NSC_ID_STRIDE >= NSC_NONE - NSC_SLAB_ROWS)
            return false;
        family->chunk_base[c] = (uint32_t)units * NSC_ID_STRIDE;
        units += (family->chunks[c].n + NSC_ID_STRIDE - 1) / NSC_ID_STRIDE;
    }
    family->n_strides = (uint32_t)units;
    family->stride_chunk = nsc_pages_new((size_t)units * sizeof(uint32_t));
    if (!family->stride_chunk)
        return false;
    for (uint32_t c = 0; c < family->n_chunks; c++)
        for (uint32_t i = 0; i < family->chunks[c].n; i += NSC_ID_STRIDE)
            family->stride_chunk[(family->chunk_base[c] + i) / NSC_ID_STRIDE] = c;
    return true;
}

/* ---- by time ---- */

static nsc_time start_key(const void *context, uint32_t id)
{
    return nsc_raw_row(nsc_family_row(context, id))->start;
}

static nsc_time longer_key(const void *context, uint32_t id)
{
    struct nsc_raw_at at = nsc_family_row(context, id);

    return at.chunk->kinds[at.i] == NSC_RAW_SAMPLE ? 0 : -nsc_chunk_duration(at.chunk, at.i);
}

static nsc_time kind_key(const void *context, uint32_t id)
{
    struct nsc_raw_at at = nsc_family_row(context, id);

    return at.chunk->kinds[at.i];
}

static nsc_time source_key(const void *context, uint32_t id)
{
    return nsc_raw_row(nsc_family_row(context, id))->source;
}

/* Sorts rows that start together by the rest of the key. */
static void sort_ties(const struct nsc_family *family, uint32_t *ids, uint32_t n)
{
    nsc_sort_by_time(ids, n, source_key, family);
    nsc_sort_by_time(ids, n, kind_key, family);
    nsc_sort_by_time(ids, n, longer_key, family);
}

static void sort_ids(const struct nsc_family *family, uint32_t *ids, uint32_t n)
{
    uint32_t end = 0;

    nsc_sort_by_time(ids, n, start_key, family);
    for (uint32_t first = 0; first < n; first = end) {
        nsc_time start = start_key(family, ids[first]);

        for (end = first + 1; end < n && start_key(family, ids[end]) == start;)
            end++;
        if (end - first > 1)
            sort_ties(family, ids + first, end - first);
    }
}

/* ---- into lanes ---- */

struct track_rows {
    const struct nsc_family *family;
    const uint32_t *ids;
};

static struct nsc_window span_of(const void *context, uint32_t i)
{
    const struct track_rows *track = context;
    struct nsc_raw_at at = nsc_family_row(track->family, track->ids[i]);

    return (struct nsc_window){nsc_raw_row(at)->start, nsc_chunk_reach(at.chunk, at.i)};
}

/* Moves the ids to their lanes, in order. False if out of memory. */
static bool move_ids(struct nsc_track_order *order, const uint32_t *lane, uint32_t n)
{
    size_t bytes = (size_t)n * sizeof *order->ids;
    uint32_t *moved = nsc_pages_new(bytes);
    uint32_t *next = NULL;
    uint32_t at = 0;

    if (!moved)
        return false;
    next = nsc_xmalloc((size_t)order->n_lanes * sizeof *next);
    for (uint32_t i = 0; i < order->n_lanes; i++) {
        next[i] = at;
        at += order->rows[i];
    }
    for (uint32_t i = 0; i < n; i++)
        moved[next[lane[i]]++] = order->ids[i];
    nsc_pages_free(order->ids, bytes);
    order->ids = moved;
    free(next);
    return true;
}

static bool pack_ids(const struct nsc_family *family, struct nsc_track_order *order, uint32_t *lane,
                     uint32_t n)
{
    struct track_rows track = {family, order->ids};

    order->n_lanes = nsc_pack_lanes(lane, n, span_of, &track);
    if (order->n_lanes == 1)
        return true;
    order->rows = nsc_xcalloc(order->n_lanes, sizeof *order->rows);
    for (uint32_t i = 0; i < n; i++)
        order->rows[lane[i]]++;
    return move_ids(order, lane, n);
}

static void list_ids(const struct nsc_family *family, uint32_t *ids, uint32_t track)
{
    uint32_t at = 0;

    for (uint32_t c = family->first_chunk[track]; c < family->first_chunk[track + 1]; c++)
        for (uint32_t i = 0; i < family->chunks[c].n; i++)
            ids[at++] = family->chunk_base[c] + i;
}

void nsc_track_sort(struct nsc_family *family, uint32_t track)
{
    struct nsc_track_order *order = &family->orders[track];
    uint32_t n = nsc_family_track(family, track)->n;
    size_t bytes = (size_t)n * sizeof *order->ids;
    uint32_t *lane = nsc_pages_new(bytes);

    order->ids = nsc_pages_new(bytes);
    order->failed = !lane || !order->ids;
    if (!order->failed) {
        list_ids(family, order->ids, track);
        sort_ids(family, order->ids, n);
        if (nsc_family_track(family, track)->key.kind != NSC_TRACK_COUNTER)
            order->failed = !pack_ids(family, order, lane, n);
    }
    nsc_pages_free(lane, bytes);
    for (uint64_t at = 0; order->n_lanes && at < n; at += TASK_ROWS) {
        uint32_t rows = n - at < TASK_ROWS ? n - (uint32_t)at : TASK_ROWS;

        *NSC_VEC_ADD(&order->tasks) = (struct nsc_gather_task){
            .track = track, .first_range = (uint32_t)at, .n_ranges = rows, .row = (uint32_t)at};
    }
}
