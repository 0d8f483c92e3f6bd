/*
 * Sums, differences and products of times at the ends of int64.
 */
#include "core/sum.h"
#include "support/cm.h"

TEST(sums_stop_at_the_ends)
{
    assert_true(nsc_sum(INT64_MAX - 1, 1) == INT64_MAX);
    assert_true(nsc_sum(INT64_MAX, 1) == INT64_MAX);
    assert_true(nsc_sum(INT64_MIN, -1) == INT64_MIN);
    assert_true(nsc_difference(INT64_MIN, 1) == INT64_MIN);
    assert_true(nsc_difference(1, INT64_MIN) == INT64_MAX);
    assert_true(nsc_span(INT64_MIN, INT64_MAX) == INT64_MAX);
    assert_true(nsc_span(5, 5) == 0);
}

TEST(products_stop_at_the_end)
{
    assert_true(nsc_product(3, INT64_MAX / 3) == INT64_MAX / 3 * 3);
    assert_true(nsc_product(3, INT64_MAX / 3 + 1) == INT64_MAX);
    assert_true(nsc_product(3, INT64_MAX) == INT64_MAX);
    assert_true(nsc_product(3, 0) == 0);
}
