/*
 * Tests of packing: which lane a span gets, in the cases that the timeline's rows rest on.
 */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
/* clang-format on */

#include "index/pack.h"

static struct nsc_window span_of(const void *context, uint32_t i)
{
    return ((const struct nsc_window *)context)[i];
}

static void nested_ranges_get_their_depth(void **state)
{
    static const struct nsc_window spans[] = {{0, 10}, {1, 5}, {2, 3}, {5, 9},
                                              {6, 8},  {6, 7}, {7, 8}, {10, 12}};
    static const uint32_t depth[] = {0, 1, 2, 1, 2, 3, 3, 0};
    uint32_t lane[8];

    (void)state;
    assert_int_equal(nsc_pack_lanes(lane, 8, span_of, spans), 4);
    assert_memory_equal(lane, depth, sizeof depth);
}

static void spans_that_meet_share_a_lane(void **state)
{
    static const struct nsc_window spans[] = {
        {0, 5}, {5, 6}, {6, INT64_MAX}, {INT64_MAX, INT64_MAX}};
    uint32_t lane[4];

    (void)state;
    assert_int_equal(nsc_pack_lanes(lane, 4, span_of, spans), 1);
}

static void the_lowest_free_lane_is_taken(void **state)
{
    static const struct nsc_window spans[] = {{0, 9}, {1, 4}, {2, 9}, {3, 9},
                                              {3, 9}, {4, 9}, {9, 10}};
    static const uint32_t lanes[] = {0, 1, 2, 3, 4, 1, 0};
    uint32_t lane[7];

    (void)state;
    assert_int_equal(nsc_pack_lanes(lane, 7, span_of, spans), 5);
    assert_memory_equal(lane, lanes, sizeof lanes);
}

static struct nsc_window all_at_once(const void *context, uint32_t i)
{
    (void)context;
    (void)i;
    return (struct nsc_window){0, 1};
}

/* Quadratic packing would take minutes for this. */
static void many_lanes_are_no_trouble(void **state)
{
    enum { N = 300000 };
    uint32_t *lane = test_malloc(N * sizeof *lane);

    (void)state;
    assert_int_equal(nsc_pack_lanes(lane, N, all_at_once, NULL), N);
    assert_int_equal(lane[N - 1], N - 1);
    test_free(lane);
}

static void nothing_needs_no_lane(void **state)
{
    (void)state;
    assert_int_equal(nsc_pack_lanes(NULL, 0, span_of, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_ranges_get_their_depth),
        cmocka_unit_test(spans_that_meet_share_a_lane),
        cmocka_unit_test(the_lowest_free_lane_is_taken),
        cmocka_unit_test(many_lanes_are_no_trouble),
        cmocka_unit_test(nothing_needs_no_lane),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
