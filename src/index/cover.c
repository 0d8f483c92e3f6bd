/*
 * Covers: writing one, asking one, and the algebra of two.
 */
#include "nsyscope/cover.h"

#include "core/die.h"
#include "core/pages.h"
#include "index/cover_data.h"
#include "index/trace_data.h"

#include <stdlib.h>
#include <string.h>

#define WORD sizeof(uint64_t) /* what loading a number may read past the last */

/* ---- writing
 * ------------------------------------------------------------------------------------------------------
 */

bool nsc_cover_writer_init(struct nsc_cover_writer *writer, uint32_t bound)
{
    size_t blocks = (size_t)bound / NSC_COVER_BLOCK + 1;
    struct nsc_cover *cover = nsc_xcalloc(1, sizeof *cover);

    *writer = (struct nsc_cover_writer){.cover = cover};
    cover->byte_bytes = blocks * NSC_COVER_BLOCK * 2 * sizeof(uint64_t) + WORD;
    cover->block_bytes = blocks * sizeof *cover->blocks;
    cover->bytes = nsc_pages_new(cover->byte_bytes);
    cover->blocks = nsc_pages_new(cover->block_bytes);
    if (cover->bytes && cover->blocks)
        return true;
    nsc_cover_free(cover);
    writer->cover = NULL;
    return false;
}

static uint64_t length_of(struct nsc_window w)
{
    return (uint64_t)w.t1 - (uint64_t)w.t0;
}

