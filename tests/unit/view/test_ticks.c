/* Unit tests of the ticks: 1-2-5 steps, multiples of the step, spacing, and extreme times. */
#include "support/cm.h"
#include "view/kit/ticks.h"

static struct nsc_ticks ticks_of(nsc_time t0, nsc_time t1, uint32_t cols, uint32_t spacing)
{
    struct nsc_window w = {t0, t1};

    return nsc_ticks_build(w, cols, spacing, 0);
}

TEST(steps_are_1_2_5)
{
    assert_int_equal(ticks_of(0, 100, 100, 10).step, 10);
    assert_int_equal(ticks_of(0, 101, 100, 10).step, 20);
    assert_int_equal(ticks_of(0, 300, 100, 10).step, 50);
    assert_int_equal(ticks_of(0, 600, 100, 10).step, 100);
    assert_int_equal(ticks_of(0, 1, 100, 10).step, 1);
}

TEST(ticks_are_multiples_inside)
{
    struct nsc_ticks ticks = ticks_of(95, 205, 110, 10);

    assert_int_equal(ticks.step, 10);
    assert_int_equal(ticks.first, 100);
    assert_int_equal(ticks.n, 11);
    assert_int_equal(nsc_ticks_at(&ticks, 10), 200);
}

TEST(negative_times_round_up)
{
    struct nsc_ticks ticks = ticks_of(-25, 25, 50, 10);

    assert_int_equal(ticks.first, -20);
    assert_int_equal(ticks.n, 5);
}

TEST(an_origin_shifts_them)
{
    struct nsc_window w = {103, 203};
    struct nsc_ticks ticks = nsc_ticks_build(w, 100, 10, 103);

    assert_int_equal(ticks.first, 103);
    assert_int_equal(ticks.n, 10);
}

TEST(the_whole_range_of_times_works)
{
    struct nsc_ticks ticks = ticks_of(INT64_MIN, INT64_MAX, 200, 12);

    assert_true(ticks.step >= (nsc_time)1000000000000000000);
    assert_in_range(ticks.n, 2, 20);
    assert_true(nsc_ticks_at(&ticks, ticks.n - 1) > 0);
}

TEST(an_axis_between_two_ticks_has_none)
{
    assert_int_equal(ticks_of(1, 10, 10, 100).n, 0);
}
