/*
 * Moves through the scene: pans, zooms, fits, steps from event to event, and returns to earlier
 * views.
 */
#include "view/scene/move.h"

#include "core/sum.h"
#include "view/scene/edit.h"
#include "view/scene/look.h"

enum {
    PAD_SHARE = 16, /* margin of a fit */
    EDGE_SHARE = 8
}; /* fraction of the window at each edge in which the cursor moves the
                          * window */

/* ---- history ---- */

static void place_restore(struct nsc_scene_edit *edit, const struct nsc_place *place)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);
    struct nsc_viewport wanted;

    if (place->lane != NSC_NONE || place->track != NSC_NONE) /* times are those of its recording */
        nsc_scene_go_to_row(edit, place->track, place->lane);
    wanted = scene->viewport;
    nsc_viewport_restore(&wanted, place->span);
    edit->moves.filter = place->filter;
    edit->moves.panned = false;
    nsc_scene_set_range(edit, place->range);
    nsc_scene_set_cursor(edit, place->cursor);
    nsc_scene_set_viewport(edit, wanted);
}

/* Swaps the current view with a stored one, so that redo finds it. */
static void place_swap(struct nsc_scene_edit *edit, struct nsc_place *place)
{
    struct nsc_place shown = *place;

    *place = nsc_history_place(edit);
    place->rows = shown.rows;
    place->option = shown.option;
    if (shown.option < NSC_N_SCENE_OPTIONS) {
        place->value = nsc_scene_get(edit, shown.option);
        nsc_scene_set(edit, shown.option, shown.value);
    }
    if (place->rows) {
        size_t top = place->rows->top;

        nsc_history_swap_rows(edit, place->rows);
        nsc_scene_rebuild(edit);
        edit->scene.top = top;
    }
    place_restore(edit, &shown);
}

bool nsc_scene_undo(struct nsc_scene_edit *edit)
{
    struct nsc_history *history = &edit->moves.history;

    if (!history->n)
        return false;
    history->n--;
    history->ahead++;
    place_swap(edit, &history->at[history->n]);
    return true;
}

bool nsc_scene_redo(struct nsc_scene_edit *edit)
{
    struct nsc_history *history = &edit->moves.history;

    if (!history->ahead)
        return false;
    place_swap(edit, &history->at[history->n]);
    history->n++;
    history->ahead--;
    return true;
}

bool nsc_scene_back(struct nsc_scene_edit *edit)
{
    struct nsc_history *history = &edit->moves.history;

    if (!history->has_back)
        return false;
    place_swap(edit, &history->back);
    return true;
}

uint32_t nsc_scene_filter_no(struct nsc_scene_edit *edit)
{
    return edit->moves.filter;
}

void nsc_scene_set_filter_no(struct nsc_scene_edit *edit, uint32_t filter)
{
    edit->moves.filter = filter;
}

/* ---- time ---- */

/* Moves the cursor by columns, but at least by one nanosecond. */
static bool walk_cols(struct nsc_scene_edit *edit, int64_t cols)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);
    struct nsc_window w = nsc_viewport_window(&scene->viewport);
    int64_t last = (int64_t)scene->viewport.cols - 1;
    int64_t target = (int64_t)nsc_scene_cursor_col(scene) + cols;
    nsc_time t = 0;

    target = target < 0 ? 0 : target > last ? last : target;
    t = nsc_viewport_time(&scene->viewport, (uint32_t)target);
    /* Columns can be shorter than a nanosecond. */
    if (cols > 0 && t <= scene->cursor && scene->cursor < w.t1 - 1 && target < last)
        t = scene->cursor + 1;
    if ((uint32_t)target == nsc_scene_cursor_col(scene) || t == scene->cursor)
        return false;
    nsc_scene_set_cursor(edit, t);
    return true;
}

bool nsc_scene_pan(struct nsc_scene_edit *edit, int64_t cols)
{
    struct nsc_viewport wanted = nsc_scene_of(edit)->viewport;

    if (!nsc_viewport_pan(&wanted, cols))
        return walk_cols(edit, cols);
    if (!edit->moves.panned)
        nsc_scene_save_view(edit);
    edit->moves.panned = true;
    nsc_scene_set_viewport(edit, wanted);
    return true;
}

bool nsc_scene_move_cursor(struct nsc_scene_edit *edit, int64_t cols)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);
    struct nsc_viewport wanted = scene->viewport;
    int64_t margin = (int64_t)scene->viewport.cols / EDGE_SHARE;
    uint32_t col = nsc_scene_cursor_col(scene);
    bool at_edge =
        cols < 0 ? col + cols < margin : col + cols >= (int64_t)scene->viewport.cols - margin;

    if (!at_edge || !nsc_viewport_pan(&wanted, cols))
        return walk_cols(edit, cols);
    nsc_scene_set_viewport(edit, wanted);
    nsc_scene_set_cursor(edit, nsc_viewport_time(&wanted, col));
    return true;
}

