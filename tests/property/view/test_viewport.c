/*
 * Property tests of the viewport: zooming in and out again changes nothing, a column's time lies in
 * it, and nothing leaves the extent.
 */
#include "support/cm.h"
#include "support/dice.h"
#include "view/model/viewport.h"

static nsc_time roll_in(struct dice *dice, struct nsc_window w)
{
    return (nsc_time)((uint64_t)w.t0 + dice_below(dice, (uint64_t)w.t1 - (uint64_t)w.t0));
}

static struct nsc_window roll_extent(struct dice *dice)
{
    static const unsigned bits[] = {1, 4, 8, 20, 40, 62, 63};
    uint64_t length = (dice_next(dice) >> (64 - bits[dice_below(dice, 7)])) + 1;
    struct nsc_window w = {INT64_MIN, INT64_MAX};

    if (dice_below(dice, 20) == 0)
        return w;
    w.t0 = (nsc_time)(dice_next(dice) >> 2) - ((nsc_time)1 << 61);
    w.t1 = INT64_MAX;
    if (length < (uint64_t)INT64_MAX - (uint64_t)w.t0)
        w.t1 = (nsc_time)((uint64_t)w.t0 + length);
    return w;
}

static void assert_valid(const struct nsc_viewport *viewport)
{
    struct nsc_window w = nsc_viewport_window(viewport);
    uint64_t length = (uint64_t)w.t1 - (uint64_t)w.t0;
    uint64_t whole = (uint64_t)viewport->extent.t1 - (uint64_t)viewport->extent.t0;

    assert_true(w.t0 < w.t1);
    assert_true(w.t0 >= viewport->extent.t0 && w.t1 <= viewport->extent.t1);
    /* Rounding both ends down drops at most one nanosecond. */
    assert_true(length + 1 >= viewport->cols || length == whole);
}

static void step(struct nsc_viewport *viewport, struct dice *dice)
{
    nsc_time at = roll_in(dice, nsc_viewport_window(viewport));
    struct nsc_window w = {roll_in(dice, viewport->extent), 0};

    switch (dice_below(dice, 6)) {
    case 0:
        nsc_viewport_pan(viewport, (int64_t)dice_below(dice, 400) - 200);
        break;
    case 1:
        nsc_viewport_zoom(viewport, at, false);
        break;
    case 2:
        w.t1 = w.t0 < INT64_MAX ? w.t0 + 1 : w.t0;
        nsc_viewport_set(viewport, w);
        break;
    case 3:
        nsc_viewport_show(viewport, roll_in(dice, viewport->extent));
        break;
    case 4:
        nsc_viewport_resize(viewport, (uint32_t)dice_below(dice, 300) + 1);
        break;
    default:
        nsc_viewport_zoom(viewport, at, true);
    }
}

static void check_zoom_identity(struct nsc_viewport viewport, struct dice *dice)
{
    nsc_time at = roll_in(dice, nsc_viewport_window(&viewport));
    struct nsc_span before = viewport.span;
    uint64_t least = 2 * (uint64_t)(viewport.cols > 4 ? viewport.cols : 4);
    struct nsc_window w = nsc_viewport_window(&viewport);

    /* The last step in is shorter than a half. */
    if ((uint64_t)w.t1 - (uint64_t)w.t0 <= least || !nsc_viewport_zoom(&viewport, at, true))
        return;
    assert_true(nsc_viewport_zoom(&viewport, at, false));
    if (!nsc_viewport_is_whole(&viewport)) {
        assert_true(viewport.span.t0 == before.t0);
        assert_true(viewport.span.t1 == before.t1);
    }
}

static void check_columns(const struct nsc_viewport *viewport)
{
    struct nsc_window w = nsc_viewport_window(viewport);

    if ((uint64_t)w.t1 - (uint64_t)w.t0 < viewport->cols)
        return;
    for (uint32_t i = 0; i < viewport->cols; i++)
        assert_int_equal(nsc_viewport_col(viewport, nsc_viewport_time(viewport, i)), (int)i);
    assert_int_equal(nsc_viewport_col(viewport, w.t1 - 1), (int)viewport->cols - 1);
}

/* For any time, its column contains it. */
static void check_times(const struct nsc_viewport *viewport, struct dice *dice)
{
    nsc_time t = roll_in(dice, nsc_viewport_window(viewport));
    int col = nsc_viewport_col(viewport, t);

    assert_in_range(col, 0, viewport->cols - 1);
    assert_true(nsc_viewport_time(viewport, (uint32_t)col) <= t);
    assert_true(nsc_viewport_time(viewport, (uint32_t)col + 1) > t);
}

TEST(viewports_hold_their_promises)
{
    struct dice dice = dice_new(20240901);

    for (int i = 0; i < 3000; i++) {
        struct nsc_viewport viewport;

        nsc_viewport_init(&viewport, roll_extent(&dice), (uint32_t)dice_below(&dice, 300) + 1);
        for (int k = 0; k < 30; k++) {
            step(&viewport, &dice);
            assert_valid(&viewport);
            check_zoom_identity(viewport, &dice);
            check_times(&viewport, &dice);
        }
        check_columns(&viewport);
    }
}

/* Zooming far into one point and back restores every window on the way. */
TEST(a_long_way_in_and_out)
{
    struct dice dice = dice_new(20240902);

    for (int i = 0; i < 2000; i++) {
        struct nsc_viewport viewport;
        struct nsc_span seen[64];
        nsc_time at = 0;
        int n = 0;

        nsc_viewport_init(&viewport, roll_extent(&dice), 100);
        at = roll_in(&dice, viewport.extent);
        while (nsc_window_length(nsc_viewport_window(&viewport)) > 400 && n < 64) {
            seen[n++] = viewport.span;
            nsc_viewport_zoom(&viewport, at, true);
        }
        while (n-- > 0) {
            nsc_viewport_zoom(&viewport, at, false);
            assert_true(viewport.span.t0 == seen[n].t0 && viewport.span.t1 == seen[n].t1);
        }
    }
}
