/* Quantiles of times by NumPy's linear method: interpolates between the two nearest values. */
#ifndef NSC_ANALYSIS_QUANTILE_H
#define NSC_ANALYSIS_QUANTILE_H

#include "nsyscope/types.h"

#include "analysis/base/histogram.h"
#include "core/vec.h"

/*
 * The value at place q (n - 1) / 1000 of the sorted values, q in thousandths; interpolates between
 * two values, to the nearest ns (halves up). n > 0. Changes the order of values. O(n).
 */
nsc_time nsc_quantile(nsc_time values[], size_t n, uint32_t q);

/* Quantiles at several q in ascending order; each search starts at the place of the one before. */
void nsc_quantiles(nsc_time out[], nsc_time values[], size_t n, const uint32_t q[], uint32_t n_q);

/* The time between two neighbours low <= high, `rest` thousandths of the way. */
nsc_time nsc_quantile_between(nsc_time low, nsc_time high, uint32_t rest);

/* The value at place k of the sorted values, k < n. Changes the order of values. O(n). */
nsc_time nsc_select(nsc_time values[], size_t n, size_t k);

/* The k-th greatest of many values, of which at most 2 k are kept. Zero with a k above 0 is empty. */
struct nsc_greatest {
    size_t k, n;  /* n: values added */
    nsc_time bar; /* if k values were dropped: no greater than the k-th greatest */
    NSC_VEC(nsc_time) kept;
};

void nsc_greatest_keep(struct nsc_greatest *greatest, nsc_time value);
static inline void nsc_greatest_add(struct nsc_greatest *greatest, nsc_time value)
{
    greatest->n++;
    if (greatest->kept.n < greatest->k || value > greatest->bar)
        nsc_greatest_keep(greatest, value);
}
/* After the last value: the k-th greatest; INT64_MIN if there are no more than k. Empties it. */
nsc_time nsc_greatest_end(struct nsc_greatest *greatest);

/* Sorts n durations, the shortest first. */
void nsc_times_sort(nsc_time times[], size_t n);
/* Puts the values that the quantiles q, ascending, are computed from where sorting would put them.
 * O(n). */
void nsc_quantiles_select(nsc_time values[], size_t n, const double q[], uint32_t n_q);
/* The value at q (n - 1), 0 <= q <= 1, interpolated between two neighbours; n > 0. sorted: at
 * least as nsc_quantiles_select leaves the values. */
double nsc_quantile_linear(const nsc_time sorted[], size_t n, double q);
/* The element at q (n - 1), rounded to the nearest, halves to even; n > 0. sorted: the same. */
nsc_time nsc_quantile_nearest(const nsc_time sorted[], size_t n, double q);

/*
 * Quantiles of durations that are read twice instead of kept: the first pass counts them in bins
 * so narrow that each holds few, the second one keeps those in the bins of the quantiles. Zero is
 * empty.
 */
#define NSC_TIME_BITS 8 /* 2^8 bins to each doubling (histogram.h) */
#define NSC_TIME_BINS ((64 - NSC_TIME_BITS) << NSC_TIME_BITS)

struct nsc_binned_times {
    uint64_t n;
    struct nsc_duration_bins bins; /* for a sheet */
    uint32_t count[NSC_TIME_BINS];
    bool is_wanted[NSC_TIME_BINS];
    nsc_time usual[NSC_TIME_BINS]; /* the first value of each wanted bin: counted, not kept */
    uint32_t n_usual[NSC_TIME_BINS];
    NSC_VEC(nsc_time) kept;
};

/* The bin of a duration; 0 for one below 0. */
static inline uint32_t nsc_time_bin(nsc_time ns)
{
    return ns > 0 ? (uint32_t)nsc_doubling_bin((uint64_t)ns, NSC_TIME_BITS) : 0;
}

void nsc_binned_times_fini(struct nsc_binned_times *times);
/* For each value in the first pass. */
static inline void nsc_binned_times_add(struct nsc_binned_times *times, nsc_time ns)
{
    times->n++;
    times->count[nsc_time_bin(ns)]++;
    nsc_duration_bins_add(&times->bins, ns);
}
/* After the first pass: adds the values that another one has counted. */
void nsc_binned_times_merge(struct nsc_binned_times *to, const struct nsc_binned_times *from);
/* After the first pass: the quantiles to find. */
void nsc_binned_times_choose(struct nsc_binned_times *times, const double q[], uint32_t n_q);
/* For each value in the second pass. */
static inline void nsc_binned_times_keep(struct nsc_binned_times *times, nsc_time ns)
{
    uint32_t bin = nsc_time_bin(ns);

    if (!times->is_wanted[bin])
        return;
    if (times->n_usual[bin] == 0)
        times->usual[bin] = ns;
    if (times->usual[bin] == ns)
        times->n_usual[bin]++;
    else
        *NSC_VEC_ADD(&times->kept) = ns;
}
/* After the second pass: as nsc_quantile_linear and nsc_quantile_nearest of all values; n > 0. */
double nsc_binned_times_linear(struct nsc_binned_times *times, double q);
nsc_time nsc_binned_times_nearest(struct nsc_binned_times *times, double q);

#endif
