/*
 * The strip over the timeline: the activity of the whole trace, and which part of it is shown
 * below.
 */
#include "core/units.h"
#include "view/app/state.h"

#include <stdio.h>
#include <string.h>

/* Adds the busy time of devices to the columns; false when there is no device work. */
static bool devices_add(const struct nsc_app *app, const struct nsc_part *part, uint32_t cols)
{
    const struct nsc_track *tracks = nsc_trace_tracks(app->scene->trace, NULL);
    nsc_time *sum = app->scene->times;
    nsc_time *one = app->scene->times + app->scene->scratch_cols;
    bool any = false;

    for (uint32_t i = nsc_trace_next_group(app->scene->trace, part->from); i < part->to;
         i = nsc_trace_next_group(app->scene->trace, tracks[i].skip)) {
        const struct nsc_device_covers *covers = tracks[i].kind == NSC_TRACK_DEVICE
                                                     ? nsc_trace_device_covers(app->scene->trace, i)
                                                     : NULL;

        if (!covers || !covers->busy)
            continue;
        any = true;
        if (nsc_scene_is_filtered(app->scene))
            nsc_device_bins(app, i, part->window, cols, one);
        else
            nsc_cover_bins(covers->busy, part->window, cols, one);
        for (uint32_t c = 0; c < cols; c++)
            sum[c] = one[c] > sum[c] ? one[c] : sum[c];
    }
    return any;
}

void nsc_device_bins(const struct nsc_app *app, uint32_t track, struct nsc_window w, uint32_t cols,
                     nsc_time out[])
{
    const struct nsc_track *tracks = nsc_trace_tracks(app->scene->trace, NULL);

    memset(out, 0, cols * sizeof *out);
    for (uint32_t i = track + 1; i < tracks[track].skip; i++) {
        if (tracks[i].kind != NSC_TRACK_STREAM)
            continue;
        for (uint32_t lane = 0; lane < tracks[i].n_lanes; lane++) {
            nsc_lane_bins(app->scene->trace, app->scene->summary, tracks[i].first_lane + lane, w,
                          cols, app->scene->bins);
            for (uint32_t c = 0; c < cols; c++)
                if (__builtin_add_overflow(out[c],
                                           app->scene->bins[c].busy
                                               ? app->scene->bins[c].busy
                                               : app->scene->bins[c].events != 0,
                                           &out[c]))
                    out[c] = INT64_MAX;
        }
    }
}

/* Without a GPU: the busiest of the tracks' first lanes. */
static void lanes_add(const struct nsc_app *app, const struct nsc_part *part, uint32_t cols)
{
    const struct nsc_track *tracks = nsc_trace_tracks(app->scene->trace, NULL);

    for (uint32_t i = part->from; i < part->to; i++) {
        if (!tracks[i].n_lanes)
            continue;
        nsc_lane_bins(app->scene->trace, app->scene->summary, tracks[i].first_lane, part->window,
                      cols, app->scene->bins);
        for (uint32_t c = 0; c < cols; c++) {
            nsc_time busy = app->scene->bins[c].busy ? app->scene->bins[c].busy
                                                     : app->scene->bins[c].events != 0;

            app->scene->times[c] = busy > app->scene->times[c] ? busy : app->scene->times[c];
        }
    }
}

void nsc_part_bins(const struct nsc_app *app, const struct nsc_part *part, uint32_t cols)
{
    memset(app->scene->times, 0, cols * sizeof *app->scene->times);
    if (!devices_add(app, part, cols))
        lanes_add(app, part, cols);
}

void nsc_overview_build(struct nsc_app *app)
{
    uint32_t cols = (uint32_t)app->scene->layout.overview.cols;
    struct nsc_part part = {0, 0, app->scene->viewport.extent};

    if (!cols)
        return;
    (void)nsc_trace_tracks(app->scene->trace, &part.to);
    nsc_part_bins(app, &part, cols);
    for (uint32_t c = 0; c < cols; c++) {
        nsc_time length = nsc_window_cut(app->scene->viewport.extent, c + 1, cols) -
                          nsc_window_cut(app->scene->viewport.extent, c, cols);

        app->scene->overview[c] = (uint8_t)nsc_bars_eighths(app->scene->times[c], length);
    }
}

/* The columns of the window, at least one. */
static void window_cols(const struct nsc_app *app, uint32_t cols, int *from, int *to)
{
    struct nsc_window w = nsc_viewport_window(&app->scene->viewport);

    *from = nsc_window_col(app->scene->viewport.extent, cols, w.t0);
    *to = nsc_window_col(app->scene->viewport.extent, cols, w.t1 - 1) + 1;
}

/* What the strip shows; how many hits a search has, whose columns are marked in it. */
static void corner_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    struct nsc_rect rect = app->scene->layout.overview;
    char count[NSC_UNITS_BYTES];
    char text[NSC_UNITS_BYTES + 8];

    if (!nsc_app_is_searching(app)) {
        nsc_grid_puts(grid, rect.row, 1, app->scene->layout.corner.cols - 2, NSC_ROLE_DIM,
                      "overview");
        return;
    }
    nsc_units_count(count, nsc_summary_count(app->search.pick.summary));
    (void)snprintf(text, sizeof text, "%s hits", count);
    nsc_grid_puts(grid, rect.row, 1, app->scene->layout.corner.cols - 2, NSC_ROLE_OVERVIEW_MATCH,
                  text);
}

void nsc_pane_overview_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    struct nsc_rect rect = app->scene->layout.overview;
    int from = 0;
    int to = 0;

    if (!rect.rows)
        return;
    corner_draw(app, grid);
    window_cols(app, (uint32_t)rect.cols, &from, &to);
    for (int c = 0; c < rect.cols; c++)
        nsc_grid_put(grid, rect.row, rect.col + c,
                     c >= from && c < to ? NSC_ROLE_OVERVIEW_WINDOW : NSC_ROLE_OVERVIEW, 0,
                     nsc_bars_lower[app->scene->overview[c]]);
    for (int c = 0; app->search.ticks && c < rect.cols; c++)
        if (app->search.ticks[c])
            nsc_grid_put(grid, rect.row, rect.col + c, NSC_ROLE_OVERVIEW_MATCH, 0,
                         nsc_bars_lower[app->scene->overview[c] ? app->scene->overview[c] : 1]);
    nsc_app_findings_draw(app, grid);
    nsc_app_bookmarks_draw(app, grid);
    if (nsc_viewport_is_whole(&app->scene->viewport))
        return;
    if (from > 0)
        nsc_grid_put(grid, rect.row, rect.col + from - 1, NSC_ROLE_OVERVIEW_WINDOW, 0, "[");
    if (to < rect.cols)
        nsc_grid_put(grid, rect.row, rect.col + to, NSC_ROLE_OVERVIEW_WINDOW, 0, "]");
}
