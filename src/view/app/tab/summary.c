/* The summary pane: counts the work of the GPUs, and follows its lines. */
#include "analysis/select/standing.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/scene/move.h"

void nsc_app_summary_fini(struct nsc_app *app)
{
    nsc_app_selection_drop(app, NSC_BUILDS_SUMMARY);
    app->summary.most = 0;
}

void nsc_app_summary_begin(struct nsc_app *app)
{
    app->summary.is_fresh = app->pane == NSC_PANE_SUMMARY;
    app->summary.cursor = app->scene->cursor;
    app->summary.window = nsc_viewport_window(&app->scene->viewport);
}

void nsc_app_summary_leave(struct nsc_app *app)
{
    if (app->summary.is_fresh && app->pane == NSC_PANE_SUMMARY && !nsc_app_pane_has_focus(app))
        nsc_app_pane_show(app, NSC_PANE_DETAILS, false);
    app->summary.is_fresh = false;
}

/* The summary is shown first; after a move the user wants the details. */
void nsc_app_summary_follow(struct nsc_app *app)
{
    if (app->pane != NSC_PANE_SUMMARY || nsc_app_pane_has_focus(app))
        app->summary.is_fresh = false;
    else if (app->summary.is_fresh && app->scene->cursor != app->summary.cursor)
        nsc_app_summary_leave(app);
}

static void count(struct nsc_app *app)
{
    struct nsc_subject every = nsc_scene_subject(app->scene, true);

    if (app->scene->compare.on) /* the work of A and B is not added */
        return;
    nsc_app_selection_measure(app, NSC_BUILDS_SUMMARY, &every,
                              (struct nsc_selection_query){.window = app->scene->viewport.extent,
                                                           .pivot = NSC_PIVOT_NAME,
                                                           .brief = true,
                                                           .sums_only = true});
}

/* Gives the rows that the summary does not need to the timeline. The pane never grows by itself. */
static void follow_lines(struct nsc_app *app)
{
    struct nsc_pane_summary *summary = &app->summary;
    size_t kernels = !summary->made && !app->scene->compare.on ? NSC_PANE_SUMMARY_KERNELS : 0;
    size_t findings = app->findings.made ? 0 : NSC_PANE_SUMMARY_FINDINGS;
    size_t changes = app->answers.is_of_summary ? NSC_PANE_SUMMARY_CHANGES : 0;
    size_t most = summary->lines + kernels + findings + changes;

    if (summary->most != 0 && most >= summary->most)
        return;
    summary->most = most;
    nsc_app_relayout(app);
    summary->list.height = (size_t)app->scene->layout.pane.rows;
}

void nsc_app_summary_update(struct nsc_app *app)
{
    struct nsc_pane_summary *summary = &app->summary;
    int rows = app->scene->layout.pane.rows;

    if (app->scene->early)
        return;
    count(app);
    nsc_app_findings_ask(app);
    summary->list.height = rows > 0 ? (size_t)rows : 0;
    nsc_pane_summary_list(summary, app->scene, &app->explore,
                          app->findings.made ? &app->findings : NULL);
    follow_lines(app);
}

/* Shows all work of a device, and its row. */
static void gpu_go(struct nsc_app *app, uint32_t device)
{
    nsc_scene_save_view(app->edit);
    nsc_scene_go_to_row(app->edit, device, NSC_NONE);
    nsc_scene_set_window(app->edit, nsc_pane_summary_span(app->scene->trace, device));
}

bool nsc_app_fit_gpu(struct nsc_app *app)
{
    uint32_t device = nsc_scene_device(app->scene);

    return device != NSC_NONE &&
           nsc_scene_show_window(app->edit, nsc_pane_summary_span(app->scene->trace, device));
}

/* The longest event of a name. */
static void kernel_go(struct nsc_app *app, uint32_t i)
{
    uint32_t n = 0;
    const struct nsc_pivot_group *groups = nsc_selection_groups(app->summary.made, &n);
    nsc_event event = NSC_NONE;

    if (i < n)
        event = nsc_event_longest_same(app->scene->trace, nsc_trace_summary(app->scene->trace),
                                       groups[i].like, true);
    if (event != NSC_NONE)
        nsc_scene_jump(app->edit, event);
}

static bool walk(struct nsc_app *app, enum nsc_action action)
{
    return action == NSC_ACTION_GAPS           ? nsc_app_walk_gaps(app)
           : action == NSC_ACTION_EXPOSED      ? nsc_app_walk_exposed(app)
           : action == NSC_ACTION_SLOW_KERNELS ? nsc_app_walk_kernels(app)
           : action == NSC_ACTION_SLOW_ITERATIONS
               ? nsc_app_walk_iterations(app)
               : nsc_app_pane_open(app,
                                   action == NSC_ACTION_FLAME ? NSC_PANE_FLAME : NSC_PANE_FINDINGS);
}

bool nsc_app_summary_act(struct nsc_app *app, enum nsc_action action)
{
    struct nsc_pane_summary *summary = &app->summary;
    struct nsc_summary_item item = {NSC_SUMMARY_WALK, NSC_ACTION_NONE};

    if (action != NSC_ACTION_CHOOSE || summary->list.cursor >= summary->list.n)
        return false;
    item = summary->items[summary->list.cursor];
    if (app->pane_full)
        nsc_app_pane_show(app, NSC_PANE_SUMMARY, false);
    switch (item.line) {
    case NSC_SUMMARY_CHANGE:
        return nsc_app_pane_open(app, NSC_PANE_ANSWERS);
    case NSC_SUMMARY_GPU:
        gpu_go(app, item.what);
        return true;
    case NSC_SUMMARY_ITERATIONS:
        return nsc_app_walk_iterations(app);
    case NSC_SUMMARY_KERNEL:
        kernel_go(app, item.what);
        return true;
    case NSC_SUMMARY_FINDING:
        return nsc_app_finding_go(app, item.what);
    case NSC_SUMMARY_WALK:
        return walk(app, (enum nsc_action)item.what);
    }
    return false;
}
