/*
 * Unit tests of the columns of a list.
 */
#include "support/cm.h"
#include "view/kit/columns.h"

#include <string.h>

enum { NUMBER, NAME, PLACE, NOTE, N_COLUMNS };

static const struct nsc_list_column of[N_COLUMNS] = {
    [NUMBER] = {.title = "no", .width = 6, .gap = 2},
    [NAME] = {.title = "name", .gap = 1, .is_left = true},
    [PLACE] = {.title = "place", .width = 10, .is_left = true, .rank = 1, .least = 8},
    [NOTE] = {.title = "note", .is_left = true, .rank = 2, .least = 8},
};

/* Widths, and columns that begin where the one before it ends. */
static void are(int cols, uint32_t hidden, const int expected[N_COLUMNS])
{
    struct nsc_columns columns;
    int col = 3;

    nsc_columns_fit(&columns, of, N_COLUMNS, hidden, (struct nsc_rect){0, 3, 1, cols});
    for (uint32_t i = 0; i < N_COLUMNS; i++) {
        assert_int_equal(columns.width[i], expected[i]);
        if (!expected[i])
            continue;
        assert_int_equal(columns.col[i], col);
        col += expected[i] + of[i].gap;
    }
    assert_int_equal(col, 3 + cols);
}

TEST(columns_are_shown_by_rank_while_they_leave_enough)
{
    are(21, 0, (const int[]){4, 14, 0, 0});
    are(23, 0, (const int[]){4, 8, 0, 8});
    are(24, 0, (const int[]){4, 7, 10, 0});
    are(31, 0, (const int[]){4, 14, 10, 0});
    are(32, 0, (const int[]){4, 7, 10, 8});
}

TEST(columns_without_a_width_share_the_rest)
{
    are(33, 0, (const int[]){4, 8, 10, 8});
    are(34, 0, (const int[]){4, 8, 10, 9});
}

TEST(hidden_columns_leave_their_room)
{
    are(32, 1u << PLACE, (const int[]){4, 12, 0, 13});
}

static void fill(const void *context, size_t item, struct nsc_list_cell *cell)
{
    const char *const *names = context;

    if (cell->column == NUMBER)
        cell->text[0] = (char)('0' + item);
    else if (cell->column == NAME)
        nsc_page_puts(&cell->page, NSC_ROLE_DIM, names[item]);
}

static void row_is(struct nsc_grid *grid, uint32_t row, const char *expected)
{
    char text[16] = "";

    for (uint32_t col = 0; col < grid->cols; col++)
        text[col] = nsc_grid_at(grid, row, col)->text[0];
    assert_string_equal(text, expected);
}

TEST(only_visible_items_are_drawn_and_the_line_of_the_cursor_has_one_role)
{
    const char *const names[] = {"a", "bb", "cc", "d"};
    struct nsc_list list = {.n = 4, .height = 2, .cursor = 2, .top = 1};
    struct nsc_columns columns;
    struct nsc_list_source source = {&columns, fill, (const void *)names, false};
    struct nsc_grid grid;

    nsc_grid_init(&grid, false);
    nsc_grid_resize(&grid, 4, 12);
    nsc_columns_fit(&columns, of, 2, 0, (struct nsc_rect){0, 0, 4, 12});
    nsc_columns_titles(&columns, &grid, 0);
    nsc_list_draw(&list, &source, true, true, &grid, 1);
    row_is(&grid, 0, "  no  name  ");
    row_is(&grid, 1, "   1  bb    ");
    row_is(&grid, 2, "   2  cc    ");
    row_is(&grid, 3, "            ");
    assert_int_equal(nsc_cell_role(nsc_grid_at(&grid, 1, 6)), NSC_ROLE_DIM);
    assert_int_equal(nsc_cell_role(nsc_grid_at(&grid, 2, 6)), NSC_ROLE_LABEL_CURSOR);
    assert_int_equal(grid.cursor_row, 2);
    nsc_grid_fini(&grid);
}
