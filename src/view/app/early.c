/*
 * Replaces the early trace, which holds the first rows, by the whole trace. Arrangement, selection
 * and window stay.
 *
 * Event and lane numbers of the early trace are the same in the whole one; track numbers differ.
 */
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/model/tree.h"

/* Frees data derived from the early rows; it is rebuilt on demand. */
static void drop_made(struct nsc_app *app, struct nsc_iterations found[2])
{
    bool has_mark = app->explore.has_mark;

    nsc_tree_free(app->tree);
    app->tree = NULL;
    nsc_app_menu_close(app);
    nsc_app_summary_fini(app);
    app->walk = (struct nsc_app_walk){0};
    nsc_explore_loaded(app, found);
    app->explore.has_mark = has_mark;
    nsc_app_selection_fini(app);
    nsc_app_events_fini(app);
    nsc_making_drop(&app->search.making);
    nsc_pick_clear(&app->search.pick);
    nsc_app_filter_fini(app);
    nsc_facts_fini(app);
}

/* Whether the user has neither moved nor zoomed, and no view is restored. */
static bool is_untouched(const struct nsc_app *app)
{
    struct nsc_window shown = nsc_viewport_window(&app->scene->viewport);
    struct nsc_window first = app->summary.window;

    return app->summary.is_fresh && app->scene->cursor == app->summary.cursor &&
           shown.t0 == first.t0 && shown.t1 == first.t1 && !app->loading.state;
}

void nsc_app_take_over(struct nsc_app *app, const struct nsc_trace *whole,
                       struct nsc_iterations found[2])
{
    const struct nsc_trace *early = app->scene->trace;
    bool untouched = is_untouched(app);

    nsc_scene_replace(app->edit, whole);
    drop_made(app, found);
    nsc_scene_take_over(app->edit, early, app->loading.state);
    nsc_app_compare_loaded(app, found);
    app->loading.state = NULL;
    nsc_app_relayout(app);
    if (!nsc_app_filter_set(app, nsc_text_from(app->filter.text)))
        app->filter.text[0] = '\0';
    if (!untouched)
        return;
    nsc_app_go_start(app); /* iterations are known now */
    nsc_scene_settle(app->edit);
    nsc_app_summary_begin(app);
}
