/* The scene of two recordings: maps times between them, and finds where they differ. */
#include "view/scene/compare.h"

#include "analysis/base/activity.h"
#include "analysis/base/device_ops.h"
#include "view/scene/look.h"

#include <string.h>

enum { PER_MILLE = 1000 };

nsc_time nsc_compare_shift(const struct nsc_scene *scene, uint32_t track)
{
    uint32_t side;

    if (!scene->compare.on)
        return 0;
    side = nsc_trace_track(scene->trace, track)->capture_no;
    if (side == scene->compare.side)
        return 0;
    return side ? scene->compare.lag : -scene->compare.lag;
}

nsc_time nsc_compare_near_time(const struct nsc_scene *scene, uint32_t track, nsc_time t)
{
    nsc_time near = t;

    if (track == NSC_NONE || __builtin_sub_overflow(t, nsc_compare_shift(scene, track), &near))
        return t;
    return near;
}

static const struct nsc_scene *moved(const struct nsc_scene *scene, nsc_time by,
                                     struct nsc_scene *copy)
{
    if (!by)
        return scene;
    *copy = *scene;
    copy->compare.side = !scene->compare.side;
    nsc_viewport_move(&copy->viewport, by);
    copy->cursor += by;
    copy->range.t0 += by;
    copy->range.t1 += by;
    return copy;
}

const struct nsc_scene *nsc_compare_scene(const struct nsc_scene *scene, size_t line,
                                          struct nsc_scene *copy)
{
    if (line >= scene->lines.n || scene->lines.at[line].kind == NSC_LINE_QUERY)
        return scene;
    return moved(scene, nsc_compare_shift(scene, scene->lines.at[line].track), copy);
}

const struct nsc_scene *nsc_compare_side(const struct nsc_scene *scene, uint32_t side,
                                         struct nsc_scene *copy)
{
    return moved(scene,
                 nsc_compare_shift(scene, nsc_trace_captures(scene->trace, NULL)[side].first_track),
                 copy);
}

bool nsc_compare_is_between(const struct nsc_scene *scene, size_t line)
{
    return scene->compare.on && line < scene->lines.n &&
           scene->lines.at[line].kind == NSC_LINE_GROUP &&
           scene->lines.at[line].track == nsc_trace_captures(scene->trace, NULL)[1].first_track;
}

/* ---- two halves ---- */

bool nsc_compare_split(const struct nsc_scene *scene, struct nsc_split *out)
{
    const struct nsc_rows *lines = &scene->lines;
    size_t first = scene->compare.first;
    size_t rows = 0;

    *out = (struct nsc_split){nsc_scene_pinned(scene), first, lines->n, {0, 0}};
    if (!scene->compare.on || first >= lines->n || first < out->pinned ||
        (size_t)scene->layout.timeline.rows <= out->pinned)
        return false;
    rows = (size_t)scene->layout.timeline.rows - out->pinned;
    if (lines->n - out->pinned <= rows)
        return false;
    out->rows[0] = (rows + 1) / 2;
    if (first - out->pinned < out->rows[0])
        out->rows[0] = first - out->pinned;
    else if (lines->n - first < rows - out->rows[0])
        out->rows[0] = rows - (lines->n - first);
    out->rows[1] = rows - out->rows[0];
    return out->rows[0] > 0 && out->rows[1] > 1;
}

/* The first visible line of A, from its first line, and of B, from its header, but at least the one
 * after it. */
static size_t start_of(const struct nsc_split *split, size_t scroll, unsigned side)
{
    size_t most = side ? split->n - split->first - split->rows[1] + 1
                       : split->first - split->pinned - split->rows[0];

    if (side && !scroll)
        scroll = 1;
    return scroll < most ? scroll : most;
}

size_t nsc_split_line(const struct nsc_split *split, size_t scroll, size_t row)
{
    if (row < split->pinned)
        return row;
    row -= split->pinned;
    if (row < split->rows[0])
        return split->pinned + start_of(split, scroll, 0) + row;
    row -= split->rows[0];
    if (row == 0)
        return split->first;
    return row < split->rows[1] ? split->first + start_of(split, scroll, 1) + row - 1 : split->n;
}

