/*
 * Sorts the rows of a track without order: deals them to buckets of time, and sorts each bucket in
 * the cache.
 *
 * Sorting row numbers instead takes 2.0 times the CPU of opening an export whose rows come in no order,
 * and 1.3 times if its ranges come in the order of their ends (500,000 kernels, 725,000 ranges).
 *
 * A bucket is a list of blocks. Blocks are cut from slabs whose rows are dealt already, so a row is
 * hardly ever in memory twice. A block of sorted rows is a chunk like any other, except that its
 * names and links are the builder's and that no feed owns it.
 */
#include "core/pages.h"
#include "core/sort.h"
#include "index/builder_data.h"
#include "index/final_row.h"

#include <string.h>

#ifdef NSC_SMALL
enum { BUCKET_ROWS = 24, CELLS = 16, STRIDE = 3, DIGITS = 4, FEW_SEQUENCES = 3 };
#else
enum {
    BUCKET_ROWS = 16384, /* least rows of a bucket, about, if their starts differ */
    CELLS = 1 << 14,     /* equal parts of a track's time */
    STRIDE = 64,         /* one row in so many is measured */
    DIGITS = 1 << 9,     /* squared: equal parts of a bucket's time */
    FEW_SEQUENCES = 16   /* merging so many is as fast */
};
#endif
enum {
    FEW_ROWS = 8, /* of a part: sorted by insertion */
    AHEAD = 128   /* rows that are fetched before they are dealt */
};
_Static_assert(NSC_BLOCK_BYTES % sizeof(nsc_time) == 0, "rows of a block are aligned");

struct bucket {
    struct nsc_raw *next; /* place of the next row */
    const struct nsc_raw *stop;
    uint8_t *next_kind;
    NSC_VEC(struct nsc_raw *) blocks; /* their kinds follow the rows of a whole block */
    NSC_VEC(struct nsc_raw_long) longs;
};

struct resorting {
    struct nsc_family *family;
    struct nsc_track_order *order;
    uint32_t track;
    nsc_time least;
    unsigned shift;      /* shift that turns the time since least into a cell's number */
    uint16_t *bucket_of; /* per cell */
    struct bucket *buckets;
    uint32_t n_buckets;
    struct nsc_bucket_sorter *memory;
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
    resorting->bucket_of = nsc_xcalloc(CELLS, sizeof *resorting->bucket_of);
    for (i = 0; i < CELLS; i++) {
        n += cells[i];
        resorting->bucket_of[i] = (uint16_t)resorting->n_buckets;
        if (n >= BUCKET_ROWS / STRIDE) {
            resorting->n_buckets++;
            n = 0;
        }
    }
    resorting->n_buckets++;
    free(cells);
    resorting->buckets = nsc_xcalloc(resorting->n_buckets, sizeof *resorting->buckets);
}

/* ---- dealing ---- */

/* Makes blocks of memory whose rows are dealt. */
static void cut(struct nsc_bucket_sorter *sorter, struct nsc_spare memory)
{
    for (size_t i = nsc_spare_bytes(memory) / NSC_BLOCK_BYTES; i-- > 0;)
        *NSC_VEC_ADD(&sorter->spare) = (void *)((char *)memory.rows + i * NSC_BLOCK_BYTES);
}

static uint8_t *kinds_of(struct nsc_raw *block)
{
    return (uint8_t *)(block + NSC_BLOCK_ROWS);
}

static uint32_t rows_of(const struct bucket *bucket)
{
    return (uint32_t)bucket->blocks.n * NSC_BLOCK_ROWS - (uint32_t)(bucket->stop - bucket->next);
}

/* False if out of memory. */
static bool add_block(struct nsc_bucket_sorter *sorter, struct bucket *bucket)
{
    struct nsc_raw *block = NULL;

    if (sorter->spare.n == 0) {
        void *slab = nsc_pages_new(NSC_SLAB_BYTES);

        if (!slab)
            return false;
        nsc_pages_touch(slab, NSC_SLAB_BYTES);
        *NSC_VEC_ADD(&sorter->slab_pages) = (struct nsc_column){slab, NSC_SLAB_BYTES};
        cut(sorter, (struct nsc_spare){slab, NSC_SLAB_ROWS});
    }
    block = sorter->spare.at[--sorter->spare.n];
    *NSC_VEC_ADD(&bucket->blocks) = block;
    bucket->next = block;
    bucket->stop = block + NSC_BLOCK_ROWS;
    bucket->next_kind = kinds_of(block);
    return true;
}

/* Notes that n rows of the slab are dealt; a slab without further rows becomes blocks. */
static void reuse_slab(struct nsc_bucket_sorter *sorter, struct nsc_slab *slab, uint32_t n)
{
    slab->left -= n;
    if (slab->left || !slab->memory.n)
        return;
    cut(sorter, slab->memory);
    slab->memory.rows = NULL;
}

