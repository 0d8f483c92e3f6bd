/*
 * Property tests of the grid: any drawing at any place leaves every cell valid.
 * promises: B6
 */
#include "support/cm.h"
#include "support/dice.h"
#include "view/kit/grid.h"

#include <string.h>

enum { ROUNDS = 300, DRAWS = 40 };

static const char *const pieces[] = {
    "a",  " ",    "漢",     "é",      "e\u0301", "👩‍👩‍👧", "🇩🇪", "█",
    "\t", "\x1b", "\u202e", "\u200b", "\xff",    "\xe6\xbc",           "…",  "µ"};
static const char *const glyphs[] = {"█", "▏", "▁", "│", "x", " ", "▾", "╷"};

static int roll_int(struct dice *dice)
{
    static const int odd[] = {0, -1, 1, -7, 4096, -4096, 1 << 20, -(1 << 20)};

    return dice_below(dice, 6) ? (int)dice_below(dice, 40) - 10 : odd[dice_below(dice, 8)];
}

static struct nsc_text roll_text(struct dice *dice, char bytes[256])
{
    struct nsc_text text = {bytes, 0};

    for (uint64_t i = dice_below(dice, 12); i > 0; i--) {
        const char *piece = pieces[dice_below(dice, sizeof pieces / sizeof *pieces)];

        memcpy(bytes + text.n, piece, strlen(piece));
        text.n += (uint32_t)strlen(piece);
    }
    bytes[text.n] = '\0';
    return text;
}

static void draw(struct nsc_grid *grid, struct dice *dice)
{
    char bytes[256];
    int row = roll_int(dice);
    int col = roll_int(dice);
    int width = roll_int(dice);
    enum nsc_role role = (enum nsc_role)dice_below(dice, NSC_N_ROLES);
    struct nsc_text text = roll_text(dice, bytes);
    const char *glyph = glyphs[dice_below(dice, sizeof glyphs / sizeof *glyphs)];

    switch (dice_below(dice, 6)) {
    case 0:
        assert_true(nsc_grid_text(grid, row, col, width, role, text) >= col);
        break;
    case 1:
        assert_true(nsc_grid_puts(grid, row, col, width, role, bytes) >= col);
        break;
    case 2:
        nsc_grid_puts_right(grid, row, col, width, role, bytes);
        break;
    case 3:
        nsc_grid_label(grid, row, col, width, text);
        break;
    case 4:
        nsc_grid_put(grid, row, col, role, (uint8_t)dice_below(dice, 256), glyph);
        break;
    default:
        nsc_grid_fill(grid, (struct nsc_rect){row, col, roll_int(dice), width}, role, glyph);
    }
}

static bool bytes_are_clean(const struct nsc_cell *cell, bool ascii)
{
    struct nsc_text text = {cell->text, cell->n};
    struct nsc_text_cursor cursor = nsc_text_cursor(text, ascii);
    struct nsc_cluster cluster;
    size_t n = 0;
    size_t width = 0;

    while (nsc_text_next(&cursor, &cluster)) {
        n += cluster.n;
        width += cluster.width;
        if (memcmp(cell->text, cluster.bytes, cluster.n) != 0)
            return false;
    }
    return n == cell->n && width == cell->width;
}

static void expect_valid(const struct nsc_grid *grid)
{
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t col = 0; col < grid->cols; col++) {
            const struct nsc_cell *cell = grid->cells + (size_t)row * grid->cols + col;
            static const char zero[NSC_CLUSTER_BYTES];

            assert_true(cell->width <= 2 && cell->n <= NSC_CLUSTER_BYTES);
            assert_true(nsc_cell_role(cell) < NSC_N_ROLES);
            assert_memory_equal(cell->text + cell->n, zero, NSC_CLUSTER_BYTES - cell->n);
            if (cell->width == 0) {
                assert_int_equal(cell->n, 0);
                assert_true(col > 0 && cell[-1].width == 2);
                continue;
            }
            if (cell->width == 2)
                assert_true(col + 1 < grid->cols && cell[1].width == 0);
            assert_true(cell->n > 0 && bytes_are_clean(cell, grid->ascii));
        }
}

TEST(every_cell_stays_valid)
{
    struct dice dice = dice_new(61);
    struct nsc_grid grid;

    for (int round = 0; round < ROUNDS; round++) {
        nsc_grid_init(&grid, dice_below(&dice, 3) == 0);
        nsc_grid_resize(&grid, (uint32_t)dice_below(&dice, 6), (uint32_t)dice_below(&dice, 20));
        for (int i = 0; i < DRAWS; i++) {
            draw(&grid, &dice);
            expect_valid(&grid);
        }
        nsc_grid_fini(&grid);
    }
}

/* Text changes nothing outside of its width, and the returned column is after its last change. */
TEST(text_stays_in_its_width)
{
    struct dice dice = dice_new(62);
    struct nsc_grid grid;
    char bytes[256];

    for (int round = 0; round < 20 * ROUNDS; round++) {
        int col = (int)dice_below(&dice, 20);
        int width = (int)dice_below(&dice, 20);
        int end = 0;

        nsc_grid_init(&grid, dice_below(&dice, 2));
        nsc_grid_resize(&grid, 1, 24);
        end = nsc_grid_text(&grid, 0, col, width, NSC_ROLE_ERROR, roll_text(&dice, bytes));
        assert_true(end >= col && end <= col + width);
        for (int i = 0; i < 24; i++)
            assert_int_equal(nsc_grid_at(&grid, 0, (uint32_t)i)->role == NSC_ROLE_ERROR,
                             i >= col && i < end);
        nsc_grid_fini(&grid);
    }
}
