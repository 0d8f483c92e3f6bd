/*
 * Quantiles and mergeable bins of durations.
 */
#include "analysis/base/duration_bins.h"

#include "core/sort.h"
#include "core/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MAX 8 /* ascending runs that are merged: lanes one after another */

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

/* Sorts n > 1 times byte by byte; scratch holds as many. */
static void sort_by_bytes(nsc_time times[], nsc_time scratch[], size_t n)
{
    nsc_time *from = times, *to = scratch;

    for (unsigned byte = 0; byte < 8; byte++)
        if (sort_by_byte(to, from, n, byte)) {
            nsc_time *other = from;

            from = to;
            to = other;
        }
    if (from != times)
        memcpy(times, from, n * sizeof *times);
}

/* Where the ascending run that begins at first ends. */
static size_t run_end(const nsc_time times[], size_t first, size_t n)
{
    size_t end = first + 1;

    while (end < n && times[end - 1] <= times[end])
        end++;
    return end;
}

/* How many ascending runs there are, RUNS_MAX + 1 when more. */
static unsigned count_runs(const nsc_time times[], size_t n)
{
    unsigned runs = 0;

    for (size_t at = 0; at < n && runs <= RUNS_MAX; at = run_end(times, at, n))
        runs++;
    return runs;
}

static void merge_two(nsc_time to[], const nsc_time from[], size_t middle, size_t n)
{
    size_t i = 0, j = middle;

    for (size_t k = 0; k < n; k++)
        to[k] = j == n || (i < middle && from[i] <= from[j]) ? from[i++] : from[j++];
}

/* Merges each two runs that stand side by side until there is one; scratch holds n. */
static void merge_runs(nsc_time times[], nsc_time scratch[], size_t n)
{
    nsc_time *from = times, *to = scratch;

    while (run_end(from, 0, n) < n) {
        nsc_time *other = from;

        for (size_t first = 0, end = 0; first < n; first = end) {
            size_t middle = run_end(from, first, n);

            end = middle < n ? run_end(from, middle, n) : n;
            merge_two(to + first, from + first, middle - first, end - first);
        }
        from = to;
        to = other;
    }
    if (from != times)
        memcpy(times, from, n * sizeof *times);
}

void nsc_times_sort(nsc_time times[], size_t n)
{
    unsigned runs = count_runs(times, n);
    nsc_time *scratch;

    if (runs < 2)
        return;
    if (n < 1000) {
        qsort(times, n, sizeof *times, nsc_time_compare);
        return;
    }
    scratch = nsc_xmalloc(n * sizeof *scratch);
    if (runs <= RUNS_MAX)
        merge_runs(times, scratch, n);
    else
        sort_by_bytes(times, scratch, n);
    free(scratch);
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
