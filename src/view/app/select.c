/*
 * What is selected, and the ways from one event to another: next on the line, what launched it,
 * what it launched.
 */
#include "nsyscope/calltree.h"

#include "view/app/state.h"

uint32_t nsc_app_lane(const struct nsc_app *app, size_t line)
{
    return line < app->lines.n ? app->lines.at[line].lane : NSC_NONE;
}

void nsc_app_select(struct nsc_app *app, nsc_event event)
{
    if (event != app->selected)
        app->pane_top = 0;
    app->selected = event;
    app->fit = NSC_FIT_SELECTION;
}

/* The event at the cursor, or the one before it where none follows. */
static nsc_event event_at_cursor(const struct nsc_app *app, uint32_t lane)
{
    const struct nsc_lane *at = &nsc_trace_lanes(app->trace, NULL)[lane];
    nsc_event event = nsc_lane_find(app->trace, lane, app->cursor);

    if (app->selected >= at->first && app->selected - at->first < at->n)
        return app->selected;
    if (event < at->first + at->n && nsc_summary_has(app->summary, event))
        return event;
    return nsc_lane_prev(app->trace, app->summary, lane, event);
}

nsc_event nsc_app_logical_first(const struct nsc_app *app, uint32_t lane, uint32_t *slot)
{
    nsc_event first = event_at_cursor(app, lane);
    uint32_t slots = (app->viewport.cols / NSC_BARS_SLOT) / 2;

    for (*slot = 0; first != NSC_NONE && *slot < slots; ++*slot) {
        nsc_event before = nsc_lane_prev(app->trace, app->summary, lane, first);

        if (before == NSC_NONE)
            break;
        first = before;
    }
    return first;
}

static nsc_event logical_event_at(const struct nsc_app *app, uint32_t lane, uint32_t col)
{
    uint32_t slot = 0;
    nsc_event event = nsc_app_logical_first(app, lane, &slot);

    for (slot = col / NSC_BARS_SLOT; slot && event != NSC_NONE; slot--)
        event = nsc_lane_next(app->trace, app->summary, lane, event);
    return event;
}

nsc_event nsc_app_event_at(const struct nsc_app *app, size_t line, uint32_t col)
{
    uint32_t lane = nsc_app_lane(app, line);
    struct nsc_window w = {nsc_viewport_time(&app->viewport, col),
                           nsc_viewport_time(&app->viewport, col + 1)};

    if (lane == NSC_NONE)
        return NSC_NONE;
    if (app->logical)
        return logical_event_at(app, lane, col);
    if (w.t1 <= w.t0)
        w.t1 = w.t0 + 1;
    return nsc_lane_measure(app->trace, app->summary, lane, w).longest;
}

/* The start of an event, or the first instant of it that the window shows. */
static nsc_time event_anchor(const struct nsc_app *app, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(app->trace);
    struct nsc_window w = nsc_viewport_window(&app->viewport);
    nsc_time start = events->start[event];

    return start < w.t0 && nsc_event_end(events, event) > w.t0 ? w.t0 : start;
}

/* Cursor and selection on event, whose line is the current one; the window follows. */
static void arrive(struct nsc_app *app, nsc_event event)
{
    nsc_time t = event_anchor(app, event);

    (void)nsc_viewport_show(&app->viewport, t);
    app->cursor = t;
    nsc_app_select(app, event);
}

bool nsc_app_select_step(struct nsc_app *app, bool forward)
{
    uint32_t lane = nsc_app_lane(app, app->line);
    const struct nsc_lane *lanes = nsc_trace_lanes(app->trace, NULL);
    nsc_event event = app->selected;

    if (lane == NSC_NONE)
        return false;
    if (event == NSC_NONE || nsc_trace_lane_of(app->trace, event) != lane) {
        event = nsc_lane_find(app->trace, lane, app->cursor);
        if (!forward)
            event = nsc_lane_prev(app->trace, app->summary, lane, event);
        else if (event == lanes[lane].first + lanes[lane].n)
            event = NSC_NONE;
        else if (!nsc_summary_has(app->summary, event))
            event = nsc_lane_next(app->trace, app->summary, lane, event);
    } else {
        event = forward ? nsc_lane_next(app->trace, app->summary, lane, event)
                        : nsc_lane_prev(app->trace, app->summary, lane, event);
    }
    if (event == NSC_NONE)
        return false;
    arrive(app, event);
    return true;
}

void nsc_app_jump(struct nsc_app *app, nsc_event event)
{
    uint32_t lane = nsc_trace_lane_of(app->trace, event);
    const struct nsc_lane *lanes = nsc_trace_lanes(app->trace, NULL);

    nsc_app_remember(app);
    nsc_app_reveal(app, lanes[lane].track);
    nsc_app_unfold(app, lanes[lane].track);
    nsc_app_set_line(app, nsc_rows_find(&app->lines, app->trace, lane));
    arrive(app, event);
}

/* The innermost NVTX range on the event's own thread that contains its start. */
static nsc_event enclosing_range(const struct nsc_app *app, nsc_event event)
{
    nsc_event path[NSC_APP_PATH];
    const struct nsc_lane *lanes = nsc_trace_lanes(app->trace, NULL);
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, NULL);
    const struct nsc_track *track = &tracks[lanes[nsc_trace_lane_of(app->trace, event)].track];
    uint32_t n = nsc_nvtx_path(app->trace, track->process, track->tid,
                               nsc_trace_events(app->trace)->start[event], path, NSC_APP_PATH);

    n = n < NSC_APP_PATH ? n : NSC_APP_PATH;
    return n ? path[n - 1] : NSC_NONE;
}

nsc_event nsc_app_cause(const struct nsc_app *app, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(app->trace);
    uint8_t kind = events->kind[event];

    if (nsc_kind_is_gpu(kind))
        return events->link[event];
    if (kind == NSC_KIND_NVTX_RANGE)
        return nsc_nvtx_parent(app->trace, event);
    return enclosing_range(app, event);
}

/* The first API call that starts inside an NVTX range, on its thread. */
static nsc_event first_call_inside(const struct nsc_app *app, nsc_event range)
{
    const struct nsc_events *events = nsc_trace_events(app->trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(app->trace, NULL);
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, NULL);
    uint32_t group =
        nsc_trace_group_of(app->trace, lanes[nsc_trace_lane_of(app->trace, range)].track);

    for (uint32_t i = group + 1; i < tracks[group].skip; i++) {
        uint32_t lane = tracks[i].first_lane;
        nsc_event event = 0;

        if (tracks[i].kind != NSC_TRACK_API || !tracks[i].n_lanes)
            continue;
        event = nsc_lane_find(app->trace, lane, events->start[range]);
        if (event < lanes[lane].first + lanes[lane].n &&
            events->start[event] < nsc_event_end(events, range))
            return event;
    }
    return NSC_NONE;
}

nsc_event nsc_app_consequence(const struct nsc_app *app, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(app->trace);
    uint8_t kind = events->kind[event];

    if (nsc_kind_is_api(kind))
        return events->link[event];
    return nsc_kind_is_nvtx(kind) ? first_call_inside(app, event) : NSC_NONE;
}

bool nsc_app_follow(struct nsc_app *app, bool to_work)
{
    nsc_event event = NSC_NONE;

    if (app->selected == NSC_NONE)
        return false;
    event = to_work ? nsc_app_consequence(app, app->selected) : nsc_app_cause(app, app->selected);
    if (event == NSC_NONE)
        return false;
    nsc_app_jump(app, event);
    return true;
}
