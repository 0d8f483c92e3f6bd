/* The selection pane: counts in slices, changes the grouping, and opens the events of a group. */
#include "analysis/select/selection.h"

#include "view/app/panes.h"
#include "view/app/state.h"

#include <stdlib.h>

#ifdef NSC_SMALL
#define SLICE 16u
#else
#define SLICE (1u << 17) /* rows per slice */
#endif

static void ask(struct nsc_app *app, const struct nsc_subject *question)
{
    struct nsc_pane_selection *selection = &app->panes.selection;
    struct nsc_selection_query query = {
        .trace = app->scene->trace,
        .summary = app->scene->summary,
        .window = question->window,
        .pivot = selection->pivot,
        .brief = question->brief,
    };
    uint32_t *lanes = nsc_subject_lanes(app->scene, question, &query.n_lanes);

    query.lanes = lanes;
    nsc_selection_free(selection->made);
    selection->made = nsc_selection_new(&query);
    selection->made_pivot = selection->pivot;
    selection->question = *question;
    free(lanes);
}

bool nsc_app_selection_update(struct nsc_app *app, bool tick)
{
    struct nsc_pane_selection *selection = &app->panes.selection;
    struct nsc_subject question = nsc_scene_subject(app->scene, selection->every);
    uint32_t n = 0;
    bool is_new = !selection->made || selection->made_pivot != selection->pivot ||
                  !nsc_subject_equal(&question, &selection->question);

    if (is_new)
        ask(app, &question);
    if (is_new || tick)
        (void)nsc_selection_step(selection->made, SLICE);
    if (nsc_selection_is_done(selection->made))
        (void)nsc_selection_groups(selection->made, &n);
    nsc_list_fit(&selection->list, n, app->scene->layout.pane.rows - NSC_PANE_SELECTION_HEAD);
    return !nsc_selection_is_done(selection->made);
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
    selection->list.cursor = selection->list.top = 0;
    return true;
}
