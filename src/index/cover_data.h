/*
 * What is inside struct nsc_cover, and the writer through which every cover is made.
 */
#ifndef NSC_INDEX_COVER_DATA_H
#define NSC_INDEX_COVER_DATA_H

#include "nsyscope/cover.h"

#include <string.h>

#ifdef NSC_SMALL
#define NSC_COVER_BLOCK 4u
#define NSC_COVER_FAR   2u
#else
#define NSC_COVER_BLOCK 64u /* intervals a block */
#define NSC_COVER_FAR   64u /* blocks between two of far_start: few enough to stay in a cache */
#endif

/*
 * A block's intervals lie in bytes[], from place * NSC_COVER_PLACE on: for each two numbers of
 * width bytes, the lowest first: where it starts, from the block's start on, and its length.
 */
struct nsc_cover_block {
    nsc_time start;
    uint64_t before; /* ns in the blocks before: below 2^64, as intervals are disjoint */
    uint32_t place;
    uint8_t width; /* 3, 4 or 8: what the block's span needs */
};

#define NSC_COVER_PLACE (NSC_COVER_BLOCK * 2u)

struct nsc_cover {
    uint32_t n;
    uint8_t *bytes; /* and eight more than the intervals need: numbers are read by words */
    struct nsc_cover_block *blocks;
    nsc_time *far_start; /* of every NSC_COVER_FAR-th block */
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

/* A number of so many bytes, 1 to 8. */
static inline uint64_t nsc_cover_number(const uint8_t *at, uint32_t width)
{
    uint64_t word = 0;

    memcpy(&word, at, sizeof word);
    return nsc_cover_swap(word) << (64 - 8 * width) >> (64 - 8 * width);
}

/*
 * Takes intervals in ascending order of start, joins those that meet or overlap, leaves out empty
 * ones. Holds up to one block of intervals until it is known how they fit.
 */
struct nsc_cover_writer {
    struct nsc_cover *cover;
    struct nsc_window pending[NSC_COVER_BLOCK];
    uint32_t n_pending, place;
};

/* At most bound intervals will be kept. False when the memory is refused. */
bool nsc_cover_writer_init(struct nsc_cover_writer *writer, uint32_t bound);
/* Writes the intervals that are pending. */
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
    /* A full block is kept until the next interval: its last one may still grow. */
    if (writer->n_pending == NSC_COVER_BLOCK)
        nsc_cover_writer_flush(writer);
    writer->pending[writer->n_pending++] = (struct nsc_window){t0, t1};
}

/* The cover, trimmed to what it holds; the writer is empty then. */
struct nsc_cover *nsc_cover_writer_end(struct nsc_cover_writer *writer);

#endif