size_t nsc_split_scroll(const struct nsc_split *split, size_t scroll, size_t line, size_t end)
{
    unsigned side = line >= split->first;
    size_t from = side ? split->first : split->pinned;
    size_t rows = side ? split->rows[1] - 1 : split->rows[0];
    size_t start = start_of(split, scroll, side);

    if (line < split->pinned || line == split->first)
        return scroll;
    if (end - from > start + rows)
        scroll = start = end - from - rows;
    return line - from < start ? line - from : scroll;
}

/* ---- differences ---- */

/* The next GPU with work in a recording, starting at a track; NSC_NONE. */
static uint32_t next_gpu(const struct nsc_trace *trace, uint32_t side, uint32_t after)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);

    for (uint32_t i = nsc_device_next(trace, after); i != NSC_NONE; i = nsc_device_next(trace, i)) {
        const struct nsc_device_covers *covers = nsc_trace_device_covers(trace, i);

        if (tracks[i].capture_no == side && covers && covers->busy)
            return i;
    }
    return NSC_NONE;
}

uint32_t nsc_compare_gpus(const struct nsc_scene *scene, uint32_t n[2])
{
    for (uint32_t side = 0; side < 2; side++) {
        n[side] = 0;
        for (uint32_t i = next_gpu(scene->trace, side, NSC_NONE); i != NSC_NONE;
             i = next_gpu(scene->trace, side, i))
            n[side]++;
    }
    return n[0] < n[1] ? n[0] : n[1];
}

static nsc_time far(nsc_time x, nsc_time y)
{
    return x < y ? y - x : x - y;
}

/* Twice the ns of a column in which two GPUs act differently. */
static nsc_time difference(const struct nsc_trace *trace, const uint32_t gpu[2],
                           struct nsc_window of_a, struct nsc_window of_b)
{
    struct nsc_activity a = nsc_device_activity(nsc_trace_device_covers(trace, gpu[0]), of_a);
    struct nsc_activity b = nsc_device_activity(nsc_trace_device_covers(trace, gpu[1]), of_b);

    return far(a.compute, b.compute) + far(a.exposed, b.exposed) + far(a.idle, b.idle) +
           far(a.busy - a.compute - a.exposed, b.busy - b.compute - b.exposed);
}

/* A column of the scene in the time of a side. */
static struct nsc_window column_of(struct nsc_window w, nsc_time shift, uint32_t c, uint32_t cols)
{
    return (struct nsc_window){nsc_window_cut(w, c, cols) + shift,
                               nsc_window_cut(w, c + 1, cols) + shift};
}

static void bins_of(const struct nsc_scene *scene, struct nsc_window w, uint32_t cols,
                    nsc_time out[])
{
    const struct nsc_trace_info *sides = nsc_trace_captures(scene->trace, NULL);
    nsc_time shift[2] = {nsc_compare_shift(scene, sides[0].first_track),
                         nsc_compare_shift(scene, sides[1].first_track)};
    uint32_t gpu[2] = {next_gpu(scene->trace, 0, NSC_NONE), next_gpu(scene->trace, 1, NSC_NONE)};
    uint32_t n = 0;

    memset(out, 0, cols * sizeof *out);
    while (gpu[0] != NSC_NONE && gpu[1] != NSC_NONE) {
        for (uint32_t c = 0; c < cols; c++)
            out[c] += difference(scene->trace, gpu, column_of(w, shift[0], c, cols),
                                 column_of(w, shift[1], c, cols));
        gpu[0] = next_gpu(scene->trace, 0, gpu[0]);
        gpu[1] = next_gpu(scene->trace, 1, gpu[1]);
        n++;
    }
    for (uint32_t c = 0; c < cols && n; c++) {
        nsc_time length = nsc_window_length(column_of(w, 0, c, cols));

        out[c] = length > 0 ? (nsc_time)((long double)out[c] * PER_MILLE / 2 / (long double)n /
                                         (long double)length)
                            : 0;
    }
}

void nsc_compare_bins(const struct nsc_scene *scene, uint32_t cols)
{
    bins_of(scene, nsc_viewport_window(&scene->viewport), cols, scene->times);
}
