/*
 * The spread of a group of numbers, computed as nsys does: sum, mean, median, least, greatest and
 * the standard deviation of a sample; and, if asked for, the 90th percentile.
 *
 * The median of an even count is the mean of the two in the middle; p90 is interpolated. The standard deviation divides
 * by n - 1, and is 0 for fewer than two numbers. Sums have 128 bits, so only the last rounding is
 * inexact.
 */
#ifndef NSC_ANALYSIS_SPREAD_H
#define NSC_ANALYSIS_SPREAD_H

#include "nsyscope/types.h"

struct nsc_spread {
    uint64_t n;
    int64_t total; /* saturating */
    int64_t min, max;
    double mean, median, deviation; /* 0 when n is 0 */
    double p90;                     /* 0 unless asked for */
};

/* Changes the order of values. O(n). */
void nsc_spread_measure(struct nsc_spread *out, int64_t values[], size_t n);

/*
 * The spreads of many groups. row returns the group and value of row i and is called twice for each
 * row; it returns false to skip the row. group must be below n_groups. has_p90: asks for it; with it
 * for all, the kernel sums of 1 M kernels take 10 % longer. Returns n_groups spreads for free(); NULL
 * if out of memory.
 */
struct nsc_spread *nsc_spreads_measure(uint32_t n_groups, uint32_t n_rows,
                                       bool (*row)(const void *context, uint32_t i, uint32_t *group,
                                                   int64_t *value),
                                       const void *context, bool has_p90);

#endif
