/*
 * Moving through time and lines: panning, zooming, fitting, folding, and the views to come back to.
 */
#include "core/bits.h"
#include "view/app/state.h"

#include <string.h>

uint32_t nsc_app_cursor_col(const struct nsc_app *app)
{
    int col = nsc_viewport_col(&app->viewport, app->cursor);
    int last = (int)app->viewport.cols - 1;

    return (uint32_t)(col < 0 ? 0 : col > last ? last : col);
}

/* The cursor is always in a column that is shown. */
static void cursor_clamp(struct nsc_app *app)
{
    struct nsc_window w = nsc_viewport_window(&app->viewport);

    if (app->cursor < w.t0)
        app->cursor = w.t0;
    else if (app->cursor >= w.t1)
        app->cursor = nsc_viewport_time(&app->viewport, app->viewport.cols - 1);
}

/* ---- history ---- */

static struct nsc_place place_of(const struct nsc_app *app)
{
    struct nsc_place place = {app->viewport.span, app->cursor, NSC_NONE, NSC_NONE};

    if (app->line < app->lines.n) {
        place.track = app->lines.at[app->line].track;
        place.lane = app->lines.at[app->line].lane;
    }
    return place;
}

static void place_restore(struct nsc_app *app, const struct nsc_place *place)
{
    nsc_viewport_restore(&app->viewport, place->span);
    app->cursor = place->cursor;
    cursor_clamp(app);
    if (place->lane != NSC_NONE)
        nsc_app_set_line(app, nsc_rows_find(&app->lines, app->trace, place->lane));
    else if (place->track != NSC_NONE)
        nsc_app_set_line(app, nsc_rows_find_track(&app->lines, app->trace, place->track));
}

void nsc_app_remember(struct nsc_app *app)
{
    struct nsc_history *history = &app->history;

    if (history->n == NSC_APP_HISTORY) {
        memmove(history->at, history->at + 1, (NSC_APP_HISTORY - 1) * sizeof *history->at);
        history->n--;
    }
    history->at[history->n++] = place_of(app);
    history->ahead = 0;
    history->back = history->at[history->n - 1];
    history->has_back = true;
}

/* The view that is left takes the place of the one that is shown, so that the other direction finds
 * it. */
static void place_swap(struct nsc_app *app, struct nsc_place *place)
{
    struct nsc_place left = place_of(app);
    struct nsc_place shown = *place;

    *place = left;
    place_restore(app, &shown);
}

bool nsc_app_undo(struct nsc_app *app)
{
    if (!app->history.n)
        return false;
    app->history.n--;
    app->history.ahead++;
    place_swap(app, &app->history.at[app->history.n]);
    return true;
}

bool nsc_app_redo(struct nsc_app *app)
{
    if (!app->history.ahead)
        return false;
    place_swap(app, &app->history.at[app->history.n]);
    app->history.n++;
    app->history.ahead--;
    return true;
}

bool nsc_app_back(struct nsc_app *app)
{
    if (!app->history.has_back)
        return false;
    place_swap(app, &app->history.back);
    return true;
}

/* ---- time ---- */

bool nsc_app_pan(struct nsc_app *app, int64_t cols)
{
    uint32_t col = nsc_app_cursor_col(app);
    int64_t target = (int64_t)col + cols;
    int64_t last = (int64_t)app->viewport.cols - 1;

    if (nsc_viewport_pan(&app->viewport, cols)) {
        /* The cursor stays where it is on the screen. */
        app->cursor = nsc_viewport_time(&app->viewport, col);
        return true;
    }
    /* The trace ends here: the cursor walks the rest. */
    target = target < 0 ? 0 : target > last ? last : target;
    if ((uint32_t)target == col)
        return false;
    app->cursor = nsc_viewport_time(&app->viewport, (uint32_t)target);
    return true;
}

bool nsc_app_zoom(struct nsc_app *app, nsc_time at, bool in)
{
    struct nsc_viewport wanted = app->viewport;

    if (!nsc_viewport_zoom(&wanted, at, in))
        return false;
    nsc_app_remember(app);
    app->viewport = wanted;
    cursor_clamp(app);
    return true;
}

bool nsc_app_show_window(struct nsc_app *app, struct nsc_window w)
{
    struct nsc_viewport wanted = app->viewport;

    nsc_viewport_set(&wanted, w);
    if (wanted.span.t0 == app->viewport.span.t0 && wanted.span.t1 == app->viewport.span.t1)
        return false;
    nsc_app_remember(app);
    app->viewport = wanted;
    cursor_clamp(app);
    return true;
}

/* w with a sixteenth of it at either side. */
static struct nsc_window padded(struct nsc_window w)
{
    nsc_time pad = nsc_window_length(w) / 16;
    struct nsc_window out = w;

    if (__builtin_sub_overflow(w.t0, pad, &out.t0))
        out.t0 = INT64_MIN;
    if (__builtin_add_overflow(w.t1, pad, &out.t1))
        out.t1 = INT64_MAX;
    return out;
}

static struct nsc_window event_window(const struct nsc_app *app, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(app->trace);
    struct nsc_window w = {events->start[event], nsc_event_touch_end(events, event)};

    if (w.t1 == w.t0)
        w.t0--;
    return w;
}

