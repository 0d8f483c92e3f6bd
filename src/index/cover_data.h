/*
 * The inside of struct nsc_cover, and the writer that makes every cover.
 */
#ifndef NSC_INDEX_COVER_DATA_H
#define NSC_INDEX_COVER_DATA_H

#include "nsyscope/cover.h"

#include <string.h>

#ifdef NSC_SMALL
#define NSC_COVER_BLOCK 4u
#define NSC_COVER_FAR   8u
#else
#define NSC_COVER_BLOCK 64u /* intervals per block */
#define NSC_COVER_FAR   64u /* blocks per entry of far_start: few enough to stay in a cache */
#endif

/* The intervals of a block begin at bytes[place * NSC_COVER_PLACE]. Each has two numbers of `width`
 * bytes, lowest byte first: its start relative to the block's start, and its length in ns. */
struct nsc_cover_block {
    nsc_time start;
    uint64_t before; /* covered ns before the block: below 2^64, as intervals are disjoint */
    uint32_t place;
    uint8_t width; /* 3, 4 or 8, as the length of the block needs */
};

#define NSC_COVER_PLACE (NSC_COVER_BLOCK * 2u)

struct nsc_cover {
    uint32_t n;
    uint8_t *bytes; /* with eight spare bytes at the end: numbers are read as words */
    struct nsc_cover_block *blocks;
    nsc_time *far_start; /* starts of every NSC_COVER_FAR-th block */
    uint64_t total;
    size_t byte_bytes, block_bytes;
};

static inline uint32_t nsc_cover_blocks(const struct nsc_cover *cover)
{
    return cover->n / NSC_COVER_BLOCK + (cover->n % NSC_COVER_BLOCK != 0);
}

static inline uint64_t nsc_cover_swap(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

/* A number of `width` bytes, 1 to 8. */
static inline uint64_t nsc_cover_number(const uint8_t *at, uint32_t width)
{
    uint64_t word = 0;

    memcpy(&word, at, sizeof word);
    return nsc_cover_swap(word) << (64 - 8 * width) >> (64 - 8 * width);
}

/* Takes intervals in ascending order of start, merges those that meet or overlap, skips empty ones.
 * Keeps up to one block of intervals until its width is known. */
struct nsc_cover_writer {
    struct nsc_cover *cover;
    struct nsc_window pending[NSC_COVER_BLOCK];
    uint32_t n_pending, place;
};

/* bound: the most intervals. False if out of memory. */
bool nsc_cover_writer_init(struct nsc_cover_writer *writer, uint32_t bound);
/* Writes the pending intervals. */
void nsc_cover_writer_flush(struct nsc_cover_writer *writer);

static inline void nsc_cover_writer_add(struct nsc_cover_writer *writer, nsc_time t0, nsc_time t1)
{
    if (t0 >= t1)
        return;
    if (writer->n_pending > 0) {
        struct nsc_window *last = &writer->pending[writer->n_pending - 1];

        if (t0 <= last->t1) {
            last->t1 = t1 > last->t1 ? t1 : last->t1;
            return;
        }
    }
    /* A full block waits for the next interval, because its last one may still grow. */
    if (writer->n_pending == NSC_COVER_BLOCK)
        nsc_cover_writer_flush(writer);
    writer->pending[writer->n_pending++] = (struct nsc_window){t0, t1};
}

/* The cover, trimmed to its size. Empties the writer. */
struct nsc_cover *nsc_cover_writer_end(struct nsc_cover_writer *writer);

#endif
