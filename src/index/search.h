/*
 * Finds the first row of a lane that starts at a time or later, in three steps: groups of blocks,
 * blocks, rows.
 *
 * For ascending times, each search starts at the place of the one before. A step almost always
 * knows where the next one will read, so a batch of searches can take each step together while the
 * memory for the next step is on its way.
 */
#ifndef NSC_INDEX_SEARCH_H
#define NSC_INDEX_SEARCH_H

#include "core/bisect.h"
#include "index/summary_data.h"
#include "index/trace_data.h"

struct nsc_search {
    uint32_t far, block;
    nsc_event row;
};

static inline struct nsc_search nsc_search_begin(nsc_event first)
{
    uint32_t block = first / NSC_SUMMARY_BLOCK;
    struct nsc_search search = {block / NSC_SUMMARY_FAR, block, first};

    return search;
}

/* The last of (at, last] that starts before t, else at; starts ascend. The nearer, the faster. */
static inline uint32_t nsc_search_starts(const nsc_time start[], uint32_t at, uint32_t last,
                                         nsc_time t)
{
    uint32_t step = 1;
    uint32_t high = 0;

    while (step <= last - at && start[at + step] < t) {
        at += step;
        step *= 2;
    }
    high = step <= last - at ? at + step : last + 1;
    at++;
    NSC_BISECT(at, high, middle, start[middle] < t);
    return at - 1;
}

/* ---- among blocks, whose starts ascend ---- */

/* The last of (low, high) that starts before t, else low. */
static inline uint32_t nsc_search_between(const struct nsc_block *block, uint32_t low,
                                          uint32_t high, nsc_time t)
{
    low++;
    NSC_BISECT(low, high, middle, block[middle].start < t);
    return low - 1;
}

/* The last of (at, last] that starts before t, else at. Searches from a guess in [at, last]. */
static inline uint32_t nsc_search_about(const struct nsc_block *block, uint32_t at, uint32_t last,
                                        uint32_t guess, nsc_time t)
{
    uint32_t step = 1;

    if (guess == at || block[guess].start < t) {
        while (step <= last - guess && block[guess + step].start < t) {
            guess += step;
            step *= 2;
        }
        return nsc_search_between(block, guess, step <= last - guess ? guess + step : last + 1, t);
    }
    while (guess - at > step && block[guess - step].start >= t) {
        guess -= step;
        step *= 2;
    }
    return nsc_search_between(block, guess - at > step ? guess - step : at, guess, t);
}

/* ---- the three steps ---- */

/* A block may begin with rows of an earlier lane. The search therefore looks only behind its
 * starting place, whose first row lies in the lane; `end` is the lane's end. */

/* The last group of blocks that starts before t, else far. */
static inline uint32_t nsc_search_far(const struct nsc_summary *summary, uint32_t far,
                                      nsc_event end, nsc_time t)
{
    return nsc_search_starts(summary->far_start, far,
                             (end - 1) / NSC_SUMMARY_BLOCK / NSC_SUMMARY_FAR, t);
}

/* A guess at the block in its group: blocks are evenly spaced. */
static inline uint32_t nsc_search_block_guess(const struct nsc_summary *summary, uint32_t far,
                                              nsc_event end, nsc_time t)
{
    uint32_t first = far * NSC_SUMMARY_FAR;

    if ((end - 1) / NSC_SUMMARY_BLOCK - first < NSC_SUMMARY_FAR) /* the lane's last group */
        return first;
    return first + nsc_block_share(summary->far_start[far], summary->far_start[far + 1], t) *
                       NSC_SUMMARY_FAR / (UINT8_MAX + 1);
}

/* The last block of the group that starts before t, else near.block. */
static inline uint32_t nsc_search_block(const struct nsc_summary *summary, struct nsc_search near,
                                        uint32_t guess, nsc_event end, nsc_time t)
{
    uint32_t first = near.far * NSC_SUMMARY_FAR;
    uint32_t last = (end - 1) / NSC_SUMMARY_BLOCK;

    if (last - first >= NSC_SUMMARY_FAR)
        last = first + NSC_SUMMARY_FAR - 1;
    first = near.block > first ? near.block : first;
    guess = guess < first ? first : guess > last ? last : guess;
    return nsc_search_about(summary->block, first, last, guess, t);
}

/* The first row of the quarter of its block that most likely holds the row. */
static inline nsc_event nsc_search_row_guess(const struct nsc_summary *summary, uint32_t at,
                                             nsc_time t)
{
    const struct nsc_block *block = &summary->block[at];
    uint8_t share = nsc_block_share(block[0].start, block[1].start, t);
    uint32_t quarter = 0;

    for (uint32_t i = 1; i < 4; i++)
        quarter += block->shares[i] <= share;
    return at * NSC_SUMMARY_BLOCK + quarter * NSC_SUMMARY_QUARTER;
}

/* The first row of [row, stop) that starts at t or later, else stop. Without branches, because both
 * halves are equally likely. */
static inline nsc_event nsc_search_half(const nsc_time *start, nsc_event row, nsc_event stop,
                                        nsc_time t)
{
    if (row >= stop || start[row] >= t)
        return row;
    for (uint32_t n = stop - row; n > 1; n -= n / 2)
        row += n / 2 & ((uint32_t)0 - (uint32_t)(start[row + n / 2] < t));
    return row + 1;
}

/* The row in the block: near.row or a later one. */
static inline nsc_event nsc_search_row(const struct nsc_events *events, struct nsc_search near,
                                       nsc_event guess, nsc_event end, nsc_time t)
{
    nsc_event first = near.block * NSC_SUMMARY_BLOCK;
    nsc_event stop = end - first < NSC_SUMMARY_BLOCK ? end : first + NSC_SUMMARY_BLOCK;
    nsc_event row = near.row > first ? near.row : first;
    uint32_t n = 0;

    if (guess < row || guess + NSC_SUMMARY_QUARTER > stop)
        return nsc_search_half(events->start, row, stop, t);
    for (uint32_t k = 0; k < NSC_SUMMARY_QUARTER; k++)
        n += events->start[guess + k] < t;
    if (n == 0)
        return nsc_search_half(events->start, row, guess, t);
    if (n == NSC_SUMMARY_QUARTER)
        return nsc_search_half(events->start, guess + n, stop, t);
    return guess + n;
}

#endif
