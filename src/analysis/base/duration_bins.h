/*
 * Quantiles of sorted durations, as NumPy's linear method has them, and the fixed bins that let
 * those of many traces be put together.
 */
#ifndef NSC_ANALYSIS_DURATION_BINS_H
#define NSC_ANALYSIS_DURATION_BINS_H

#include "core/sheet.h"

/* Orders n durations, the shortest first. */
void nsc_times_sort(nsc_time times[], size_t n);
/* The value at q (n - 1), 0 <= q <= 1, between two neighbours in proportion; n > 0. */
double nsc_quantile_linear(const nsc_time sorted[], size_t n, double q);
/* The element at q (n - 1), rounded to the nearest, halves to even; n > 0. */
nsc_time nsc_quantile_nearest(const nsc_time sorted[], size_t n, double q);

/*
 * Counts in bins with edges that are the same for every trace: below 8 ns one a ns, then eight to
 * each doubling; a quantile from them is at most an eighth too high. Zero is empty.
 */
#define NSC_DURATION_BINS 488

struct nsc_duration_bins {
    uint64_t count[NSC_DURATION_BINS];
    nsc_time total[NSC_DURATION_BINS]; /* saturating */
};

void nsc_duration_bins_add(struct nsc_duration_bins *bins, nsc_time ns);
uint32_t nsc_duration_bin(nsc_time ns);
/* What bin i holds: [t0, t1). */
struct nsc_window nsc_duration_bins_at(uint32_t i);
/* A sheet with a row a bin that holds something; key and title are static. */
void nsc_duration_bins_sheet(struct nsc_sheets *out, const char *key, const char *title,
                             const struct nsc_duration_bins *bins);

#endif
