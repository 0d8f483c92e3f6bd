/*
 * Finds the bin of a duration and the edges of a bin, in integers only.
 */
#include "analysis/base/histogram.h"

#include "core/sum.h"

enum { MAX_BITS = 40, SHARED_BITS = 3 };

/* The first duration of a bin; 2^63 for the one after the last. */
static uint64_t edge_of(uint64_t bin, uint32_t bits)
{
    uint64_t shift = bin >> bits ? (bin >> bits) - 1 : 0;

    return (bin - (shift << bits)) << shift;
}

static struct nsc_window window_of(uint64_t bin, uint32_t bits)
{
    uint64_t end = edge_of(bin + 1, bits);

    return (struct nsc_window){(nsc_time)edge_of(bin, bits),
                               end < (uint64_t)INT64_MAX ? (nsc_time)end : INT64_MAX};
}

struct nsc_histogram nsc_histogram(nsc_time min, nsc_time max)
{
    struct nsc_histogram histogram = {0};

    for (uint32_t bits = 0; bits <= MAX_BITS; bits++) {
        uint64_t first = nsc_doubling_bin((uint64_t)min, bits);
        uint64_t n = nsc_doubling_bin((uint64_t)max, bits) - first + 1;

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
    uint64_t bin = nsc_doubling_bin((uint64_t)duration, histogram->bits);

    if (bin <= histogram->first || histogram->n == 0)
        return 0;
    bin -= histogram->first;
    return bin < histogram->n ? (uint32_t)bin : histogram->n - 1;
}

struct nsc_window nsc_histogram_at(const struct nsc_histogram *histogram, uint32_t i)
{
    struct nsc_window w = window_of(histogram->first + i, histogram->bits);

    if (histogram->bits == 0 && i + 1 == NSC_HISTOGRAM_BINS)
        w.t1 = INT64_MAX; /* the rest */
    return w;
}

/* ---- the same bins for every trace ---- */

uint32_t nsc_duration_bin(nsc_time ns)
{
    return ns > 0 ? (uint32_t)nsc_doubling_bin((uint64_t)ns, SHARED_BITS) : 0;
}

struct nsc_window nsc_duration_bins_at(uint32_t i)
{
    return window_of(i, SHARED_BITS);
}

void nsc_duration_bins_add(struct nsc_duration_bins *bins, nsc_time ns)
{
    uint32_t i = nsc_duration_bin(ns);

    bins->count[i]++;
    bins->total[i] = nsc_sum(bins->total[i], ns > 0 ? ns : 0);
}

void nsc_duration_bins_sheet(struct nsc_sheets *out, const char *key, const char *title,
                             const struct nsc_duration_bins *bins)
{
    struct bin_row {
        struct nsc_window bin;
        uint64_t count;
        nsc_time total;
    };
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_NS(bin_row, bin.t0, "from_ns", "From"),
        NSC_COL_NS(bin_row, bin.t1, "to_ns", "To"),
        NSC_COL_COUNT(bin_row, count, "count", "Count"),
        NSC_COL_NS(bin_row, total, "total_ns", "Total"),
    };
    struct nsc_sheet *sheet =
        nsc_sheets_add(out, key, title, columns, sizeof columns / sizeof columns[0]);

    for (uint32_t i = 0; i < NSC_DURATION_BINS; i++)
        if (bins->count[i])
            NSC_ADD_ROW(sheet, bin_row, .bin = nsc_duration_bins_at(i), .count = bins->count[i],
                        .total = bins->total[i]);
    nsc_sheet_note(
        sheet, "bin edges are the same in every trace, so counts of several traces can be added");
}
