/* Property test of sections of a list: they equal quantiles and counts of a copy of the section. */
#include "analysis/base/quantile.h"
#include "analysis/base/section.h"
#include "core/sum.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum { MOST = 700 };

/* Few values or many, near each other or anywhere. */
static uint32_t roll_values(nsc_time values[MOST], struct dice *dice)
{
    static const uint64_t ranges[] = {1, 2, 5, 1000, INT64_MAX};
    uint32_t n = (uint32_t)dice_below(dice, MOST + 1);
    uint64_t range = ranges[dice_below(dice, 5)];
    nsc_time least = (nsc_time)dice_below(dice, (uint64_t)INT64_MAX - range + 1);

    for (uint32_t i = 0; i < n; i++)
        values[i] = least + (nsc_time)dice_below(dice, range);
    return n;
}

static void check_section(const struct nsc_sections *sections, const nsc_time values[],
                          uint32_t first, uint32_t end, nsc_time from)
{
    nsc_time copy[MOST];
    uint32_t n = end - first;
    uint32_t count = 0;
    nsc_time median, mad;

    memcpy(copy, values + first, n * sizeof *copy);
    median = n > 0 ? nsc_quantile(copy, n, 500) : 0;
    for (uint32_t i = 0; i < n; i++) {
        count += values[first + i] <= from;
        copy[i] = nsc_span(from, values[first + i]) + nsc_span(values[first + i], from);
    }
    mad = n > 0 ? nsc_quantile(copy, n, 500) : 0;
    assert_int_equal(nsc_sections_median(sections, first, end), median);
    assert_int_equal(nsc_sections_count(sections, first, end, from), count);
    assert_int_equal(nsc_sections_mad(sections, first, end, from), mad);
}

TEST(test_sections_equal_their_copies)
{
    struct dice dice = dice_new(0x5ec);

    for (int round = 0; round < 300; round++) {
        nsc_time values[MOST];
        uint32_t n = roll_values(values, &dice);
        struct nsc_sections sections;

        nsc_sections_build(&sections, values, n);
        for (int i = 0; i < 50; i++) {
            uint32_t first = (uint32_t)dice_below(&dice, n + 1);
            uint32_t end = first + (uint32_t)dice_below(&dice, n - first + 1);
            nsc_time from = n > 0 ? values[dice_below(&dice, n)] : 0;

            from = dice_below(&dice, 3) == 0 ? (nsc_time)dice_below(&dice, INT64_MAX) : from;
            check_section(&sections, values, first, end, from);
        }
        nsc_sections_fini(&sections);
    }
}
