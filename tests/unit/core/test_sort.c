/* Unit tests of sorting by time: each method once, with the extreme times. */
#include "core/sort.h"
#include "support/cm.h"

static nsc_time time_of(const void *context, uint32_t row)
{
    return ((const nsc_time *)context)[row];
}

static void check(const nsc_time *times, uint32_t n)
{
    uint32_t index[64];

    for (uint32_t i = 0; i < n; i++)
        index[i] = i;
    nsc_sort_by_time(index, n, time_of, times);
    for (uint32_t i = 1; i < n; i++) {
        assert_true(times[index[i - 1]] <= times[index[i]]);
        if (times[index[i - 1]] == times[index[i]])
            assert_true(index[i - 1] < index[i]);
    }
}

TEST(keys_keep_the_order_of_times)
{
    static const nsc_time times[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX};

    for (int i = 1; i < 6; i++)
        assert_true(nsc_sort_key(times[i - 1]) < nsc_sort_key(times[i]));
}

TEST(sorted_runs_and_chaos)
{
    static const nsc_time sorted[] = {INT64_MIN, -5, -5, 0, 7, 7, INT64_MAX};
    static const nsc_time runs[] = {1, 3, 5, 0, 3, 5, 9, -1, 3};
    static const nsc_time chaos[] = {9, 8, INT64_MAX, 7, 6, INT64_MIN, 5, 4, 9, 3, 2, 0, -1, 9, 1};
    static const nsc_time few[] = {5, 4, 3, 2, 1, 0};

    check(sorted, 0);
    check(sorted, 1);
    check(sorted, 7);
    check(runs, 9);
    check(chaos, 15);
    check(few, 6);
}

TEST(pairs_are_stable_over_all_bytes)
{
    struct nsc_sort_pair pairs[] = {{UINT64_MAX, 0}, {0, 1}, {256, 2},
                                    {255, 3},        {0, 4}, {1ull << 56, 5}};
    struct nsc_sort_pair scratch[6];
    static const uint32_t want[] = {1, 4, 3, 2, 5, 0};

    nsc_sort_pairs(pairs, scratch, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(pairs[i].value, want[i]);
    nsc_sort_pairs(pairs, scratch, 0);
}
