/*
 * NVTX ranges and causes of idle time as lines under the device, built on another thread after the
 * load.
 */
#include "analysis/device/idle_covers.h"
#include "core/die.h"
#include "core/units.h"
#include "view/app/explore.h"
#include "view/app/state.h"
#include "view/scene/move.h"

#include <stdlib.h>

static bool is_possible(const struct nsc_app *app)
{
    return nsc_flame_view_has(app->scene->trace, NSC_FLAME_CPU) &&
           nsc_flame_view_has(app->scene->trace, NSC_FLAME_GPU);
}

static bool is_captured(const struct nsc_app *app)
{
    return app->scene->lines.project == NSC_PROJECT_CAPTURED;
}

/* Reports the result if the user requested it. */
static void tell(struct nsc_app *app)
{
    const struct nsc_projection *projection = app->explore.projection;

    app->explore.projection_asked = false;
    if (!projection || !projection->n) {
        nsc_app_say(app, "No range launched work on a device: nothing to project.");
    } else if (app->scene->lines.project == NSC_PROJECT_ALL && projection->left_out) {
        nsc_app_sayf(app, "Projected; rows of inner depths left out: %u.", projection->left_out);
    } else if (app->scene->lines.project != NSC_PROJECT_OFF) {
        nsc_app_sayf(app, "NVTX ranges under the device: the span of the work %s.",
                     is_captured(app) ? "of CUDA graphs captured in them" : "they launched");
    }
}

/* Uses all launches, filtered or not: a line shows the whole span of its range. */
static void run_projection(struct nsc_app_build *build)
{
    const struct nsc_trace *trace =
        build->is_captured ? nsc_trace_captured(build->trace) : build->trace;
    struct nsc_launches *launches = nsc_launches_build(trace, NULL, NULL);

    if (launches)
        build->projection = nsc_projection_build(trace, launches, NSC_PROJECTION_SHOWN, NULL, NULL);
    nsc_launches_free(launches);
    build->failed = !build->projection;
}

static void take_projection(struct nsc_app *app, struct nsc_app_build *done)
{
    if (done->failed) {
        app->explore.projection_tried = true;
        return;
    }
    if (done->given_up) { /* requested again, so build again */
        nsc_projection_free(done->projection);
        nsc_scene_set(app->edit, NSC_SCENE_PROJECT, NSC_PROJECT_OFF);
        return;
    }
    if (done->is_captured != is_captured(app)) { /* another kind is asked for now */
        nsc_projection_free(done->projection);
        return;
    }
    app->explore.projection_tried = true;
    app->explore.projection = done->projection;
    nsc_scene_set_projection(app->edit, app->explore.projection);
    if (app->explore.projection_asked)
        tell(app);
}

static bool is_withheld(const struct nsc_app *app)
{
    return !app->explore.projection_asked &&
           nsc_trace_events(app->scene->trace)->n > NSC_PROJECTED_EVENTS;
}

bool nsc_app_project(struct nsc_app *app)
{
    uint32_t next = (app->scene->lines.project + 1u) % NSC_N_PROJECTS;

    if (nsc_app_wait_for_rest(app))
        return false;
    if (next == NSC_PROJECT_CAPTURED && !nsc_trace_captured(app->scene->trace))
        next = NSC_PROJECT_FEW;
    if ((next == NSC_PROJECT_CAPTURED) != is_captured(app) && app->explore.projection_tried)
        nsc_projection_drop(app);
    if (!app->explore.projection_tried && is_possible(app)) {
        if (next != NSC_PROJECT_CAPTURED &&
            (is_withheld(app) || app->scene->lines.project == NSC_PROJECT_OFF))
            next = NSC_PROJECT_FEW;
        nsc_app_say(app, "Projecting NVTX ranges onto the devices ...  Esc gives up.");
        app->explore.projection_asked = true;
    }
    nsc_scene_change(app->edit, NSC_SCENE_PROJECT, next);
    if (app->explore.projection_tried || !is_possible(app))
        tell(app);
    return true;
}

void nsc_projection_update(struct nsc_app *app)
{
    bool is_wanted = app->scene->trace && !app->scene->early &&
                     app->scene->lines.project != NSC_PROJECT_OFF &&
                     !app->explore.projection_tried && !is_withheld(app);

    if (is_wanted && !is_possible(app))
        app->explore.projection_tried = true; /* check the tracks once, not at every key */
    else if (is_wanted &&
             nsc_app_build(app, NSC_BUILDS_PROJECTION, run_projection, take_projection)) {
        app->builds[NSC_BUILDS_PROJECTION].is_captured = is_captured(app);
        nsc_app_build_begin(app, NSC_BUILDS_PROJECTION);
    }
}

void nsc_projection_tell_withheld(struct nsc_app *app)
{
    char key[32];
    char most[NSC_UNITS_BYTES];

    if (app->message[0] || app->scene->lines.project == NSC_PROJECT_OFF || !is_withheld(app) ||
        !is_possible(app))
        return;
    nsc_units_count(most, NSC_PROJECTED_EVENTS);
    nsc_app_sayf(app, "More than %s events: NVTX is put on the GPU rows only if you press %s.",
                 most, nsc_keymap_key(key, app->keymap, NSC_ACTION_PROJECT));
}

void nsc_projection_drop(struct nsc_app *app)
{
    nsc_projection_free(app->explore.projection);
    app->explore.projection = NULL;
    app->explore.projection_tried = app->explore.projection_asked = false;
    nsc_scene_drop_projection(app->edit);
}

/* ---- idle rows ---- */

/* Finds the causes of all devices. */
static void run_idle_row(struct nsc_app_build *build)
{
    struct nsc_idle_row *out = &build->idle;
    uint32_t n = 0;

    (void)nsc_trace_tracks(build->trace, &n);
    for (uint32_t track = 0; track < n; track++) {
        if (!nsc_track_works(build->trace, track))
            continue;
        out->of = nsc_xrealloc(out->of, out->n + 1, sizeof *out->of);
        out->n += nsc_idle_covers_build(&out->of[out->n], build->trace, track);
    }
}

void nsc_idle_row_fini(struct nsc_idle_row *row)
{
    for (uint32_t i = 0; i < row->n; i++)
        nsc_idle_covers_fini(&row->of[i]);
    free(row->of);
    *row = (struct nsc_idle_row){0};
}

void nsc_idle_row_drop(struct nsc_app *app)
{
    nsc_scene_set_idle(app->edit, NULL, 0);
    nsc_idle_row_fini(&app->explore.idle);
    app->explore.has_idle = false;
}

static void take_idle_row(struct nsc_app *app, struct nsc_app_build *done)
{
    nsc_idle_row_drop(app);
    app->explore.idle = done->idle;
    app->explore.has_idle = true;
    nsc_scene_set_idle(app->edit, app->explore.idle.of, app->explore.idle.n);
}

void nsc_idle_row_update(struct nsc_app *app)
{
    bool is_due =
        app->scene->trace && !app->scene->early && app->scene->lines.idle && !app->explore.has_idle;

    if (is_due && nsc_app_build(app, NSC_BUILDS_IDLE, run_idle_row, take_idle_row))
        nsc_app_build_begin(app, NSC_BUILDS_IDLE);
}
