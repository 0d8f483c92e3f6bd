/* Measures the overlap pane; steps between events of one name. */
#include "analysis/select/standing.h"
#include "core/sum.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/scene/look.h"
#include "view/scene/move.h"

static void overlap_drop(struct nsc_app *app)
{
    app->explore.has_overlap = false;
    atomic_store(&app->builds[NSC_BUILDS_OVERLAP].progress.cancel, true);
}

static void run(struct nsc_app_build *build)
{
    build->overlap =
        nsc_overlap_measure(build->trace, nsc_trace_summary(build->trace), build->overlap.group,
                            build->overlap.window, &build->progress);
}

static void take(struct nsc_app *app, struct nsc_app_build *done)
{
    app->explore.overlap = done->overlap;
    app->explore.has_overlap = !nsc_progress_is_cancelled(&done->progress);
}

static bool is_of(const struct nsc_overlap *overlap, uint32_t device, struct nsc_window w)
{
    return overlap->group == device && overlap->window.t0 == w.t0 && overlap->window.t1 == w.t1;
}

void nsc_app_overlap_update(struct nsc_app *app)
{
    struct nsc_explore *explore = &app->explore;
    struct nsc_app_build *build = &app->builds[NSC_BUILDS_OVERLAP];
    struct nsc_window w = nsc_viewport_window(&app->scene->viewport);
    uint32_t device = nsc_scene_device(app->scene);

    explore->has_overlap = explore->has_overlap && is_of(&explore->overlap, device, w);
    if (device == NSC_NONE || explore->has_overlap)
        return;
    if (nsc_app_build(app, NSC_BUILDS_OVERLAP, run, take)) {
        build->overlap.group = device;
        build->overlap.window = w;
        nsc_app_build_begin(app, NSC_BUILDS_OVERLAP);
    } else if (!is_of(&build->overlap, device, w)) {
        overlap_drop(app);
    }
}

void nsc_explore_loaded(struct nsc_app *app, struct nsc_iterations *found)
{
    nsc_explore_fini(app);
    app->explore.has_mark = false;
    app->explore.has_found = !app->compare.wanted; /* when comparing, each recording has its own */
    if (app->explore.has_found)
        nsc_iterations_move(&app->explore.iterations, found);
}

void nsc_explore_fini(struct nsc_app *app)
{
    overlap_drop(app);
    nsc_iterations_fini(&app->explore.iterations);
    nsc_projection_drop(app);
    nsc_idle_row_drop(app);
}

/* ---- events of one name ---- */

static bool same_go(struct nsc_app *app, nsc_event event, const char *else_say)
{
    if (event == NSC_NONE || event == app->scene->selected)
        return nsc_app_refuse(app, else_say);
    nsc_scene_jump(app->edit, event);
    return true;
}

bool nsc_app_same_step(struct nsc_app *app, bool forward)
{
    if (app->scene->selected == NSC_NONE)
        return same_go(app, NSC_NONE, "No event is selected.");
    return same_go(app,
                   nsc_event_next_same(app->scene->trace, app->scene->summary, app->scene->selected,
                                       !app->scene->demangled, forward),
                   forward ? "No later event of this name." : "No earlier event of this name.");
}

bool nsc_app_same_longest(struct nsc_app *app)
{
    if (app->scene->selected == NSC_NONE)
        return same_go(app, NSC_NONE, "No event is selected.");
    return same_go(app,
                   nsc_event_longest_same(app->scene->trace, app->scene->summary,
                                          app->scene->selected, !app->scene->demangled),
                   "This is the longest event of its name.");
}

bool nsc_app_fit_links(struct nsc_app *app)
{
    const struct nsc_scene *scene = app->scene;
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    nsc_event ends[3] = {scene->selected, NSC_NONE, nsc_pane_details_waited(scene, &app->details)};
    struct nsc_window w = {0, 0};

    if (ends[0] == NSC_NONE)
        return false;
    w = nsc_scene_selected_window(scene); /* of a projected range that of its work */
    ends[1] = nsc_kind_is_gpu(events->kind[ends[0]]) ? nsc_scene_cause(scene, ends[0])
                                                     : nsc_scene_consequence(scene, ends[0]);
    if (ends[1] == NSC_NONE && ends[2] == NSC_NONE)
        return false;
    for (int i = 0; i < 3; i++)
        if (ends[i] != NSC_NONE)
            nsc_window_join(&w, nsc_event_window(events, ends[i]));
    nsc_app_show_place(app, w);
    return true;
}
