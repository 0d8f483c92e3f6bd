/* Quantiles of times by selection, without sorting. */
#ifndef NSC_ANALYSIS_QUANTILE_H
#define NSC_ANALYSIS_QUANTILE_H

#include "nsyscope/types.h"

/*
 * The value at place q (n - 1) / 1000 of the sorted values, q in thousandths; interpolates between
 * two values, to the nearest ns (halves up). n > 0. Changes the order of values. O(n).
 */
nsc_time nsc_quantile(nsc_time values[], size_t n, uint32_t q);

/* The median; 0 without values. */
nsc_time nsc_median(nsc_time values[], size_t n);
/* The median distance of the values from one; 0 without values. Replaces the values by their distances. */
nsc_time nsc_median_distance(nsc_time values[], size_t n, nsc_time from);

/* Quantiles at several q in ascending order; each search starts at the place of the one before. */
void nsc_quantiles(nsc_time out[], nsc_time values[], size_t n, const uint32_t q[], uint32_t n_q);

/* The value at place k of the sorted values, k < n. Changes the order of values. O(n). */
nsc_time nsc_select(nsc_time values[], size_t n, size_t k);

/* The k-th greatest value, k > 0; INT64_MIN if there are no more than k. Changes the order of values.
 * O(n). */
nsc_time nsc_greatest(nsc_time values[], size_t n, size_t k);

/* The value at q (n - 1), 0 <= q <= 1, of the sorted values, interpolated between two neighbours; n >
 * 0. Changes the order of values. O(n). */
double nsc_quantile_linear(nsc_time values[], size_t n, double q);
/* The same, rounded to the nearest place, halves to the even one. */
nsc_time nsc_quantile_nearest(nsc_time values[], size_t n, double q);

#endif
