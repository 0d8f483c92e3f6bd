/* Findings in the application: requested on first use; goes from one to the next. */

#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/scene/move.h"

/* ---- asked for ---- */

void nsc_app_findings_ask(struct nsc_app *app)
{
    if (app->findings.asked)
        return;
    app->findings.asked = app->findings.due = true;
}

void nsc_app_findings_update(struct nsc_app *app)
{
    if (!app->findings.due || app->scene->early) /* the export is still being read */
        return;
    app->effects.set |= NSC_EFFECT_FINDINGS;
    app->findings.due = false;
}

/* ---- gone to ---- */

static void go_to_track(struct nsc_app *app, uint32_t track)
{
    nsc_scene_reveal(app->edit, track);
    nsc_scene_unfold(app->edit, track);
    nsc_scene_go_to_row(app->edit, track, NSC_NONE);
}

bool nsc_app_finding_go(struct nsc_app *app, size_t i)
{
    const struct nsc_events *events = nsc_trace_events(app->scene->trace);
    const struct nsc_finding *finding = NULL;
    size_t n = nsc_findings_assessed(&app->findings);

    if (i >= app->findings.found.list.n)
        return false;
    finding = &app->findings.found.list.at[i];
    (void)nsc_list_go(&app->findings.table.list, i);
    app->findings.visited = app->findings.wanted = true;
    app->walk.list = NSC_WALK_FINDINGS;
    if (i < n)
        nsc_app_sayf(app, "finding %zu of %zu: %s", i + 1, n, finding->title);
    else /* unassessed questions come after the findings, with the reason */
        nsc_app_say(app, finding->title);
    if (finding->event == NSC_NONE && !finding->has_window) /* of the same time */
        finding = &app->findings.found.list.at[finding->leader];
    if (finding->event == NSC_NONE && finding->track == NSC_NONE && !finding->has_window)
        return false;
    nsc_scene_save_view(app->edit);
    if (finding->event != NSC_NONE)
        nsc_scene_show_event(app->edit, finding->event);
    else if (finding->track != NSC_NONE)
        go_to_track(app, finding->track);
    if (finding->has_window)
        nsc_app_show_place(app, finding->window);
    else if (finding->event != NSC_NONE)
        nsc_app_show_place(app, nsc_event_window(events, finding->event));
    return true;
}

bool nsc_app_finding_step(struct nsc_app *app, bool forward)
{
    struct nsc_pane_findings *findings = &app->findings;
    size_t n = findings->table.list.n;
    size_t i = findings->table.list.cursor;

    if (!app->scene->trace)
        return false;
    findings->wanted = true;
    if (app->walk.list != NSC_WALK_FINDINGS && (app->pane != NSC_PANE_FINDINGS || !app->pane_open))
        nsc_app_pane_show(app, NSC_PANE_FINDINGS, false);
    if (!findings->made) {
        findings->step = forward ? 1 : -1;
        nsc_app_findings_ask(app);
        return true;
    }
    if (!n)
        return nsc_app_refuse(app, "Nothing was found.");
    if (findings->visited)
        i = (i + (forward ? 1 : n - 1)) % n;
    else if (!forward)
        i = n - 1;
    (void)nsc_list_set(&findings->table.list, i);
    (void)nsc_app_finding_go(app, nsc_list_item(&findings->table.list));
    return true;
}

/* ---- heard of ---- */

void nsc_app_findings_input(struct nsc_app *app, const struct nsc_input *input)
{
    struct nsc_pane_findings *findings = &app->findings;
    int step = findings->step;

    findings->done = input->progress.rows;
    findings->total = input->progress.rows_total;
    if (!input->findings)
        return;
    nsc_findings_fini(&findings->found);
    findings->found = *input->findings;
    *input->findings = (struct nsc_findings){0};
    findings->made = true;
    findings->step = 0;
    findings->table.list.cursor = 0;
    nsc_pane_findings_list(app->scene, findings);
    if (step && app->pane_open && app->pane == NSC_PANE_FINDINGS)
        (void)nsc_app_finding_step(app, step > 0);
}

/* ---- the pane, but for its drawing ---- */

void nsc_app_findings_list_update(struct nsc_app *app)
{
    app->findings.wanted = true;
    nsc_app_findings_ask(app);
    nsc_pane_findings_fit(app->scene, &app->findings, nsc_app_pane_inner(app));
}

bool nsc_app_findings_act(struct nsc_app *app, enum nsc_action action)
{
    if (action != NSC_ACTION_CHOOSE)
        return false;
    nsc_app_pane_keep(app);
    return nsc_app_finding_go(app, nsc_list_item(&app->findings.table.list));
}
