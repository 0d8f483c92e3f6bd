/*
 * Finds the bin of a duration and the edges of a bin, in integers only.
 */
#include "analysis/base/histogram.h"

enum { MAX_BITS = 40 };

/* Which of all bins with so many bits a power of two holds the duration. */
static uint64_t bin_of(uint64_t duration, uint32_t bits)
{
    uint32_t shift = 0;

    if (duration >> bits == 0)
        return duration;
    shift = 63 - (uint32_t)__builtin_clzll(duration) - bits;
    return ((uint64_t)shift << bits) + (duration >> shift);
}

/* The first duration of a bin; 2^63 for the one behind the last. */
static uint64_t edge_of(uint64_t bin, uint32_t bits)
{
    uint64_t shift = bin >> bits ? (bin >> bits) - 1 : 0;

    return (bin - (shift << bits)) << shift;
}

struct nsc_histogram nsc_histogram(nsc_time min, nsc_time max)
{
    struct nsc_histogram histogram = {0};

    for (uint32_t bits = 0; bits <= MAX_BITS; bits++) {
        uint64_t first = bin_of((uint64_t)min, bits);
        uint64_t n = bin_of((uint64_t)max, bits) - first + 1;

        if (bits > 0 && n > NSC_HISTOGRAM_BINS)
            break;
        histogram.bits = bits;
        histogram.first = first;
        histogram.n = (uint32_t)n;
    }
    if (histogram.n > NSC_HISTOGRAM_BINS)
        histogram.n = NSC_HISTOGRAM_BINS;
    return histogram;
}

uint32_t nsc_histogram_bin(const struct nsc_histogram *histogram, nsc_time duration)
{
    uint64_t bin = bin_of((uint64_t)duration, histogram->bits);

    if (bin <= histogram->first || histogram->n == 0)
        return 0;
    bin -= histogram->first;
    return bin < histogram->n ? (uint32_t)bin : histogram->n - 1;
}

struct nsc_window nsc_histogram_at(const struct nsc_histogram *histogram, uint32_t i)
{
    uint64_t end = edge_of(histogram->first + i + 1, histogram->bits);
    struct nsc_window w = {(nsc_time)edge_of(histogram->first + i, histogram->bits), INT64_MAX};

    bool is_rest = histogram->bits == 0 && i + 1 == NSC_HISTOGRAM_BINS;

    if (!is_rest && end < (uint64_t)INT64_MAX)
        w.t1 = (nsc_time)end;
    return w;
}
