/* Computes quantiles by selection, without sorting, and quantiles of sorted times. */
#include "analysis/base/quantile.h"

#include "core/die.h"
#include "core/sort.h"
#include "core/sum.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE        255 /* values that a pivot is chosen from */
#define SAMPLE_MARGIN 16  /* places of the sample: two deviations of a place in it */
#ifdef NSC_SMALL
#define SAMPLE_FROM 300
#else
#define SAMPLE_FROM 8192 /* values; fewer are not worth a sample */
#endif
#define RUNS_MAX 8 /* more ascending runs are sorted by bytes; each lane is a run */

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
 * evenly spaced values, the one at the place of k, moved a little towards the middle.
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

/* Drops all but the k greatest. */
static void drop_others(struct nsc_greatest *greatest)
{
    nsc_time *kept = greatest->kept.at;
    size_t others = greatest->kept.n - greatest->k;

    greatest->bar = nsc_select(kept, greatest->kept.n, others);
    memmove(kept, kept + others, greatest->k * sizeof *kept);
    greatest->kept.n = greatest->k;
}

void nsc_greatest_keep(struct nsc_greatest *greatest, nsc_time value)
{
    if (greatest->n <= greatest->k)
        greatest->bar = INT64_MIN;
    *NSC_VEC_ADD(&greatest->kept) = value;
    if (greatest->kept.n >= 2 * greatest->k)
        drop_others(greatest);
}

nsc_time nsc_greatest_end(struct nsc_greatest *greatest)
{
    nsc_time bar = INT64_MIN;

    if (greatest->n > greatest->k) {
        drop_others(greatest);
        bar = greatest->bar;
    }
    NSC_VEC_FINI(&greatest->kept);
    *greatest = (struct nsc_greatest){.k = greatest->k};
    return bar;
}

nsc_time nsc_quantile_between(nsc_time low, nsc_time high, uint32_t rest)
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
    return rest ? nsc_quantile_between(values[k], values[least_at(values, k + 1, n)], rest)
                : values[k];
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

void nsc_quantiles_select(nsc_time values[], size_t n, const double q[], uint32_t n_q)
{
    size_t done = 0;

    for (uint32_t i = 0; n > 0 && i < n_q; i++) {
        size_t k = (size_t)(q[i] * (double)(n - 1));

        assert(i == 0 || q[i] >= q[i - 1]);
        select_place(values + done, n - done, k - done);
        done = k;
        if (k + 1 < n) /* the second one of the two neighbours */
            swap(&values[k + 1], &values[least_at(values, k + 1, n)]);
    }
}

/* ---- sorted ---- */

/* Sorts by one byte of the keys, the lowest byte first. False, and nothing moves, if all keys share
 * that byte. */
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

/* The most low bytes by which the times ascend already, as those of pairs packed in the order of
 * their second number do. A check mostly fails at once. */
static unsigned sorted_bytes(const nsc_time times[], size_t n)
{
    for (unsigned bytes = 7; bytes > 0; bytes--) {
        uint64_t mask = ((uint64_t)1 << 8 * bytes) - 1;
        size_t i = 1;

        while (i < n && ((uint64_t)times[i - 1] & mask) <= ((uint64_t)times[i] & mask))
            i++;
        if (i >= n)
            return bytes;
    }
    return 0;
}

/* Sorts n > 1 times byte by byte; scratch holds as many. */
static void sort_by_bytes(nsc_time times[], nsc_time scratch[], size_t n)
{
    nsc_time *from = times, *to = scratch;

    for (unsigned byte = sorted_bytes(times, n); byte < 8; byte++)
        if (sort_by_byte(to, from, n, byte)) {
            nsc_time *other = from;

            from = to;
            to = other;
        }
    if (from != times)
        memcpy(times, from, n * sizeof *times);
}

/* The end of the ascending run that begins at first. */
static size_t run_end(const nsc_time times[], size_t first, size_t n)
{
    size_t end = first + 1;

    while (end < n && times[end - 1] <= times[end])
        end++;
    return end;
}

/* The number of ascending runs; RUNS_MAX + 1 if there are more. */
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

/* Merges neighbouring runs until one is left; scratch holds n. */
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

static size_t nearest_place(size_t n, double q)
{
    double at = q * (double)(n - 1);
    double low = floor(at);
    size_t i = (size_t)low;

    if (at - low > 0.5 || (!(at - low < 0.5) && i % 2 == 1))
        i++;
    return i < n ? i : n - 1;
}

nsc_time nsc_quantile_nearest(const nsc_time sorted[], size_t n, double q)
{
    return sorted[nearest_place(n, q)];
}

/* ---- of binned times ---- */

void nsc_binned_times_fini(struct nsc_binned_times *times)
{
    NSC_VEC_FINI(&times->kept);
}

/* The bin of a place of the sorted values; *before: the kept values in earlier bins. Takes the
 * place from the start of all values to the start of the bin. */
static uint32_t bin_of_place(const struct nsc_binned_times *times, size_t *place, size_t *before)
{
    uint32_t bin = 0;

    *before = 0;
    for (; *place >= times->count[bin]; bin++) {
        *place -= times->count[bin];
        *before += times->is_wanted[bin] ? times->count[bin] - times->n_usual[bin] : 0;
    }
    return bin;
}

void nsc_binned_times_merge(struct nsc_binned_times *to, const struct nsc_binned_times *from)
{
    to->n += from->n;
    for (size_t i = 0; i < NSC_TIME_BINS; i++)
        to->count[i] += from->count[i];
    for (size_t i = 0; i < NSC_DURATION_BINS; i++) {
        to->bins.count[i] += from->bins.count[i];
        to->bins.total[i] = nsc_sum(to->bins.total[i], from->bins.total[i]);
    }
}

void nsc_binned_times_choose(struct nsc_binned_times *times, const double q[], uint32_t n_q)
{
    for (uint32_t i = 0; i < n_q && times->n > 0; i++) {
        size_t low = (size_t)(q[i] * (double)(times->n - 1)), before;

        for (size_t k = low; k < times->n && k < low + 2; k++) {
            size_t place = k;

            times->is_wanted[bin_of_place(times, &place, &before)] = true;
        }
    }
}

/* Merges the usual value of the bin with the kept ones, which are sorted as far as needed. */
static nsc_time time_at(struct nsc_binned_times *times, size_t place)
{
    size_t before;
    uint32_t bin = bin_of_place(times, &place, &before);
    nsc_time usual = times->usual[bin];
    size_t n_usual = times->n_usual[bin], n_kept = times->count[bin] - n_usual;
    nsc_time value = usual;

    if (place < n_kept)
        value = nsc_select(times->kept.at, times->kept.n, before + place);
    if (value < usual)
        return value;
    value = usual;
    if (place >= n_usual)
        value = nsc_select(times->kept.at, times->kept.n, before + place - n_usual);
    return nsc_later(value, usual);
}

double nsc_binned_times_linear(struct nsc_binned_times *times, double q)
{
    double at = q * (double)(times->n - 1);
    size_t low = (size_t)at;
    nsc_time value = time_at(times, low);

    if (low + 1 >= times->n)
        return (double)value;
    return (double)value + (double)nsc_span(value, time_at(times, low + 1)) * (at - (double)low);
}

nsc_time nsc_binned_times_nearest(struct nsc_binned_times *times, double q)
{
    return time_at(times, nearest_place(times->n, q));
}
