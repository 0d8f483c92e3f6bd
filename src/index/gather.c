/*
 * Moves a family's events, in their final order, from raw rows to the builder's columns.
 *
 * Each raw row is read once and each column written once, slice by slice on all threads; a slab
 * whose rows have all been moved is kept for the next family, or goes back to the system at once:
 * at no time do both forms of many rows exist.
 */
#include "core/pages.h"
#include "core/rare.h"
#include "core/threads.h"
#include "index/builder_data.h"

#include <string.h>

/* The builder's columns. */
struct columns {
    nsc_time *start;
    uint32_t *duration, *name, *link, *source;
    uint8_t *kind;
};

/* What a worker brings along. */
struct share {
    NSC_VEC(void *) slabs;                /* to keep */
    NSC_VEC(struct nsc_build_long) longs; /* in the order met */
};

struct gathering {
    struct nsc_family *family;
    struct columns to;
    NSC_VEC(const struct nsc_slice *) slices;
    struct share *shares; /* one a thread */
    uint32_t slabs_wanted;
};

/* ---- slabs ---- */

/* Whole slabs that later families can still need. */
static uint32_t measure_wanted(const struct nsc_builder *builder)
{
    uint64_t slabs = (builder->rows_left + NSC_SLAB_ROWS - 1) / NSC_SLAB_ROWS;

    return slabs < builder->slabs.n ? 0 : (uint32_t)(slabs - builder->slabs.n);
}

/* Rows of a chunk have been moved. */
static void release_rows(struct gathering *gathering, struct share *share,
                         const struct nsc_chunk *chunk, uint32_t n)
{
    struct nsc_slab *slab = &chunk->feed->slabs.at[chunk->slab];
    uint32_t left = __atomic_sub_fetch(&slab->left, n, __ATOMIC_ACQ_REL);
    void *rows = NULL;

    if (left || !slab->whole)
        return;
    rows = slab->rows; /* nobody else looks at it: these were its last rows */
    slab->rows = NULL;
    if (atomic_fetch_add(&gathering->family->slabs_kept, 1) < gathering->slabs_wanted)
        *NSC_VEC_ADD(&share->slabs) = rows;
    else
        nsc_pages_drop(rows, NSC_SLAB_BYTES);
}

/* ---- rows ---- */

/* Whether the link of a raw row of this kind is a correlation id. */
static inline bool has_correlation(uint8_t kind)
{
    return nsc_kind_is_gpu(kind) || nsc_kind_is_api(kind) || kind == NSC_KIND_SYNC;
}

/* What rows of a chunk are made of: locals of a loop, for the compiler would read them again for
 * every byte that is written. */
struct source {
    const struct nsc_raw *rows;
    const uint8_t *kinds;
    const struct nsc_feed *feed;
    const struct nsc_name_map *map;
    uint32_t first_link; /* of the feed's counters among the builder's */
};

static inline struct source open_chunk(const struct nsc_chunk *chunk)
{
    const struct nsc_feed *feed = chunk->feed;

    return (struct source){chunk->rows, chunk->kinds, feed, feed->map,
                           feed->first_block << NSC_LINK_BITS};
}

static inline void put_row(struct columns to, uint32_t at, struct source from, uint32_t i)
{
    struct nsc_raw row = from.rows[i];
    struct nsc_name_map map = from.map[row.name];
    uint8_t kind = from.kinds[i];
    uint32_t kept = map.keeps ? row.link + from.first_link : NSC_NONE;

    if (map.name == NSC_NONE)
        map.name = nsc_entry_load(nsc_feed_packed(from.feed, row.link)).name;
    to.start[at] = row.start;
    to.duration[at] = row.duration;
    to.name[at] = map.name;
    to.link[at] = has_correlation(kind) ? row.link : kept;
    to.source[at] = row.source;
    to.kind[at] = kind;
}

/* A long row of the chunk becomes row at. */
NSC_RARE static void note_long(struct share *share, uint32_t at, const struct nsc_chunk *chunk,
                               uint32_t i)
{
    *NSC_VEC_ADD(&share->longs) = (struct nsc_build_long){at, nsc_chunk_duration(chunk, i)};
}

/* Rows side by side. */
static void move_piece(struct columns to, uint32_t at, const struct nsc_chunk *chunk,
                       struct nsc_piece piece, struct share *share)
{
    struct source from = open_chunk(chunk);

    at -= piece.first;
    for (uint32_t i = piece.first; i < piece.first + piece.n; i++) {
        put_row(to, at + i, from, i);
        if (from.rows[i].duration == NSC_LONG)
            note_long(share, at + i, chunk, i);
    }
}

/* Each row to the next place of its lane. */
static void deal_piece(struct columns to, const uint8_t *lane, uint32_t next[],
                       const struct nsc_chunk *chunk, struct nsc_piece piece, struct share *share)
{
    struct source from = open_chunk(chunk);

    for (uint32_t i = piece.first; i < piece.first + piece.n; i++) {
        uint32_t at = next[*lane++]++;

        put_row(to, at, from, i);
        if (from.rows[i].duration == NSC_LONG)
            note_long(share, at, chunk, i);
    }
}

/* ---- slices ---- */

static void gather_ids(const struct gathering *gathering, const struct nsc_slice *slice,
                       struct share *share, uint32_t first)
{
    const uint32_t *ids = gathering->family->orders[slice->track].ids;

