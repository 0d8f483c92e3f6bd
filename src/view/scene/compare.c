/* The scene of two recordings: maps times between them, and finds where they differ. */
#include "view/scene/compare.h"

#include "analysis/base/activity.h"
#include "analysis/base/device_ops.h"
#include "core/sum.h"
#include "view/scene/look.h"

#include <stdio.h>
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

void nsc_compare_side_text(const struct nsc_scene *scene, uint32_t capture_no,
                           char out[NSC_UNITS_BYTES])
{
    uint32_t n = 0;

    (void)nsc_trace_captures(scene->trace, &n);
    if (scene->compare.on)
        (void)snprintf(out, NSC_UNITS_BYTES, "%c ", 'A' + (int)capture_no);
    else if (n > 1)
        (void)snprintf(out, NSC_UNITS_BYTES, "%u: ", capture_no);
    else
        out[0] = '\0';
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

    for (uint32_t i = nsc_device_next(trace, after); i != NSC_NONE; i = nsc_device_next(trace, i))
        if (tracks[i].capture_no == side && nsc_track_works(trace, i))
            return i;
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

/* The ns of a column that a GPU computes, communicates exposed, does nothing, and does the rest. */
struct column {
    nsc_time ways[4];
};

static struct column column_at(const struct nsc_trace *trace, uint32_t gpu, struct nsc_window w)
{
    struct nsc_activity all = nsc_device_activity(nsc_trace_device_covers(trace, gpu), w);

    return (struct column){
        {all.compute, all.exposed, all.idle, all.busy - all.compute - all.exposed}};
}

/* Twice the ns by which a column lies outside of what the three columns have: its own and the ones
 * beside it in the other recording. */
static nsc_time outside(const struct column *at, const struct column beside[3])
{
    nsc_time sum = 0;

    for (int i = 0; i < 4; i++) {
        nsc_time low =
            nsc_earlier(nsc_earlier(beside[0].ways[i], beside[1].ways[i]), beside[2].ways[i]);
        nsc_time high =
            nsc_later(nsc_later(beside[0].ways[i], beside[1].ways[i]), beside[2].ways[i]);

        if (at->ways[i] < low)
            sum += low - at->ways[i];
        else if (at->ways[i] > high)
            sum += at->ways[i] - high;
    }
    return sum;
}

/* A column of the scene in the time of a side. */
static struct nsc_window column_of(struct nsc_window w, nsc_time shift, uint32_t c, uint32_t cols)
{
    return (struct nsc_window){nsc_window_cut(w, c, cols) + shift,
                               nsc_window_cut(w, c + 1, cols) + shift};
}

/* Adds twice the ns of each column in which two GPUs do something else, and do it also if one of
 * them is moved by up to a column. */
static void pair_add(const struct nsc_scene *scene, struct nsc_window w, const uint32_t gpu[2],
                     uint32_t cols, nsc_time out[])
{
    const struct nsc_trace_info *sides = nsc_trace_captures(scene->trace, NULL);
    struct column three[2][3]; /* the column before, the column, the one after */

    for (uint32_t c = 0; c < cols; c++) {
        for (unsigned side = 0; side < 2; side++) {
            nsc_time shift = nsc_compare_shift(scene, sides[side].first_track);
            struct column *at = three[side];

            at[0] = c ? at[1] : column_at(scene->trace, gpu[side], column_of(w, shift, 0, cols));
            at[1] = c ? at[2] : at[0];
            at[2] = c + 1 < cols
                        ? column_at(scene->trace, gpu[side], column_of(w, shift, c + 1, cols))
                        : at[1];
        }
        out[c] += nsc_later(outside(&three[0][1], three[1]), outside(&three[1][1], three[0]));
    }
}

static void bins_of(const struct nsc_scene *scene, struct nsc_window w, uint32_t cols,
                    nsc_time out[])
{
    uint32_t gpu[2] = {next_gpu(scene->trace, 0, NSC_NONE), next_gpu(scene->trace, 1, NSC_NONE)};
    uint32_t n = 0;

    memset(out, 0, cols * sizeof *out);
    while (gpu[0] != NSC_NONE && gpu[1] != NSC_NONE) {
        pair_add(scene, w, gpu, cols, out);
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
