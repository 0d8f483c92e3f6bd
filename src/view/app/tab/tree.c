/* The tree in the application: opens and updates it, and goes between it and the timeline. */
#include "view/model/tree.h"

#include "core/units.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/setting.h"
#include "view/app/state.h"
#include "view/scene/move.h"

#include <string.h>

#ifdef NSC_SMALL
#define LARGE_MERGED 2u
#else
#define LARGE_MERGED 300000u /* paths: sorting so many takes a frame or two */
#endif

enum { TREE_FRAME_ROWS = 3, WHEEL_LINES = 3 };

bool nsc_app_tree_is_shown(const struct nsc_app *app)
{
    return app->scene->trace && app->pane_open && app->pane == NSC_PANE_TREE;
}

/* ---- building it ---- */

static void run(struct nsc_app_build *build)
{
    if (build->what == NSC_BUILD_TREE) {
        build->tree = nsc_tree_new(build->trace, build->mask);
        build->failed = !build->tree;
    } else if (build->what == NSC_BUILD_FILTER) {
        build->failed = !nsc_tree_filter(build->changed, build->mask);
    } else if (build->what == NSC_BUILD_MERGE) {
        build->failed = !nsc_tree_merge(build->changed);
    } else {
        build->refused = !nsc_tree_action(build->changed, build->action);
    }
}

static void say_nothing(struct nsc_app *app, enum nsc_action action)
{
    if (app->tree->merged_face && action == NSC_ACTION_TREE_ALIKE)
        nsc_app_say(app, "There are too many different texts: digits stay merged.");
    else if (action >= NSC_ACTION_TREE_SORT_GPU && action <= NSC_ACTION_TREE_SORT_IDLE)
        nsc_app_say(app, "There is not enough memory for merged paths.");
    else if (action == NSC_ACTION_TREE_SORT || action == NSC_ACTION_TREE_ALIKE)
        nsc_app_say(app, "Instances stand in order of time: g merges equal paths first.");
}

/* Shows a tree, or one that changed. */
static void show_built(struct nsc_app *app, struct nsc_app_build *done)
{
    if (done->what == NSC_BUILD_TREE)
        app->tree = done->tree;
    if (done->what == NSC_BUILD_MERGE)
        app->tree->merged_face = !done->given_up;
    else
        memcpy(app->tree_filter, done->filter, sizeof app->tree_filter);
    if (done->what != NSC_BUILD_MERGE && app->tree)
        nsc_tree_show_matches(app->tree, done->filter[0]);
    if (done->reveal != NSC_NONE && !nsc_tree_reveal(app->tree, done->reveal))
        nsc_app_say(app, "The tree does not hold this event: no thread is known that launched it.");
}

static void take(struct nsc_app *app, struct nsc_app_build *done)
{
    if (done->refused) {
        say_nothing(app, done->action);
    } else if (done->failed) {
        memcpy(app->tree_filter, done->filter, sizeof app->tree_filter); /* do not build again */
        if (!app->tree && nsc_app_tree_is_shown(app))
            nsc_app_pane_back(app);
    } else if (done->given_up && done->what == NSC_BUILD_TREE) {
        nsc_tree_free(done->tree);
    } else if (done->what != NSC_BUILD_ACTION) {
        show_built(app, done);
    }
}

/* False if another build of the tree runs. */
static bool begin(struct nsc_app *app, enum nsc_build what, enum nsc_action action)
{
    if (!nsc_app_build(app, NSC_BUILDS_TREE, run, take))
        return false;
    app->builds[NSC_BUILDS_TREE].what = what;
    app->builds[NSC_BUILDS_TREE].changed = app->tree;
    app->builds[NSC_BUILDS_TREE].action = action;
    nsc_app_build_begin(app, NSC_BUILDS_TREE);
    return true;
}

/* Builds the tree, or updates it to the current filter. */
static void follow_filter(struct nsc_app *app)
{
    if (!app->tree || strcmp(app->filter.shown, app->tree_filter) != 0)
        (void)begin(app, app->tree ? NSC_BUILD_FILTER : NSC_BUILD_TREE, NSC_ACTION_NONE);
}

nsc_event nsc_app_tree_event(const struct nsc_app *app)
{
    return app->tree && !nsc_app_tree_is_built(app) ? nsc_tree_event(app->tree) : NSC_NONE;
}

/* There is one cursor: where the timeline's has moved, the tree's follows, and the other way round. */
static void follow_cursor(struct nsc_app *app)
{
    nsc_event event = nsc_app_tree_event(app);

    if (app->scene->n_selected != app->tree_selected && app->scene->selected != NSC_NONE)
        (void)nsc_tree_follow(app->tree, app->scene->selected);
    else if (nsc_app_pane_has_focus(app) && event != app->tree_event)
        nsc_app_pane_moved(app);
    app->tree_event = nsc_app_tree_event(app);
    app->tree_selected = app->scene->n_selected;
}

void nsc_app_tree_update(struct nsc_app *app)
{
    struct nsc_rect rect = app->scene->layout.pane;
    bool shown = nsc_app_tree_is_shown(app);

    if (shown && !app->scene->early && (app->tree || app->pane_full))
        follow_filter(app);
    if (!app->tree || !shown || nsc_app_tree_is_built(app) || rect.rows <= 0)
        return;
    follow_cursor(app);
    nsc_tree_update(app->tree, (size_t)(nsc_pane_tree_has_frame(rect) ? rect.rows - TREE_FRAME_ROWS
                                                                      : rect.rows));
}

