/*
 * The strip above the rows: one bar an iteration with its number, and which of how many the cursor
 * is in.
 */
#include "view/pane/panes.h"
#include "view/scene/axis.h"

#include <stdio.h>
#include <string.h>

enum { LABEL_COL = 1, LIGHT = 0x40, DARK = 0xb0 };

/* The first iteration that ends past t; n when none. */
static uint32_t first_past(const struct nsc_explore *explore, nsc_time t)
{
    const struct nsc_iterations *all = &explore->iterations;
    uint32_t at = nsc_iterations_at(all, t);

    if (at == NSC_NONE)
        return 0;
    return nsc_iterations_window(all, at).t1 > t ? at : at + 1;
}

static void number_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                        struct nsc_grid *grid, uint32_t i, int col, int cols)
{
    char number[NSC_UNITS_BYTES];

    nsc_iteration_number(scene, explore, i, number);
    if ((int)strlen(number) <= cols)
        nsc_grid_label(grid, scene->layout.strip.row, col, (int)strlen(number),
                       nsc_text_from(number));
}

/* Returns the column behind the bar. */
static int bar_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                    struct nsc_grid *grid, uint32_t i)
{
    struct nsc_rect rect = scene->layout.strip;
    struct nsc_window w = nsc_iterations_window(&explore->iterations, i);
    int from = nsc_viewport_col(&scene->viewport, w.t0);
    int to = nsc_viewport_col(&scene->viewport, w.t1 - 1);
    bool begins = from >= 0;

    from = from < 0 ? 0 : from;
    to = to < rect.cols ? to : rect.cols - 1;
    for (int c = from; c <= to; c++)
        nsc_grid_put(grid, rect.row, rect.col + c, NSC_ROLE_NVTX, i % 2 ? LIGHT : DARK, "█");
    if (begins && to > from)
        nsc_grid_put(grid, rect.row, rect.col + from, NSC_ROLE_NVTX, i % 2 ? LIGHT : DARK, "▐");
    number_draw(scene, explore, grid, i, rect.col + from + 1, to - from);
    return to + 1;
}

static void label_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                       struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.strip;
    const struct nsc_iterations *all = &explore->iterations;
    uint32_t at = nsc_iteration_at(scene, explore);
    char text[NSC_AXIS_BYTES];
    int width = rect.col - LABEL_COL - 1;
    int right = 0;

    (void)snprintf(text, sizeof text, "%u/%u", at == NSC_NONE ? 0 : at + 1, all->n);
    right = (int)strlen(text) + 1;
    nsc_grid_text(grid, rect.row, LABEL_COL, width - right, NSC_ROLE_DIM,
                  nsc_text_from(all->label));
    nsc_grid_puts_right(grid, rect.row, LABEL_COL, width, NSC_ROLE_SHARE, text);
}

void nsc_pane_iterations_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                              struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.strip;
    int col = 0;

    if (!rect.rows || !explore->iterations.n)
        return;
    label_draw(scene, explore, grid);
    while (col < rect.cols && !scene->logical) {
        nsc_time t = nsc_viewport_time(&scene->viewport, (uint32_t)col);
        uint32_t i = first_past(explore, t);
        int next = 0;

        if (i >= explore->iterations.n || nsc_iterations_window(&explore->iterations, i).t0 >=
                                              nsc_viewport_window(&scene->viewport).t1)
            return;
        next = bar_draw(scene, explore, grid, i);
        col = next > col ? next : col + 1;
    }
}
