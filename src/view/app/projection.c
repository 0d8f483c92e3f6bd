/*
 * NVTX ranges as lines under the device that runs what they launched.
 */
#include "view/app/build.h"
#include "view/app/explore.h"
#include "view/app/state.h"

#include <stdio.h>

void nsc_projection_show(struct nsc_app *app, struct nsc_projection *projection)
{
    char text[NSC_APP_MESSAGE];

    nsc_projection_free(app->explore.projection);
    app->explore.projection = projection;
    nsc_scene_set_projection(app->edit, app->explore.projection);
    if (!app->explore.projection->n)
        nsc_app_say(app, "No range launched work on a device: nothing to project.");
    else if (app->explore.projection->left_out) {
        (void)snprintf(text, sizeof text, "Projected; rows of inner depths left out: %u.",
                       app->explore.projection->left_out);
        nsc_app_say(app, text);
    } else {
        nsc_app_say(app, "NVTX ranges under the device: the span of the work they launched.");
    }
}

/* Takes all launches, filtered or not: a line shows the whole span of its range. */
static void project(struct nsc_app *app)
{
    struct nsc_launches *launches = nsc_launches_build(app->scene->trace, NULL);
    struct nsc_projection *projection =
        launches ? nsc_projection_build(app->scene->trace, launches, NSC_PROJECTION_SHOWN, NULL)
                 : NULL;

    nsc_launches_free(launches);
    if (projection)
        nsc_projection_show(app, projection);
    else
        nsc_app_say(app, "Too little memory to project the ranges.");
}

bool nsc_app_project(struct nsc_app *app)
{
    if (app->scene->lines.projection) {
        nsc_scene_set_projection(app->edit, NULL);
    } else if (app->explore.projection) {
        nsc_scene_set_projection(app->edit, app->explore.projection);
    } else if (nsc_app_wait_for_rest(app)) {
        return false;
    } else if (nsc_app_builds_apart(app)) {
        if (!nsc_app_build(app, NSC_BUILD_PROJECTION)) {
            nsc_app_say(app, "Something else is being made still: Esc gives it up.");
            return false;
        }
        nsc_app_say(app, "Projecting NVTX ranges onto the devices ...  Esc gives up.");
    } else {
        app->explore.projection_due = 2;
        nsc_app_say(app, "Projecting NVTX ranges onto the devices ...");
    }
    return true;
}

void nsc_projection_update(struct nsc_app *app, struct nsc_effects *effects)
{
    if (!app->explore.projection_due)
        return;
    if (--app->explore.projection_due == 0)
        project(app);
    else
        effects->set |= NSC_EFFECT_WORK;
}

void nsc_projection_drop(struct nsc_app *app)
{
    nsc_projection_free(app->explore.projection);
    app->explore.projection = NULL;
    app->explore.projection_due = 0;
    nsc_scene_drop_projection(app->edit);
}

/* ---- lines ---- */
