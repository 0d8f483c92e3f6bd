/*
 * Unit tests of summaries: the edges of lanes, windows and the range of a time.
 */
#include "support/cm.h"
#include "support/hand_trace.h"

static struct nsc_trace *two_lanes(struct hand_trace *hand)
{
    hand_trace_init(hand);
    hand_trace_track(hand, NSC_TRACK_STREAM);
    hand_trace_lane(hand);
    hand_trace_row(hand, 10, 20, 0, NSC_KIND_KERNEL);
    hand_trace_row(hand, 20, 20, 0, NSC_KIND_KERNEL); /* an instant where the next starts */
    hand_trace_row(hand, 20, 50, 0, NSC_KIND_KERNEL);
    hand_trace_lane(hand);
    hand_trace_row(hand, 0, 100, 0, NSC_KIND_KERNEL);
    return hand_trace_end(hand, NULL);
}

static void assert_bin(struct nsc_bin bin, nsc_time busy, uint32_t events, nsc_event longest)
{
    assert_int_equal(bin.busy, busy);
    assert_int_equal(bin.events, events);
    assert_int_equal(bin.longest, longest);
}

TEST(columns_split_what_crosses_them)
{
    struct hand_trace hand;
    struct nsc_trace *trace = two_lanes(&hand);
    struct nsc_summary *summary = nsc_summary_build(trace, NULL);
    struct nsc_bin bins[5];

    nsc_lane_bins(trace, summary, 0, (struct nsc_window){0, 60}, 5, bins); /* 12 ns each */
    assert_bin(bins[0], 2, 1, 0);
    assert_bin(bins[1], 8 + 4, 3, 2);
    assert_bin(bins[2], 12, 1, 2);
    assert_bin(bins[3], 12, 1, 2);
    assert_bin(bins[4], 2, 1, 2);
    assert_bin(nsc_lane_measure(trace, summary, 1, (struct nsc_window){40, 41}), 1, 1, 3);
    assert_bin(nsc_lane_measure(trace, summary, 0, (struct nsc_window){50, 99}), 0, 0, NSC_NONE);
    assert_bin(nsc_lane_measure(trace, summary, 0, (struct nsc_window){-9, 10}), 0, 0, NSC_NONE);
    nsc_summary_free(summary);
    hand_trace_fini(&hand);
}

TEST(a_mask_leaves_rows_out)
{
    struct hand_trace hand;
    struct nsc_trace *trace = two_lanes(&hand);
    uint64_t mask = 1u << 1 | 1u << 3;
    struct nsc_summary *summary = nsc_summary_build(trace, &mask);

    assert_bin(nsc_lane_measure(trace, summary, 0, (struct nsc_window){0, 60}), 0, 1, 1);
    assert_bin(nsc_lane_measure(trace, summary, 0, (struct nsc_window){15, 20}), 0, 0, NSC_NONE);
    assert_bin(nsc_lane_measure(trace, summary, 1, (struct nsc_window){15, 20}), 5, 1, 3);
    assert_int_equal(nsc_summary_count(summary), 2);
    assert_int_equal(nsc_summary_busy(summary), 100);
    assert_true(nsc_summary_has(summary, 1));
    assert_false(nsc_summary_has(summary, 2));
    assert_int_equal(nsc_lane_next(trace, summary, 0, 0), 1);
    assert_int_equal(nsc_lane_next(trace, summary, 0, 1), NSC_NONE); /* row 3 is another lane's */
    assert_int_equal(nsc_lane_prev(trace, summary, 1, 3), NSC_NONE);
    nsc_summary_free(summary);
    hand_trace_fini(&hand);
}

TEST(columns_of_no_width_show_what_crosses_them)
{
    struct hand_trace hand;
    struct nsc_trace *trace = two_lanes(&hand);
    struct nsc_summary *summary = nsc_summary_build(trace, NULL);
    struct nsc_bin bins[4];

    nsc_lane_bins(trace, summary, 0, (struct nsc_window){30, 32}, 4, bins);
    assert_bin(bins[0], 0, 1, 2); /* [30, 30), inside row 2 */
    assert_bin(bins[1], 1, 1, 2);
    assert_bin(bins[2], 0, 1, 2); /* [31, 31), inside row 2 */
    assert_bin(bins[3], 1, 1, 2);
    nsc_summary_free(summary);
    hand_trace_fini(&hand);
}

