/*
 * The inside of struct nsc_summary.
 */
#ifndef NSC_INDEX_SUMMARY_DATA_H
#define NSC_INDEX_SUMMARY_DATA_H

#include "nsyscope/summary.h"

#define NSC_SUMMARY_BLOCK 64u /* rows per block: one word of a mask */
#ifdef NSC_SMALL
#define NSC_SUMMARY_FAR 2u
#define NSC_SUMMARY_FAN 2u
#else
#define NSC_SUMMARY_FAR 64u /* blocks per entry of far_start: few enough to stay in a cache */
#define NSC_SUMMARY_FAN 4u  /* keys per key of the next level */
#endif
#define NSC_SUMMARY_LEVELS  27u /* enough for 2^32 rows with the smallest fan */
#define NSC_SUMMARY_QUARTER (NSC_SUMMARY_BLOCK / 4)

/*
 * All data of a block in 32 bytes, half a cache line: on a big trace each further array is one more
 * page to wait for.
 *
 * Totals are kept modulo 2^64: rows of one lane are disjoint, so the difference of two totals
 * within a lane is below 2^64 and exact, whatever the rows of other lanes add up to.
 */
struct nsc_block {
    nsc_time start;    /* of its first row */
    uint64_t before;   /* selected ns in the blocks before */
    uint64_t longest;  /* nsc_longest_key of its longest selected row; 0: none */
    uint32_t half;     /* selected ns of its first 32 rows; NSC_LONG: does not fit */
    uint8_t shares[4]; /* where each quarter begins between this block's start and the next one's,
                        * in 255ths; only a guess, as the next block may belong to another lane */
};

struct nsc_summary {
    const uint64_t *mask; /* borrowed; NULL: all rows */
    uint32_t n_rows, n_blocks;
    uint64_t count;
    nsc_time busy;
    void *pages; /* one allocation for the arrays below */
    size_t bytes;
    struct nsc_block *block;               /* n_blocks + 1; the last has the totals of all */
    nsc_time *far_start;                   /* starts of every NSC_SUMMARY_FAR-th block */
    uint64_t *longest[NSC_SUMMARY_LEVELS]; /* keys: one per FAN blocks, then one per FAN of those
                                              ... */
    uint32_t n_levels;
    uint32_t
        *count_before; /* selected rows in the blocks before; n_blocks + 1; NULL without a mask */
};

/* The place of t between two starts, from 0 to 255. */
static inline uint8_t nsc_block_share(nsc_time from, nsc_time to, nsc_time t)
{
    if (t <= from)
        return 0;
    if (t >= to)
        return UINT8_MAX;
    return (uint8_t)((double)((uint64_t)t - (uint64_t)from) /
                     (double)((uint64_t)to - (uint64_t)from) * UINT8_MAX);
}

/* A row and its duration as one number: the greater key is the longer row, or the earlier of
 * equals. 0: no row. Durations of NSC_LONG need the side table: nsc_longest_pick(). */
static inline uint64_t nsc_longest_key(uint32_t duration, nsc_event row)
{
    return (uint64_t)duration << 32 | (uint32_t)~row;
}

static inline nsc_event nsc_longest_row(uint64_t key)
{
    return (nsc_event) ~(uint32_t)key;
}

static inline bool nsc_longest_is_long(uint64_t key)
{
    return key >> 32 == NSC_LONG;
}

static inline uint64_t nsc_longest_pick(const struct nsc_events *events, uint64_t a, uint64_t b)
{
    if (nsc_longest_is_long(a) && nsc_longest_is_long(b)) {
        nsc_time da = nsc_event_long_duration(events, nsc_longest_row(a));
        nsc_time db = nsc_event_long_duration(events, nsc_longest_row(b));

        if (da != db)
            return da > db ? a : b;
    }
    return a > b ? a : b;
}

/* The selected rows of a block as a word; bits after the last row are clear. */
static inline uint64_t nsc_summary_word(const struct nsc_summary *summary, uint32_t block)
{
    uint64_t word = summary->mask ? summary->mask[block] : UINT64_MAX;
    uint32_t rows = summary->n_rows - block * NSC_SUMMARY_BLOCK;

    return rows >= NSC_SUMMARY_BLOCK ? word : word & (((uint64_t)1 << rows) - 1);
}

/* Total ns, or the longest, of the rows first + k, k in [from, to), with bit k of word set. */
uint64_t nsc_rows_sum(const struct nsc_events *events, uint64_t word, nsc_event first,
                      uint32_t from, uint32_t to);
uint64_t nsc_rows_longest(const struct nsc_events *events, uint64_t word, nsc_event first,
                          uint32_t from, uint32_t to);

/* ---- longest.c ---- */

/* The key (nsc_longest_key) of the longest selected row of whole blocks [from, to); 0: none. */
uint64_t nsc_longest_of_blocks(const struct nsc_summary *summary, const struct nsc_events *events,
                               uint32_t from, uint32_t to);
/* The longest selected row of [from, to), at least one of which is selected; NSC_NONE for an empty
 * range. */
nsc_event nsc_longest_of_rows(const struct nsc_summary *summary, const struct nsc_events *events,
                              nsc_event from, nsc_event to);

#endif
