/* The selected range of time: marked with the cursor, set end by end, or taken from an event. */
#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/scene/look.h"
#include "view/scene/move.h"

static void range_set(struct nsc_app *app, nsc_time a, nsc_time b)
{
    struct nsc_window w = {a < b ? a : b, a < b ? b : a};

    if (w.t0 == w.t1 && w.t1 < INT64_MAX)
        w.t1++;
    nsc_scene_set_range(app->edit, w);
}

bool nsc_app_range_mark(struct nsc_app *app)
{
    struct nsc_app_panes *panes = &app->panes;

    panes->marking = !panes->marking;
    if (!panes->marking)
        return true;
    nsc_scene_save_view(app->edit);
    panes->mark = app->scene->cursor;
    range_set(app, app->scene->cursor, app->scene->cursor);
    nsc_app_say(app, "The range follows the cursor; the same key ends it, Esc drops it.");
    return true;
}

/* The range extends from its mark to the cursor. */
void nsc_app_range_follow(struct nsc_app *app)
{
    if (app->panes.marking)
        range_set(app, app->panes.mark, app->scene->cursor);
}

void nsc_app_range_drop(struct nsc_app *app)
{
    nsc_scene_set_range(app->edit, (struct nsc_window){0, 0});
    app->panes.marking = false;
}

bool nsc_app_range_start(struct nsc_app *app)
{
    nsc_time end = nsc_viewport_window(&app->scene->viewport).t1;

    app->panes.marking = false;
    nsc_scene_save_view(app->edit);
    range_set(app, app->scene->cursor,
              app->scene->has_range && app->scene->range.t1 > app->scene->cursor
                  ? app->scene->range.t1
                  : end);
    return true;
}

/* Ends the range and saves it as a bookmark. */
bool nsc_app_range_end(struct nsc_app *app)
{
    if (!app->scene->has_range || app->scene->range.t0 >= app->scene->cursor)
        return false;
    app->panes.marking = false;
    nsc_scene_save_view(app->edit);
    range_set(app, app->scene->range.t0, app->scene->cursor);
    nsc_app_bookmark_range(app);
    return true;
}

bool nsc_app_range_event(struct nsc_app *app)
{
    struct nsc_window w;

    if (app->scene->selected == NSC_NONE)
        return nsc_app_refuse(app, "No event is selected.");
    app->panes.marking = false;
    nsc_scene_save_view(app->edit);
    w = nsc_scene_selected_window(app->scene);
    range_set(app, w.t0, w.t1);
    return true;
}
