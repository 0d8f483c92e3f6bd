/* Draws the strip over the timeline: the activity of the whole trace, and the visible part. */
#include "core/units.h"
#include "view/model/bars.h"
#include "view/pane/lines.h"
#include "view/pane/panes.h"
#include "view/scene/compare.h"

#include <stdio.h>
#include <string.h>

/* With two recordings each column shows the busier one. */
static void part_add(const struct nsc_scene *scene, const struct nsc_part *part, uint32_t cols)
{
    nsc_part_bins(scene, part, cols);
    for (uint32_t c = 0; c < cols; c++) {
        uint8_t eighths =
            (uint8_t)nsc_bars_eighths(scene->times[c], nsc_window_column(part->window, c, cols));

        scene->overview[c] = eighths > scene->overview[c] ? eighths : scene->overview[c];
    }
}

void nsc_overview_build(const struct nsc_scene *scene)
{
    uint32_t cols = (uint32_t)scene->layout.overview.cols;
    struct nsc_part part = {0, 0, scene->viewport.extent};

    if (!cols)
        return;
    memset(scene->overview, 0, cols);
    if (!scene->compare.on) {
        (void)nsc_trace_tracks(scene->trace, &part.to);
        part_add(scene, &part, cols);
        return;
    }
    for (uint32_t side = 0; side < 2; side++) {
        const struct nsc_trace_info *info = &nsc_trace_captures(scene->trace, NULL)[side];
        struct nsc_scene copy;

        part = (struct nsc_part){info->first_track, info->first_track + info->n_tracks,
                                 nsc_compare_side(scene, side, &copy)->viewport.extent};
        part_add(scene, &part, cols);
    }
}

/* The columns of the window, at least one. */
static void window_cols(const struct nsc_scene *scene, uint32_t cols, int *from, int *to)
{
    struct nsc_window w = nsc_viewport_window(&scene->viewport);

    *from = nsc_window_col(scene->viewport.extent, cols, w.t0);
    *to = nsc_window_col(scene->viewport.extent, cols, w.t1 - 1) + 1;
}

/* The label of the strip: "overview", or the number of hits. */
static void corner_draw(const struct nsc_scene *scene, const struct nsc_summary *hits,
                        struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.overview;
    char count[NSC_UNITS_BYTES];
    char text[NSC_UNITS_BYTES + 8];

    if (!hits) {
        nsc_grid_puts(grid, rect.row, 1, scene->layout.corner.cols - 2, NSC_ROLE_DIM, "overview");
        return;
    }
    (void)snprintf(text, sizeof text, "%s hits", nsc_units_count(count, nsc_summary_count(hits)));
    nsc_grid_puts(grid, rect.row, 1, scene->layout.corner.cols - 2, NSC_ROLE_OVERVIEW_MATCH, text);
}

void nsc_pane_overview_draw(const struct nsc_scene *scene, const struct nsc_summary *hits,
                            const uint8_t *ticks, struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.overview;
    int from = 0, to = 0;

    if (!rect.rows)
        return;
    corner_draw(scene, hits, grid);
    window_cols(scene, (uint32_t)rect.cols, &from, &to);
    for (int c = 0; c < rect.cols; c++)
        nsc_grid_put(grid, rect.row, rect.col + c,
                     c >= from && c < to ? NSC_ROLE_OVERVIEW_WINDOW : NSC_ROLE_OVERVIEW, 0,
                     nsc_bars_lower[scene->overview[c]]);
    for (int c = 0; ticks && c < rect.cols; c++)
        if (ticks[c])
            nsc_grid_put(grid, rect.row, rect.col + c, NSC_ROLE_OVERVIEW_MATCH, 0,
                         nsc_bars_lower[scene->overview[c] ? scene->overview[c] : 1]);
}

void nsc_pane_overview_window_draw(const struct nsc_scene *scene, struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.overview;
    int from = 0, to = 0;

    if (!rect.rows || nsc_viewport_is_whole(&scene->viewport))
        return;
    window_cols(scene, (uint32_t)rect.cols, &from, &to);
    if (from > 0)
        nsc_grid_put(grid, rect.row, rect.col + from - 1, NSC_ROLE_OVERVIEW_WINDOW, 0, "[");
    if (to < rect.cols)
        nsc_grid_put(grid, rect.row, rect.col + to, NSC_ROLE_OVERVIEW_WINDOW, 0, "]");
}