bool nsc_scene_zoom(struct nsc_scene_edit *edit, nsc_time at, bool in)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);
    struct nsc_viewport wanted = scene->viewport;

    if (!nsc_viewport_zoom(&wanted, at, in))
        return false;
    nsc_scene_save_view(edit);
    if (at == scene->cursor)
        (void)nsc_viewport_show(&wanted, at); /* the window's last ns may be cut off */
    nsc_scene_set_viewport(edit, wanted);
    return true;
}

bool nsc_scene_show_window(struct nsc_scene_edit *edit, struct nsc_window w)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);
    struct nsc_viewport wanted = scene->viewport;

    nsc_viewport_set(&wanted, w);
    if (wanted.span.t0 == scene->viewport.span.t0 && wanted.span.t1 == scene->viewport.span.t1)
        return false;
    nsc_scene_save_view(edit);
    nsc_scene_set_viewport(edit, wanted);
    return true;
}

struct nsc_window nsc_window_padded(struct nsc_window w, nsc_time share)
{
    nsc_time pad = nsc_window_length(w) / share;

    return (struct nsc_window){nsc_difference(w.t0, pad), nsc_sum(w.t1, pad)};
}

/* The range that encloses a host event; GPU work has none in its own time. */
static nsc_event fit_parent(const struct nsc_scene *scene, nsc_event event)
{
    uint8_t kind = nsc_trace_events(scene->trace)->kind[event];

    return nsc_kind_is_gpu(kind) ? NSC_NONE : nsc_scene_cause(scene, event);
}

/* Moves the cursor into the window, so that zooming continues there. */
static bool fit_to(struct nsc_scene_edit *edit, struct nsc_window w)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);

    if (!nsc_scene_show_window(edit, nsc_window_padded(w, PAD_SHARE)))
        return false;
    if (scene->cursor < w.t0)
        nsc_scene_set_cursor(edit, w.t0);
    else if (scene->cursor >= w.t1)
        nsc_scene_set_cursor(edit, w.t1 - 1);
    return true;
}

/*
 * A newly set range comes first. Repeated presses fit the selection, the range, each range around
 * the selection, and the whole trace. Targets already on the screen are skipped.
 */
bool nsc_scene_fit(struct nsc_scene_edit *edit)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);
    struct nsc_moves *moves = &edit->moves;
    bool is_new = moves->range_is_new && scene->has_range;

    moves->range_is_new = false;
    if (is_new && fit_to(edit, scene->range))
        return true;
    if (moves->fit == NSC_FIT_SELECTION) {
        moves->fit = NSC_FIT_RANGE;
        moves->fit_event = scene->selected;
        if (scene->selected != NSC_NONE && fit_to(edit, nsc_scene_selected_window(scene)))
            return true;
    }
    if (moves->fit == NSC_FIT_RANGE) {
        moves->fit = NSC_FIT_PARENT;
        if (scene->has_range && fit_to(edit, scene->range))
            return true;
    }
    while (moves->fit_event != NSC_NONE) {
        moves->fit_event = fit_parent(scene, moves->fit_event);
        if (moves->fit_event != NSC_NONE &&
            fit_to(edit, nsc_event_window(nsc_trace_events(scene->trace), moves->fit_event)))
            return true;
    }
    moves->fit = NSC_FIT_SELECTION;
    return nsc_scene_show_window(edit, scene->viewport.extent);
}

bool nsc_scene_fit_range(struct nsc_scene_edit *edit)
{
    struct nsc_moves *moves = &edit->moves;

    moves->fit = NSC_FIT_RANGE;
    return nsc_scene_fit(edit);
}

void nsc_scene_fit_again(struct nsc_scene_edit *edit)
{
    struct nsc_moves *moves = &edit->moves;

    moves->fit = NSC_FIT_SELECTION;
}

/* ---- lines ---- */

bool nsc_scene_move_line(struct nsc_scene_edit *edit, int64_t by)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);
    size_t old = scene->line;
    size_t line = scene->line;

    for (int64_t i = by < 0 ? -by : by; i > 0 && scene->lines.n; i--)
        line = nsc_rows_step(&scene->lines, line, by > 0);
    nsc_scene_set_line(edit, line);
    return scene->line != old;
}

/* ---- from event to event ---- */

/* The start of an event, or its first visible instant. */
static nsc_time event_anchor(const struct nsc_scene *scene, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    struct nsc_window w = nsc_viewport_window(&scene->viewport);
    nsc_time start = events->start[event];

    return start < w.t0 && nsc_event_end(events, event) > w.t0 ? w.t0 : start;
}

/* Selects an event on the current line and moves cursor and window to it. */
static void arrive(struct nsc_scene_edit *edit, nsc_event event)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);

    nsc_scene_go(edit, event_anchor(scene, event));
    nsc_scene_select(edit, event);
}

