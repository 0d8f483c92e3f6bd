/*
 * Draws the strip above the rows: one bar per iteration with its number, its height relative to the
 * median, and the one with the cursor.
 */
#include "view/model/bars.h"
#include "view/pane/panes.h"
#include "view/scene/axis.h"

#include <stdio.h>
#include <string.h>

enum { LABEL_COL = 1, HUE = 0xb0, MEDIAN_EIGHTHS = 5 };

/* The first iteration that ends after t; n if there is none. */
static uint32_t first_past(const struct nsc_iterations *all, nsc_time t)
{
    uint32_t at = nsc_iterations_at(all, t);

    if (at == NSC_NONE)
        return 0;
    return nsc_iterations_window(all, at).t1 > t ? at : at + 1;
}

/* Height in eighths of a row: five for the median of the iteration's kind. */
static uint32_t eighths_of(const struct nsc_iterations *all, const struct nsc_iteration *at)
{
    nsc_time median = all->kinds[at->kind].median > 0 ? all->kinds[at->kind].median : all->median;
    long double eighths =
        median > 0 ? (long double)at->period * MEDIAN_EIGHTHS / (long double)median + 0.5L : 0;

    return eighths < 1 ? 1 : eighths > 8 ? 8 : (uint32_t)eighths;
}

/* Draws the number if all of it fits before a bar with at least as many columns. */
static int number_draw(const struct nsc_scene *scene, struct nsc_grid *grid, uint32_t i, int col,
                       int cols)
{
    char number[NSC_UNITS_BYTES];

    (void)snprintf(number, sizeof number, "%u", i);
    if (2 * (int)strlen(number) + 1 > cols)
        return col;
    return nsc_grid_puts(grid, scene->layout.strip.row, col, (int)strlen(number), NSC_ROLE_LABEL,
                         number);
}

/* Returns the column after the bar. */
static int bar_draw(const struct nsc_scene *scene, const struct nsc_iterations *all,
                    struct nsc_grid *grid, uint32_t i)
{
    struct nsc_rect rect = scene->layout.strip;
    const struct nsc_iteration *at = &all->at[i];
    struct nsc_window w = nsc_iterations_window(all, i);
    const char *glyph = nsc_bars_lower[eighths_of(all, at)];
    int from = nsc_viewport_col(&scene->viewport, w.t0);
    int to = nsc_viewport_col(&scene->viewport, w.t1 - 1);
    bool begins = from >= 0;
    int col = 0;

    from = from < 0 ? 0 : from;
    to = to < rect.cols ? to : rect.cols - 1;
    col = rect.col + from;
    if (begins && to > from + 1) { /* separates neighbours by a gap if there is room */
        nsc_grid_put(grid, rect.row, col++, NSC_ROLE_TEXT, 0, " ");
        col = number_draw(scene, grid, all->first + i, col, to - from);
    }
    for (; col <= rect.col + to; col++)
        nsc_grid_put(grid, rect.row, col,
                     at->slow      ? NSC_ROLE_WARNING
                     : at->warm_up ? NSC_ROLE_DIM
                                   : NSC_ROLE_NVTX,
                     HUE, glyph);
    return to + 1;
}

/* The number of the iteration at the cursor, of the first to the last, as on the bars. */
static void label_draw(const struct nsc_scene *scene, const struct nsc_iterations *all,
                       struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.strip;
    uint32_t at = nsc_iterations_at(all, scene->cursor);
    char number[NSC_UNITS_BYTES] = "-";
    char text[3 * NSC_UNITS_BYTES + 8];
    int width = rect.col - LABEL_COL - 1;
    int right = 0;

    if (at != NSC_NONE)
        (void)snprintf(number, sizeof number, "%u", all->first + at);
    (void)snprintf(text, sizeof text, "%s of %u…%u", number, all->first, all->first + all->n - 1);
    right = (int)nsc_text_width(nsc_text_from(text), scene->ascii) + 1;
    nsc_grid_text(grid, rect.row, LABEL_COL, width - right, NSC_ROLE_DIM,
                  nsc_text_from(all->label));
    nsc_grid_puts_right(grid, rect.row, LABEL_COL, width, NSC_ROLE_SHARE, text);
}

void nsc_pane_iterations_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                              struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.strip;
    struct nsc_iterations all = nsc_iterations_here(scene, explore);
    int col = 0;

    if (!rect.rows || !all.n)
        return;
    label_draw(scene, &all, grid);
    while (col < rect.cols && !scene->logical) {
        nsc_time t = nsc_viewport_time(&scene->viewport, (uint32_t)col);
        uint32_t i = first_past(&all, t);
        int next = 0;

        if (i >= all.n ||
            nsc_iterations_window(&all, i).t0 >= nsc_viewport_window(&scene->viewport).t1)
            return;
        next = bar_draw(scene, &all, grid, i);
        col = next > col ? next : col + 1;
    }
}