/* The range that encloses a host event; GPU work has none in its own time. */
static nsc_event fit_parent(const struct nsc_app *app, nsc_event event)
{
    uint8_t kind = nsc_trace_events(app->trace)->kind[event];

    return nsc_kind_is_gpu(kind) ? NSC_NONE : nsc_app_cause(app, event);
}

/* With the cursor in it, so that zooming goes on from there. */
static bool fit_to(struct nsc_app *app, struct nsc_window w)
{
    if (!nsc_app_show_window(app, padded(w)))
        return false;
    if (app->cursor < w.t0)
        app->cursor = w.t0;
    else if (app->cursor >= w.t1)
        app->cursor = w.t1 - 1;
    return true;
}

/*
 * The selection, then the range, then what encloses the selection, ring by ring, then everything:
 * each press shows the first from app->fit on that is not on the screen already.
 */
bool nsc_app_fit(struct nsc_app *app)
{
    if (app->fit == NSC_FIT_SELECTION) {
        app->fit = NSC_FIT_RANGE;
        app->fit_event = app->selected;
        if (app->selected != NSC_NONE && fit_to(app, event_window(app, app->selected)))
            return true;
    }
    if (app->fit == NSC_FIT_RANGE) {
        app->fit = NSC_FIT_PARENT;
        if (app->has_range && fit_to(app, app->range))
            return true;
    }
    while (app->fit_event != NSC_NONE) {
        app->fit_event = fit_parent(app, app->fit_event);
        if (app->fit_event != NSC_NONE && fit_to(app, event_window(app, app->fit_event)))
            return true;
    }
    app->fit = NSC_FIT_SELECTION;
    return nsc_app_show_window(app, app->viewport.extent);
}

/* ---- lines ---- */

size_t nsc_app_pinned(const struct nsc_app *app)
{
    size_t most = (size_t)app->layout.timeline.rows / 2;

    return app->lines.n_pinned < most ? app->lines.n_pinned : most;
}

size_t nsc_app_line_at(const struct nsc_app *app, int row)
{
    size_t pinned = nsc_app_pinned(app);
    size_t line = (size_t)row < pinned ? (size_t)row : app->top + (size_t)row - pinned;

    return line < app->lines.n ? line : app->lines.n;
}

int nsc_app_row_of(const struct nsc_app *app, size_t line)
{
    size_t pinned = nsc_app_pinned(app);
    size_t row = line < pinned ? line : line - app->top + pinned;

    if (line >= app->lines.n || (line >= pinned && line < app->top))
        return -1;
    return row < (size_t)app->layout.timeline.rows ? (int)row : -1;
}

/* Scrolls so that the row with the cursor is on the screen, and as little of it as possible is
 * empty. */
static void scroll_to_line(struct nsc_app *app)
{
    size_t pinned = nsc_app_pinned(app);
    size_t height = (size_t)app->layout.timeline.rows - pinned;
    size_t end = app->lines.n ? app->line + app->lines.at[app->line].parts : 0;

    if (app->line >= pinned) {
        if (app->line < app->top)
            app->top = app->line;
        if (height && end > app->top + height)
            app->top = end - height;
    }
    if (height && app->top + height > app->lines.n)
        app->top = app->lines.n > height + pinned ? app->lines.n - height : pinned;
    app->top = app->top < pinned ? pinned : app->top;
    /* No row begins above the others with its lower half. */
    if (app->top < app->lines.n && app->lines.at[app->top].part)
        app->top = nsc_rows_step(&app->lines, app->top, true);
    if (app->line >= pinned && app->top > app->line)
        app->top = app->line;
}

void nsc_app_set_line(struct nsc_app *app, size_t line)
{
    app->line = line < app->lines.n ? line : app->lines.n ? app->lines.n - 1 : 0;
    if (app->lines.n)
        app->line = nsc_rows_first(&app->lines, app->line);
    scroll_to_line(app);
}

bool nsc_app_move_line(struct nsc_app *app, int64_t by)
{
    size_t old = app->line;
    size_t line = app->line;

    for (int64_t i = by < 0 ? -by : by; i > 0 && app->lines.n; i--)
        line = nsc_rows_step(&app->lines, line, by > 0);
    nsc_app_set_line(app, line);
    if (app->line == old)
        return false;
    nsc_app_select(app, nsc_app_event_at(app, app->line, nsc_app_cursor_col(app)));
    return true;
}

void nsc_app_unfold(struct nsc_app *app, uint32_t track)
{
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, NULL);
    bool changed = false;

    for (uint32_t i = 0; i < track; i++)
        if (tracks[i].skip > track && nsc_bits_get(app->folds, i)) {
            nsc_bits_unset(app->folds, i);
            changed = true;
        }
    if (changed)
        nsc_rows_build(&app->lines, app->trace, app->folds);
}

bool nsc_app_fold(struct nsc_app *app, size_t line)
{
    uint32_t group = 0;

    if (line >= app->lines.n)
        return false;
    group = nsc_trace_group_of(app->trace, app->lines.at[line].track);
    if (nsc_bits_get(app->folds, group))
        nsc_bits_unset(app->folds, group);
    else
        nsc_bits_set(app->folds, group);
    nsc_rows_build(&app->lines, app->trace, app->folds);
    nsc_app_set_line(app, nsc_rows_find_track(&app->lines, app->trace, group));
    return true;
}
