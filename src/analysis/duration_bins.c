/*
 * Quantiles and mergeable bins of durations.
 */
#include "analysis/duration_bins.h"

#include "core/sort.h"
#include "core/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_times(const void *a, const void *b)
{
    nsc_time x = *(const nsc_time *)a, y = *(const nsc_time *)b;

    return x < y ? -1 : x > y;
}

/* One byte of the keys, the lowest first; false when it is the same in all, and nothing moves. */
static bool sort_by_byte(nsc_time to[], const nsc_time from[], size_t n, unsigned byte)
{
    size_t first[256] = {0};
    size_t at = 0;

    for (size_t i = 0; i < n; i++)
        first[nsc_sort_key(from[i]) >> 8 * byte & 0xff]++;
    if (first[nsc_sort_key(from[0]) >> 8 * byte & 0xff] == n)
        return false;
    for (unsigned b = 0; b < 256; b++) {
        size_t count = first[b];

        first[b] = at;
        at += count;
    }
    for (size_t i = 0; i < n; i++)
        to[first[nsc_sort_key(from[i]) >> 8 * byte & 0xff]++] = from[i];
    return true;
}

void nsc_times_sort(nsc_time times[], size_t n)
{
    nsc_time *from = times, *to;

    if (n < 1000) {
        if (n)
            qsort(times, n, sizeof *times, compare_times);
        return;
    }
    to = nsc_xmalloc(n * sizeof *to);
    for (unsigned byte = 0; byte < 8; byte++)
        if (sort_by_byte(to, from, n, byte)) {
            nsc_time *other = from;

            from = to;
            to = other;
        }
    if (from != times) {
        memcpy(times, from, n * sizeof *times);
        to = from;
    }
    free(to);
}

double nsc_quantile_linear(const nsc_time sorted[], size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t low = (size_t)at;
    double part = at - (double)low;

    if (low + 1 >= n)
        return (double)sorted[n - 1];
    return (double)sorted[low] + (double)nsc_span(sorted[low], sorted[low + 1]) * part;
}

nsc_time nsc_quantile_nearest(const nsc_time sorted[], size_t n, double q)
{
    double at = q * (double)(n - 1);
    double low = floor(at);
    size_t i = (size_t)low;

    if (at - low > 0.5 || (!(at - low < 0.5) && i % 2 == 1))
        i++;
    return sorted[i < n ? i : n - 1];
}

/* ---- bins ---- */

uint32_t nsc_duration_bin(nsc_time ns)
{
    unsigned log;

    if (ns < 8)
        return ns > 0 ? (uint32_t)ns : 0;
    log = 63u - (unsigned)__builtin_clzll((unsigned long long)ns);
    return (log - 2) * 8 + ((uint32_t)((uint64_t)ns >> (log - 3)) & 7);
}

struct nsc_window nsc_duration_bins_at(uint32_t i)
{
    unsigned log = i / 8 + 2;
    uint64_t width = i < 8 ? 1 : (uint64_t)1 << (log - 3);
    uint64_t first = i < 8 ? i : (8 + i % 8) * width;

    return (struct nsc_window){(nsc_time)first, first > (uint64_t)INT64_MAX - width
                                                    ? INT64_MAX
                                                    : (nsc_time)(first + width)};
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
    static const struct nsc_sheet_column columns[] = {
        {"from_ns", "From", NULL, NSC_SHEET_NS, 0},
        {"to_ns", "To", NULL, NSC_SHEET_NS, 0},
        {"count", "Count", NULL, NSC_SHEET_COUNT, 0},
        {"total_ns", "Total", NULL, NSC_SHEET_NS, 0},
    };
    struct nsc_sheet *sheet =
        nsc_sheets_add(out, key, title, columns, sizeof columns / sizeof columns[0]);

    for (uint32_t i = 0; i < NSC_DURATION_BINS; i++) {
        struct nsc_window bin = nsc_duration_bins_at(i);

        if (!bins->count[i])
            continue;
        nsc_sheet_add_int(sheet, bin.t0);
        nsc_sheet_add_int(sheet, bin.t1);
        nsc_sheet_add_int(sheet, (int64_t)bins->count[i]);
        nsc_sheet_add_int(sheet, bins->total[i]);
    }
    nsc_sheet_note(sheet, "the same edges in every trace: counts of several can be added");
}
