/* The flame graph: builds it for the visible window, and moves in it. */
#include "analysis/device/idle.h"
#include "core/units.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/scene/move.h"

#include <stdio.h>

static bool is_current(const struct nsc_app *app)
{
    const struct nsc_flame_view *view = &app->flame;
    struct nsc_window w = nsc_viewport_window(&app->scene->viewport);

    return view->made && view->made_by == view->by && view->filter == app->scene->summary_no &&
           view->window.t0 == w.t0 && view->window.t1 == w.t1;
}

static void run(struct nsc_app_build *build)
{
    build->made = nsc_idle_flame(build->trace, build->flame, NULL);
}

static void take(struct nsc_app *app, struct nsc_app_build *done)
{
    struct nsc_flame_view *view = &app->flame;

    view->window = done->flame.window;
    view->filter = done->filter_no;
    nsc_flame_view_take(view, done->made, done->flame.by);
}

/* Requests the call stacks, once. False while they are being read. */
static bool has_stacks(struct nsc_app *app)
{
    struct nsc_flame_view *view = &app->flame;

    if (!nsc_flame_is_code(view->by) || view->stacks_read ||
        !nsc_flame_view_has(app->scene->trace, view->by))
        return true;
    if (!view->stacks_asked)
        app->effects.set |= NSC_EFFECT_STACKS;
    view->stacks_asked = true;
    return false;
}

void nsc_app_flame_input(struct nsc_app *app, const struct nsc_input *input)
{
    struct nsc_flame_view *view = &app->flame;

    nsc_stacks_free(view->stacks);
    view->stacks = input->stacks;
    view->stacks_read = true;
    (void)snprintf(view->stacks_why, sizeof view->stacks_why, "%s", input->text ? input->text : "");
}

/* Builds it on another thread if possible: a window may contain millions of events. */
static void make(struct nsc_app *app)
{
    struct nsc_app_build *build = &app->builds[NSC_BUILDS_FLAME];

    if (!nsc_app_build(app, NSC_BUILDS_FLAME, run, take))
        return;
    build->flame = (struct nsc_flame_query){.by = app->flame.by,
                                            .mask = build->mask,
                                            .window = nsc_viewport_window(&app->scene->viewport),
                                            .stacks = app->flame.stacks};
    build->filter_no = app->scene->summary_no;
    nsc_app_build_begin(app, NSC_BUILDS_FLAME);
}

/* Finds the functions that the user searched for. */
static void find(struct nsc_app *app)
{
    struct nsc_flame_view *view = &app->flame;
    struct nsc_flame_found found;
    char share[NSC_UNITS_BYTES], amount[NSC_UNITS_BYTES];

    app->search.for_flame = false;
    found = nsc_flame_view_find(view, nsc_text_from(app->search.text));
    nsc_units_percent(share, found.total, view->made->whole);
    nsc_flame_view_amount(amount, view, found.total, app->scene->ascii);
    if (found.n)
        nsc_app_sayf(app, "%.64s is in the names of %u frame%s: %s, %s of all", app->search.text,
                     found.n, found.n == 1 ? "" : "s", amount, share);
    else
        nsc_app_sayf(app, "No function of the graph has a name with %.64s.", app->search.text);
}

void nsc_app_flame_update(struct nsc_app *app)
{
    struct nsc_list levels = {.top = (size_t)app->pane_top};

    if (app->scene->early)
        return;
    if (!is_current(app) && has_stacks(app))
        make(app);
    if (app->search.for_flame && app->flame.made)
        find(app);
    if (app->flame.made && app->flame.made->n)
        levels.cursor = app->flame.made->frames[app->flame.cursor].depth;
    nsc_list_fit(&levels, app->flame.made ? app->flame.made->levels : 0,
                 app->scene->layout.pane.rows - NSC_PANE_FLAME_HEAD);
    app->pane_top = (int)levels.top;
}

nsc_event nsc_app_flame_event(const struct nsc_app *app)
{
    const struct nsc_flame_view *view = &app->flame;

    return view->made && view->made->n ? view->made->frames[view->cursor].slowest : NSC_NONE;
}

/* Goes to the frame's longest event. */
static bool show(struct nsc_app *app)
{
    nsc_event event = nsc_app_flame_event(app);

    if (event == NSC_NONE)
        return false;
    nsc_scene_jump(app->edit, event);
    if (app->pane_full)
        nsc_app_pane_show(app, NSC_PANE_FLAME, false);
    return true;
}

static bool moved(struct nsc_app *app, bool did)
{
    if (did)
        nsc_app_pane_moved(app);
    return did;
}

bool nsc_app_flame_act(struct nsc_app *app, enum nsc_action action)
{
    struct nsc_flame_view *view = &app->flame;

    switch (action) {
    case NSC_ACTION_FLAME_UP:
        return moved(app, nsc_flame_view_step(view, NSC_FLAME_PARENT));
    case NSC_ACTION_FLAME_DOWN:
        return moved(app, nsc_flame_view_step(view, NSC_FLAME_CHILD));
    case NSC_ACTION_FLAME_LEFT:
        return moved(app, nsc_flame_view_step(view, NSC_FLAME_PREV));
    case NSC_ACTION_FLAME_RIGHT:
        return moved(app, nsc_flame_view_step(view, NSC_FLAME_NEXT));
    case NSC_ACTION_FLAME_ZOOM:
        return nsc_flame_view_zoom(view);
    case NSC_ACTION_FLAME_BACK:
        if (view->made && !view->made->n && nsc_scene_is_filtered(app->scene))
            return nsc_app_filter_clear(app);
        return nsc_flame_view_back(view);
    case NSC_ACTION_CANCEL:
        return nsc_flame_view_back(view);
    case NSC_ACTION_FLAME_BY:
        view->by = nsc_flame_view_next(app->scene->trace, view->by);
        return true;
    case NSC_ACTION_FLAME_SHOW:
        return show(app);
    default:
        return false;
    }
}

bool nsc_app_flame_press(struct nsc_app *app, int row, int col)
{
    struct nsc_rect rect = nsc_app_pane_inner(app);
    int level = row - rect.row - NSC_PANE_FLAME_HEAD + app->pane_top;

    if (level >= 0 && col >= 0 && col < rect.cols)
        (void)moved(app, nsc_flame_view_set(&app->flame,
                                            nsc_flame_view_at(&app->flame, (uint32_t)level,
                                                              (uint32_t)col, (uint32_t)rect.cols)));
    return true;
}