static uint64_t swap_bytes(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

/* What follows the number is written over: it is not there yet. */
static void store_number(uint8_t *at, uint64_t number)
{
    number = swap_bytes(number);
    memcpy(at, &number, sizeof number);
}

static uint64_t load_number(const uint8_t *at, uint8_t width)
{
    uint64_t word = 0;

    memcpy(&word, at, sizeof word);
    return swap_bytes(word) << (64 - 8 * width) >> (64 - 8 * width);
}

static uint8_t measure_width(const struct nsc_cover_writer *writer)
{
    struct nsc_window all = {writer->pending[0].t0, writer->pending[writer->n_pending - 1].t1};
    uint64_t span = length_of(all);

    return span < 1u << 24 ? 3 : span <= UINT32_MAX ? 4 : 8;
}

void nsc_cover_writer_flush(struct nsc_cover_writer *writer)
{
    struct nsc_cover *cover = writer->cover;
    struct nsc_cover_block *block = &cover->blocks[cover->n / NSC_COVER_BLOCK];
    uint8_t *at = cover->bytes + (size_t)writer->place * NSC_COVER_PLACE;

    if (writer->n_pending == 0)
        return;
    *block = (struct nsc_cover_block){writer->pending[0].t0, cover->total, writer->place,
                                      measure_width(writer)};
    for (uint32_t k = 0; k < writer->n_pending; k++) {
        struct nsc_window w = writer->pending[k];

        cover->total += length_of(w);
        store_number(at, (uint64_t)w.t0 - (uint64_t)block->start);
        store_number(at + block->width, length_of(w));
        at += (size_t)2 * block->width;
    }
    cover->n += writer->n_pending;
    writer->place += block->width;
    writer->n_pending = 0;
}

static void *trim_pages(void *pages, size_t *bytes, size_t keep)
{
    void *kept = NULL;

    if (keep > 0)
        kept = nsc_pages_trim(pages, *bytes, keep);
    else
        nsc_pages_free(pages, *bytes);
    *bytes = keep;
    return kept;
}

struct nsc_cover *nsc_cover_writer_end(struct nsc_cover_writer *writer)
{
    struct nsc_cover *cover = writer->cover;
    size_t blocks = 0;

    nsc_cover_writer_flush(writer);
    blocks = ((size_t)cover->n + NSC_COVER_BLOCK - 1) / NSC_COVER_BLOCK;
    cover->bytes = trim_pages(cover->bytes, &cover->byte_bytes,
                              writer->place ? (size_t)writer->place * NSC_COVER_PLACE + WORD : 0);
    cover->blocks = trim_pages(cover->blocks, &cover->block_bytes, blocks * sizeof *cover->blocks);
    writer->cover = NULL;
    return cover;
}

void nsc_cover_free(struct nsc_cover *cover)
{
    if (!cover)
        return;
    nsc_pages_free(cover->bytes, cover->byte_bytes);
    nsc_pages_free(cover->blocks, cover->block_bytes);
    free(cover);
}

size_t nsc_cover_bytes(const struct nsc_cover *cover)
{
    return sizeof *cover + cover->byte_bytes + cover->block_bytes;
}

/* ---- asking
 * -------------------------------------------------------------------------------------------------------
 */

uint32_t nsc_cover_count(const struct nsc_cover *cover)
{
    return cover->n;
}

struct nsc_window nsc_cover_at(const struct nsc_cover *cover, uint32_t i)
{
    const struct nsc_cover_block *block = &cover->blocks[i / NSC_COVER_BLOCK];
    const uint8_t *at = cover->bytes + (size_t)block->place * NSC_COVER_PLACE +
                        (size_t)2 * block->width * (i % NSC_COVER_BLOCK);
    struct nsc_window w;

    w.t0 = (nsc_time)((uint64_t)block->start + load_number(at, block->width));
    w.t1 = (nsc_time)((uint64_t)w.t0 + load_number(at + block->width, block->width));
    return w;
}

static uint32_t count_blocks(const struct nsc_cover *cover)
{
    return cover->n / NSC_COVER_BLOCK + (cover->n % NSC_COVER_BLOCK != 0);
}

/* The last block of [block, blocks) that starts at t or before, else block; near ones are found
 * sooner. */
static uint32_t gallop_blocks(const struct nsc_cover *cover, uint32_t block, nsc_time t)
{
    uint32_t n = count_blocks(cover);
    uint32_t step = 1;
    uint32_t high = 0;

    while (step < n - block && cover->blocks[block + step].start <= t) {
        block += step;
        step *= 2;
    }
    high = step < n - block ? block + step : n;
    while (high - block > 1) {
        uint32_t middle = block + (high - block) / 2;

        if (cover->blocks[middle].start <= t)
            block = middle;
        else
            high = middle;
    }
    return block;
}

/* The first interval of the block or after it whose end is past t, none of the earlier blocks
 * having one. */
static uint32_t find_in_block(const struct nsc_cover *cover, uint32_t block, nsc_time t)
{
    uint32_t low = block * NSC_COVER_BLOCK;
    uint32_t high = cover->n - low > NSC_COVER_BLOCK ? low + NSC_COVER_BLOCK : cover->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (nsc_cover_at(cover, middle).t1 > t)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

uint32_t nsc_cover_find(const struct nsc_cover *cover, nsc_time t)
{
    return cover->n ? find_in_block(cover, gallop_blocks(cover, 0, t), t) : 0;
}

/* Where the measure before ended: the next, which comes later, begins there. */
struct place {
    uint32_t block, i;
    uint64_t before; /* ns in the intervals before i */
};

static uint64_t sum_lengths(const struct nsc_cover *cover, uint32_t from, uint32_t to)
{
    uint64_t ns = 0;

    for (uint32_t k = from; k < to; k++)
        ns += length_of(nsc_cover_at(cover, k));
    return ns;
}

/* ns in the intervals before i, from the nearest place where that is known. */
static uint64_t sum_before(const struct nsc_cover *cover, const struct place *place, uint32_t i)
{
    uint32_t block = i / NSC_COVER_BLOCK;
    uint32_t first = block * NSC_COVER_BLOCK;
    uint32_t left = cover->n - first;
    uint32_t end = first + (left < NSC_COVER_BLOCK ? left : NSC_COVER_BLOCK);

    if (place->i >= first && place->i <= i)
        return place->before + sum_lengths(cover, place->i, i);
    if (i - first <= end - i)
        return cover->blocks[block].before + sum_lengths(cover, first, i);
    return (end < cover->n ? cover->blocks[block + 1].before : cover->total) -
           sum_lengths(cover, i, end);
}

/* ns covered before t. */
static uint64_t measure_before(const struct nsc_cover *cover, struct place *place, nsc_time t)
{
    struct nsc_window w;
    uint32_t i = 0;

    if (cover->n == 0)
        return 0;
    place->block = gallop_blocks(cover, place->block, t);
    i = find_in_block(cover, place->block, t);
    if (i == cover->n)
        return cover->total;
    place->before = sum_before(cover, place, i);
    place->i = i;
    w = nsc_cover_at(cover, i);
    return place->before + (w.t0 < t ? (uint64_t)t - (uint64_t)w.t0 : 0);
}

static nsc_time to_time(uint64_t ns)
{
    return ns > (uint64_t)INT64_MAX ? INT64_MAX : (nsc_time)ns;
}

nsc_time nsc_cover_measure(const struct nsc_cover *cover, struct nsc_window w)
{
    struct place place = {0, 0, 0};
    uint64_t before = measure_before(cover, &place, w.t0);

    return to_time(measure_before(cover, &place, w.t1) - before);
}

void nsc_cover_bins(const struct nsc_cover *cover, struct nsc_window w, uint32_t n, nsc_time out[])
{
    struct place place = {0, 0, 0};
    uint64_t left = measure_before(cover, &place, w.t0);

    for (uint32_t i = 0; i < n; i++) {
        uint64_t right = measure_before(cover, &place, nsc_window_cut(w, i + 1, n));

        out[i] = to_time(right - left);
        left = right;
    }
}
