/* Builds and reads a wavelet matrix of times. */
#include "analysis/base/section.h"

#include "analysis/base/quantile.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>
#include <string.h>

/* Fills a level, and moves the values to the order of the next level. ones holds as many. Each value is
 * written to both, to avoid a branch that is hard to predict. */
static void split(struct nsc_section_level *level, uint64_t to[], uint64_t ones[],
                  const uint64_t from[], uint32_t n, unsigned bit)
{
    uint32_t n_ones = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t one = from[i] >> bit & 1;

        if (i % 64 == 0)
            level->ones[i / 64] = n_ones;
        level->bits[i / 64] |= one << i % 64;
        to[i - n_ones] = from[i];
        ones[n_ones] = from[i];
        n_ones += (uint32_t)one;
    }
    level->zeros = n - n_ones;
    level->ones[nsc_bits_words(n)] = n_ones;
    memcpy(to + level->zeros, ones, n_ones * sizeof *to);
}

void nsc_sections_build(struct nsc_sections *out, const nsc_time values[], uint32_t n)
{
    uint64_t *from = nsc_xcalloc((size_t)n + 1, sizeof *from);
    uint64_t *to = nsc_xcalloc((size_t)n + 1, sizeof *to);
    uint64_t *ones = nsc_xcalloc((size_t)n + 1, sizeof *ones);
    nsc_time most = 0;

    *out = (struct nsc_sections){.n = n, .least = INT64_MAX};
    for (uint32_t i = 0; i < n; i++) {
        out->least = nsc_earlier(out->least, values[i]);
        most = nsc_later(most, values[i]);
    }
    for (uint32_t i = 0; i < n; i++)
        from[i] = (uint64_t)(values[i] - out->least);
    while (n > 0 && (uint64_t)(most - out->least) >> out->n_levels > 0)
        out->n_levels++;
    for (uint32_t l = 0; l < out->n_levels; l++) {
        struct nsc_section_level *level = &out->levels[l];
        uint64_t *other = from;

        level->bits = nsc_xcalloc(nsc_bits_words(n) + 1, sizeof *level->bits);
        level->ones = nsc_xcalloc(nsc_bits_words(n) + 1, sizeof *level->ones);
        split(level, to, ones, from, n, out->n_levels - 1 - l);
        from = to;
        to = other;
    }
    free(from);
    free(to);
    free(ones);
}

void nsc_sections_fini(struct nsc_sections *sections)
{
    for (uint32_t l = 0; l < sections->n_levels; l++) {
        free(sections->levels[l].bits);
        free(sections->levels[l].ones);
    }
    *sections = (struct nsc_sections){0};
}

/* The ones before place i of a level. */
static uint32_t ones_before(const struct nsc_section_level *level, uint32_t i)
{
    uint64_t before = level->bits[i / 64] & (((uint64_t)1 << i % 64) - 1);

    return level->ones[i / 64] + nsc_bits_count_word(before);
}

/* Narrows a section of a level to its values with a 0 or a 1 there, on the next level. */
static void narrow(uint32_t *first, uint32_t *end, const struct nsc_section_level *level, bool one)
{
    uint32_t before[2] = {ones_before(level, *first), ones_before(level, *end)};

    *first = one ? level->zeros + before[0] : *first - before[0];
    *end = one ? level->zeros + before[1] : *end - before[1];
}

/* The number of values in [first, end) whose difference is below a limit. */
static uint32_t count_below(const struct nsc_sections *sections, uint32_t first, uint32_t end,
                            uint64_t limit)
{
    uint32_t n = 0;

    if (sections->n_levels < 64 && limit >> sections->n_levels > 0)
        return end - first;
    for (uint32_t l = 0; l < sections->n_levels; l++) {
        bool one = limit >> (sections->n_levels - 1 - l) & 1;
        uint32_t all = end - first;

        narrow(&first, &end, &sections->levels[l], one);
        n += one ? all - (end - first) : 0;
    }
    return n;
}

uint32_t nsc_sections_count(const struct nsc_sections *sections, uint32_t first, uint32_t end,
                            nsc_time limit)
{
    return limit < sections->least
               ? 0
               : count_below(sections, first, end, (uint64_t)(limit - sections->least) + 1);
}

/* The k-th smallest difference in [first, end), from 0. */
static uint64_t select_place(const struct nsc_sections *sections, uint32_t first, uint32_t end,
                             uint32_t k)
{
    uint64_t value = 0;

    for (uint32_t l = 0; l < sections->n_levels; l++) {
        const struct nsc_section_level *level = &sections->levels[l];
        uint32_t zeros = end - first - (ones_before(level, end) - ones_before(level, first));
        bool one = k >= zeros;

        k -= one ? zeros : 0;
        narrow(&first, &end, level, one);
        value = value << 1 | one;
    }
    return value;
}

nsc_time nsc_sections_median(const struct nsc_sections *sections, uint32_t first, uint32_t end)
{
    uint32_t n = end - first;
    nsc_time low, high;

    if (n == 0)
        return 0;
    low = sections->least + (nsc_time)select_place(sections, first, end, (n - 1) / 2);
    if (n % 2 == 1)
        return low;
    high = sections->least + (nsc_time)select_place(sections, first, end, n / 2);
    return nsc_quantile_between(low, high, 500);
}

/* The k-th smallest distance of a section, from 0: the least one within which more than k values lie. */
static nsc_time select_distance(const struct nsc_sections *sections, uint32_t first, uint32_t end,
                                nsc_time from, uint32_t k)
{
    uint64_t widest = ((uint64_t)1 << sections->n_levels) - 1;
    nsc_time low = 0;
    nsc_time high = nsc_sum(nsc_span(from, sections->least) + nsc_span(sections->least, from),
                            (nsc_time)widest);

    while (low < high) {
        nsc_time middle = low + (high - low) / 2;
        uint32_t within = nsc_sections_count(sections, first, end, nsc_sum(from, middle));

        if (from > middle)
            within -= nsc_sections_count(sections, first, end, from - middle - 1);
        if (within > k)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

nsc_time nsc_sections_mad(const struct nsc_sections *sections, uint32_t first, uint32_t end,
                          nsc_time from)
{
    uint32_t n = end - first;
    nsc_time low;

    if (n == 0)
        return 0;
    low = select_distance(sections, first, end, from, (n - 1) / 2);
    return n % 2 == 1
               ? low
               : nsc_quantile_between(low, select_distance(sections, first, end, from, n / 2), 500);
}
