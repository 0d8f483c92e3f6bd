/*
 * Builds the covers of the rows that the filter keeps, one device after the other, while no input
 * waits.
 */
#include "core/die.h"
#include "view/app/explore.h"
#include "view/app/filter.h"
#include "view/app/state.h"

#include <stdlib.h>

#ifdef NSC_SMALL
enum { SLICE_ROWS = 100 };
#else
enum { SLICE_ROWS = 200 * 1000 };
#endif

/* The mask that the pass borrows may be freed already: freeing the pass reads no row. */
void nsc_app_covers_fini(struct nsc_app *app)
{
    struct nsc_kept_covers *covers = &app->covers;

    nsc_covers_pass_free(covers->work);
    for (uint32_t i = 0; covers->at && i < covers->n; i++)
        nsc_device_covers_fini(&covers->at[i]);
    free(covers->at);
    free(covers->made);
    *covers = (struct nsc_kept_covers){0};
}

static void begin(struct nsc_app *app)
{
    struct nsc_kept_covers *covers = &app->covers;

    nsc_app_covers_fini(app);
    (void)nsc_trace_tracks(app->scene->trace, &covers->n);
    covers->serial = app->scene->summary_no;
    covers->at = nsc_xcalloc((size_t)covers->n + 1, sizeof *covers->at);
    covers->made = nsc_xcalloc((size_t)covers->n + 1, sizeof *covers->made);
    covers->next = nsc_trace_next_group(app->scene->trace, 0);
}

/* Without memory a device has no covers and looks idle: say so. */
static void finish_device(struct nsc_app *app)
{
    struct nsc_kept_covers *covers = &app->covers;

    if (!nsc_covers_pass_take(covers->work, &covers->at[covers->next]))
        nsc_app_say(app, "There is not enough memory for the shares of what the filter keeps.");
    covers->made[covers->next] = true;
    nsc_covers_pass_free(covers->work);
    covers->work = NULL;
}

static bool step(struct nsc_app *app)
{
    const struct nsc_track *tracks = nsc_trace_tracks(app->scene->trace, NULL);
    struct nsc_kept_covers *covers = &app->covers;

    while (covers->next < covers->n && !nsc_scene_has_work(app->scene, covers->next))
        covers->next = nsc_trace_next_group(app->scene->trace, tracks[covers->next].skip);
    if (covers->next >= covers->n)
        return false;
    if (!covers->work)
        covers->work = nsc_covers_pass_new(app->scene->trace, covers->next, app->filter.pick.mask);
    if (!nsc_covers_pass_step(covers->work, SLICE_ROWS))
        return true;
    finish_device(app);
    covers->next = nsc_trace_next_group(app->scene->trace, tracks[covers->next].skip);
    return covers->next < covers->n;
}

void nsc_app_covers_update(struct nsc_app *app, const struct nsc_input *input,
                           struct nsc_effects *effects)
{
    (void)input;
    if (!app->scene->trace || !nsc_scene_is_filtered(app->scene)) {
        if (app->covers.at)
            nsc_app_covers_fini(app);
        return;
    }
    if (!app->covers.at || app->covers.serial != app->scene->summary_no)
        begin(app);
    if (nsc_app_filter_is_waiting(app)) /* the summary is of the previous filter */
        return;
    if (step(app))
        effects->set |= NSC_EFFECT_WORK;
}
