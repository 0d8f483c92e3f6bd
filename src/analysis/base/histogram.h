/*
 * How durations spread: counts in bins on an axis that doubles again and again.
 *
 * A plain value. Bins are those of binary numbers of a few digits: each power of two is cut into
 * 2^bits bins of equal width, and so many bits are taken as at most NSC_HISTOGRAM_BINS bins reach
 * from the shortest duration to the longest. Edges are whole ns; bins below 2^bits are 1 ns wide.
 */
#ifndef NSC_ANALYSIS_HISTOGRAM_H
#define NSC_ANALYSIS_HISTOGRAM_H

#include "nsyscope/types.h"

#define NSC_HISTOGRAM_BINS 48

struct nsc_histogram {
    uint32_t bits;
    uint64_t first; /* which of all bins is the first one here */
    uint32_t n;     /* bins: 0 without events */
    uint32_t count[NSC_HISTOGRAM_BINS];
};

/* Empty bins from min to max, 0 <= min <= max. */
struct nsc_histogram nsc_histogram(nsc_time min, nsc_time max);
/* The bin of a duration between min and max. */
uint32_t nsc_histogram_bin(const struct nsc_histogram *histogram, nsc_time duration);
/* What bin i, i < n, holds: durations in [t0, t1). */
struct nsc_window nsc_histogram_at(const struct nsc_histogram *histogram, uint32_t i);

#endif
