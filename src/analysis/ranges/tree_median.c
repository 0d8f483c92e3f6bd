/*
 * The median duration of the calls of one node: gathered, then narrowed down digit by digit.
 */
#include "analysis/ranges/tree_median.h"

#include "core/die.h"

#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 16, DIGITS = 1 << DIGIT_BITS };

/* Of n durations the one with rank others before it. The array is used up. */
static nsc_time select_rank(nsc_time at[], uint32_t n, uint32_t rank)
{
    uint32_t *counts = nsc_xmalloc(DIGITS * sizeof *counts);
    uint64_t found = 0;

    for (int shift = 64 - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
        uint32_t digit = 0;
        uint32_t kept = 0;

        memset(counts, 0, DIGITS * sizeof *counts);
        for (uint32_t i = 0; i < n; i++)
            counts[(uint64_t)at[i] >> shift & (DIGITS - 1)]++;
        while (rank >= counts[digit])
            rank -= counts[digit++];
        for (uint32_t i = 0; i < n; i++)
            if (((uint64_t)at[i] >> shift & (DIGITS - 1)) == digit)
                at[kept++] = at[i];
        n = kept;
        found |= (uint64_t)digit << shift;
    }
    free(counts);
    return (nsc_time)found;
}

nsc_time nsc_tree_median(const struct nsc_trace *trace, const struct nsc_calltree *tree,
                         uint32_t node)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time *at = nsc_xmalloc(tree->calls[node] * sizeof *at);
    uint32_t n = 0;
    nsc_time median = 0;

    for (uint32_t i = 0; i < tree->n_rows && n < tree->calls[node]; i++)
        if (tree->node_of[i] == node)
            at[n++] = nsc_event_duration(events, tree->first_row + i);
    median = select_rank(at, n, (n - 1) / 2);
    free(at);
    return median;
}