    for (uint32_t i = 0; i < slice->n_pieces; i++) {
        struct nsc_raw_at at = nsc_family_row(gathering->family, ids[slice->first_piece + i]);

        put_row(gathering->to, first + i, open_chunk(at.chunk), at.i);
        if (at.chunk->rows[at.i].duration == NSC_LONG)
            note_long(share, first + i, at.chunk, at.i);
    }
}

static void gather_pieces(struct gathering *gathering, const struct nsc_slice *slice,
                          struct share *share, uint32_t first)
{
    const struct nsc_track_order *order = &gathering->family->orders[slice->track];
    uint32_t next[NSC_FEW_LANES];
    uint32_t row = slice->row;
    uint32_t base = first - slice->row;

    for (uint32_t i = 0; order->lane && i < order->n_lanes; i++) {
        next[i] = base + slice->before[i];
        base += order->rows[i];
    }
    for (uint32_t p = slice->first_piece; p < slice->first_piece + slice->n_pieces; p++) {
        const struct nsc_piece *piece = &order->pieces.at[p];
        const struct nsc_chunk *chunk = &gathering->family->chunks[piece->chunk];

        if (order->lane)
            deal_piece(gathering->to, order->lane + row, next, chunk, *piece, share);
        else
            move_piece(gathering->to, base + row, chunk, *piece, share);
        row += piece->n;
        release_rows(gathering, share, chunk, piece->n);
    }
}

static void gather_slice(void *context, unsigned worker, uint32_t i)
{
    struct gathering *gathering = context;
    const struct nsc_family *family = gathering->family;
    const struct nsc_slice *slice = gathering->slices.at[i];
    uint32_t first = family->builder->n + family->first_row[slice->track] + slice->row;

    if (family->orders[slice->track].ids)
        gather_ids(gathering, slice, &gathering->shares[worker], first);
    else
        gather_pieces(gathering, slice, &gathering->shares[worker], first);
}

/* ---- all ---- */

static int compare_longs(const void *a, const void *b)
{
    const struct nsc_build_long *x = a;
    const struct nsc_build_long *y = b;

    return x->event < y->event ? -1 : x->event > y->event;
}

static void collect_shares(struct gathering *gathering)
{
    struct nsc_builder *builder = gathering->family->builder;
    size_t first = builder->longs.n;

    for (unsigned w = 0; w < nsc_pool_threads(builder->pool); w++) {
        struct share *share = &gathering->shares[w];

        for (size_t i = 0; i < share->slabs.n; i++)
            *NSC_VEC_ADD(&builder->slabs) = share->slabs.at[i];
        for (size_t i = 0; i < share->longs.n; i++)
            *NSC_VEC_ADD(&builder->longs) = share->longs.at[i];
        NSC_VEC_FINI(&share->slabs);
        NSC_VEC_FINI(&share->longs);
    }
    if (builder->longs.n > first)
        qsort(builder->longs.at + first, builder->longs.n - first, sizeof *builder->longs.at,
              compare_longs);
}

static void list_slices(struct gathering *gathering)
{
    const struct nsc_family *family = gathering->family;

    for (uint32_t t = 0; t < family->n_tracks; t++)
        for (size_t i = 0; i < family->orders[t].slices.n; i++)
            *NSC_VEC_ADD(&gathering->slices) = &family->orders[t].slices.at[i];
}

/* The blocks of counters that events keep become the builder's. False when links cannot tell so
 * many apart. */
static bool give_blobs(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;

    for (unsigned f = 0; f < family->n_feeds; f++) {
        struct nsc_feed *feed = &family->feeds[f];
        bool keeps = false;

        for (size_t i = 0; i < feed->names.n && !keeps; i++)
            keeps = feed->map[i].keeps;
        if (!keeps)
            continue;
        if (builder->packed.n + feed->blob.n > NSC_NONE >> NSC_LINK_BITS)
            return false;
        feed->first_block = (uint32_t)builder->packed.n;
        feed->blob_given = true;
        builder->packed_bytes += (uint64_t)(feed->blob.n - 1) << NSC_BLOB_BITS;
        builder->packed_bytes += feed->blob_used;
        for (size_t i = 0; i < feed->blob.n; i++)
            *NSC_VEC_ADD(&builder->packed) = feed->blob.at[i];
    }
    return true;
}

bool nsc_family_gather(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;
    struct gathering gathering = {.family = family};

    if (!nsc_builder_reserve(builder, family->n_events) || !give_blobs(family))
        return false;
    gathering.to = (struct columns){
        builder->columns[NSC_COLUMN_START].at,  builder->columns[NSC_COLUMN_DURATION].at,
        builder->columns[NSC_COLUMN_NAME].at,   builder->columns[NSC_COLUMN_LINK].at,
        builder->columns[NSC_COLUMN_SOURCE].at, builder->columns[NSC_COLUMN_KIND].at};
    gathering.slabs_wanted = measure_wanted(builder);
    gathering.shares = nsc_xcalloc(nsc_pool_threads(builder->pool), sizeof *gathering.shares);
    list_slices(&gathering);
    nsc_pool_run(builder->pool, (uint32_t)gathering.slices.n, gather_slice, &gathering);
    collect_shares(&gathering);
    builder->n += family->n_events;
    NSC_VEC_FINI(&gathering.slices);
    free(gathering.shares);
    return true;
}
