/*
 * Draws projected ranges, rows of a query and filtered-out events; sums busy time per column.
 */
#include "nsyscope/cover.h"

#include "core/sum.h"
#include "view/model/bars.h"
#include "view/model/span_track.h"
#include "view/pane/lines.h"
#include "view/scene/look.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct nsc_projection_line *nsc_projection_of(const struct nsc_scene *scene,
                                                    const struct nsc_line *line)
{
    return nsc_projection_line_of(scene->lines.projection, line->index);
}

/* Whether ranges of other threads are projected onto the device too. */
static bool is_of_many_threads(const struct nsc_scene *scene, const struct nsc_projection_line *at)
{
    const struct nsc_projection *projection = scene->lines.projection;
    uint32_t tid = nsc_trace_track(scene->trace, at->track)->tid;
    uint32_t i = 0;

    while (i < projection->n &&
           (projection->lines[i].device != at->device ||
            nsc_trace_track(scene->trace, projection->lines[i].track)->tid == tid))
        i++;
    return i < projection->n;
}

void nsc_projection_tail(const struct nsc_scene *scene, const struct nsc_line *line, char out[],
                         size_t size)
{
    const struct nsc_projection_line *at = nsc_projection_of(scene, line);
    const struct nsc_track *track = nsc_trace_track(scene->trace, at->track);
    bool is_captured = scene->lines.project == NSC_PROJECT_CAPTURED;
    char thread[16] = "", more[16] = "";

    if (is_of_many_threads(scene, at))
        (void)snprintf(thread, sizeof thread, " t%u", track->tid);
    if (line->more)
        (void)snprintf(more, sizeof more, ", +%u", line->more);
    (void)snprintf(out, size, " %u%s%s%s", at->depth, thread, is_captured ? " captured" : "", more);
}

/* The bars of a line of projected ranges, or of rows of a query. */
static struct nsc_bars bars_of(const struct nsc_scene *scene, const struct nsc_line *line)
{
    bool is_query = line->kind == NSC_LINE_QUERY;
    const struct nsc_trace *trace =
        is_query ? scene->lines.query : scene->lines.projection->derived;
    bool is_current = !is_query && line == nsc_scene_cursor_line(scene);

    return (struct nsc_bars){.trace = trace,
                             .summary =
                                 is_query ? nsc_trace_summary(trace) : nsc_scene_projected(scene),
                             .window = nsc_viewport_window(&scene->viewport),
                             .selected = is_current ? nsc_scene_projected_here(scene) : NSC_NONE,
                             .demangled = is_query || scene->demangled,
                             .bins = scene->bins,
                             .export_colors = !is_query && scene->export_colors};
}

void nsc_derived_draw(const struct nsc_scene *scene, struct nsc_bars_looks *looks,
                      struct nsc_grid *grid, struct nsc_rect rect, const struct nsc_line *line)
{
    struct nsc_bars bars = bars_of(scene, line);

    if (scene->logical)
        return;
    bars.looks = looks;
    if (line->kind != NSC_LINE_QUERY)
        nsc_dimmed_draw(scene, bars.trace, grid, rect, line->index);
    nsc_bars_draw(&bars, grid, rect, line->index);
}

nsc_time nsc_derived_busy(const struct nsc_scene *scene, const struct nsc_line *line)
{
    struct nsc_bars bars = bars_of(scene, line);

    return nsc_lane_measure(bars.trace, bars.summary, line->index, bars.window).busy;
}

void nsc_query_label(const struct nsc_scene *scene, const struct nsc_line *line, char out[],
                     size_t size)
{
    const struct nsc_trace *trace = scene->lines.query;
    const struct nsc_track *track =
        nsc_trace_track(trace, nsc_trace_lanes(trace, NULL)[line->index].track);
    const char *source = track->tid == NSC_SPAN_ANSWER ? "answer" : "SQL";

    if (track->domain > 0)
        (void)snprintf(out, size, "%s GPU %" PRId64, source, track->domain - 1);
    else
        (void)snprintf(out, size, "%s", source);
}

void nsc_dimmed_draw(const struct nsc_scene *scene, const struct nsc_trace *trace,
                     struct nsc_grid *grid, struct nsc_rect line, uint32_t lane)
{
    struct nsc_window w = nsc_viewport_window(&scene->viewport);
    uint32_t cols = (uint32_t)line.cols;

    if (!scene->dim || !nsc_scene_is_filtered(scene))
        return;
    nsc_lane_bins(trace, nsc_trace_summary(trace), lane, w, cols, scene->bins);
    for (uint32_t c = 0; c < cols; c++) {
        nsc_time length = nsc_window_column(w, c, cols);

        if (scene->bins[c].events)
            nsc_grid_put(grid, line.row + line.rows - 1, line.col + (int)c, NSC_ROLE_DIMMED, 0,
                         scene->bins[c].busy >= length - length / 2 ? "░" : "·");
    }
}

/* Sums the filtered busy ns of all streams of a device per column: time in which two are busy
 * counts twice. */
static void device_bins(const struct nsc_scene *scene, uint32_t track, struct nsc_window w,
                        uint32_t cols, nsc_time out[])
{
    struct nsc_lane_walk at = nsc_device_lanes(scene->trace, track);

    memset(out, 0, cols * sizeof *out);
    while (nsc_lane_walk_next(&at)) {
        nsc_lane_bins(scene->trace, scene->summary, at.lane, w, cols, scene->bins);
        for (uint32_t c = 0; c < cols; c++)
            out[c] = nsc_sum(out[c], scene->bins[c].busy ? scene->bins[c].busy
                                                         : scene->bins[c].events != 0);
    }
}

/* Adds the busy time of devices to the columns. False if there is no device work. */
static bool devices_add(const struct nsc_scene *scene, const struct nsc_part *part, uint32_t cols)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, NULL);
    nsc_time *sum = scene->times;
    nsc_time *one = scene->times + scene->scratch_cols;
    bool any = false;

    for (uint32_t i = nsc_trace_next_group(scene->trace, part->from); i < part->to;
         i = nsc_trace_next_group(scene->trace, nsc_group_end(tracks, i))) {
        const struct nsc_device_covers *covers =
            tracks[i].kind == NSC_TRACK_DEVICE ? nsc_trace_device_covers(scene->trace, i) : NULL;

        if (!covers || !covers->busy)
            continue;
        any = true;
        if (nsc_scene_is_filtered(scene))
            device_bins(scene, i, part->window, cols, one);
        else
            nsc_cover_bins(covers->busy, part->window, cols, one);
        for (uint32_t c = 0; c < cols; c++)
            sum[c] = one[c] > sum[c] ? one[c] : sum[c];
    }
    return any;
}

void nsc_part_lanes(const struct nsc_scene *scene, const struct nsc_part *part, uint32_t cols)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, NULL);

    for (uint32_t i = part->from; i < part->to; i++) {
        if (!tracks[i].n_lanes)
            continue;
        nsc_lane_bins(scene->trace, scene->summary, tracks[i].first_lane, part->window, cols,
                      scene->bins);
        for (uint32_t c = 0; c < cols; c++) {
            nsc_time busy = scene->bins[c].busy ? scene->bins[c].busy : scene->bins[c].events != 0;

            scene->times[c] = busy > scene->times[c] ? busy : scene->times[c];
        }
    }
}

void nsc_part_bins(const struct nsc_scene *scene, const struct nsc_part *part, uint32_t cols)
{
    memset(scene->times, 0, cols * sizeof *scene->times);
    if (!devices_add(scene, part, cols))
        nsc_part_lanes(scene, part, cols);
}
