/* Unit tests of covers: joining, extreme times, and empty ones. */
#include "support/cm.h"
#include "support/hand_trace.h"

static struct nsc_cover *cover_of(const nsc_time times[], uint32_t n)
{
    static const uint32_t lanes[] = {0};
    struct hand_trace hand;
    struct nsc_cover *cover = NULL;

    hand_trace_init(&hand);
    hand_trace_track(&hand, NSC_TRACK_STREAM);
    hand_trace_lane(&hand);
    for (uint32_t i = 0; i + 1 < n; i += 2)
        hand_trace_row(&hand, times[i], times[i + 1], 0, NSC_KIND_KERNEL);
    cover = nsc_cover_build(hand_trace_end(&hand, NULL), lanes, 1, NULL, NULL);
    hand_trace_fini(&hand);
    return cover;
}

static void assert_interval(const struct nsc_cover *cover, uint32_t i, nsc_time t0, nsc_time t1)
{
    assert_true(i < nsc_cover_count(cover));
    assert_int_equal(nsc_cover_at(cover, i).t0, t0);
    assert_int_equal(nsc_cover_at(cover, i).t1, t1);
}

TEST(neighbours_that_meet_are_one)
{
    static const nsc_time times[] = {0, 10, 10, 10, 10, 15, 16, 20, 30, 30};
    struct nsc_cover *cover = cover_of(times, 10);

    assert_int_equal(nsc_cover_count(cover), 2);
    assert_interval(cover, 0, 0, 15);
    assert_interval(cover, 1, 16, 20);
    assert_int_equal(nsc_cover_measure(cover, (struct nsc_window){-5, 18}), 17);
    assert_int_equal(nsc_cover_find(cover, 15), 1);
    assert_int_equal(nsc_cover_find(cover, 20), 2);
    nsc_cover_free(cover);
}

TEST(nothing_covers_nothing)
{
    static const nsc_time times[] = {5, 9};
    struct nsc_cover *none = cover_of(NULL, 0);
    struct nsc_cover *some = cover_of(times, 2);
    struct nsc_cover *both[] = {nsc_cover_union(none, some), nsc_cover_intersect(none, some)};
    nsc_time bins[3];

    assert_int_equal(nsc_cover_count(none), 0);
    assert_int_equal(nsc_cover_measure(none, (struct nsc_window){INT64_MIN, INT64_MAX}), 0);
    assert_int_equal(nsc_cover_find(none, 0), 0);
    nsc_cover_bins(none, (struct nsc_window){0, 9}, 3, bins);
    assert_int_equal(bins[0] + bins[1] + bins[2], 0);
    assert_interval(both[0], 0, 5, 9);
    assert_int_equal(nsc_cover_count(both[1]), 0);
    for (int i = 0; i < 2; i++)
        nsc_cover_free(both[i]);
    nsc_cover_free(none);
    nsc_cover_free(some);
    nsc_cover_free(NULL);
}

TEST(far_intervals_are_exact)
{
    static const nsc_time times[] = {
        INT64_MIN,     INT64_MIN + 1, -7, -6, 0, 1, 2, 3, 1L << 40, (1L << 40) + (1L << 33),
        INT64_MAX - 1, INT64_MAX};
    struct nsc_cover *cover = cover_of(times, 12);

    assert_int_equal(nsc_cover_count(cover), 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_interval(cover, i, times[2 * i], times[2 * i + 1]);
    assert_int_equal(nsc_cover_measure(cover, (struct nsc_window){INT64_MIN, INT64_MAX}),
                     (1L << 33) + 5);
    assert_int_equal(nsc_cover_measure(cover, (struct nsc_window){1L << 40, INT64_MAX - 1}),
                     1L << 33);
    nsc_cover_free(cover);
}

TEST(a_cover_of_many_takes_about_nine_bytes_each)
{
    NSC_VEC(nsc_time) times = {0};
    struct nsc_cover *cover = NULL;

    for (nsc_time i = 0; i < 64000; i++)
        *NSC_VEC_ADD(&times) = i * 5;
    cover = cover_of(times.at, (uint32_t)times.n);
    assert_int_equal(nsc_cover_count(cover), 32000);
#ifdef NSC_SMALL /* tiny blocks weigh more */
    assert_true(nsc_cover_bytes(cover) < 32000 * 15);
#else
    assert_true(nsc_cover_bytes(cover) < 32000 * 9);
#endif
    nsc_cover_free(cover);
    NSC_VEC_FINI(&times);
}
