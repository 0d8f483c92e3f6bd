/*
 * Quantiles of times as NumPy's "linear": interpolated between the two neighbouring values.
 */
#ifndef NSC_ANALYSIS_QUANTILE_H
#define NSC_ANALYSIS_QUANTILE_H

#include "nsyscope/types.h"

/*
 * The value at place q (n - 1) / 1000 of the sorted values, q in thousandths; between two values in
 * proportion, to the nearest ns (halves up). n > 0. Changes the order of values. O(n).
 */
nsc_time nsc_quantile(nsc_time values[], size_t n, uint32_t q);

/* The same at several q, which ascend: each is looked for behind the one before. */
void nsc_quantiles(nsc_time out[], nsc_time values[], size_t n, const uint32_t q[], uint32_t n_q);

/* The value at place k of the sorted values, k below n. Changes the order of values. O(n). */
nsc_time nsc_select(nsc_time values[], size_t n, size_t k);

#endif
