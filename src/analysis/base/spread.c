/* Measures groups of numbers: counts, gathers and measures each group in place. */
#include "analysis/base/spread.h"

#include "analysis/base/quantile.h"
#include "core/die.h"
#include "core/pages.h"
#include "core/sum.h"

#include <math.h>
#include <stdlib.h>

/* Exact. Converting 128 bits takes a call, and few sums need it. */
static long double real_of(nsc_wide value)
{
    return value == (int64_t)value ? (long double)(int64_t)value : (long double)value;
}

static double find_median(int64_t values[], size_t n)
{
    int64_t upper, lower;

    if (n == 2)
        return ((double)values[0] + (double)values[1]) / 2;
    upper = nsc_select(values, n, n / 2);
    if (n % 2)
        return (double)upper;
    lower = values[0];
    for (size_t i = 1; i < n / 2; i++)
        if (values[i] > lower)
            lower = values[i];
    return ((double)lower + (double)upper) / 2;
}

static double find_deviation(const int64_t values[], size_t n, nsc_wide total)
{
    long double mean = real_of(total) / (long double)n;
    long double sum = 0;

    if (n < 2)
        return 0;
    for (size_t i = 0; i < n; i++) {
        long double d = (long double)values[i] - mean;

        sum += d * d;
    }
    return (double)sqrtl(sum / (long double)(n - 1));
}

void nsc_spread_measure(struct nsc_spread *out, int64_t values[], size_t n)
{
    nsc_wide total = 0;

    *out = (struct nsc_spread){.n = n};
    if (n == 0)
        return;
    out->min = out->max = values[0];
    for (size_t i = 0; i < n; i++) {
        total += values[i];
        out->min = values[i] < out->min ? values[i] : out->min;
        out->max = values[i] > out->max ? values[i] : out->max;
    }
    out->total = nsc_narrow(total);
    out->mean = (out->total == total ? (double)out->total : (double)total) / (double)n;
    out->deviation = find_deviation(values, n, total);
    out->median = find_median(values, n);
}

struct nsc_spread *nsc_spreads_measure(uint32_t n_groups, uint32_t n_rows,
                                       bool (*row)(const void *context, uint32_t i, uint32_t *group,
                                                   int64_t *value),
                                       const void *context, bool has_p90)
{
    size_t bytes = (size_t)n_rows * sizeof(int64_t);
    int64_t *values = nsc_pages_need(bytes);
    size_t *end = nsc_xcalloc((size_t)n_groups + 1, sizeof *end);
    struct nsc_spread *out = nsc_xcalloc((size_t)n_groups + 1, sizeof *out);
    uint32_t group;
    int64_t value;

    if (n_rows && !values) {
        free(end);
        free(out);
        return NULL;
    }
    for (uint32_t i = 0; i < n_rows; i++)
        if (row(context, i, &group, &value))
            end[group + 1]++;
    for (uint32_t g = 0; g < n_groups; g++)
        end[g + 1] += end[g];
    /* end[g] starts as the beginning of group g and becomes its end in this pass */
    for (uint32_t i = 0; i < n_rows; i++)
        if (row(context, i, &group, &value))
            values[end[group]++] = value;
    for (uint32_t g = 0; g < n_groups; g++) {
        size_t first = g ? end[g - 1] : 0;

        nsc_spread_measure(&out[g], values ? values + first : NULL, end[g] - first);
        if (has_p90 && end[g] > first)
            out[g].p90 = nsc_quantile_linear(values + first, end[g] - first, 0.9);
    }
    nsc_pages_free(values, bytes);
    free(end);
    return out;
}
