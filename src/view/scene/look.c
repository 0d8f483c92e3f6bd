/*
 * Questions about the scene: lines on the screen, events under the cursor, causes of an event.
 */
#include "view/scene/look.h"

#include "nsyscope/calltree.h"

#include "analysis/base/correlate.h"
#include "analysis/base/device_ops.h"
#include "index/lane_merge.h"
#include "view/model/bars.h"
#include "view/model/track_id.h"
#include "view/scene/compare.h"

bool nsc_scene_is_filtered(const struct nsc_scene *scene)
{
    return scene->trace && scene->summary != nsc_trace_summary(scene->trace);
}

uint32_t nsc_scene_cursor_col(const struct nsc_scene *scene)
{
    int col = nsc_viewport_col(&scene->viewport, scene->cursor);
    int last = (int)scene->viewport.cols - 1;

    return (uint32_t)(col < 0 ? 0 : col > last ? last : col);
}

size_t nsc_scene_pinned(const struct nsc_scene *scene)
{
    size_t most = (size_t)scene->layout.timeline.rows / 2;

    return scene->lines.n_pinned < most ? scene->lines.n_pinned : most;
}

size_t nsc_scene_line_at(const struct nsc_scene *scene, int row)
{
    size_t pinned = nsc_scene_pinned(scene);
    size_t line = (size_t)row < pinned ? (size_t)row : scene->top + (size_t)row - pinned;
    struct nsc_split split;

    if (nsc_compare_split(scene, &split))
        line = nsc_split_line(&split, scene->compare.scroll, (size_t)row);
    return line < scene->lines.n ? line : scene->lines.n;
}

int nsc_scene_row_of(const struct nsc_scene *scene, size_t line)
{
    size_t pinned = nsc_scene_pinned(scene);
    size_t row = line < pinned ? line : line - scene->top + pinned;
    struct nsc_split split;

    if (nsc_compare_split(scene, &split)) {
        for (row = 0; (int)row < scene->layout.timeline.rows; row++)
            if (nsc_split_line(&split, scene->compare.scroll, row) == line && line < split.n)
                return (int)row;
        return -1;
    }
    if (line >= scene->lines.n || (line >= pinned && line < scene->top))
        return -1;
    return row < (size_t)scene->layout.timeline.rows ? (int)row : -1;
}

uint32_t nsc_scene_lane(const struct nsc_scene *scene, size_t line)
{
    return line < scene->lines.n ? scene->lines.at[line].lane : NSC_NONE;
}

/* The event at the cursor, or the last one before it. */
static nsc_event event_at_cursor(const struct nsc_scene *scene, uint32_t lane)
{
    const struct nsc_lane *at = &nsc_trace_lanes(scene->trace, NULL)[lane];
    nsc_event event = nsc_lane_find(scene->trace, lane, scene->cursor);

    if (scene->selected >= at->first && scene->selected - at->first < at->n)
        return scene->selected;
    if (event < at->first + at->n && nsc_summary_has(scene->summary, event))
        return event;
    return nsc_lane_prev(scene->trace, scene->summary, lane, event);
}

nsc_event nsc_scene_logical_first(const struct nsc_scene *scene, uint32_t lane, uint32_t *slot)
{
    nsc_event first = event_at_cursor(scene, lane);
    uint32_t slots = (scene->viewport.cols / NSC_BARS_SLOT) / 2;

    for (*slot = 0; first != NSC_NONE && *slot < slots; ++*slot) {
        nsc_event before = nsc_lane_prev(scene->trace, scene->summary, lane, first);

        if (before == NSC_NONE)
            break;
        first = before;
    }
    return first;
}

static nsc_event logical_event_at(const struct nsc_scene *scene, uint32_t lane, uint32_t col)
{
    uint32_t slot = 0;
    nsc_event event = nsc_scene_logical_first(scene, lane, &slot);

    for (slot = col / NSC_BARS_SLOT; slot && event != NSC_NONE; slot--)
        event = nsc_lane_next(scene->trace, scene->summary, lane, event);
    return event;
}

/* The time of a column of the screen; at least 1 ns. */
static struct nsc_window column_window(const struct nsc_scene *scene, uint32_t col)
{
    struct nsc_window w = {nsc_viewport_time(&scene->viewport, col),
                           nsc_viewport_time(&scene->viewport, col + 1)};

    if (w.t1 <= w.t0)
        w.t1 = w.t0 + 1;
    return w;
}

nsc_event nsc_scene_event_at(const struct nsc_scene *of, size_t line, uint32_t col)
{
    struct nsc_scene copy;
    const struct nsc_scene *scene = nsc_compare_scene(of, line, &copy);
    uint32_t lane = nsc_scene_lane(scene, line);

    if (lane == NSC_NONE)
        return NSC_NONE;
    if (scene->logical)
        return logical_event_at(scene, lane, col);
    return nsc_lane_measure(scene->trace, scene->summary, lane, column_window(scene, col)).longest;
}

/* The time nearest to the cursor that is inside both an event and a window that overlap. */
static nsc_time time_inside(const struct nsc_scene *scene, const struct nsc_trace *trace,
                            nsc_event event, struct nsc_window w)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time start = events->start[event];
    nsc_time end = nsc_event_touch_end(events, event);
    nsc_time first = start > w.t0 ? start : w.t0;
    nsc_time last = (end < w.t1 ? end : w.t1) - 1;

    return scene->cursor < first ? first : scene->cursor > last ? last : scene->cursor;
}

/* Whether the cursor is inside an event and on its line. */
static bool is_inside(const struct nsc_scene *scene, uint32_t lane, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    const struct nsc_lane *at = &nsc_trace_lanes(scene->trace, NULL)[lane];

    return event >= at->first && event - at->first < at->n &&
           events->start[event] <= scene->cursor &&
           scene->cursor < nsc_event_touch_end(events, event);
}

