/*
 * What is inside struct nsc_cover, and the writer through which every cover is made.
 */
#ifndef NSC_INDEX_COVER_DATA_H
#define NSC_INDEX_COVER_DATA_H

#include "nsyscope/cover.h"

#ifdef NSC_SMALL
#define NSC_COVER_BLOCK 4u
#else
#define NSC_COVER_BLOCK 64u /* intervals a block */
#endif

/* Interval i of a block starts at the block's start plus offset. Unused in a wide block. */
struct nsc_cover_slot {
    uint32_t offset, length;
};

/* A wide block does not fit such slots: its intervals lie in wide[], NSC_COVER_BLOCK apiece. */
struct nsc_cover_block {
    nsc_time start;
    uint64_t before; /* ns in the blocks before: below 2^64, as intervals are disjoint */
    uint32_t wide;   /* number of the wide block, NSC_NONE for none */
};

struct nsc_cover {
    uint32_t n;
    struct nsc_cover_slot *slots;
    struct nsc_cover_block *blocks;
    struct nsc_window *wide;
    uint64_t total;
    size_t slot_bytes, block_bytes, wide_bytes;
};

/*
 * Takes intervals in ascending order of start, joins those that meet or overlap, leaves out empty
 * ones. Holds up to one block of intervals until it is known how they fit.
 */
struct nsc_cover_writer {
    struct nsc_cover *cover;
    struct nsc_window pending[NSC_COVER_BLOCK];
    uint32_t n_pending, n_wide;
};

/* At most bound intervals will be kept. False when the memory is refused. */
bool nsc_cover_writer_init(struct nsc_cover_writer *writer, uint32_t bound);
void nsc_cover_writer_add(struct nsc_cover_writer *writer, nsc_time t0, nsc_time t1);
/* The cover, trimmed to what it holds; the writer is empty then. */
struct nsc_cover *nsc_cover_writer_end(struct nsc_cover_writer *writer);

#endif
