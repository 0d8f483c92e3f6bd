/* Unit tests of the layout: the places of all parts at common sizes. */
#include "support/cm.h"
#include "view/kit/layout.h"

static struct nsc_layout layout_of(uint32_t rows, uint32_t cols, bool pane, bool full)
{
    struct nsc_layout_options options = {.pane = pane, .pane_full = full};

    return nsc_layout_build(rows, cols, options);
}

TEST(an_ordinary_terminal_has_everything)
{
    struct nsc_layout layout = layout_of(40, 120, true, false);

    assert_int_equal(layout.title.rows, 1);
    assert_int_equal(layout.overview.row, 1);
    assert_int_equal(layout.ruler.row, 2);
    assert_int_equal(layout.timeline.row, 3);
    assert_int_equal(layout.timeline.col, layout.labels.cols);
    assert_int_equal(layout.labels.cols, 24);
    assert_int_equal(layout.pane.rows, 9);
    assert_int_equal(layout.status.row, 39);
    assert_int_equal(layout.timeline.rows, 40 - 3 - 9 - 2);
}

TEST(labels_are_between_20_and_36_wide)
{
    assert_int_equal(layout_of(24, 80, true, false).labels.cols, 20);
    assert_int_equal(layout_of(24, 400, true, false).labels.cols, 36);
    assert_int_equal(layout_of(24, 40, true, false).labels.cols, 10);
    assert_int_equal(layout_of(24, 60, true, false).labels.cols, 18);
    assert_int_equal(layout_of(24, 79, true, false).labels.cols, 20);
}

/* Long labels are whole where a quarter of the screen holds them. */
TEST(long_labels_get_room_on_wide_screens)
{
    struct nsc_layout_options options = {.pane = true, .labels = 47};

    assert_int_equal(nsc_layout_build(24, 80, options).labels.cols, 24);
    assert_int_equal(nsc_layout_build(24, 120, options).labels.cols, 36);
    assert_int_equal(nsc_layout_build(24, 200, options).labels.cols, 47);
    options.labels = 90;
    assert_int_equal(nsc_layout_build(24, 200, options).labels.cols, 50);
}

TEST(the_overview_goes_first_then_the_pane)
{
    assert_int_equal(layout_of(16, 80, true, false).overview.rows, 1);
    assert_int_equal(layout_of(15, 80, true, false).overview.rows, 0);
    assert_true(layout_of(15, 80, true, false).pane.rows > 0);
    assert_int_equal(layout_of(13, 80, true, false).pane.rows, 0);
}

TEST(a_small_screen_has_a_note)
{
    struct nsc_layout layout = layout_of(9, 120, true, false);

    assert_true(layout.too_small);
    assert_int_equal(layout.note.rows, 1);
    assert_true(layout_of(40, 39, true, false).too_small);
    assert_false(layout_of(10, 40, true, false).too_small);
}

TEST(a_tall_pane_takes_what_it_needs)
{
    struct nsc_layout_options options = {.pane = true, .pane_tall = true};

    assert_int_equal(nsc_layout_build(40, 120, options).pane.rows, 17);
    options.pane_lines = 11;
    assert_int_equal(nsc_layout_build(40, 120, options).pane.rows, 11);
    options.pane_lines = 1;
    assert_int_equal(nsc_layout_build(40, 120, options).pane.rows, 9);
    options.pane_lines = 30;
    assert_int_equal(nsc_layout_build(40, 120, options).pane.rows, 17);
}

TEST(a_full_pane_takes_the_timelines_place)
{
    struct nsc_layout layout = layout_of(24, 80, true, true);

    assert_int_equal(layout.timeline.rows, 0);
    assert_int_equal(layout.tabs.row, 1);
    assert_int_equal(layout.pane.rows, 21);
    assert_int_equal(layout_of(24, 80, false, true).timeline.rows, 20);
}
