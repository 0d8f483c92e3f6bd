/* The selection pane: measures what its groups are, changes the grouping, and opens the events of a
 * group. */
#include "analysis/select/selection.h"

#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/scene/move.h"

#include <stdlib.h>

#ifdef NSC_SMALL
#define AT_ONCE 16u
#else
#define AT_ONCE (1u << 17) /* rows: more are measured on another thread */
#endif

/* ---- measuring, also for the summary ---- */

static struct nsc_selection **made_of(struct nsc_app *app, enum nsc_build_slot slot)
{
    return slot == NSC_BUILDS_SUMMARY ? &app->summary.made : &app->panes.selection.made;
}

static void run(struct nsc_app_build *build)
{
    nsc_selection_run(build->selection, build->mask);
}

static void take(struct nsc_app *app, struct nsc_app_build *done)
{
    if (done->given_up)
        nsc_selection_free(done->selection);
    else
        *made_of(app, done->slot) = done->selection;
}

void nsc_app_selection_measure(struct nsc_app *app, enum nsc_build_slot slot,
                               const struct nsc_subject *of, struct nsc_selection_query query)
{
    struct nsc_app_build *build = &app->builds[slot];
    uint32_t *lanes = NULL;
    struct nsc_selection *selection = NULL;

    if (*made_of(app, slot) || build->runs)
        return;
    query.trace = app->scene->trace;
    query.lanes = lanes = nsc_subject_lanes(app->scene, of, &query.n_lanes);
    selection = nsc_selection_new(&query);
    free(lanes);
    if (app->builds_apart && nsc_selection_rows(selection) > AT_ONCE) {
        (void)nsc_app_build(app, slot, run, take);
        build->selection = selection;
        return;
    }
    nsc_selection_run(selection, slot == NSC_BUILDS_SUMMARY ? NULL : app->filter.pick.mask);
    *made_of(app, slot) = selection;
}

void nsc_app_selection_drop(struct nsc_app *app, enum nsc_build_slot slot)
{
    struct nsc_app_build *build = &app->builds[slot];

    nsc_selection_free(*made_of(app, slot));
    *made_of(app, slot) = NULL;
    app->panes.selection.is_listed &= slot != NSC_BUILDS_SELECTION;
    if (!build->runs)
        return;
    build->given_up = true;
    nsc_selection_cancel(build->selection);
}

/* ---- the pane ---- */

void nsc_app_selection_fini(struct nsc_app *app)
{
    nsc_app_selection_drop(app, NSC_BUILDS_SELECTION);
    app->panes.selection.is_asked = false;
    nsc_table_fini(&app->panes.selection.table);
    nsc_sheet_fini(&app->panes.selection.sheet);
}

void nsc_app_selection_update(struct nsc_app *app)
{
    struct nsc_pane_selection *selection = &app->panes.selection;
    struct nsc_subject question = nsc_scene_subject(app->scene, selection->every);

    if (!selection->is_asked || selection->made_pivot != selection->pivot ||
        !nsc_subject_equal(&question, &selection->question)) {
        nsc_app_selection_drop(app, NSC_BUILDS_SELECTION);
        selection->is_asked = true;
        selection->made_pivot = selection->pivot;
        selection->question = question;
    }
    nsc_app_selection_measure(app, NSC_BUILDS_SELECTION, &selection->question,
                              (struct nsc_selection_query){.window = question.window,
                                                           .pivot = selection->pivot,
                                                           .brief = question.brief});
    if (selection->made && !selection->is_listed)
        nsc_pane_selection_list(app->scene, selection);
}

/* A header's row stays the row of the timeline's cursor: its statistics are those of the group. */
nsc_event nsc_app_selection_event(const struct nsc_app *app)
{
    const struct nsc_pane_selection *selection = &app->panes.selection;

    return nsc_pane_selection_can_show(selection) &&
                   (selection->every || selection->question.lane != NSC_NONE)
               ? nsc_pane_selection_group(selection)->like
               : NSC_NONE;
}

bool nsc_app_selection_act(struct nsc_app *app, enum nsc_action action)
{
    struct nsc_pane_selection *selection = &app->panes.selection;
    uint32_t by = action == NSC_ACTION_CHOOSE_PREV ? NSC_N_PIVOTS - 1 : 1;

    if (action == NSC_ACTION_CHOOSE_PREV || action == NSC_ACTION_CHOOSE_NEXT)
        selection->pivot = (enum nsc_pivot)((selection->pivot + by) % NSC_N_PIVOTS);
    else if (action == NSC_ACTION_EVERY_ROW)
        selection->every = !selection->every;
    else if (action == NSC_ACTION_CHOOSE && nsc_pane_selection_can_show(&app->panes.selection)) {
        nsc_app_events_group(app, nsc_pane_selection_group(selection)->like, &selection->question);
        return true;
    } else
        return false;
    selection->table.list.cursor = selection->table.list.top = 0;
    return true;
}
