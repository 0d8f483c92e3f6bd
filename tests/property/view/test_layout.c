/*
 * Property test of the layout: at every size, visible parts are inside the screen, not empty, and
 * disjoint.
 */
#include "support/cm.h"
#include "view/kit/layout.h"

#include <string.h>

enum { MAX_ROWS = 200, MAX_COLS = 500 };

static unsigned char taken[MAX_ROWS][MAX_COLS];

static void take(struct nsc_rect rect, int rows, int cols)
{
    if (!rect.rows)
        return;
    assert_true(rect.rows > 0 && rect.cols > 0);
    assert_true(rect.row >= 0 && rect.row + rect.rows <= rows);
    assert_true(rect.col >= 0 && rect.col + rect.cols <= cols);
    for (int row = rect.row; row < rect.row + rect.rows; row++) {
        assert_null(memchr(&taken[row][rect.col], 1, (size_t)rect.cols));
        memset(&taken[row][rect.col], 1, (size_t)rect.cols);
    }
}

static void check_size(int rows, int cols, struct nsc_layout_options options)
{
    struct nsc_layout layout = nsc_layout_build((uint32_t)rows, (uint32_t)cols, options);
    const struct nsc_rect rects[] = {layout.note,  layout.title,  layout.overview, layout.corner,
                                     layout.ruler, layout.labels, layout.timeline, layout.tabs,
                                     layout.pane,  layout.strip,  layout.status};

    for (int row = 0; row < rows; row++)
        memset(taken[row], 0, (size_t)cols);
    for (size_t i = 0; i < sizeof rects / sizeof rects[0]; i++)
        take(rects[i], rows, cols);
    if (layout.too_small) {
        assert_int_equal(layout.note.rows, 1);
        return;
    }
    assert_true(layout.title.rows == 1 && layout.status.rows == 1);
    assert_true(layout.timeline.rows >= 1 || (options.pane && options.pane_full));
    assert_true(layout.timeline.rows >= 1 || layout.pane.rows >= 1);
    /* Nothing is left over: every cell has an owner. */
    for (int row = 0; row < rows; row++)
        assert_null(memchr(taken[row], 0, (size_t)cols));
}

/* Rows given to the pane still count as the timeline's room. */
static void check_room(int rows, int cols, struct nsc_layout_options options)
{
    struct nsc_layout given = nsc_layout_build((uint32_t)rows, (uint32_t)cols, options);
    struct nsc_layout own;

    options.spare = 0;
    own = nsc_layout_build((uint32_t)rows, (uint32_t)cols, options);
    assert_int_equal(own.room, own.timeline.rows);
    assert_int_equal(given.room, own.room);
}

TEST(all_sizes)
{
    for (int rows = 1; rows <= MAX_ROWS; rows++)
        for (int cols = 1; cols <= MAX_COLS; cols += rows % 10 ? 7 : 1)
            for (unsigned i = 0; i < 64; i++) {
                struct nsc_layout_options options = {.pane = (i & 1) != 0,
                                                     .pane_full = (i & 2) != 0,
                                                     .pane_tall = (i & 4) != 0,
                                                     .pane_lines = cols % 2 ? rows / 8 : 0,
                                                     .strip = (i & 8) != 0,
                                                     .labels = i & 16 ? cols / 2 : 0,
                                                     .spare = i & 32 ? rows / 2 : 0};

                check_size(rows, cols, options);
                check_room(rows, cols, options);
            }
}
