/*
 * Unit tests of the histogram's axis: bins follow each other without gaps, at every scale.
 */
#include "analysis/base/histogram.h"
#include "support/cm.h"

static void check_axis(nsc_time min, nsc_time max)
{
    struct nsc_histogram histogram = nsc_histogram(min, max);

    assert_in_range(histogram.n, 1, NSC_HISTOGRAM_BINS);
    assert_true(nsc_histogram_at(&histogram, 0).t0 <= min);
    assert_true(nsc_histogram_at(&histogram, histogram.n - 1).t1 > max || max == INT64_MAX);
    assert_int_equal(nsc_histogram_bin(&histogram, min), 0);
    assert_int_equal(nsc_histogram_bin(&histogram, max), histogram.n - 1);
    for (uint32_t i = 0; i < histogram.n; i++) {
        struct nsc_window w = nsc_histogram_at(&histogram, i);

        assert_true(w.t0 < w.t1);
        assert_int_equal(nsc_histogram_bin(&histogram, w.t0 > min ? w.t0 : min), i);
        assert_int_equal(nsc_histogram_bin(&histogram, w.t1 - 1 < max ? w.t1 - 1 : max), i);
        assert_true(i == 0 || nsc_histogram_at(&histogram, i - 1).t1 == w.t0);
    }
}

TEST(bins_follow_each_other)
{
    static const nsc_time edges[] = {
        0, 1, 2, 3, 7, 8, 100, 1000, 1023, 1024, 4097, 1000000, 99999999, 4294967295, INT64_MAX};
    size_t n = sizeof edges / sizeof *edges;

    for (size_t i = 0; i < n; i++)
        for (size_t k = i; k < n; k++)
            check_axis(edges[i], edges[k]);
}

TEST(close_durations_are_told_apart)
{
    struct nsc_histogram histogram = nsc_histogram(1000000, 1000040);

    assert_true(histogram.n > NSC_HISTOGRAM_BINS / 2);
    histogram = nsc_histogram(5, 5);
    assert_int_equal(histogram.n, 1);
}