/* The kept event after or before one of its lane; from NSC_NONE, after or before the cursor. */
static nsc_event step_from(const struct nsc_trace *trace, const struct nsc_summary *kept,
                           uint32_t lane, nsc_event event, nsc_time cursor, bool forward)
{
    const struct nsc_lane *of = &nsc_trace_lanes(trace, NULL)[lane];
    bool is_new = event == NSC_NONE;

    event = is_new ? nsc_lane_find(trace, lane, cursor) : event;
    if (!forward)
        return nsc_lane_prev(trace, kept, lane, event);
    if (event == of->first + of->n)
        return NSC_NONE;
    return is_new && nsc_summary_has(kept, event) ? event : nsc_lane_next(trace, kept, lane, event);
}

/* From one projected range of the line to the next; settling selects it. */
static bool projected_step(struct nsc_scene_edit *edit, bool forward)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);
    const struct nsc_line *line = nsc_scene_cursor_line(scene);
    const struct nsc_trace *derived;
    nsc_event row;

    if (!line || line->kind != NSC_LINE_PROJECTED)
        return false;
    derived = scene->lines.projection->derived;
    row = step_from(derived, nsc_scene_projected(scene), line->index,
                    nsc_scene_projected_here(scene), scene->cursor, forward);
    if (row != NSC_NONE)
        nsc_scene_go(edit, nsc_trace_events(derived)->start[row]);
    return row != NSC_NONE;
}

bool nsc_scene_select_step(struct nsc_scene_edit *edit, bool forward)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);
    uint32_t lane = nsc_scene_lane(scene, scene->line);
    nsc_event event = scene->selected;

    if (lane == NSC_NONE)
        return projected_step(edit, forward);
    if (event != NSC_NONE && nsc_trace_lane_of(scene->trace, event) != lane)
        event = NSC_NONE;
    event = step_from(scene->trace, scene->summary, lane, event, scene->cursor, forward);
    if (event != NSC_NONE)
        arrive(edit, event);
    return event != NSC_NONE;
}

void nsc_scene_show_event(struct nsc_scene_edit *edit, nsc_event event)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);
    uint32_t lane = nsc_trace_lane_of(scene->trace, event);
    const struct nsc_lane *lanes = nsc_trace_lanes(scene->trace, NULL);

    nsc_scene_reveal(edit, lanes[lane].track);
    nsc_scene_unfold(edit, lanes[lane].track);
    nsc_scene_go_to_row(edit, lanes[lane].track, lane);
    if (nsc_scene_lane(scene, scene->line) == lane) {
        arrive(edit, event);
        return;
    }
    nsc_scene_go(edit, event_anchor(scene, event)); /* a filter leaves its row out */
    nsc_scene_settle(edit);
}

void nsc_scene_jump(struct nsc_scene_edit *edit, nsc_event event)
{
    nsc_scene_save_view(edit);
    nsc_scene_show_event(edit, event);
}

bool nsc_scene_follow(struct nsc_scene_edit *edit, bool to_work)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);
    nsc_event event = NSC_NONE;

    if (scene->selected == NSC_NONE)
        return false;
    event = to_work ? nsc_scene_consequence(scene, scene->selected)
                    : nsc_scene_cause(scene, scene->selected);
    if (event == NSC_NONE)
        return false;
    nsc_scene_jump(edit, event);
    return true;
}

/* How far the cursor is from an event. */
static nsc_time distance(const struct nsc_scene *scene, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    nsc_time start = events->start[event];
    nsc_time end = nsc_event_touch_end(events, event);

    return scene->cursor < start ? start - scene->cursor
           : scene->cursor < end ? 0
                                 : scene->cursor - end + 1;
}

static nsc_event nearest_of_line(const struct nsc_scene *scene, size_t line)
{
    uint32_t lane = nsc_scene_lane(scene, line);
    const struct nsc_lane *at = NULL;
    nsc_event next = NSC_NONE;
    nsc_event before = NSC_NONE;

    if (lane == NSC_NONE)
        return NSC_NONE;
    at = &nsc_trace_lanes(scene->trace, NULL)[lane];
    next = nsc_lane_find(scene->trace, lane, scene->cursor);
    before = nsc_lane_prev(scene->trace, scene->summary, lane, next);
    if (next == at->first + at->n)
        return before;
    if (!nsc_summary_has(scene->summary, next))
        next = nsc_lane_next(scene->trace, scene->summary, lane, next);
    if (next == NSC_NONE || before == NSC_NONE)
        return next == NSC_NONE ? before : next;
    return distance(scene, before) < distance(scene, next) ? before : next;
}

bool nsc_scene_go_nearest(struct nsc_scene_edit *edit)
{
    const struct nsc_scene *scene = nsc_scene_of(edit);
    nsc_event event = NSC_NONE;

    for (size_t far = 0; far < scene->lines.n && event == NSC_NONE; far++) {
        if (scene->line + far < scene->lines.n)
            event = nearest_of_line(scene, scene->line + far);
        if (event == NSC_NONE && far <= scene->line)
            event = nearest_of_line(scene, scene->line - far);
    }
    if (event == NSC_NONE)
        return false;
    nsc_scene_show_event(edit, event);
    return true;
}
