/*
 * The open ranges of a thread at some time, in the order in which they opened.
 *
 * The parent of a range is the shortest open range that contains it. Ranges mostly nest: each lies inside
 * the one opened before it, so that one is the parent, the last one closes first, and an op inside
 * the last one is inside all. But ranges of several domains, and start/end ranges, may cross: any of
 * them may be the parent and may close first, and each must be compared with an op.
 * So that deep nesting costs no more per op or range than flat ranges do,
 *   - each range keeps the least end of itself and all below: a search downwards stops where none
 *     below can matter;
 *   - where all below nest, an op is added to one range only, which passes it on to its parent when it
 *     closes.
 * The owner calls fini.
 */
#ifndef NSC_ANALYSIS_STATS_RANGE_STACK_H
#define NSC_ANALYSIS_STATS_RANGE_STACK_H

#include "analysis/stats/ranges.h"
#include "core/vec.h"

struct nsc_range_stack {
    const struct nsc_stats_walk *walk; /* whose close is called */
    NSC_VEC(struct nsc_stats_open) open;
    NSC_VEC(uint32_t) place; /* scratch: new places of the open ranges that stay */
    uint32_t n;              /* ranges opened so far */
};

void nsc_range_stack_fini(struct nsc_range_stack *stack);
/* Opens a range; ranges come by start, the longer first. */
void nsc_range_stack_open(struct nsc_range_stack *stack, const struct nsc_stats_range *range);
/* Closes the ranges that ended before t. */
void nsc_range_stack_close(struct nsc_range_stack *stack, nsc_time t);
void nsc_range_stack_close_all(struct nsc_range_stack *stack);
/* Adds work to all ranges that last until a call's end. Returns false if there is none. */
bool nsc_range_stack_add(struct nsc_range_stack *stack, const struct nsc_stats_work *work,
                         nsc_time end);

#endif
