/*
 * Unit tests of the search: hits in time over all rows, their count and their marks.
 */
#include "support/app_world.h"
#include "support/cm.h"
#include "view/app/prompt.h"

#include <string.h>

static void find(struct nsc_test_world *world, const char *text)
{
    nsc_test_press(world, "\\");
    nsc_test_type(world, text);
    nsc_test_press(world, "Enter");
}

static nsc_time start(const struct nsc_test_world *world)
{
    return nsc_trace_events(world->trace)->start[world->app->scene->selected];
}

/* Stepping from the first to the last hit visits each once, in time. */
TEST_OF_WORLD(hits_come_in_time)
{
    struct nsc_test_world *world = *state;
    nsc_time last = 0;
    int steps = 0;

    find(world, "KERNEL"); /* kernels and the calls that launch them */
    while (!(world->effects.set & NSC_EFFECT_BELL))
        nsc_test_press(world, "N");
    assert_string_equal(world->app->message, "No earlier hit.");
    last = start(world);
    for (steps = 1;; steps++) {
        nsc_test_press(world, "n");
        if (world->effects.set & NSC_EFFECT_BELL)
            break;
        assert_true(start(world) >= last);
        last = start(world);
    }
    assert_int_equal(steps, nsc_summary_count(world->app->search.pick.summary));
    assert_int_equal(steps, 40 + 10 + 90);
    assert_string_equal(world->app->message, "No later hit.");
}

TEST_OF_WORLD(the_place_of_a_hit_is_told)
{
    struct nsc_test_world *world = *state;

    find(world, "~^nccl");
    nsc_test_press(world, "N N N N N N N N N N N");
    nsc_test_press(world, "n");
    assert_string_equal(world->app->message, "hit 2 of 10: ~^nccl");
    assert_non_null(strstr(nsc_test_row(world, 1), "10 hits"));
}

TEST_OF_WORLD(hits_are_of_what_the_filter_keeps)
{
    struct nsc_test_world *world = *state;

    find(world, "kernel");
    nsc_test_press(world, "/");
    nsc_test_type(world, "kind:kernel");
    nsc_test_press(world, "Enter");
    assert_int_equal(nsc_summary_count(world->app->search.pick.summary), 50);
    nsc_test_press(world, "/ Ctrl-U Enter");
    assert_int_equal(nsc_summary_count(world->app->search.pick.summary), 140);
}

TEST_OF_WORLD(hits_in_folded_rows_unfold_them)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "(");
    find(world, "checkpoint");
    assert_int_equal(nsc_trace_events(world->trace)->kind[world->app->scene->selected],
                     NSC_KIND_NVTX_MARK);
    assert_int_equal(world->app->scene->lines.at[world->app->scene->line].kind, NSC_LINE_LANE);
    assert_string_equal(world->app->message, "hit 1 of 1: checkpoint");
}

TEST_OF_WORLD(a_search_ends)
{
    struct nsc_test_world *world = *state;

    find(world, "nothing of the kind");
    assert_string_equal(world->app->message, "Nothing is found.");
    find(world, "gemm");
    assert_non_null(world->app->search.ticks);
    nsc_test_press(world, "Esc");
    assert_false(nsc_app_is_searching(world->app));
    assert_null(world->app->search.ticks);
    nsc_test_press(world, "n");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
}

TEST_OF_WORLD(escape_keeps_the_search_before)
{
    struct nsc_test_world *world = *state;

    find(world, "gemm");
    nsc_test_press(world, "\\ n c c l Esc");
    assert_string_equal(world->app->search.text, "gemm");
    assert_int_equal(nsc_summary_count(world->app->search.pick.summary), 40);
    nsc_test_press(world, "\\");
    nsc_test_type(world, "~(");
    assert_non_null(strstr(nsc_test_row(world, -1), "^ this is no regular expression"));
}

TEST_OF_WORLD(hits_are_marked_in_the_overview)
{
    struct nsc_test_world *world = *state;
    int col = 0;
    int marked = 0;

    find(world, "checkpoint");
    col = nsc_window_col(world->app->scene->viewport.extent,
                         (uint32_t)world->app->scene->layout.overview.cols, start(world)) +
          world->app->scene->layout.overview.col;
    (void)nsc_test_row(world, 0);
    assert_int_equal(nsc_grid_at(&world->grid, 1, (uint32_t)col)->role, NSC_ROLE_OVERVIEW_MATCH);
    for (uint32_t c = (uint32_t)world->app->scene->layout.overview.col; c < world->grid.cols; c++)
        marked += nsc_grid_at(&world->grid, 1, c)->role == NSC_ROLE_OVERVIEW_MATCH;
    assert_int_equal(marked, 1);
}

static unsigned cells_of(struct nsc_test_world *world, enum nsc_role role, int first_col,
                         int last_col)
{
    struct nsc_grid *grid = &world->grid;
    unsigned n = 0;

    (void)nsc_test_row(world, 0); /* draws */
    for (uint32_t row = 3; row + 1 < grid->rows; row++)
        for (int col = first_col; col < last_col; col++)
            n += nsc_grid_at(grid, row, (uint32_t)col)->role == role;
    return n;
}

TEST_OF_WORLD(rows_with_hits_are_marked)
{
    struct nsc_test_world *world = *state;
    int cols = world->app->scene->layout.labels.cols;

    assert_int_equal(cells_of(world, NSC_ROLE_MATCH, 0, cols), 0);
    find(world, "gemm");
    nsc_test_press(world, "Up Up Up Up Up Up");
    assert_true(cells_of(world, NSC_ROLE_MATCH, 0, cols) > 0);
    nsc_test_press(world, "t 0");
    assert_true(cells_of(world, NSC_ROLE_MATCH, 0, (int)world->grid.cols) > 0);
    nsc_test_press(world, "q");
    assert_true(cells_of(world, NSC_ROLE_MATCH, 0, cols) > 0);
    nsc_test_press(world, "Esc");
    assert_false(nsc_app_is_searching(world->app));
    assert_int_equal(cells_of(world, NSC_ROLE_MATCH, 0, cols), 0);
}
