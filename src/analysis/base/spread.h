/*
 * How a group of numbers is spread, as the source tool counts it: sum, mean, median, least,
 * greatest and the standard deviation of a sample.
 *
 * Median: the mean of the two in the middle when the number is even. Standard deviation: divided by
 * n - 1; 0 for one number and for none. Exact but for the last rounding: sums are kept in 128 bits.
 */
#ifndef NSC_ANALYSIS_SPREAD_H
#define NSC_ANALYSIS_SPREAD_H

#include "nsyscope/types.h"

struct nsc_spread {
    uint64_t n;
    int64_t total; /* saturating */
    int64_t min, max;
    double mean, median, deviation; /* mean and median are 0 when n is 0 */
};

/* Changes the order of values. O(n). */
void nsc_spread_measure(struct nsc_spread *out, int64_t values[], size_t n);

/*
 * The spreads of many groups at once: row gives group and value of row i, twice for each row; false
 * leaves the row out. group must be below n_groups. NULL when the memory is refused; else n_groups
 * spreads, to be given to free().
 */
struct nsc_spread *nsc_spreads_measure(uint32_t n_groups, uint32_t n_rows,
                                       bool (*row)(const void *context, uint32_t i, uint32_t *group,
                                                   int64_t *value),
                                       const void *context);

#endif
