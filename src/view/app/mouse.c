/*
 * The mouse: clicks select, drags mark a range of time, the wheel zooms at the pointer.
 */
#include "analysis/base/activity.h"
#include "core/sum.h"
#include "core/units.h"
#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/scene/look.h"
#include "view/scene/move.h"

enum { WHEEL_PAN_SHARE = 8 };

static nsc_time time_at(const struct nsc_app *app, int col)
{
    int i = col - app->scene->layout.timeline.col;
    int last = (int)app->scene->viewport.cols - 1;

    return nsc_viewport_time(&app->scene->viewport, (uint32_t)(i < 0 ? 0 : i > last ? last : i));
}

static size_t line_at(const struct nsc_app *app, int row)
{
    return nsc_scene_line_at(app->scene, row - app->scene->layout.timeline.row);
}

static void overview_move(struct nsc_app *app, int col)
{
    struct nsc_window w = nsc_viewport_window(&app->scene->viewport);
    nsc_time half = nsc_window_length(w) / 2;
    struct nsc_window to = {0, 0};
    int i = col - app->scene->layout.overview.col;
    nsc_time at = 0;

    if (app->scene->layout.overview.cols <= 0 || i < 0 || i >= app->scene->layout.overview.cols)
        return;
    at = nsc_window_cut(app->scene->viewport.extent, (uint32_t)i,
                        (uint32_t)app->scene->layout.overview.cols);
    if (__builtin_sub_overflow(at, half, &to.t0) ||
        __builtin_add_overflow(to.t0, nsc_window_length(w), &to.t1))
        return;
    nsc_scene_show_window(app->edit, to);
}

static void timeline_press(struct nsc_app *app, const struct nsc_input *input)
{
    size_t line = line_at(app, input->mouse.row);

    app->drag.active = true;
    app->drag.moved = false;
    if (line < app->scene->lines.n) /* times are those of its recording */
        nsc_scene_set_line(app->edit, line);
    app->drag.from = time_at(app, input->mouse.col);
    nsc_scene_set_cursor(app->edit, app->drag.from);
    nsc_scene_settle(app->edit);
}

static void label_press(struct nsc_app *app, const struct nsc_input *input)
{
    size_t line = line_at(app, input->mouse.row);

    if (line >= app->scene->lines.n)
        return;
    nsc_scene_set_line(app->edit, line);
    if (nsc_line_folds(&app->scene->lines.at[line]))
        nsc_scene_fold(app->edit, line);
}

static void tab_press(struct nsc_app *app, int col)
{
    int pane = nsc_app_tab_at(app, col);

    if (pane >= 0)
        nsc_app_pane_toggle(app, (uint32_t)pane, app->pane_full);
}

static void press(struct nsc_app *app, const struct nsc_input *input)
{
    int row = input->mouse.row, col = input->mouse.col;

    app->panes.focus = false;
    app->panes.marking = false;
    if (nsc_rect_has(app->scene->layout.timeline, row, col))
        timeline_press(app, input);
    else if (nsc_rect_has(app->scene->layout.labels, row, col))
        label_press(app, input);
    else if (nsc_rect_has(app->scene->layout.overview, row, col))
        overview_move(app, col);
    else if (nsc_rect_has(app->scene->layout.tabs, row, col))
        tab_press(app, col);
    else if (nsc_rect_has(app->scene->layout.pane, row, col))
        (void)nsc_app_pane_press(app, row, col);
}

/* An open pane shows the statistics of all GPU rows during the drag. */
static void drag_begin(struct nsc_app *app)
{
    app->panes.selection.every = true;
    if (!app->pane_open || !app->scene->layout.pane.rows || app->pane == NSC_PANE_SELECTION ||
        app->pane_full) /* beside the timeline */
        return;
    app->panes.before = app->pane;
    app->pane = NSC_PANE_SELECTION;
    app->pane_top = 0;
}

/* Sums the activity of all GPUs. Returns their number. */
static uint32_t activity_sum(struct nsc_activity *sum, const struct nsc_trace *trace,
                             struct nsc_window range)
{
    uint32_t n = 0;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(trace, d)) != NSC_NONE;) {
        const struct nsc_device_covers *covers = nsc_trace_device_covers(trace, d);
        struct nsc_activity one;

        if (!covers)
            continue;
        one = nsc_device_activity(covers, range);
        n++;
        sum->window = nsc_sum(sum->window, one.window);
        sum->busy = nsc_sum(sum->busy, one.busy);
        sum->compute = nsc_sum(sum->compute, one.compute);
        sum->exposed = nsc_sum(sum->exposed, one.exposed);
        sum->idle = nsc_sum(sum->idle, one.idle);
    }
    return n;
}

/* The shares of all GPUs in a range: "12.3 ms: GPUs busy 71.2 %, compute 48.0 %, ..." */
static void drag_say(struct nsc_app *app, struct nsc_window range)
{
    struct nsc_activity sum = {0};
    char texts[5][NSC_UNITS_BYTES];
    uint32_t n = activity_sum(&sum, app->scene->trace, range);

    nsc_units_duration(texts[0], nsc_window_length(range), app->scene->ascii);
    if (n == 0) {
        nsc_app_say(app, texts[0]);
        return;
    }
    nsc_units_percent(texts[1], sum.busy, sum.window);
    nsc_units_percent(texts[2], sum.compute, sum.window);
    nsc_units_percent(texts[3], sum.exposed, sum.window);
    nsc_units_percent(texts[4], sum.idle, sum.window);
    nsc_app_sayf(app, "%s: %s busy %s, compute %s, exposed comm %s, idle %s", texts[0],
                 n == 1 ? "GPU" : "all GPUs", texts[1], texts[2], texts[3], texts[4]);
}

