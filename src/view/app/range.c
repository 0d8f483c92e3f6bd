/*
 * The selected range of time: marked with the cursor, set end by end, or taken from an event.
 */
#include "view/app/state.h"

static void range_set(struct nsc_app *app, nsc_time a, nsc_time b)
{
    app->range.t0 = a < b ? a : b;
    app->range.t1 = a < b ? b : a;
    if (app->range.t0 == app->range.t1 && app->range.t1 < INT64_MAX)
        app->range.t1++;
    app->has_range = app->range.t0 < app->range.t1;
}

bool nsc_app_range_mark(struct nsc_app *app)
{
    struct nsc_app_panes *panes = &app->panes;

    panes->marking = !panes->marking;
    if (!panes->marking)
        return true;
    panes->mark = app->cursor;
    range_set(app, app->cursor, app->cursor);
    nsc_app_say(app, "The range follows the cursor; the same key ends it, Esc drops it.");
    return true;
}

/* The range from its mark to the cursor, whatever moved that. */
void nsc_app_range_follow(struct nsc_app *app)
{
    if (app->panes.marking)
        range_set(app, app->panes.mark, app->cursor);
}

void nsc_app_range_drop(struct nsc_app *app)
{
    app->has_range = app->panes.marking = false;
}

bool nsc_app_range_start(struct nsc_app *app)
{
    nsc_time end = nsc_viewport_window(&app->viewport).t1;

    app->panes.marking = false;
    range_set(app, app->cursor,
              app->has_range && app->range.t1 > app->cursor ? app->range.t1 : end);
    return true;
}

/* The range is complete, and kept as a bookmark. */
bool nsc_app_range_end(struct nsc_app *app)
{
    nsc_time start = nsc_viewport_window(&app->viewport).t0;

    app->panes.marking = false;
    range_set(app, app->has_range && app->range.t0 < app->cursor ? app->range.t0 : start,
              app->cursor);
    nsc_app_bookmark_range(app);
    return true;
}

bool nsc_app_range_event(struct nsc_app *app)
{
    const struct nsc_events *events = nsc_trace_events(app->trace);

    if (app->selected == NSC_NONE) {
        nsc_app_say(app, "No event is selected.");
        return false;
    }
    app->panes.marking = false;
    range_set(app, events->start[app->selected], nsc_event_touch_end(events, app->selected));
    return true;
}