/* ---- projected ranges ---- */

const struct nsc_summary *nsc_scene_projected(const struct nsc_scene *scene)
{
    return scene->lines.projected ? scene->lines.projected
                                  : nsc_trace_summary(scene->lines.projection->derived);
}

nsc_event nsc_scene_projected_here(const struct nsc_scene *scene)
{
    const struct nsc_line *line = nsc_scene_cursor_line(scene);
    const struct nsc_summary *kept;
    nsc_event row;

    if (!line || line->kind != NSC_LINE_PROJECTED || scene->logical)
        return NSC_NONE;
    kept = nsc_scene_projected(scene);
    row = nsc_lane_around(scene->lines.projection->derived, line->index, scene->cursor);
    if (row != NSC_NONE && nsc_summary_has(kept, row))
        return row;
    return nsc_lane_measure(scene->lines.projection->derived, kept, line->index,
                            column_window(scene, nsc_scene_cursor_col(scene)))
        .longest;
}

struct nsc_window nsc_scene_selected_window(const struct nsc_scene *scene)
{
    nsc_event row = nsc_scene_projected_here(scene);
    const struct nsc_events *events =
        nsc_trace_events(row == NSC_NONE ? scene->trace : scene->lines.projection->derived);

    row = row == NSC_NONE ? scene->selected : row;
    return nsc_event_window(events, row);
}

static nsc_event range_here(const struct nsc_scene *scene, nsc_time *at)
{
    nsc_event row = nsc_scene_projected_here(scene);

    if (row == NSC_NONE)
        return NSC_NONE;
    *at = time_inside(scene, scene->lines.projection->derived, row,
                      column_window(scene, nsc_scene_cursor_col(scene)));
    return nsc_trace_events(scene->lines.projection->derived)->source[row];
}

nsc_event nsc_scene_event_here(const struct nsc_scene *scene, nsc_time *at)
{
    uint32_t lane = nsc_scene_lane(scene, scene->line);
    uint32_t col = nsc_scene_cursor_col(scene);
    struct nsc_window w = {INT64_MIN, INT64_MAX};
    nsc_event event = NSC_NONE;

    *at = scene->cursor;
    if (lane == NSC_NONE)
        return range_here(scene, at);
    if (is_inside(scene, lane, scene->selected))
        return scene->selected;
    event = nsc_lane_around(scene->trace, lane, scene->cursor);
    if (event != NSC_NONE && nsc_summary_has(scene->summary, event))
        return event;
    if (scene->logical) {
        event = event_at_cursor(scene, lane);
    } else {
        event = nsc_scene_event_at(scene, scene->line, col);
        w = column_window(scene, col);
    }
    if (event != NSC_NONE)
        *at = time_inside(scene, scene->trace, event, w);
    return event;
}

/* The innermost NVTX range on the event's own thread that contains its start. */
static nsc_event enclosing_range(const struct nsc_scene *scene, nsc_event event)
{
    nsc_event path[NSC_SCENE_PATH];
    const struct nsc_track *track =
        nsc_trace_track(scene->trace, nsc_event_track(scene->trace, event));
    uint32_t n = nsc_nvtx_path(scene->trace, track->process, track->tid,
                               nsc_trace_events(scene->trace)->start[event], path, NSC_SCENE_PATH);

    n = n < NSC_SCENE_PATH ? n : NSC_SCENE_PATH;
    return n ? path[n - 1] : NSC_NONE;
}

nsc_event nsc_scene_cause(const struct nsc_scene *scene, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    uint8_t kind = events->kind[event];

    if (nsc_kind_is_gpu(kind))
        return events->link[event];
    if (kind == NSC_KIND_NVTX_RANGE)
        return nsc_nvtx_parent(scene->trace, event);
    return enclosing_range(scene, event);
}

/* The first API call that starts inside an NVTX range, on its thread. */
static nsc_event first_call_inside(const struct nsc_scene *scene, nsc_event range)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    uint32_t group = nsc_event_group(scene->trace, range);

    for (struct nsc_lane_walk at =
             nsc_group_lanes(scene->trace, group, NSC_TRACK_BIT(NSC_TRACK_API));
         nsc_lane_walk_next(&at);) {
        nsc_event event = nsc_lane_find(scene->trace, at.lane, events->start[range]);

        if (event < at.rows->first + at.rows->n &&
            events->start[event] < nsc_event_end(events, range))
            return event;
    }
    return NSC_NONE;
}

nsc_event nsc_scene_consequence(const struct nsc_scene *scene, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    uint8_t kind = events->kind[event];

    if (nsc_kind_is_api(kind))
        return events->link[event];
    return nsc_kind_is_nvtx(kind) ? first_call_inside(scene, event) : NSC_NONE;
}

uint32_t nsc_scene_device(const struct nsc_scene *scene)
{
    const struct nsc_line *line = nsc_scene_cursor_line(scene);
    uint32_t device = line ? nsc_trace_group_of(scene->trace, line->track) : NSC_NONE;

    if (device != NSC_NONE && nsc_track_works(scene->trace, device))
        return device;
    device = NSC_NONE;
    do
        device = nsc_device_next(scene->trace, device);
    while (device != NSC_NONE && !nsc_track_works(scene->trace, device));
    return device;
}

bool nsc_scene_row_id(const struct nsc_scene *scene, struct nsc_track_id *out)
{
    const struct nsc_line *line = nsc_scene_cursor_line(scene);

    if (line)
        *out =
            nsc_track_id(scene->trace, line->track, line->kind == NSC_LINE_LANE ? line->index : 0);
    return line;
}
