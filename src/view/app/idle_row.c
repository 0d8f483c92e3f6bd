/*
 * The idle row of each GPU: finds the causes of idle time once, on another thread, for the whole
 * trace.
 */
#include "analysis/device/idle_covers.h"
#include "core/die.h"
#include "view/app/explore.h"
#include "view/app/state.h"

#include <stdlib.h>

void nsc_idle_row_run(struct nsc_idle_row *out, const struct nsc_trace *trace)
{
    uint32_t n = 0;

    (void)nsc_trace_tracks(trace, &n);
    *out = (struct nsc_idle_row){0};
    for (uint32_t track = 0; track < n; track++) {
        if (!nsc_track_works(trace, track))
            continue;
        out->of = nsc_xrealloc(out->of, out->n + 1, sizeof *out->of);
        out->n += nsc_idle_covers_build(&out->of[out->n], trace, track);
    }
}

void nsc_idle_row_fini(struct nsc_idle_row *row)
{
    for (uint32_t i = 0; i < row->n; i++)
        nsc_idle_covers_fini(&row->of[i]);
    free(row->of);
    *row = (struct nsc_idle_row){0};
}

void nsc_idle_row_take(struct nsc_app *app, struct nsc_app_build *done)
{
    nsc_idle_row_drop(app);
    app->explore.idle = done->idle;
    app->explore.has_idle = true;
    nsc_scene_set_idle(app->edit, app->explore.idle.of, app->explore.idle.n);
}

void nsc_idle_row_drop(struct nsc_app *app)
{
    nsc_scene_set_idle(app->edit, NULL, 0);
    nsc_idle_row_fini(&app->explore.idle);
    app->explore.has_idle = false;
}

void nsc_idle_row_update(struct nsc_app *app)
{
    bool is_due =
        app->scene->trace && !app->scene->early && app->scene->lines.idle && !app->explore.has_idle;

    if (is_due && nsc_app_build(app, NSC_BUILD_IDLE))
        nsc_app_build_begin(app, NSC_BUILDS_IDLE);
}
