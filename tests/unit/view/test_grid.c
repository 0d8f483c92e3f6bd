/*
 * Unit tests of the grid: clipping, wide characters, surfaces, letters on bars, ASCII.
 * promises: B6
 */
#include "support/cm.h"
#include "view/kit/grid.h"

#include <string.h>

static void row_is(struct nsc_grid *grid, uint32_t row, const char *wanted)
{
    char text[512];
    size_t n = 0;

    for (uint32_t col = 0; col < grid->cols; col++) {
        const struct nsc_cell *cell = nsc_grid_at(grid, row, col);

        memcpy(text + n, cell->text, cell->n);
        n += cell->n;
    }
    text[n] = '\0';
    assert_string_equal(text, wanted);
}

static struct nsc_grid grid_of(uint32_t rows, uint32_t cols, bool ascii)
{
    struct nsc_grid grid;

    nsc_grid_init(&grid, ascii);
    nsc_grid_resize(&grid, rows, cols);
    return grid;
}

TEST(text_is_clipped_at_every_side)
{
    struct nsc_grid grid = grid_of(2, 6, false);

    assert_int_equal(nsc_grid_puts(&grid, 0, -2, 20, NSC_ROLE_TEXT, "abcd"), 2);
    row_is(&grid, 0, "cd    ");
    assert_int_equal(nsc_grid_puts(&grid, 1, 3, 20, NSC_ROLE_TEXT, "abcd"), 6);
    row_is(&grid, 1, "   ab…");
    nsc_grid_puts(&grid, -1, 0, 6, NSC_ROLE_TEXT, "x");
    nsc_grid_puts(&grid, 2, 0, 6, NSC_ROLE_TEXT, "x");
    assert_int_equal(nsc_grid_puts(&grid, 0, 6, 6, NSC_ROLE_TEXT, "x"), 6);
    row_is(&grid, 0, "cd    ");
    nsc_grid_fini(&grid);
}

TEST(what_is_cut_ends_in_an_ellipsis)
{
    struct nsc_grid grid = grid_of(1, 8, false);

    assert_int_equal(nsc_grid_puts(&grid, 0, 1, 4, NSC_ROLE_TEXT, "abcdef"), 5);
    row_is(&grid, 0, " abc…   ");
    assert_int_equal(nsc_grid_puts(&grid, 0, 1, 6, NSC_ROLE_TEXT, "abcdef"), 7);
    row_is(&grid, 0, " abcdef ");
    nsc_grid_puts_right(&grid, 0, 0, 8, NSC_ROLE_TEXT, "12");
    row_is(&grid, 0, " abcde12");
    nsc_grid_fini(&grid);
}

TEST(half_a_wide_character_is_never_left)
{
    struct nsc_grid grid = grid_of(1, 6, false);

    nsc_grid_puts(&grid, 0, 1, 4, NSC_ROLE_TEXT, "漢字");
    row_is(&grid, 0, " 漢字 ");
    assert_int_equal(nsc_grid_at(&grid, 0, 1)->width, 2);
    assert_int_equal(nsc_grid_at(&grid, 0, 2)->width, 0);
    nsc_grid_put(&grid, 0, 2, NSC_ROLE_KERNEL, 0, "█");
    row_is(&grid, 0, "  █字 ");
    nsc_grid_put(&grid, 0, 3, NSC_ROLE_KERNEL, 0, "█");
    row_is(&grid, 0, "  ██  ");
    nsc_grid_puts(&grid, 0, -1, 4, NSC_ROLE_TEXT, "漢b");
    row_is(&grid, 0, " b██  ");
    nsc_grid_puts(&grid, 0, 0, 2, NSC_ROLE_TEXT, "a漢");
    row_is(&grid, 0, "a…██  ");
    nsc_grid_fini(&grid);
}

TEST(controls_never_get_through)
{
    struct nsc_grid grid = grid_of(1, 6, false);
    struct nsc_text text = {"\x1b[\xff\x9b", 4};

    nsc_grid_text(&grid, 0, 0, 6, NSC_ROLE_TEXT, text);
    row_is(&grid, 0, "␛[\uFFFD\uFFFD  ");
    nsc_grid_fini(&grid);
}

TEST(a_label_keeps_the_colour_of_its_bar)
{
    struct nsc_grid grid = grid_of(1, 6, false);
    const struct nsc_cell *cell = NULL;

    for (int col = 0; col < 6; col++)
        nsc_grid_put(&grid, 0, col, NSC_ROLE_KERNEL, (uint8_t)(col << 4), "█");
    nsc_grid_label(&grid, 0, 1, 4, nsc_text_from("gemm_long"));
    row_is(&grid, 0, "█gem…█");
    cell = nsc_grid_at(&grid, 0, 2);
    assert_true(nsc_cell_is_on_bar(cell));
    assert_int_equal(nsc_cell_role(cell), NSC_ROLE_KERNEL);
    assert_int_equal(cell->shade, 2 << 4);
    assert_false(nsc_cell_is_on_bar(nsc_grid_at(&grid, 0, 5)));
    nsc_grid_put(&grid, 0, 2, NSC_ROLE_COMM, 0, "█");
    assert_false(nsc_cell_is_on_bar(cell));
    nsc_grid_fini(&grid);
}

TEST(text_remembers_the_line_it_is_on)
{
    struct nsc_grid grid = grid_of(1, 6, false);
    struct nsc_rect line = {0, 0, 1, 4};

    nsc_grid_fill(&grid, line, NSC_ROLE_STATUS, " ");
    nsc_grid_puts(&grid, 0, 2, 4, NSC_ROLE_KEY, "abcd");
    assert_int_equal(nsc_grid_at(&grid, 0, 3)->shade, NSC_SURFACE_STATUS);
    assert_int_equal(nsc_grid_at(&grid, 0, 4)->shade, NSC_SURFACE_NONE);
    nsc_grid_fini(&grid);
}

TEST(ascii_has_its_own_glyphs)
{
    struct nsc_grid grid = grid_of(1, 24, true);

    nsc_grid_put(&grid, 0, 0, NSC_ROLE_KERNEL, 0, "█");
    nsc_grid_put(&grid, 0, 1, NSC_ROLE_KERNEL, 0, "▁");
    assert_int_equal(nsc_grid_puts(&grid, 0, 2, 22, NSC_ROLE_TEXT, "3 µs … é"), 15);
    row_is(&grid, 0, "#-3 us ~ \\u{E9}         ");
    nsc_grid_text(&grid, 0, 0, 24, NSC_ROLE_TEXT, nsc_text_from("µ"));
    row_is(&grid, 0, "\\u{B5} ~ \\u{E9}         ");
    nsc_grid_fini(&grid);
}

TEST(resizing_blanks_everything)
{
    struct nsc_grid grid = grid_of(2, 3, false);

    nsc_grid_puts(&grid, 1, 0, 3, NSC_ROLE_ERROR, "abc");
    nsc_grid_resize(&grid, 3, 2);
    for (uint32_t row = 0; row < 3; row++) {
        row_is(&grid, row, "  ");
        assert_int_equal(nsc_grid_at(&grid, row, 1)->role, NSC_ROLE_TEXT);
    }
    nsc_grid_resize(&grid, 1u << 20, 1u << 20);
    assert_int_equal(grid.rows, 4096);
    nsc_grid_resize(&grid, 0, 7);
    nsc_grid_put(&grid, 0, 0, NSC_ROLE_TEXT, 0, "x");
    nsc_grid_fini(&grid);
}