static void drag(struct nsc_app *app, const struct nsc_input *input)
{
    nsc_time from = app->drag.from;
    nsc_time to = time_at(app, input->mouse.col);
    struct nsc_window range = {0, 0};

    if (!app->drag.active) {
        if (nsc_rect_has(app->scene->layout.overview, input->mouse.row, input->mouse.col))
            overview_move(app, input->mouse.col);
        return;
    }
    if (to == from && !app->drag.moved)
        return;
    if (!app->drag.moved)
        drag_begin(app);
    app->drag.moved = true;
    range.t0 = from < to ? from : to;
    range.t1 = from < to ? to : from;
    if (range.t0 == range.t1)
        range.t1 = range.t0 + (range.t0 < INT64_MAX);
    nsc_scene_set_range(app->edit, range);
    nsc_scene_set_cursor(app->edit, to);
    drag_say(app, range);
}

static void wheel(struct nsc_app *app, const struct nsc_input *input, bool up)
{
    int64_t step = (int64_t)app->scene->viewport.cols / WHEEL_PAN_SHARE + 1;
    struct nsc_rect pane = app->scene->layout.pane;

    if (nsc_rect_has(pane, input->mouse.row, input->mouse.col))
        nsc_app_scroll_pane(app, up ? -1 : 1);
    else if (nsc_rect_has(app->scene->layout.labels, input->mouse.row, input->mouse.col))
        nsc_scene_move_line(app->edit, up ? -1 : 1);
    else if (input->mouse.shift)
        nsc_scene_pan(app->edit, up ? -step : step);
    else if (app->scene->layout.timeline.rows)
        nsc_scene_zoom(app->edit, time_at(app, input->mouse.col), up);
}

/* A double click on a line acts like Enter or a key of the pane; elsewhere it is another press. */
static void pane_double(struct nsc_app *app, const struct nsc_input *input)
{
    bool is_line = nsc_app_pane_press(app, input->mouse.row, input->mouse.col);

    app->panes.marking = false;
    if (is_line && input->mouse.button == 1)
        nsc_app_action(app, app->kinds[app->pane].doubled ? app->kinds[app->pane].doubled
                                                          : NSC_ACTION_CHOOSE);
}

/* The right button moves the cursor to the pointer and opens the menu. */
static void menu_press(struct nsc_app *app, const struct nsc_input *input)
{
    int row = input->mouse.row, col = input->mouse.col;
    size_t line = 0;

    if (app->prompt.open != NSC_PROMPT_NONE)
        return;
    app->panes.focus = false;
    if (nsc_rect_has(app->scene->layout.timeline, row, col)) {
        timeline_press(app, input);
        app->drag.active = false;
    } else if (nsc_rect_has(app->scene->layout.labels, row, col)) {
        line = line_at(app, row);
        if (line < app->scene->lines.n)
            nsc_scene_set_line(app->edit, line);
        nsc_scene_settle(app->edit);
    } else if (nsc_rect_has(app->scene->layout.pane, row, col)) {
        (void)nsc_app_pane_press(app, row, col);
    } else {
        return;
    }
    (void)nsc_app_menu_open_at(app, row, col);
}

/* Shows the gap that the first press found: between its neighbours on the row, else of the device. */
static void gap_fit(struct nsc_app *app)
{
    const struct nsc_gap_facts *gap = &app->details.facts.gap;
    const struct nsc_events *events = nsc_trace_events(app->scene->trace);
    struct nsc_window w = {gap->idle.start, gap->idle.end};

    if (!gap->is_known || gap->cursor != app->scene->cursor)
        return;
    if (gap->before != NSC_NONE && gap->after != NSC_NONE)
        w = (struct nsc_window){nsc_event_end(events, gap->before), events->start[gap->after]};
    else if (!gap->is_idle)
        return;
    if (w.t0 < w.t1)
        (void)nsc_scene_show_window(app->edit, w);
}

void nsc_app_mouse(struct nsc_app *app, const struct nsc_input *input)
{
    enum nsc_action chosen = NSC_ACTION_NONE;

    if (!app->scene->trace || app->scene->layout.too_small || app->help)
        return;
    if (app->config.open) {
        nsc_app_config_mouse(app, input);
        return;
    }
    if (app->menu.open) {
        chosen = nsc_app_menu_mouse(app, input);
        if (chosen != NSC_ACTION_NONE)
            nsc_app_action(app, chosen);
        return;
    }
    if (input->mouse.button == 3 &&
        (input->mouse.action == NSC_MOUSE_PRESS || input->mouse.action == NSC_MOUSE_DOUBLE)) {
        menu_press(app, input);
        return;
    }
    switch (input->mouse.action) {
    case NSC_MOUSE_PRESS:
        app->message[0] = '\0';
        if (input->mouse.button == 1)
            press(app, input);
        break;
    case NSC_MOUSE_DOUBLE:
        if (nsc_rect_has(app->scene->layout.timeline, input->mouse.row, input->mouse.col)) {
            timeline_press(app, input);
            app->drag.active = false;
            if (app->scene->selected != NSC_NONE)
                nsc_scene_fit(app->edit);
            else
                gap_fit(app);
        } else if (nsc_rect_has(app->scene->layout.pane, input->mouse.row, input->mouse.col)) {
            pane_double(app, input);
        }
        break;
    case NSC_MOUSE_DRAG:
        drag(app, input);
        break;
    case NSC_MOUSE_RELEASE:
        app->drag.active = false;
        break;
    case NSC_MOUSE_WHEEL_UP:
    case NSC_MOUSE_WHEEL_DOWN:
        wheel(app, input, input->mouse.action == NSC_MOUSE_WHEEL_UP);
        break;
    }
}
