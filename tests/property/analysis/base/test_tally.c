/*
 * Property tests of tallies: groups are those of a list, merged groups are those of one key, the first groups are the first in
 * sorted order, and selected values are those of sorted ones.
 */
#include "analysis/base/quantile.h"
#include "analysis/base/tally.h"
#include "support/cm.h"
#include "support/dice.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 200, MAX_EVENTS = 400 };

/* Groups are numbered as they first occur, and their figures are those of a list of all events. */
TEST(groups_are_those_of_a_list)
{
    struct dice dice = dice_new(71);
    uint64_t keys[MAX_EVENTS][2];
    nsc_time times[MAX_EVENTS];

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_tally tally = {.has_extremes = true};
        uint32_t n = (uint32_t)dice_below(&dice, MAX_EVENTS), groups = 0;

        for (uint32_t i = 0; i < n; i++) {
            uint32_t first = 0; /* event with these keys */
            struct nsc_tally_row row = {0};
            struct nsc_tally_extremes extremes = {INT64_MAX, INT64_MIN};
            uint32_t group;

            keys[i][0] = dice_below(&dice, 1 + dice_below(&dice, 300));
            keys[i][1] = UINT64_MAX - dice_below(&dice, 4) * 7;
            times[i] = (nsc_time)dice_below(&dice, 100) - 20;
            group = nsc_tally_add(&tally, keys[i][0], keys[i][1], times[i]);
            while (memcmp(keys[first], keys[i], sizeof keys[i]) != 0)
                first++;
            groups += first == i;
            for (uint32_t k = first; k <= i; k++) {
                if (memcmp(keys[k], keys[i], sizeof keys[i]) != 0)
                    continue;
                row.count++;
                row.total += times[k];
                extremes.shortest = nsc_earlier(extremes.shortest, times[k]);
                extremes.longest = nsc_later(extremes.longest, times[k]);
            }
            assert_true(first == i ? group == groups - 1 : group < groups);
            assert_int_equal(tally.rows.n, groups);
            assert_memory_equal(tally.rows.at[group].key, keys[i], sizeof keys[i]);
            assert_true(tally.rows.at[group].count == row.count);
            assert_true(tally.rows.at[group].total == row.total);
            assert_memory_equal(&tally.extremes.at[group], &extremes, sizeof extremes);
        }
        nsc_tally_fini(&tally);
    }
}

/* As counting each event by one key alone. */
TEST(united_groups_are_those_of_one_key)
{
    struct dice dice = dice_new(73);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_tally pairs = {0}, united = {0}, one = {0};
        unsigned key = (unsigned)dice_below(&dice, 2);

        for (uint64_t i = dice_below(&dice, MAX_EVENTS); i > 0; i--) {
            uint64_t keys[2] = {dice_below(&dice, 40), dice_below(&dice, 5)};
            nsc_time ns = (nsc_time)dice_below(&dice, 1000);

            nsc_tally_add(&pairs, keys[0], keys[1], ns);
            nsc_tally_add(&one, keys[key], 0, ns);
        }
        nsc_tally_merge(&united, &pairs, key);
        assert_int_equal(united.rows.n, one.rows.n);
        for (size_t i = 0; i < one.rows.n; i++)
            assert_memory_equal(&united.rows.at[i], &one.rows.at[i], sizeof one.rows.at[i]);
        nsc_tally_fini(&pairs);
        nsc_tally_fini(&united);
        nsc_tally_fini(&one);
    }
}

TEST(groups_are_in_order)
{
    struct dice dice = dice_new(72);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_tally tally = {0};
        uint32_t n = (uint32_t)dice_below(&dice, MAX_EVENTS);
        nsc_time spread = 1 + (nsc_time)dice_below(&dice, 60);

        for (uint32_t i = 0; i < n; i++)
            nsc_tally_add(&tally, dice_below(&dice, 90), dice_below(&dice, 3),
                          (nsc_time)dice_below(&dice, (uint64_t)spread) - 5);
        for (int order = NSC_TALLY_TOTAL; order <= NSC_TALLY_OTHER_TOTAL; order++) {
            uint32_t *all = nsc_tally_sort(&tally, (enum nsc_tally_order)order, 1, NULL);

            for (size_t i = 1; i < tally.rows.n; i++) {
                const struct nsc_tally_row *a = &tally.rows.at[all[i - 1]];
                const struct nsc_tally_row *b = &tally.rows.at[all[i]];

                assert_true(order == NSC_TALLY_TOTAL ? a->total >= b->total
                                                     : a->key[0] <= b->key[0]);
            }
            free(all);
        }
        nsc_tally_fini(&tally);
    }
}

static int compare_times(const void *a, const void *b)
{
    nsc_time x = *(const nsc_time *)a, y = *(const nsc_time *)b;

    return x < y ? -1 : x > y;
}

/* Values and quantiles equal those of sorted values. */
TEST(values_are_selected)
{
    struct dice dice = dice_new(75);
    nsc_time *times = nsc_xmalloc(5000 * sizeof *times);
    nsc_time *want = nsc_xmalloc(5000 * sizeof *want);

    for (int round = 0; round < ROUNDS; round++) {
        size_t n = 1 + dice_below(&dice, round % 2 ? 5000 : 20);
        size_t k = dice_below(&dice, n);
        double q = (double)dice_below(&dice, 1001) / 1000;
        double at = q * (double)(n - 1), low = floor(at), linear;
        size_t next = (size_t)low + 1 < n ? (size_t)low + 1 : n - 1;

        for (size_t i = 0; i < n; i++)
            want[i] = times[i] = (nsc_time)dice_below(&dice, round % 3 ? 10 : 1000000);
        qsort(want, n, sizeof *want, compare_times);
        linear = (double)want[(size_t)low] + (at - low) * (double)(want[next] - want[(size_t)low]);
        assert_true(nsc_select(times, n, k) == want[k]);
        assert_true(fabs(nsc_quantile_linear(times, n, q) - linear) < 1e-6);
        assert_int_equal(nsc_quantile_nearest(times, n, q), want[(size_t)nearbyint(at)]);
    }
    free(times);
    free(want);
}

TEST(the_kth_greatest_equals_that_of_sorted_values)
{
    struct dice dice = dice_new(79);

    for (int round = 0; round < ROUNDS; round++) {
        nsc_time values[MAX_EVENTS], sorted[MAX_EVENTS];
        size_t k = 1 + dice_below(&dice, 40);
        size_t n = dice_below(&dice, MAX_EVENTS);

        for (size_t i = 0; i < n; i++) {
            values[i] = (nsc_time)dice_below(&dice, 1 + dice_below(&dice, 200)) - 20;
            if (dice_below(&dice, 50) == 0)
                values[i] = dice_below(&dice, 2) ? INT64_MIN : INT64_MAX;
            sorted[i] = values[i];
        }
        qsort(sorted, n, sizeof *sorted, compare_times);
        assert_true(nsc_greatest(values, n, k) == (n > k ? sorted[n - k] : INT64_MIN));
    }
}