static void open_tree(struct nsc_app *app)
{
    if (!nsc_app_pane_has_focus(app))
        app->panes.before = app->pane_open ? app->pane : NSC_N_PANES;
    app->pane = NSC_PANE_TREE;
    app->pane_open = app->pane_full = app->panes.focus = true;
    app->pane_top = 0;
    if (app->summary.is_fresh) /* nobody has moved the cursor: begin with the roots */
        app->tree_selected = app->scene->n_selected;
    nsc_app_relayout(app);
    nsc_app_tree_update(app);
}

bool nsc_app_tree_open(struct nsc_app *app)
{
    if (nsc_app_wait_for_rest(app))
        return false;
    open_tree(app);
    return app->tree != NULL || nsc_app_tree_is_built(app);
}

bool nsc_app_tree_toggle(struct nsc_app *app)
{
    if (nsc_app_tree_is_shown(app) && app->pane_full) {
        nsc_app_pane_back(app);
        return true;
    }
    return nsc_app_tree_open(app);
}

bool nsc_app_tree_here(struct nsc_app *app)
{
    nsc_event event = app->scene->selected;

    if (nsc_app_wait_for_rest(app))
        return false;
    if (event == NSC_NONE)
        return nsc_app_refuse(app, "No event is selected.");
    open_tree(app);
    if (nsc_app_tree_is_built(app)) {
        app->builds[NSC_BUILDS_TREE].reveal = event;
        return true;
    }
    if (app->tree && nsc_tree_reveal(app->tree, event))
        return true;
    return nsc_app_refuse(
        app, "The tree does not hold this event: no thread is known that launched it.");
}

/* Closes the tree and shows the event under its cursor on the timeline. */
bool nsc_app_tree_show(struct nsc_app *app)
{
    nsc_event event = nsc_tree_event(app->tree);

    if (event == NSC_NONE)
        return nsc_app_refuse(app, "This line is no event of the timeline.");
    nsc_app_pane_show(app, NSC_PANE_DETAILS, false);
    app->panes.focus = false;
    nsc_scene_jump(app->edit, event);
    (void)nsc_scene_fit(app->edit);
    return true;
}

static void say_bubbles(struct nsc_app *app)
{
    char text[NSC_UNITS_BYTES];

    nsc_units_duration(text, app->tree->least_bubble, app->scene->ascii);
    nsc_app_sayf(app, "Idle times of %s and more are %s%s.", text,
                 app->tree->bubbles ? "shown" : "not shown",
                 app->tree->bubbles && app->tree->merged_face ? " between instances" : "");
}

bool nsc_app_tree_duration(struct nsc_app *app, bool up)
{
    return nsc_app_setting_step(app, NSC_SETTING_MIN_DURATION, up);
}

/* ---- keys and the mouse ---- */

/* Leaves slow actions to the other thread. False if the action is not one. */
static bool act_apart(struct nsc_app *app, enum nsc_action action)
{
    const struct nsc_tree *tree = app->tree;
    bool is_large = tree->merged.calls && tree->merged.calls->n >= LARGE_MERGED;
    bool sorts = action >= NSC_ACTION_TREE_SORT_GPU && action <= NSC_ACTION_TREE_SORT_IDLE;

    if (!nsc_app_builds_apart(app, NSC_BUILDS_TREE))
        return false;
    if (action == NSC_ACTION_TREE_FACE && !tree->merged_face && !tree->merged.calls)
        return begin(app, NSC_BUILD_MERGE, action);
    if (!(sorts && (!tree->merged.calls || is_large)) &&
        !(tree->merged_face &&
          (action == NSC_ACTION_TREE_ALIKE || (action == NSC_ACTION_TREE_SORT && is_large))))
        return false;
    return begin(app, NSC_BUILD_ACTION, action);
}

bool nsc_app_tree_action(struct nsc_app *app, enum nsc_action action)
{
    bool did = false;

    if (!app->tree || nsc_app_tree_is_built(app))
        return false;
    if (act_apart(app, action))
        return true;
    did = nsc_tree_action(app->tree, action);
    if (did && (action == NSC_ACTION_TREE_EXTEND_UP || action == NSC_ACTION_TREE_EXTEND_DOWN))
        nsc_app_tree_say_span(app);
    if (!did)
        say_nothing(app, action);
    else if (action == NSC_ACTION_TREE_BUBBLE_LEAST || action == NSC_ACTION_TREE_BUBBLES)
        say_bubbles(app);
    return did;
}

bool nsc_app_tree_press(struct nsc_app *app, int row, int col)
{
    struct nsc_rect rect = app->scene->layout.pane;
    int line = row - rect.row - (nsc_pane_tree_has_frame(rect) ? 2 : 0);

    (void)col;
    return app->tree && !nsc_app_tree_is_built(app) && line >= 0 &&
           nsc_tree_click(app->tree, (size_t)line);
}

void nsc_app_tree_scroll(struct nsc_app *app, int64_t by)
{
    if (by && app->tree && !nsc_app_tree_is_built(app))
        nsc_tree_scroll(app->tree, by * WHEEL_LINES);
}
