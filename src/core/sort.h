/*
 * Stable sorting of rows by 64-bit keys: one pass for sorted input, linear time otherwise; and
 * comparison of plain values for qsort.
 */
#ifndef NSC_CORE_SORT_H
#define NSC_CORE_SORT_H

#include "nsyscope/types.h"

/* A signed time as an unsigned key in the same order. */
static inline uint64_t nsc_sort_key(nsc_time t)
{
    return (uint64_t)t ^ (uint64_t)1 << 63;
}

/*
 * Orders index[0, n) so that key(index[i]) ascends; rows with equal keys keep their order. Sorted
 * input takes one pass; a few ascending sequences are merged; anything else is radix sorted.
 */
void nsc_sort_by_time(uint32_t *index, uint32_t n,
                      nsc_time (*key)(const void *context, uint32_t row), const void *context);

/* Stable radix sort of n (key, value) pairs by key; skips digits that are equal in all keys. Sorted
 * input takes one pass. */
struct nsc_sort_pair {
    uint64_t key;
    uint32_t value;
};
void nsc_sort_pairs(struct nsc_sort_pair *pairs, struct nsc_sort_pair *scratch, size_t n);

/* Stable merge sort of index[0, n); sorted input takes one pass. compare is negative, 0 or positive if a goes before, with or
 * after b. */
void nsc_sort_by(uint32_t *index, uint32_t n,
                 int (*compare)(const void *context, uint32_t a, uint32_t b), const void *context);

/* The numbers below n in order, for free(). */
uint32_t *nsc_sort_numbers(uint32_t n);
/* A key for nsc_sort_by_time: times[row]. */
nsc_time nsc_sort_time_at(const void *times, uint32_t row);

/* For qsort and bsearch, ascending: nsc_time, double (no NaN), uint64_t. */
int nsc_time_compare(const void *a, const void *b);
int nsc_double_compare(const void *a, const void *b);
int nsc_u64_compare(const void *a, const void *b);

#endif
