/* Selects values by their place in order: splits around pivots until the place is found. */
#include "analysis/base/quantile.h"

#include "core/sort.h"
#include "core/sum.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define SAMPLE        255 /* values that a pivot is chosen from */
#define SAMPLE_MARGIN 16  /* places of the sample: two deviations of a place in it */
#ifdef NSC_SMALL
#define SAMPLE_FROM 300
#else
#define SAMPLE_FROM 8192 /* values; fewer are not worth a sample */
#endif

static void swap(nsc_time *a, nsc_time *b)
{
    nsc_time t = *a;

    *a = *b;
    *b = t;
}

static nsc_time median_of_three(nsc_time a, nsc_time b, nsc_time c)
{
    if (a > b)
        swap(&a, &b);
    return c < a ? a : c > b ? b : c;
}

/*
 * Moves the values below the pivot (with equal: not above it) to the front of [low, high); returns
 * the end of that part. Moves every value, needed or not, to avoid a branch that is hard to
 * predict.
 */
static size_t part_values(nsc_time values[], size_t low, size_t high, nsc_time pivot, bool equal)
{
    size_t end = low;

    for (size_t i = low; i < high; i++) {
        nsc_time value = values[i];

        values[i] = values[end];
        values[end] = value;
        end += (value < pivot) | (equal & (value == pivot));
    }
    return end;
}

/*
 * Chooses a pivot close to the k-th smallest of n values, so that k lies in the smaller part: of
 * evenly spaced values, the one at the place of k, moved a little towards the middle. The middle one of
 * three is as fast, but takes quadratic time where values rise and fall.
 */
static nsc_time choose_pivot(const nsc_time values[], size_t n, size_t k)
{
    nsc_time sample[SAMPLE];
    size_t at = (size_t)((double)k / (double)n * SAMPLE);

    if (n < SAMPLE_FROM)
        return median_of_three(values[0], values[n / 2], values[n - 1]);
    for (size_t i = 0; i < SAMPLE; i++)
        sample[i] = values[n / SAMPLE * i];
    qsort(sample, SAMPLE, sizeof *sample, nsc_time_compare);
    if (at < SAMPLE / 2)
        return sample[at + SAMPLE_MARGIN];
    return sample[at < SAMPLE_MARGIN ? 0 : at - SAMPLE_MARGIN];
}

/* Puts the k-th smallest value at k, no greater one before it, no smaller one after it. */
static void select_place(nsc_time values[], size_t n, size_t k)
{
    size_t low = 0;
    size_t high = n;

    while (high - low > 1) {
        nsc_time pivot = choose_pivot(values + low, high - low, k - low);
        size_t less = part_values(values, low, high, pivot, false);

        if (k < less) {
            high = less;
            continue;
        }
        low = part_values(values, less, high, pivot, true);
        if (k < low)
            return;
    }
}

/* The place of the least value in [low, high), low < high. */
static size_t least_at(const nsc_time values[], size_t low, size_t high)
{
    size_t at = low;

    for (size_t i = low + 1; i < high; i++)
        at = values[i] < values[at] ? i : at;
    return at;
}

nsc_time nsc_select(nsc_time values[], size_t n, size_t k)
{
    assert(k < n);
    select_place(values, n, k);
    return values[k];
}

nsc_time nsc_greatest(nsc_time values[], size_t n, size_t k)
{
    return n > k ? nsc_select(values, n, n - k) : INT64_MIN;
}

/* The time between two neighbours low <= high, `rest` thousandths of the way. */
static nsc_time value_between(nsc_time low, nsc_time high, uint32_t rest)
{
    uint64_t gap = (uint64_t)high - (uint64_t)low;

    return (nsc_time)((uint64_t)low + gap / 1000 * rest + (gap % 1000 * rest + 500) / 1000);
}

/* The q-quantile. No value before *done is greater than the values after it; moves *done to the
 * place of q. */
static nsc_time quantile_from(nsc_time values[], size_t n, uint32_t q, size_t *done)
{
    size_t scaled = (n - 1) * q;
    size_t k = scaled / 1000;
    uint32_t rest = (uint32_t)(scaled % 1000);

    assert(n > 0 && q <= 1000 && n - 1 <= SIZE_MAX / 1000);
    select_place(values + *done, n - *done, k - *done);
    *done = k;
    return rest ? value_between(values[k], values[least_at(values, k + 1, n)], rest) : values[k];
}

nsc_time nsc_quantile(nsc_time values[], size_t n, uint32_t q)
{
    return quantile_from(values, n, q, &(size_t){0});
}

nsc_time nsc_median(nsc_time values[], size_t n)
{
    return n > 0 ? nsc_quantile(values, n, 500) : 0;
}

nsc_time nsc_median_distance(nsc_time values[], size_t n, nsc_time from)
{
    for (size_t i = 0; i < n; i++)
        values[i] = nsc_span(from, values[i]) + nsc_span(values[i], from);
    return nsc_median(values, n);
}

void nsc_quantiles(nsc_time out[], nsc_time values[], size_t n, const uint32_t q[], uint32_t n_q)
{
    size_t done = 0;

    for (uint32_t i = 0; i < n_q; i++) {
        assert(i == 0 || q[i] >= q[i - 1]);
        out[i] = quantile_from(values, n, q[i], &done);
    }
}

double nsc_quantile_linear(nsc_time values[], size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t low = (size_t)at;
    nsc_time value, next;

    if (low + 1 >= n)
        return (double)nsc_select(values, n, n - 1);
    value = nsc_select(values, n, low);
    next = values[least_at(values, low + 1, n)];
    return (double)value + (double)nsc_span(value, next) * (at - (double)low);
}

nsc_time nsc_quantile_nearest(nsc_time values[], size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t place = (size_t)floor(at);
    double rest = at - (double)place;

    if (rest > 0.5 || (!(rest < 0.5) && place % 2 == 1))
        place++;
    return nsc_select(values, n, place < n ? place : n - 1);
}
