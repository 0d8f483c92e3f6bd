/* Unit tests of packing: the lane of a span, in the cases that the timeline's rows depend on. */
#include "index/pack.h"
#include "support/cm.h"

#include <string.h>

static struct nsc_window span_of(const void *context, uint32_t i)
{
    return ((const struct nsc_window *)context)[i];
}

TEST(nested_ranges_get_their_depth)
{
    static const struct nsc_window spans[] = {{0, 10}, {1, 5}, {2, 3}, {5, 9},
                                              {6, 8},  {6, 7}, {7, 8}, {10, 12}};
    static const uint32_t depth[] = {0, 1, 2, 1, 2, 3, 3, 0};
    uint32_t lane[8];

    assert_int_equal(nsc_pack_lanes(lane, 8, span_of, spans), 4);
    assert_memory_equal(lane, depth, sizeof depth);
}

TEST(spans_that_meet_share_a_lane)
{
    static const struct nsc_window spans[] = {
        {0, 5}, {5, 6}, {6, INT64_MAX}, {INT64_MAX, INT64_MAX}};
    uint32_t lane[4];

    assert_int_equal(nsc_pack_lanes(lane, 4, span_of, spans), 1);
}

TEST(the_lowest_free_lane_is_taken)
{
    static const struct nsc_window spans[] = {{0, 9}, {1, 4}, {2, 9}, {3, 9},
                                              {3, 9}, {4, 9}, {9, 10}};
    static const uint32_t lanes[] = {0, 1, 2, 3, 4, 1, 0};
    uint32_t lane[7];

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
TEST(many_lanes_are_no_trouble)
{
    enum { N = 300000 };
    uint32_t *lane = test_malloc(N * sizeof *lane);

    assert_int_equal(nsc_pack_lanes(lane, N, all_at_once, NULL), N);
    assert_int_equal(lane[N - 1], N - 1);
    test_free(lane);
}

TEST(nothing_needs_no_lane)
{
    assert_int_equal(nsc_pack_lanes(NULL, 0, span_of, NULL), 0);
}
