/*
 * Sorts the rows of a track without order: deals them to buckets of time, and sorts each bucket in
 * the cache.
 *
 * A bucket is a list of blocks. Blocks are cut from slabs whose rows are dealt already, so a row is
 * hardly ever in memory twice. A block of sorted rows is a chunk like any other, except that its
 * names and links are the builder's and that no feed owns it.
 */
#include "core/pages.h"
#include "core/sort.h"
#include "index/builder_data.h"

#include <string.h>

#ifdef NSC_SMALL
enum { BUCKET_ROWS = 24, CELLS = 16, STRIDE = 3 };
#else
enum {
    BUCKET_ROWS = 16384, /* least rows of a bucket, about, if their starts differ */
    CELLS = 1 << 14,     /* equal parts of a track's time */
    STRIDE = 16          /* one row in so many is measured */
};
#endif
enum { BLOCK_ROWS = NSC_BLOCK_BYTES / (sizeof(struct nsc_raw) + 1), FEW_TIES = 8 };
_Static_assert(NSC_BLOCK_BYTES % sizeof(nsc_time) == 0, "rows of a block are aligned");

struct bucket {
    NSC_VEC(struct nsc_raw *) blocks; /* their kinds follow the rows of a whole block */
    NSC_VEC(struct nsc_raw_long) longs;
    struct nsc_raw *next; /* place of the next row */
    const struct nsc_raw *stop;
    uint8_t *next_kind;
    uint32_t n;
};

struct resorting {
    struct nsc_family *family;
    struct nsc_track_order *order;
    uint32_t track;
    nsc_time least;
    unsigned shift;      /* shift that turns the time since least into a cell's number */
    uint32_t *bucket_of; /* per cell */
    struct bucket *buckets;
    uint32_t n_buckets;
    NSC_VEC(struct nsc_raw *) spare; /* blocks */
};

/* ---- buckets ---- */

static uint32_t cell_of(const struct resorting *resorting, nsc_time start)
{
    uint64_t cell = ((uint64_t)start - (uint64_t)resorting->least) >> resorting->shift;

    return cell < CELLS ? (uint32_t)cell : CELLS - 1;
}

/* Finds the least start, and about the greatest. Later rows are of the last cell. */
static void measure_time(struct resorting *resorting)
{
    const struct nsc_family *family = resorting->family;
    nsc_time least = INT64_MAX;
    nsc_time most = INT64_MIN;
    uint32_t i = 0;

    for (uint32_t c = family->first_chunk[resorting->track];
         c < family->first_chunk[resorting->track + 1]; c++) {
        const struct nsc_chunk *chunk = &family->chunks[c];

        least = chunk->least < least ? chunk->least : least;
        for (; i < chunk->n; i += STRIDE)
            most = chunk->rows[i].start > most ? chunk->rows[i].start : most;
        i -= chunk->n;
    }
    resorting->least = least;
    while (((uint64_t)most - (uint64_t)least) >> resorting->shift >= CELLS)
        resorting->shift++;
}

/* Joins cells to buckets. */
static void make_buckets(struct resorting *resorting)
{
    const struct nsc_family *family = resorting->family;
    uint32_t *cells = nsc_xcalloc(CELLS, sizeof *cells);
    uint32_t n = 0;
    uint32_t i = 0;

    for (uint32_t c = family->first_chunk[resorting->track];
         c < family->first_chunk[resorting->track + 1]; c++) {
        const struct nsc_chunk *chunk = &family->chunks[c];

        for (; i < chunk->n; i += STRIDE)
            cells[cell_of(resorting, chunk->rows[i].start)]++;
        i -= chunk->n;
    }
    for (i = 0; i < CELLS; i++) {
        n += cells[i];
        cells[i] = resorting->n_buckets;
        if (n >= BUCKET_ROWS / STRIDE) {
            resorting->n_buckets++;
            n = 0;
        }
    }
    resorting->n_buckets++;
    resorting->bucket_of = cells;
    resorting->buckets = nsc_xcalloc(resorting->n_buckets, sizeof *resorting->buckets);
}

/* ---- dealing ---- */

static void cut_slab(struct resorting *resorting, void *slab)
{
    for (int i = NSC_BLOCKS; i-- > 0;)
        *NSC_VEC_ADD(&resorting->spare) = (void *)((char *)slab + (size_t)i * NSC_BLOCK_BYTES);
}

static uint8_t *kinds_of(struct nsc_raw *block)
{
    return (uint8_t *)(block + BLOCK_ROWS);
}

/* False if out of memory. */
static bool add_block(struct resorting *resorting, struct bucket *bucket)
{
    struct nsc_raw *block = NULL;

    if (resorting->spare.n == 0) {
        void *slab = nsc_pages_new(NSC_SLAB_BYTES);

        if (!slab)
            return false;
        *NSC_VEC_ADD(&resorting->order->slabs) = slab;
        cut_slab(resorting, slab);
    }
    block = resorting->spare.at[--resorting->spare.n];
    *NSC_VEC_ADD(&bucket->blocks) = block;
    bucket->next = block;
    bucket->stop = block + BLOCK_ROWS;
    bucket->next_kind = kinds_of(block);
    return true;
}

