/*
 * Counts durations in bins that double.
 *
 * A plain value. Each power of two is cut into 2^bits bins of equal width. bits is the largest
 * number with which at most NSC_HISTOGRAM_BINS bins reach from the shortest duration to the
 * longest. Edges are whole ns; bins below 2^bits are 1 ns wide.
 */
#ifndef NSC_ANALYSIS_HISTOGRAM_H
#define NSC_ANALYSIS_HISTOGRAM_H

#include "nsyscope/types.h"

#include "core/sheet.h"

/* The number of the bin of a duration, counted from duration 0. */
static inline uint64_t nsc_doubling_bin(uint64_t duration, uint32_t bits)
{
    uint32_t shift = 0;

    if (duration >> bits == 0)
        return duration;
    shift = 63 - (uint32_t)__builtin_clzll(duration) - bits;
    return ((uint64_t)shift << bits) + (duration >> shift);
}

#define NSC_HISTOGRAM_BINS 48

struct nsc_histogram {
    uint32_t bits;
    uint64_t first; /* the number of the first bin, counted from duration 0 */
    uint32_t n;     /* bins in use: 0 without events */
    uint32_t count[NSC_HISTOGRAM_BINS];
};

/* Empty bins from min to max, 0 <= min <= max. */
struct nsc_histogram nsc_histogram(nsc_time min, nsc_time max);
/* The bin of a duration between min and max. */
uint32_t nsc_histogram_bin(const struct nsc_histogram *histogram, nsc_time duration);
/* The durations of bin i, i < n: [t0, t1). */
struct nsc_window nsc_histogram_at(const struct nsc_histogram *histogram, uint32_t i);

/* ---- the same bins for every trace ---- */

/*
 * Counts in bins with the same edges for every trace: 1 ns wide below 8 ns, then eight to each
 * doubling. A quantile read from them is at most an eighth too high. Zero is empty.
 */
#define NSC_DURATION_BINS 488

struct nsc_duration_bins {
    uint64_t count[NSC_DURATION_BINS];
    nsc_time total[NSC_DURATION_BINS]; /* saturating */
};

void nsc_duration_bins_add(struct nsc_duration_bins *bins, nsc_time ns);
/* The bin of a duration; 0 for one below 0. */
uint32_t nsc_duration_bin(nsc_time ns);
/* The durations of bin i: [t0, t1). */
struct nsc_window nsc_duration_bins_at(uint32_t i);
/* Adds a sheet with one row for each bin that is not empty; key and title are static. */
void nsc_duration_bins_sheet(struct nsc_sheets *out, const char *key, const char *title,
                             const struct nsc_duration_bins *bins);

#endif
