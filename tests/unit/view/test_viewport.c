/*
 * Unit tests of the viewport: limits of zooming and panning, columns at the edges.
 */
#include "support/cm.h"
#include "view/model/viewport.h"

static struct nsc_viewport viewport_of(nsc_time t0, nsc_time t1, uint32_t cols)
{
    struct nsc_viewport viewport;
    struct nsc_window extent = {t0, t1};

    nsc_viewport_init(&viewport, extent, cols);
    return viewport;
}

static void assert_window(const struct nsc_viewport *viewport, nsc_time t0, nsc_time t1)
{
    struct nsc_window w = nsc_viewport_window(viewport);

    assert_int_equal(w.t0, t0);
    assert_int_equal(w.t1, t1);
}

TEST(starts_whole)
{
    struct nsc_viewport viewport = viewport_of(1000, 9000, 80);

    assert_window(&viewport, 1000, 9000);
    assert_true(nsc_viewport_is_whole(&viewport));
    assert_false(nsc_viewport_zoom(&viewport, 5000, false));
    assert_false(nsc_viewport_pan(&viewport, 1));
    assert_false(nsc_viewport_pan(&viewport, -1));
}

TEST(zooms_about_the_point)
{
    struct nsc_viewport viewport = viewport_of(0, 8000, 80);

    assert_true(nsc_viewport_zoom(&viewport, 2000, true));
    assert_window(&viewport, 1000, 5000);
    assert_false(nsc_viewport_is_whole(&viewport));
    assert_int_equal(nsc_viewport_col(&viewport, 2000), 20);
}

TEST(stops_at_a_nanosecond_a_column)
{
    struct nsc_viewport viewport = viewport_of(0, 1000000, 80);
    int steps = 0;

    while (nsc_viewport_zoom(&viewport, 500000, true))
        steps++;
    assert_in_range(steps, 10, 20);
    assert_int_equal(nsc_window_length(nsc_viewport_window(&viewport)), 80);
}

TEST(short_extents_stay_whole)
{
    struct nsc_viewport viewport = viewport_of(5, 6, 80);

    assert_false(nsc_viewport_zoom(&viewport, 5, true));
    assert_window(&viewport, 5, 6);
}

TEST(pans_by_columns)
{
    struct nsc_viewport viewport = viewport_of(0, 8000, 80);
    struct nsc_window w = {1000, 1800};

    nsc_viewport_set(&viewport, w);
    assert_true(nsc_viewport_pan(&viewport, 3));
    assert_window(&viewport, 1030, 1830);
    assert_true(nsc_viewport_pan(&viewport, -200));
    assert_window(&viewport, 0, 800);
    assert_false(nsc_viewport_pan(&viewport, -1));
}

TEST(windows_are_moved_inside)
{
    struct nsc_viewport viewport = viewport_of(0, 8000, 80);
    struct nsc_window before = {-500, 300};
    struct nsc_window longer = {-500, 20000};
    struct nsc_window shorter = {4000, 4010};

    nsc_viewport_set(&viewport, before);
    assert_window(&viewport, 0, 800);
    nsc_viewport_set(&viewport, longer);
    assert_window(&viewport, 0, 8000);
    nsc_viewport_set(&viewport, shorter);
    assert_window(&viewport, 3965, 4045);
}

TEST(the_whole_range_of_times_works)
{
    struct nsc_viewport viewport = viewport_of(INT64_MIN, INT64_MAX, 200);

    for (int i = 0; i < 70; i++)
        (void)nsc_viewport_zoom(&viewport, INT64_MAX - 5, true);
    assert_int_equal(nsc_window_length(nsc_viewport_window(&viewport)), 200);
    for (int i = 0; i < 70; i++)
        (void)nsc_viewport_zoom(&viewport, INT64_MAX - 5, false);
    assert_window(&viewport, INT64_MIN, INT64_MAX);
}

TEST(show_centres_what_is_far)
{
    struct nsc_viewport viewport = viewport_of(0, 8000, 80);
    struct nsc_window w = {1000, 1800};

    nsc_viewport_set(&viewport, w);
    assert_false(nsc_viewport_show(&viewport, 1799));
    assert_true(nsc_viewport_show(&viewport, 5000));
    assert_window(&viewport, 4600, 5400);
    assert_true(nsc_viewport_show(&viewport, 7999));
    assert_window(&viewport, 7200, 8000);
}

TEST(columns_outside_are_told)
{
    struct nsc_viewport viewport = viewport_of(100, 200, 10);

    assert_int_equal(nsc_viewport_col(&viewport, 99), -1);
    assert_int_equal(nsc_viewport_col(&viewport, 100), 0);
    assert_int_equal(nsc_viewport_col(&viewport, 199), 9);
    assert_int_equal(nsc_viewport_col(&viewport, 200), 10);
}
