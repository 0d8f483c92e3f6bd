/*
 * NVTX ranges as lines under the device that runs what they launched.
 */
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

/* Every launch, filtered or not: the lines say what ranges span. */
static void project(struct nsc_app *app)
{
    struct nsc_launches *launches = nsc_launches_build(app->scene->trace, NULL);
    struct nsc_projection *projection =
        launches ? nsc_projection_build(app->scene->trace, launches) : NULL;

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

const struct nsc_projection_line *nsc_projection_of(const struct nsc_app *app,
                                                    const struct nsc_line *line)
{
    const struct nsc_projection *projection = app->scene->lines.projection;
    uint32_t i = 0;

    while (line->index < projection->lines[i].first_lane ||
           line->index - projection->lines[i].first_lane >= projection->lines[i].n_lanes)
        i++;
    return &projection->lines[i];
}

void nsc_projection_tail(const struct nsc_app *app, const struct nsc_line *line, char out[],
                         size_t size)
{
    const struct nsc_projection_line *at = nsc_projection_of(app, line);
    const struct nsc_track *track = nsc_trace_track(app->scene->trace, at->track);

    if (line->more)
        (void)snprintf(out, size, " %u t%u, +%u", at->depth, track->tid, line->more);
    else
        (void)snprintf(out, size, " %u t%u", at->depth, track->tid);
}

void nsc_projection_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect,
                         const struct nsc_line *line)
{
    const struct nsc_trace *shadow = app->scene->lines.projection->shadow;
    struct nsc_bars bars = {.trace = shadow,
                            .summary = nsc_trace_summary(shadow),
                            .window = nsc_viewport_window(&app->scene->viewport),
                            .selected = NSC_NONE,
                            .demangled = app->scene->demangled,
                            .bins = app->scene->bins,
                            .export_colors = app->scene->export_colors};

    if (!app->scene->logical)
        nsc_bars_draw(&bars, grid, rect, line->index);
}

nsc_time nsc_projection_busy(const struct nsc_app *app, const struct nsc_line *line)
{
    const struct nsc_trace *shadow = app->scene->lines.projection->shadow;

    return nsc_lane_measure(shadow, nsc_trace_summary(shadow), line->index,
                            nsc_viewport_window(&app->scene->viewport))
        .busy;
}
