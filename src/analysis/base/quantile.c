/*
 * Quantiles by selection, without sorting.
 */
#include "analysis/base/quantile.h"

#include <assert.h>

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
 * Moves what is below the pivot (or, with equal, not above it) to the front of [low, high); returns
 * where that ends. Each value is moved whether it has to or not: no branch is guessed wrong.
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

/* Puts the k-th smallest at k, nothing greater before it, nothing smaller behind it. */
static void select_place(nsc_time values[], size_t n, size_t k)
{
    size_t low = 0;
    size_t high = n;

    while (high - low > 1) {
        nsc_time pivot =
            median_of_three(values[low], values[low + (high - low) / 2], values[high - 1]);
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

static nsc_time least(const nsc_time values[], size_t n)
{
    nsc_time min = values[0];

    for (size_t i = 1; i < n; i++)
        min = values[i] < min ? values[i] : min;
    return min;
}

nsc_time nsc_select(nsc_time values[], size_t n, size_t k)
{
    assert(k < n);
    select_place(values, n, k);
    return values[k];
}

/* Values before done are not greater than those from there on; done then is the place of q. */
static nsc_time quantile_from(nsc_time values[], size_t n, uint32_t q, size_t *done)
{
    size_t scaled = (n - 1) * q;
    size_t k = scaled / 1000;
    uint64_t rest = scaled % 1000;
    uint64_t gap;

    assert(n > 0 && q <= 1000 && n - 1 <= SIZE_MAX / 1000);
    select_place(values + *done, n - *done, k - *done);
    *done = k;
    if (rest == 0)
        return values[k];
    gap = (uint64_t)least(values + k + 1, n - k - 1) - (uint64_t)values[k];
    return (nsc_time)((uint64_t)values[k] + gap / 1000 * rest + (gap % 1000 * rest + 500) / 1000);
}

nsc_time nsc_quantile(nsc_time values[], size_t n, uint32_t q)
{
    return quantile_from(values, n, q, &(size_t){0});
}

void nsc_quantiles(nsc_time out[], nsc_time values[], size_t n, const uint32_t q[], uint32_t n_q)
{
    size_t done = 0;

    for (uint32_t i = 0; i < n_q; i++) {
        assert(i == 0 || q[i] >= q[i - 1]);
        out[i] = quantile_from(values, n, q[i], &done);
    }
}