static bool deal_chunk(struct resorting *resorting, const struct nsc_chunk *chunk)
{
    struct nsc_rows_from from = nsc_chunk_open(chunk);

    for (uint32_t i = 0; i < chunk->n; i++) {
        struct nsc_raw row = nsc_final_row(from, i);
        struct bucket *bucket =
            &resorting->buckets[resorting->bucket_of[cell_of(resorting, row.start)]];

        NSC_FETCH(&from.rows[i + AHEAD]);

        if (bucket->next == bucket->stop && !add_block(resorting->memory, bucket))
            return false;
        *bucket->next++ = row;
        *bucket->next_kind++ = from.kinds[i];
        if (row.duration == NSC_LONG && from.kinds[i] != NSC_RAW_SAMPLE)
            *NSC_VEC_ADD(&bucket->longs) =
                (struct nsc_raw_long){rows_of(bucket) - 1, nsc_chunk_duration(chunk, i)};
    }
    reuse_slab(resorting->memory, &chunk->feed->slabs.at[chunk->slab], chunk->n);
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

/* A row's part of the bucket's time, then its number. */
static inline uint64_t place_of(uint64_t part, uint32_t row)
{
    return part << 32 | row;
}

static inline uint32_t row_at(uint64_t place)
{
    return (uint32_t)place;
}

/* Sorts rows of one part: few by insertion, many by merging. */
static void sort_part(const struct nsc_chunk *rows, uint64_t *places, uint32_t n)
{
    uint64_t part = places[0] >> 32;
    uint32_t *index;

    for (uint32_t i = 1; i < n && n <= FEW_ROWS; i++)
        for (uint32_t k = i;
             k > 0 && !nsc_chunk_in_order(rows, row_at(places[k - 1]), rows, row_at(places[k]));
             k--) {
            uint64_t moving = places[k];

            places[k] = places[k - 1];
            places[k - 1] = moving;
        }
    if (n <= FEW_ROWS)
        return;
    index = nsc_xmalloc(n * sizeof *index);
    for (uint32_t i = 0; i < n; i++)
        index[i] = row_at(places[i]);
    nsc_sort_by(index, n, compare_rows, rows);
    for (uint32_t i = 0; i < n; i++)
        places[i] = place_of(part, index[i]);
    free(index);
}

/* Turns numbers of rows into those of the rows before. */
static void add_up(uint32_t counts[DIGITS])
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < DIGITS; i++) {
        uint32_t n = counts[i];

        counts[i] = sum;
        sum += n;
    }
}

/* Gives each row the number of its part of the bucket's time. */
static void find_parts(const struct nsc_chunk *rows, uint64_t *places)
{
    nsc_time least = INT64_MAX;
    nsc_time most = INT64_MIN;
    unsigned shift = 0;

    for (uint32_t i = 0; i < rows->n; i++) {
        nsc_time start = rows->rows[i].start;

        least = start < least ? start : least;
        most = start > most ? start : most;
    }
    while (((uint64_t)most - (uint64_t)least) >> shift >= DIGITS * DIGITS)
        shift++;
    for (uint32_t i = 0; i < rows->n; i++)
        places[i] = place_of(((uint64_t)rows->rows[i].start - (uint64_t)least) >> shift, i);
}

/* Sorts rows by the two digits of the number of their part. */
static void sort_parts(uint64_t *places, uint64_t *scratch, uint32_t n)
{
    uint32_t low[DIGITS] = {0};
    uint32_t high[DIGITS] = {0};

    for (uint32_t i = 0; i < n; i++) {
        low[(places[i] >> 32) % DIGITS]++;
        high[(places[i] >> 32) / DIGITS]++;
    }
    add_up(low);
    add_up(high);
    for (uint32_t i = 0; i < n; i++)
        scratch[low[(places[i] >> 32) % DIGITS]++] = places[i];
    for (uint32_t i = 0; i < n; i++)
        places[high[(scratch[i] >> 32) / DIGITS]++] = scratch[i];
}

/* Parts are so short that hardly any has two rows. */
static void sort_rows(const struct nsc_chunk *rows, uint64_t *places, uint64_t *scratch)
{
    find_parts(rows, places);
    sort_parts(places, scratch, rows->n);
    for (uint32_t first = 0, end = 0; first < rows->n; first = end) {
        for (end = first + 1; end < rows->n && places[end] >> 32 == places[first] >> 32;)
            end++;
        if (end - first > 1)
            sort_part(rows, places + first, end - first);
    }
}

/* Writes rows [first, first + n) of the sorted bucket to a block, which becomes a chunk. */
static void write_block(struct resorting *resorting, struct nsc_raw *block,
                        const struct nsc_chunk *rows, const uint64_t *places, uint32_t n)
{
    struct nsc_chunk chunk = {.rows = block,
                              .kinds = kinds_of(block),
                              .least = rows->rows[row_at(places[0])].start,
                              .track = resorting->track,
                              .n = n};
    const struct nsc_raw *from_rows = rows->rows;
    uint8_t *kinds = chunk.kinds;
    nsc_time last = INT64_MIN;
    bool overlaps = false;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t from = row_at(places[i]);
        struct nsc_raw row = from_rows[from];
        nsc_time reach = nsc_chunk_reach(rows, from);

        block[i] = row;
        kinds[i] = rows->kinds[from];
        overlaps |= row.start < last;
        last = reach > last ? reach : last;
        if (row.duration == NSC_LONG && kinds[i] != NSC_RAW_SAMPLE)
            *NSC_VEC_ADD(&chunk.longs) = (struct nsc_raw_long){i, nsc_chunk_duration(rows, from)};
    }
    chunk.overlaps = overlaps;
    chunk.reach = last;
    *NSC_VEC_ADD(&resorting->order->chunks) = chunk;
}

