/*
 * Keeps the iteration at the cursor of one recording above its partner in the other.
 */
#include "view/scene/compare.h"

#include "core/units.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/pane/panes.h"

#include <stdio.h>

/* Strip, steps and walk use the near recording. */
static void show_side(struct nsc_app *app)
{
    struct nsc_app_compare *compare = &app->compare;
    uint32_t side = app->scene->compare.side;

    nsc_iterations_fini(&app->explore.iterations);
    app->explore.iterations = compare->iterations[side];
    app->explore.iterations.is_kept = true;
    app->explore.has_found = false;
    compare->side = side;
}

/* Reports iterations without a partner. False if all have one. */
static bool put_unpaired(const struct nsc_app *app, char out[], size_t size)
{
    const struct nsc_app_compare *compare = &app->compare;
    uint32_t gpus[2];
    uint32_t pairs = nsc_compare_gpus(app->scene, gpus);

    if (!compare->iterations[0].n || !compare->iterations[1].n)
        (void)snprintf(out, size, "No iterations in %s: both begin with their first GPU work.",
                       compare->iterations[0].n   ? "B"
                       : compare->iterations[1].n ? "A"
                                                  : "either");
    else if (!compare->pairs.n)
        (void)snprintf(out, size, "No iteration of A has a partner in B.");
    else if (!pairs)
        (void)snprintf(out, size, "No GPUs to compare: %u work in A, %u in B.", gpus[0], gpus[1]);
    else if (gpus[0] != gpus[1])
        (void)snprintf(out, size, "A works on %u GPUs, B on %u: the first %u of each are compared.",
                       gpus[0], gpus[1], pairs);
    else
        return false;
    return true;
}

void nsc_app_compare_loaded(struct nsc_app *app, struct nsc_iterations found[2])
{
    struct nsc_app_compare *compare = &app->compare;
    uint32_t n = 0;
    char text[NSC_APP_MESSAGE];

    nsc_app_compare_fini(app);
    if (!compare->wanted)
        return;
    (void)nsc_trace_captures(app->scene->trace, &n);
    if (n != 2)
        return;
    if (!nsc_scene_compare(app->edit)) {
        nsc_app_say(app, "The times of the two recordings lie too far apart to be compared.");
        return;
    }
    for (uint32_t side = 0; side < 2; side++)
        nsc_iterations_move(&compare->iterations[side], &found[side]);
    nsc_iteration_pairs_build(&compare->pairs, &compare->iterations[0], &compare->iterations[1]);
    show_side(app);
    nsc_app_compare_update(app);
    if (put_unpaired(app, text, sizeof text))
        nsc_app_say(app, text);
}

void nsc_app_compare_fini(struct nsc_app *app)
{
    struct nsc_app_compare *compare = &app->compare;

    if (app->explore.iterations.is_kept)
        app->explore.iterations = (struct nsc_iterations){0};
    nsc_iteration_pairs_fini(&compare->pairs);
    nsc_iterations_fini(&compare->iterations[0]);
    nsc_iterations_fini(&compare->iterations[1]);
    compare->iterations[0] = compare->iterations[1] = (struct nsc_iterations){0};
}

/* B's time minus A's for the pair at the cursor; 0 without one. */
static nsc_time lag_of(const struct nsc_app *app)
{
    const struct nsc_iteration_pairs *pairs = &app->compare.pairs;
    uint32_t side = app->scene->compare.side;
    uint32_t near = nsc_iteration_pairs_at(pairs, side, app->scene->cursor);
    uint32_t i[2];

    if (near == NSC_NONE)
        return 0;
    i[side] = near;
    i[!side] = pairs->partner[side][near];
    return nsc_iterations_window(pairs->of[1], i[1]).t0 -
           nsc_iterations_window(pairs->of[0], i[0]).t0;
}

void nsc_app_compare_update(struct nsc_app *app)
{
    const struct nsc_compare *scene = &app->scene->compare;
    nsc_time lag = scene->lag;

    if (!scene->on)
        return;
    if (!app->compare.is_asked && !app->scene->early)
        nsc_app_answers_ask_change(app);
    app->compare.is_asked |= !app->scene->early;
    if (scene->side != app->compare.side) {
        if (app->explore.has_mark)
            app->explore.mark += scene->side ? lag : -lag;
        if (app->panes.marking)
            app->panes.mark += scene->side ? lag : -lag;
        show_side(app);
    }
    nsc_scene_set_lag(app->edit, lag_of(app));
    if (scene->lag != lag)
        nsc_overview_build(app->scene);
}

/* "A 12: 9.21 ms" */
static void put_one(const struct nsc_app *app, uint32_t side, uint32_t i, char out[], size_t size)
{
    const struct nsc_iterations *all = &app->compare.iterations[side];
    char time[NSC_UNITS_BYTES];

    nsc_units_duration(time, all->at[i].period, app->scene->ascii);
    (void)snprintf(out, size, "%c %u: %s", 'A' + (int)side, i, time);
}

void nsc_app_compare_text(const struct nsc_app *app, char out[], size_t size)
{
    const struct nsc_iteration_pairs *pairs = &app->compare.pairs;
    uint32_t side = app->scene->compare.side;
    uint32_t i[2] = {NSC_NONE, NSC_NONE};
    char one[2][2 * NSC_UNITS_BYTES + 8];
    nsc_time period[2];

    out[0] = '\0';
    if (!app->scene->compare.on)
        return;
    if (pairs->n)
        i[side] = nsc_iterations_at(pairs->of[side], app->scene->cursor);
    if (i[side] == NSC_NONE) {
        (void)snprintf(out, size,
                       pairs->n ? "A, B: before the first iteration"
                                : "A, B: no iterations to pair");
        return;
    }
    put_one(app, side, i[side], one[side], sizeof one[side]);
    i[!side] = pairs->partner[side][i[side]];
    if (i[!side] == NSC_NONE) {
        (void)snprintf(out, size, "%s, no partner in %c", one[side], 'B' - (int)side);
        return;
    }
    put_one(app, !side, i[!side], one[!side], sizeof one[!side]);
    period[0] = pairs->of[0]->at[i[0]].period;
    period[1] = pairs->of[1]->at[i[1]].period;
    if (period[0] > 0)
        (void)snprintf(out, size, "%s | %s, %+.1f %%", one[0], one[1],
                       100 * ((double)period[1] - (double)period[0]) / (double)period[0]);
    else
        (void)snprintf(out, size, "%s | %s", one[0], one[1]);
}
