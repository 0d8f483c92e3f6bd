/* Changes the origin of the time axis, the mark, and the ranges that count as iterations. */
#include "analysis/base/device_ops.h"
#include "view/app/explore.h"
#include "view/app/state.h"
#include "view/scene/move.h"

#include <time.h>

enum { LITTLE_WORK = 3 }; /* fraction of a recording below which work is hard to see */

bool nsc_app_axis_next(struct nsc_app *app)
{
    uint32_t axis = app->scene->axis;

    do
        axis = (axis + 1) % NSC_N_AXES;
    while (!nsc_axis_is_known(app->scene, &app->explore, (enum nsc_axis)axis));
    nsc_scene_change(app->edit, NSC_SCENE_AXIS, axis);
    return true;
}

/* ---- the mark ---- */

bool nsc_app_mark(struct nsc_app *app)
{
    struct nsc_explore *explore = &app->explore;

    if (explore->has_mark && explore->mark == app->scene->cursor) {
        explore->has_mark = false;
        nsc_app_say(app, "The mark is gone.");
        return true;
    }
    explore->has_mark = true;
    explore->mark = app->scene->cursor;
    nsc_app_say(app, "Marked: the status line counts from here. M again here takes it away.");
    return true;
}

/* ---- iterations ---- */

bool nsc_app_set_iterations(struct nsc_app *app, struct nsc_text name)
{
    struct nsc_scope scope = nsc_scope_all(app->scene->trace);
    struct nsc_iterations found;
    bool any = name.n ? nsc_iterations_named(&found, &scope, name)
                      : nsc_iterations_find(&found, app->scene->trace);

    if (!any)
        return false;
    nsc_iterations_fini(&app->explore.iterations);
    app->explore.iterations = found;
    app->explore.has_found = name.n == 0;
    nsc_app_relayout(app);
    return true;
}

const struct nsc_iterations *nsc_app_iterations(const struct nsc_app *app)
{
    return app->explore.has_found ? &app->explore.iterations : NULL;
}

/* "iteration 12: 9.3 ms; n 20 ..." */
static void tell(struct nsc_app *app, const struct nsc_iterations *here, uint32_t i)
{
    struct nsc_window w = nsc_iterations_window(here, i);
    char all[2 * NSC_AXIS_BYTES];
    char name[NSC_AXIS_BYTES], time[NSC_UNITS_BYTES];

    nsc_iterations_text(app->scene, &app->explore, all);
    nsc_iteration_name(app->scene, here, i, name);
    nsc_units_duration(time, nsc_window_length(w), app->scene->ascii);
    nsc_app_sayf(app, "iteration %u%s: %s; %.160s", here->first + i, name, time, all);
}

/* Going back stops at the start of the current iteration first. */
static bool find_step(const struct nsc_app *app, const struct nsc_iterations *all, bool forward,
                      uint32_t *out)
{
    uint32_t at = nsc_iterations_at(all, app->scene->cursor);

    if (forward) {
        *out = at == NSC_NONE ? 0 : at + 1;
        return *out < all->n;
    }
    if (at == NSC_NONE)
        return false;
    if (app->scene->cursor >= nsc_iterations_window(all, at).t1)
        *out = at;
    else if (at > 0)
        *out = at - 1;
    else
        return false;
    return true;
}

struct nsc_window nsc_app_first_window(const struct nsc_app *app)
{
    struct nsc_window all = {0};
    struct nsc_window extent = app->scene->viewport.extent;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(app->scene->trace, d)) != NSC_NONE;)
        if (nsc_track_works(app->scene->trace, d))
            nsc_window_join(&all, nsc_pane_summary_span(app->scene->trace, d));
    return !app->compare.wanted && all.t0 < all.t1 &&
                   nsc_window_length(all) < nsc_window_length(extent) / LITTLE_WORK
               ? all
               : extent;
}

void nsc_app_go_start(struct nsc_app *app)
{
    const struct nsc_iterations *all = &app->explore.iterations;
    uint32_t lane = nsc_scene_lane(app->scene, app->scene->line);
    nsc_time start = app->scene->viewport.extent.t0;
    uint32_t i = 0;
    nsc_event event = NSC_NONE;
    nsc_event end = 0;

    while (i < all->n && (all->at[i].warm_up || all->at[i].slow))
        i++;
    if (i < all->n)
        start = nsc_iterations_window(all, i).t0;
    nsc_scene_set_cursor(app->edit, start);
    nsc_scene_set_window(app->edit, nsc_app_first_window(app));
    nsc_scene_rest(app->edit);
    if (nsc_scene_lane(app->scene, app->scene->line) != lane) { /* its row is folded now */
        nsc_scene_set_line(app->edit, 0);                       /* shows the header, too */
        nsc_scene_set_line(app->edit, nsc_rows_first_lane(&app->scene->lines));
        lane = nsc_scene_lane(app->scene, app->scene->line);
    }
    if (lane == NSC_NONE)
        return;
    event = nsc_lane_find(app->scene->trace, lane, start);
    end = nsc_trace_lanes(app->scene->trace, NULL)[lane].first +
          nsc_trace_lanes(app->scene->trace, NULL)[lane].n;
    if (event < end && nsc_trace_events(app->scene->trace)->start[event] < start)
        event++; /* work of the iteration before */
    if (event < end)
        nsc_scene_show_event(app->edit, event);
}

bool nsc_app_iteration_step(struct nsc_app *app, bool forward)
{
    struct nsc_iterations here = nsc_iterations_here(app->scene, &app->explore);
    struct nsc_window w;
    uint32_t i = 0;

    if (!here.n && nsc_app_wait_for_rest(app))
        return false;
    if (!here.n)
        return nsc_app_refuse(app, here.why ? here.why : "No iterations were found.");
    if (!find_step(app, &here, forward, &i))
        return nsc_app_refuse(app, forward ? "No later iteration." : "No earlier iteration.");
    w = nsc_iterations_window(&here, i);
    (void)nsc_scene_show_window(app->edit, w);
    nsc_scene_set_cursor(app->edit, w.t0);
    app->walk.list = NSC_WALK_ITERATIONS;
    tell(app, &here, i);
    return true;
}