/* Notes that n rows of the slab are dealt; a slab without further rows becomes blocks. */
static void reuse_slab(struct resorting *resorting, struct nsc_slab *slab, uint32_t n)
{
    slab->left -= n;
    if (slab->left || !slab->whole)
        return;
    cut_slab(resorting, slab->rows);
    slab->rows = NULL;
}

static bool deal_chunk(struct resorting *resorting, struct nsc_chunk *chunk)
{
    struct nsc_slab *slab = &chunk->feed->slabs.at[chunk->slab];

    nsc_chunk_resolve(chunk);
    for (uint32_t i = 0; i < chunk->n; i++) {
        const struct nsc_raw *row = &chunk->rows[i];
        struct bucket *bucket =
            &resorting->buckets[resorting->bucket_of[cell_of(resorting, row->start)]];

        if (bucket->next == bucket->stop && !add_block(resorting, bucket))
            return false;
        *bucket->next++ = *row;
        *bucket->next_kind++ = chunk->kinds[i];
        if (row->duration == NSC_LONG)
            *NSC_VEC_ADD(&bucket->longs) =
                (struct nsc_raw_long){bucket->n, nsc_chunk_duration(chunk, i)};
        bucket->n++;
    }
    reuse_slab(resorting, slab, chunk->n);
    return true;
}

static bool deal_rows(struct resorting *resorting)
{
    const struct nsc_family *family = resorting->family;

    for (uint32_t c = family->first_chunk[resorting->track];
         c < family->first_chunk[resorting->track + 1]; c++)
        if (!deal_chunk(resorting, &family->chunks[c]))
            return false;
    return true;
}

/* ---- sorting ---- */

static int compare_rows(const void *context, uint32_t a, uint32_t b)
{
    return nsc_chunk_in_order(context, a, context, b) ? -1 : 1;
}

/* Sorts rows that start together: few by insertion, many by merging. */
static void sort_tied(const struct nsc_chunk *rows, struct nsc_sort_pair *pairs, uint32_t n)
{
    uint32_t *index;

    for (uint32_t i = 1; i < n && n <= FEW_TIES; i++)
        for (uint32_t k = i;
             k > 0 && !nsc_chunk_in_order(rows, pairs[k - 1].value, rows, pairs[k].value); k--) {
            struct nsc_sort_pair moving = pairs[k];

            pairs[k] = pairs[k - 1];
            pairs[k - 1] = moving;
        }
    if (n <= FEW_TIES)
        return;
    index = nsc_xmalloc(n * sizeof *index);
    for (uint32_t i = 0; i < n; i++)
        index[i] = pairs[i].value;
    nsc_sort_by(index, n, compare_rows, rows);
    for (uint32_t i = 0; i < n; i++)
        pairs[i].value = index[i];
    free(index);
}

static void sort_rows(const struct nsc_chunk *rows, struct nsc_sort_pair *pairs)
{
    uint32_t end = 0;
    nsc_time least = INT64_MAX;

    for (uint32_t i = 0; i < rows->n; i++)
        least = rows->rows[i].start < least ? rows->rows[i].start : least;
    for (uint32_t i = 0; i < rows->n; i++)
        pairs[i] = (struct nsc_sort_pair){(uint64_t)rows->rows[i].start - (uint64_t)least, i};
    nsc_sort_pairs(pairs, pairs + rows->n, rows->n);
    for (uint32_t first = 0; first < rows->n; first = end) {
        for (end = first + 1; end < rows->n && pairs[end].key == pairs[first].key;)
            end++;
        if (end - first > 1)
            sort_tied(rows, pairs + first, end - first);
    }
}

/* Writes rows [first, first + n) of the sorted bucket to a block, which becomes a chunk. */
static void write_block(struct resorting *resorting, struct nsc_raw *block,
                        const struct nsc_chunk *rows, const struct nsc_sort_pair *pairs, uint32_t n)
{
    struct nsc_chunk chunk = {.rows = block,
                              .kinds = kinds_of(block),
                              .least = rows->rows[pairs[0].value].start,
                              .reach = INT64_MIN,
                              .track = resorting->track,
                              .n = n};

    for (uint32_t i = 0; i < n; i++) {
        uint32_t from = pairs[i].value;
        struct nsc_raw row = rows->rows[from];
        nsc_time reach = nsc_chunk_reach(rows, from);

        block[i] = row;
        chunk.kinds[i] = rows->kinds[from];
        chunk.overlaps |= row.start < chunk.reach;
        chunk.reach = reach > chunk.reach ? reach : chunk.reach;
        if (row.duration == NSC_LONG)
            *NSC_VEC_ADD(&chunk.longs) = (struct nsc_raw_long){i, nsc_chunk_duration(rows, from)};
    }
    *NSC_VEC_ADD(&resorting->order->chunks) = chunk;
}

