/*
 * The strip over the timeline: the activity of the whole trace, and which part of it is shown
 * below.
 */
#include "view/app_state.h"

#include <string.h>

/* Adds a device's busy time to the columns; false when there is no device work. */
static bool devices_add(const struct nsc_app *app, nsc_time *sum, nsc_time *one, uint32_t cols)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, &n);
    bool any = false;

    for (uint32_t i = 0; i < n; i = tracks[i].skip) {
        const struct nsc_device_covers *covers =
            tracks[i].kind == NSC_TRACK_DEVICE ? nsc_trace_device_covers(app->trace, i) : NULL;

        if (!covers || !covers->busy)
            continue;
        any = true;
        nsc_cover_bins(covers->busy, app->viewport.extent, cols, one);
        for (uint32_t c = 0; c < cols; c++)
            sum[c] = one[c] > sum[c] ? one[c] : sum[c];
    }
    return any;
}

/* Without a GPU: the busiest of the tracks' first lanes. */
static void lanes_add(const struct nsc_app *app, nsc_time *sum, uint32_t cols)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, &n);

    for (uint32_t i = 0; i < n; i++) {
        if (!tracks[i].n_lanes)
            continue;
        nsc_lane_bins(app->trace, app->summary, tracks[i].first_lane, app->viewport.extent, cols,
                      app->bins);
        for (uint32_t c = 0; c < cols; c++) {
            nsc_time busy = app->bins[c].busy ? app->bins[c].busy : app->bins[c].events != 0;

            sum[c] = busy > sum[c] ? busy : sum[c];
        }
    }
}

void nsc_overview_build(struct nsc_app *app)
{
    uint32_t cols = (uint32_t)app->layout.overview.cols;
    nsc_time *sum = app->times;
    nsc_time *one = app->times + app->scratch_cols;

    if (!cols)
        return;
    memset(sum, 0, cols * sizeof *sum);
    if (!devices_add(app, sum, one, cols))
        lanes_add(app, sum, cols);
    for (uint32_t c = 0; c < cols; c++) {
        nsc_time length = nsc_window_cut(app->viewport.extent, c + 1, cols) -
                          nsc_window_cut(app->viewport.extent, c, cols);

        app->overview[c] = (uint8_t)nsc_bars_eighths(sum[c], length);
    }
}

/* The columns of the window, at least one. */
static void window_cols(const struct nsc_app *app, uint32_t cols, int *from, int *to)
{
    struct nsc_window w = nsc_viewport_window(&app->viewport);

    *from = nsc_window_col(app->viewport.extent, cols, w.t0);
    *to = nsc_window_col(app->viewport.extent, cols, w.t1 - 1) + 1;
}

void nsc_pane_overview_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    struct nsc_rect rect = app->layout.overview;
    int from = 0;
    int to = 0;

    if (!rect.rows)
        return;
    nsc_grid_puts(grid, rect.row, 1, app->layout.corner.cols - 2, NSC_ROLE_DIM, "overview");
    window_cols(app, (uint32_t)rect.cols, &from, &to);
    for (int c = 0; c < rect.cols; c++)
        nsc_grid_put(grid, rect.row, rect.col + c,
                     c >= from && c < to ? NSC_ROLE_OVERVIEW_WINDOW : NSC_ROLE_OVERVIEW, 0,
                     nsc_bars_lower[app->overview[c]]);
    if (nsc_viewport_is_whole(&app->viewport))
        return;
    if (from > 0)
        nsc_grid_put(grid, rect.row, rect.col + from - 1, NSC_ROLE_OVERVIEW_WINDOW, 0, "[");
    if (to < rect.cols)
        nsc_grid_put(grid, rect.row, rect.col + to, NSC_ROLE_OVERVIEW_WINDOW, 0, "]");
}