TEST(an_empty_trace_has_nothing)
{
    struct hand_trace hand;
    struct nsc_trace *trace = NULL;
    struct nsc_summary *summary = NULL;

    hand_trace_init(&hand);
    hand_trace_track(&hand, NSC_TRACK_STREAM);
    hand_trace_lane(&hand);
    trace = hand_trace_end(&hand, NULL);
    summary = nsc_summary_build(trace, NULL);
    assert_non_null(summary);
    assert_int_equal(nsc_summary_count(summary), 0);
    assert_bin(nsc_lane_measure(trace, summary, 0, (struct nsc_window){INT64_MIN, INT64_MAX}), 0, 0,
               NSC_NONE);
    assert_int_equal(nsc_lane_find(trace, 0, 5), 0);
    nsc_summary_free(summary);
    hand_trace_fini(&hand);
}

TEST(the_ends_of_time_are_exact)
{
    struct hand_trace hand;
    struct nsc_trace *trace = NULL;
    struct nsc_summary *summary = NULL;
    struct nsc_bin bins[3];

    hand_trace_init(&hand);
    hand_trace_track(&hand, NSC_TRACK_STREAM);
    hand_trace_lane(&hand);
    hand_trace_row(&hand, INT64_MIN, -1, 0, NSC_KIND_KERNEL);
    hand_trace_row(&hand, 0, INT64_MAX, 0, NSC_KIND_KERNEL);
    hand_trace_row(&hand, INT64_MAX, INT64_MAX, 0, NSC_KIND_KERNEL);
    trace = hand_trace_end(&hand, NULL);
    summary = nsc_summary_build(trace, NULL);
    assert_int_equal(nsc_summary_busy(summary), INT64_MAX); /* saturates */
    nsc_lane_bins(trace, summary, 0, (struct nsc_window){INT64_MIN, INT64_MAX}, 3, bins);
    assert_bin(bins[0], INT64_MAX / 3 * 2 + 1, 1, 0);
    assert_bin(bins[1], INT64_MAX / 3 * 2, 2,
               0); /* [-2^63 / 3, 2^63 / 3) less the ns at -1; the first of equals */
    assert_bin(bins[2], INT64_MAX / 3 * 2 + 1, 1, 1);
    assert_int_equal(nsc_lane_find(trace, 0, INT64_MAX), 3);
    assert_int_equal(nsc_lane_find(trace, 0, -1), 1);
    nsc_summary_free(summary);
    hand_trace_fini(&hand);
}

TEST(the_longest_of_many_blocks_is_the_first_of_equals)
{
    struct hand_trace hand;
    struct nsc_trace *trace = NULL;
    struct nsc_summary *summary = NULL;
    nsc_time t = 0;

    hand_trace_init(&hand);
    hand_trace_track(&hand, NSC_TRACK_STREAM);
    hand_trace_lane(&hand);
    for (int i = 0; i < 1000; i++, t += 10)
        hand_trace_row(&hand, t, t + (i % 300 == 250 ? 9 : 5), 0, NSC_KIND_KERNEL);
    trace = hand_trace_end(&hand, NULL);
    summary = nsc_summary_build(trace, NULL);
    assert_bin(nsc_lane_measure(trace, summary, 0, (struct nsc_window){0, t}), 5012, 1000, 250);
    assert_bin(nsc_lane_measure(trace, summary, 0, (struct nsc_window){2510, t}), 3753, 749, 550);
    nsc_summary_free(summary);
    hand_trace_fini(&hand);
}

TEST(levels_keep_nothing_and_all_apart)
{
    assert_int_equal(nsc_bin_level(0, 100, 8), 0);
    assert_int_equal(nsc_bin_level(1, 100, 8), 1);
    assert_int_equal(nsc_bin_level(99, 100, 8), 7);
    assert_int_equal(nsc_bin_level(100, 100, 8), 8);
    assert_int_equal(nsc_bin_level(5, 16, 8), 3); /* the upper of two */
    assert_int_equal(nsc_bin_level(4, 16, 8), 2);
    assert_int_equal(nsc_bin_level(0, 0, 8), 0); /* no width */
    assert_int_equal(nsc_bin_level(5, 0, 8), 0);
    assert_int_equal(nsc_bin_level(INT64_MAX - 1, INT64_MAX, 800), 799);
    assert_int_equal(nsc_bin_level(INT64_MAX / 2, INT64_MAX, 800), 400);
}