static void sort_bucket(struct resorting *resorting, struct bucket *bucket)
{
    struct nsc_chunk *rows = &resorting->memory->rows;
    uint64_t *places = resorting->memory->places;

    rows->n = rows_of(bucket);
    memcpy(&rows->longs, &bucket->longs, sizeof rows->longs);
    for (uint32_t b = 0, at = 0; b < bucket->blocks.n; b++, at += NSC_BLOCK_ROWS) {
        uint32_t n = rows->n - at < NSC_BLOCK_ROWS ? rows->n - at : NSC_BLOCK_ROWS;

        memcpy(rows->rows + at, bucket->blocks.at[b], n * sizeof *rows->rows);
        memcpy(rows->kinds + at, kinds_of(bucket->blocks.at[b]), n);
    }
    sort_rows(rows, places, places + rows->n);
    for (uint32_t b = 0, at = 0; b < bucket->blocks.n; b++, at += NSC_BLOCK_ROWS)
        write_block(resorting, bucket->blocks.at[b], rows, places + at,
                    rows->n - at < NSC_BLOCK_ROWS ? rows->n - at : NSC_BLOCK_ROWS);
}

static void free_rows(struct nsc_bucket_sorter *sorter)
{
    nsc_pages_free(sorter->rows.rows, sorter->room * sizeof *sorter->rows.rows);
    nsc_pages_free(sorter->rows.kinds, sorter->room);
    nsc_pages_free(sorter->places, 2 * sorter->room * sizeof *sorter->places);
}

/* Makes room for n rows of a bucket. False if out of memory. */
static bool make_room(struct nsc_bucket_sorter *sorter, size_t n)
{
    if (n > sorter->room) {
        free_rows(sorter);
        sorter->room = n;
        sorter->rows.rows = nsc_pages_new(n * sizeof *sorter->rows.rows);
        sorter->rows.kinds = nsc_pages_new(n);
        sorter->places = nsc_pages_new(2 * n * sizeof *sorter->places);
    }
    return sorter->rows.rows && sorter->rows.kinds && sorter->places;
}

/* False if out of memory. */
static bool sort_buckets(struct resorting *resorting)
{
    uint32_t most = 0;

    for (uint32_t b = 0; b < resorting->n_buckets; b++) {
        uint32_t n = rows_of(&resorting->buckets[b]);

        most = n > most ? n : most;
    }
    if (!make_room(resorting->memory, most))
        return false;
    for (uint32_t b = 0; b < resorting->n_buckets; b++)
        if (resorting->buckets[b].blocks.n > 0)
            sort_bucket(resorting, &resorting->buckets[b]);
    return true;
}

/* ---- tracks ---- */

bool nsc_track_wants_buckets(const struct nsc_family *family, uint32_t track)
{
    uint32_t n = nsc_family_track(family, track)->n;
    uint64_t sequences = 1;
    uint32_t first = family->first_chunk[track];

    if (n < NSC_SLAB_ROWS)
        return false;
    for (uint32_t c = first; c < family->first_chunk[track + 1]; c++) {
        const struct nsc_chunk *chunk = &family->chunks[c];

        sequences += chunk->descents;
        sequences += c > first && !nsc_chunk_in_order(chunk - 1, chunk[-1].n - 1, chunk, 0);
    }
    return sequences > n / 16 + FEW_SEQUENCES;
}

void nsc_track_sort_by_bucket(struct nsc_family *family, uint32_t track,
                              struct nsc_bucket_sorter *sorter)
{
    struct resorting resorting = {
        .family = family, .order = &family->orders[track], .track = track, .memory = sorter};

    measure_time(&resorting);
    make_buckets(&resorting);
    resorting.order->failed = !deal_rows(&resorting) || !sort_buckets(&resorting);
    for (uint32_t b = 0; b < resorting.n_buckets; b++) {
        NSC_VEC_FINI(&resorting.buckets[b].blocks);
        NSC_VEC_FINI(&resorting.buckets[b].longs);
    }
    free(resorting.buckets);
    free(resorting.bucket_of);
}

void nsc_bucket_sorter_fini(struct nsc_bucket_sorter *sorter, struct nsc_builder *builder)
{
    for (size_t i = 0; i < sorter->spare.n; i++)
        nsc_pages_drop(sorter->spare.at[i], NSC_BLOCK_BYTES);
    for (size_t i = 0; i < sorter->slab_pages.n; i++)
        *NSC_VEC_ADD(&builder->slab_pages) = sorter->slab_pages.at[i];
    free_rows(sorter);
    NSC_VEC_FINI(&sorter->spare);
    NSC_VEC_FINI(&sorter->slab_pages);
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