static void sort_bucket(struct resorting *resorting, struct bucket *bucket, struct nsc_chunk *rows,
                        struct nsc_sort_pair *pairs)
{
    rows->n = bucket->n;
    memcpy(&rows->longs, &bucket->longs, sizeof rows->longs);
    for (uint32_t b = 0, at = 0; b < bucket->blocks.n; b++, at += BLOCK_ROWS) {
        uint32_t n = bucket->n - at < BLOCK_ROWS ? bucket->n - at : BLOCK_ROWS;

        memcpy(rows->rows + at, bucket->blocks.at[b], n * sizeof *rows->rows);
        memcpy(rows->kinds + at, kinds_of(bucket->blocks.at[b]), n);
    }
    sort_rows(rows, pairs);
    for (uint32_t b = 0, at = 0; b < bucket->blocks.n; b++, at += BLOCK_ROWS)
        write_block(resorting, bucket->blocks.at[b], rows, pairs + at,
                    bucket->n - at < BLOCK_ROWS ? bucket->n - at : BLOCK_ROWS);
}

/* False if out of memory. */
static bool sort_buckets(struct resorting *resorting)
{
    struct nsc_chunk rows = {0}; /* a bucket side by side */
    struct nsc_sort_pair *pairs;
    size_t most = 0;

    for (uint32_t b = 0; b < resorting->n_buckets; b++)
        most = resorting->buckets[b].n > most ? resorting->buckets[b].n : most;
    rows.rows = nsc_pages_new(most * sizeof *rows.rows);
    rows.kinds = nsc_pages_new(most);
    pairs = nsc_pages_new(2 * most * sizeof *pairs);
    for (uint32_t b = 0; b < resorting->n_buckets && rows.rows && rows.kinds && pairs; b++)
        if (resorting->buckets[b].n > 0)
            sort_bucket(resorting, &resorting->buckets[b], &rows, pairs);
    nsc_pages_free(rows.rows, most * sizeof *rows.rows);
    nsc_pages_free(rows.kinds, most);
    nsc_pages_free(pairs, 2 * most * sizeof *pairs);
    return rows.rows && rows.kinds && pairs;
}

/* ---- tracks ---- */

bool nsc_track_wants_resort(const struct nsc_family *family, uint32_t track, uint32_t most)
{
    uint64_t sequences = 1;
    uint32_t first = family->first_chunk[track];

    if (nsc_family_track(family, track)->key.kind == NSC_TRACK_COUNTER ||
        nsc_family_track(family, track)->n < NSC_SLAB_ROWS)
        return false;
    for (uint32_t c = first; c < family->first_chunk[track + 1]; c++) {
        const struct nsc_chunk *chunk = &family->chunks[c];

        sequences += chunk->descents;
        sequences += c > first && !nsc_chunk_in_order(chunk - 1, chunk[-1].n - 1, chunk, 0);
    }
    return sequences > most;
}

void nsc_track_resort(struct nsc_family *family, uint32_t track)
{
    struct resorting resorting = {
        .family = family, .order = &family->orders[track], .track = track};

    measure_time(&resorting);
    make_buckets(&resorting);
    resorting.order->failed = !deal_rows(&resorting) || !sort_buckets(&resorting);
    for (uint32_t b = 0; b < resorting.n_buckets; b++) {
        NSC_VEC_FINI(&resorting.buckets[b].blocks);
        NSC_VEC_FINI(&resorting.buckets[b].longs);
    }
    for (size_t i = 0; i < resorting.spare.n; i++)
        nsc_pages_drop(resorting.spare.at[i], NSC_BLOCK_BYTES);
    NSC_VEC_FINI(&resorting.spare);
    free(resorting.buckets);
    free(resorting.bucket_of);
}

/* The chunks of the track: the sorted ones if there are any. */
static uint32_t list_chunks(struct nsc_chunk *to, struct nsc_family *family, uint32_t track,
                            uint32_t first, uint32_t end)
{
    struct nsc_track_order *order = &family->orders[track];

    if (order->chunks.n == 0) {
        memcpy(to, family->chunks + first, (end - first) * sizeof *to);
        return end - first;
    }
    for (uint32_t c = first; c < end; c++)
        nsc_chunk_fini(&family->chunks[c]);
    memcpy(to, order->chunks.at, order->chunks.n * sizeof *to);
    return (uint32_t)order->chunks.n;
}

void nsc_family_take_resorted(struct nsc_family *family)
{
    size_t added = 0;
    size_t most = family->n_chunks;
    struct nsc_chunk *chunks;
    uint32_t n = 0;
    uint32_t first = 0;

    for (uint32_t t = 0; t < family->n_tracks; t++)
        added += family->orders[t].chunks.n;
    if (added == 0)
        return;
    most += added;
    chunks = nsc_xcalloc(most + 1, sizeof *chunks);
    for (uint32_t t = 0; t < family->n_tracks; t++) {
        uint32_t end = family->first_chunk[t + 1];

        n += list_chunks(chunks + n, family, t, first, end);
        NSC_VEC_FINI(&family->orders[t].chunks);
        first = end;
        family->first_chunk[t + 1] = n;
    }
    free(family->chunks);
    family->chunks = chunks;
    family->n_chunks = n;
}
