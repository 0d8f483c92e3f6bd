/* Heatmaps: every cell is the greatest of its figures, however the axes are folded, zoomed and moved. */
#include "board/heat.h"
#include "support/cm.h"

#include <stdlib.h>

enum { ROWS = 37, COLS = 53, ROUNDS = 3000 };

struct world {
    uint64_t random;
    float at[ROWS * COLS];
    uint32_t row[ROWS], line[ROWS + 1];
    struct nsc_heat heat;
};

static uint32_t draw(struct world *world, uint32_t below)
{
    world->random = world->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(world->random >> 33) % below;
}

/* Rows in any order, one to four of them a line; every 7th figure is missing. */
static void make(struct world *world)
{
    uint32_t n = 0;

    for (int i = 0; i < ROWS * COLS; i++)
        world->at[i] = draw(world, 7) ? (float)draw(world, 1000) : -1;
    for (uint32_t i = 0; i < ROWS; i++)
        world->row[i] = (i * 11) % ROWS;
    for (uint32_t i = 0; i < ROWS; i += 1 + draw(world, 4))
        world->line[n++] = i;
    world->line[n] = ROWS;
    world->heat =
        (struct nsc_heat){.at = world->at, .stride = COLS, .row = world->row, .line = world->line};
    nsc_heat_axis_init(&world->heat.lines, n);
    nsc_heat_axis_init(&world->heat.cols, COLS);
}

/* The greatest of lines [l0, l1) and columns [c0, c1). */
static float greatest(const struct world *world, uint32_t l0, uint32_t l1, uint32_t c0, uint32_t c1)
{
    float most = -1;

    for (uint32_t line = l0; line < l1; line++)
        for (uint32_t i = world->line[line]; i < world->line[line + 1]; i++)
            for (uint32_t c = c0; c < c1; c++)
                if (world->at[world->row[i] * COLS + c] > most)
                    most = world->at[world->row[i] * COLS + c];
    return most;
}

static void check_axis(const struct nsc_heat_axis *axis, uint32_t room)
{
    assert_true(axis->shown > 0 && axis->first + axis->shown <= axis->n);
    assert_true(axis->cursor >= axis->first && axis->cursor - axis->first < axis->shown);
    assert_true(axis->cells > 0 && axis->cells <= room);
    assert_int_equal(nsc_heat_axis_first(axis, 0), axis->first);
    assert_int_equal(nsc_heat_axis_first(axis, axis->cells), axis->first + axis->shown);
    for (uint32_t cell = 0; cell < axis->cells; cell++) {
        assert_true(nsc_heat_axis_first(axis, cell) < nsc_heat_axis_first(axis, cell + 1));
        assert_int_equal(nsc_heat_axis_cell(axis, nsc_heat_axis_first(axis, cell)), cell);
    }
}

static void check(struct world *world, uint32_t rows, uint32_t cols)
{
    const struct nsc_heat *heat = &world->heat;
    const struct nsc_heat_axis *l = &heat->lines;
    const struct nsc_heat_axis *c = &heat->cols;
    uint32_t r0 = nsc_heat_axis_cell(l, l->cursor);
    uint32_t c0 = nsc_heat_axis_cell(c, c->cursor);
    uint32_t row, col;

    check_axis(l, rows);
    check_axis(c, cols);
    assert_int_equal(heat->bins.n, l->cells * c->cells);
    for (uint32_t r = 0; r < l->cells; r++)
        for (uint32_t k = 0; k < c->cells; k++)
            assert_true(heat->bins.at[r * c->cells + k] ==
                        greatest(world, nsc_heat_axis_first(l, r), nsc_heat_axis_first(l, r + 1),
                                 nsc_heat_axis_first(c, k), nsc_heat_axis_first(c, k + 1)));
    nsc_heat_worst(heat, &row, &col);
    if (heat->bins.at[r0 * c->cells + c0] >= 0)
        assert_true(world->at[row * COLS + col] == heat->bins.at[r0 * c->cells + c0]);
    assert_int_equal(nsc_heat_axis_cell(c, col), c0);
    assert_int_equal(nsc_heat_col(heat, 0), 0);
    assert_true(nsc_heat_col(heat, c->cells) <= (int)cols);
}

static void move(struct world *world)
{
    struct nsc_heat_axis *axis = draw(world, 2) ? &world->heat.lines : &world->heat.cols;

    switch (draw(world, 4)) {
    case 0:
        (void)nsc_heat_axis_go(axis, draw(world, 60));
        break;
    case 1:
        (void)nsc_heat_axis_step(axis, (int64_t)draw(world, 9) - 4);
        break;
    default:
        (void)nsc_heat_axis_zoom(axis, draw(world, 2));
    }
}

TEST(each_cell_is_the_greatest_of_its_figures)
{
    struct world *world = calloc(1, sizeof *world);

    world->random = 7;
    make(world);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t rows = 1 + draw(world, 45);
        uint32_t cols = 1 + draw(world, 90);

        move(world);
        nsc_heat_fit(&world->heat, (int)rows, (int)cols);
        check(world, rows, cols);
    }
    nsc_heat_fini(&world->heat);
    free(world);
}

TEST(one_outlier_does_not_hide_the_rest)
{
    float at[100];
    uint32_t row[] = {0};
    uint32_t line[] = {0, 1};
    struct nsc_heat heat = {.at = at, .stride = 100, .row = row, .line = line};

    for (int i = 0; i < 100; i++)
        at[i] = (float)(1000 + i);
    at[50] = 1e9F;
    nsc_heat_axis_init(&heat.lines, 1);
    nsc_heat_axis_init(&heat.cols, 100);
    nsc_heat_fit(&heat, 10, 100);
    assert_true(heat.low == 1000 && heat.high > 1099 && heat.high < 2000);
    for (int i = 0; i < 100; i++)
        at[i] = i == 3 ? -1 : 5;
    nsc_heat_fit(&heat, 10, 100);
    assert_true(heat.low == 5 && heat.high == 5 && heat.bins.at[3] < 0);
    nsc_heat_fini(&heat);
}

TEST(nothing_is_drawn_of_nothing)
{
    uint32_t line[] = {0};
    struct nsc_heat heat = {.line = line};

    nsc_heat_axis_init(&heat.lines, 0);
    nsc_heat_axis_init(&heat.cols, 0);
    assert_false(nsc_heat_axis_step(&heat.lines, 1));
    assert_false(nsc_heat_axis_zoom(&heat.lines, true));
    nsc_heat_fit(&heat, 10, 10);
    assert_int_equal(heat.bins.n, 0);
    nsc_heat_fini(&heat);
}
