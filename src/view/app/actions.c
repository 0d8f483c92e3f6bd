/*
 * Implements the functions of action.def, and the order in which the parts of the screen get a key.
 */
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/scene/look.h"
#include "view/scene/move.h"

enum { TICKS_MIN = 2, TICKS_MAX = 20, TICKS_STEP = 3 };

static void scroll_help(struct nsc_app *app, int64_t by)
{
    int64_t most = nsc_app_help_draw(app, NULL);
    int64_t top = app->help_top + by;

    app->help_top = (int)(top < 0 ? 0 : top > most ? most : top);
}

static void scroll_page(struct nsc_app *app, int64_t by)
{
    if (app->help)
        scroll_help(app, by);
    else
        nsc_app_scroll_pane(app, by);
}

static int64_t page_rows(const struct nsc_app *app)
{
    int rows = app->help ? (int)app->scene->rows - 4 : app->scene->layout.pane.rows;

    return rows > 1 ? rows - 1 : 1;
}

/* ---- moving ---- */

static int64_t quarter(const struct nsc_app *app)
{
    return (int64_t)app->scene->viewport.cols / 4 + 1;
}

/* In logical order a step moves by one event, not by a column. */
static bool cursor_step(struct nsc_app *app, bool right)
{
    return app->scene->logical ? nsc_scene_select_step(app->edit, right)
                               : nsc_scene_move_cursor(app->edit, right ? 1 : -1);
}

static bool pan(struct nsc_app *app, bool right)
{
    return nsc_scene_pan(app->edit, right ? 1 : -1);
}

static bool pan_far(struct nsc_app *app, bool right)
{
    return nsc_scene_pan(app->edit, right ? quarter(app) : -quarter(app));
}

static bool row_step(struct nsc_app *app, bool down)
{
    return nsc_scene_move_line(app->edit, down ? 1 : -1);
}

/* Goes to the first or last event of the line, or to an end of the trace if the line has no
 * events. */
static bool go_end(struct nsc_app *app, bool last)
{
    uint32_t lane = nsc_scene_lane(app->scene, app->scene->line);
    const struct nsc_lane *lanes = nsc_trace_lanes(app->scene->trace, NULL);
    struct nsc_window extent = app->scene->viewport.extent;

    if (lane != NSC_NONE && lanes[lane].n) {
        nsc_scene_jump(app->edit, last ? lanes[lane].first + lanes[lane].n - 1 : lanes[lane].first);
        return true;
    }
    nsc_scene_save_view(app->edit);
    nsc_scene_go(app->edit, last ? extent.t1 - 1 : extent.t0);
    return true;
}

static bool step_event(struct nsc_app *app, bool forward)
{
    if (nsc_scene_select_step(app->edit, forward))
        return true;
    return nsc_app_refuse(app, nsc_scene_lane(app->scene, app->scene->line) == NSC_NONE
                                   ? "This row holds no events of its own."
                               : forward ? "No later event on this row."
                                         : "No earlier event on this row.");
}

/* ---- zooming ---- */

static bool zoom(struct nsc_app *app, bool in)
{
    return nsc_scene_zoom(app->edit, app->scene->cursor, in);
}

static bool zoom_all(struct nsc_app *app)
{
    bool zoomed = nsc_scene_show_window(app->edit, app->scene->viewport.extent);

    return nsc_app_walk_drop_range(app) || zoomed;
}

/* Each view has its filter, so both are restored. */
static bool undo(struct nsc_app *app, bool back)
{
    uint32_t names = app->scene->demangled;

    if (!(back ? nsc_scene_undo(app->edit) : nsc_scene_redo(app->edit)))
        return false;
    (void)nsc_app_filter_undo(app);
    nsc_app_title_name(app); /* its glyphs */
    if (app->scene->demangled != names)
        nsc_facts_update_standing(app);
    return true;
}

/* ---- showing ---- */

static bool tick_density(struct nsc_app *app)
{
    nsc_scene_change(app->edit, NSC_SCENE_TICKS,
                     app->scene->ticks + TICKS_STEP <= TICKS_MAX ? app->scene->ticks + TICKS_STEP
                                                                 : TICKS_MIN);
    nsc_app_sayf(app, "About %d ticks in 160 columns.", (int)app->scene->ticks);
    return true;
}

static bool logical_order(struct nsc_app *app)
{
    nsc_scene_change(app->edit, NSC_SCENE_LOGICAL, !app->scene->logical);
    return true;
}

static bool demangled(struct nsc_app *app)
{
    nsc_scene_change(app->edit, NSC_SCENE_DEMANGLED, !app->scene->demangled);
    nsc_facts_update_standing(app);
    nsc_app_say(app, app->scene->demangled ? "Full demangled names." : "Short names.");
    return true;
}

static bool fold(struct nsc_app *app)
{
    return nsc_scene_fold(app->edit, app->scene->line);
}

static bool fold_every(struct nsc_app *app, bool folded)
{
    nsc_scene_fold_every(app->edit, folded);
    return true;
}

static bool row_move(struct nsc_app *app, bool down)
{
    return nsc_scene_move_row(app->edit, down);
}

/* ---- the bottom pane ---- */

/* Opens the details of the event under the cursor, and closes what it opened. Details that something
 * else opened get the focus. */
static bool details(struct nsc_app *app)
{
    if (app->scene->lines.n && nsc_line_folds(&app->scene->lines.at[app->scene->line]))
        return nsc_scene_fold(app->edit, app->scene->line);
    if (app->scene->layout.pane.rows && app->pane == NSC_PANE_DETAILS) {
        if (app->panes.entered)
            nsc_app_pane_close(app);
        else
            app->panes.focus = true;
        return true;
    }
    nsc_app_pane_show(app, NSC_PANE_DETAILS, false);
    app->panes.entered = true;
    return true;
}

static bool follow(struct nsc_app *app, bool to_work)
{
    if (nsc_scene_follow(app->edit, to_work))
        return true;
    if (nsc_app_wait_for_rest(app))
        return false;
    return nsc_app_refuse(app, app->scene->selected == NSC_NONE ? "No event is selected."
                               : to_work ? "Nothing is known that it launched."
                                         : "Nothing is known that launched or encloses it.");
}

static bool go_waited(struct nsc_app *app)
{
    nsc_event waited = nsc_pane_details_waited(app->scene, &app->details);

    if (waited != NSC_NONE)
        nsc_scene_jump(app->edit, waited);
    return waited != NSC_NONE;
}

static bool pane_step(struct nsc_app *app, bool forward)
{
    nsc_app_pane_show(app, (app->pane + (forward ? 1 : NSC_N_PANES - 1)) % NSC_N_PANES,
                      app->pane_full);
    return true;
}

static bool scroll_line(struct nsc_app *app, bool down)
{
    scroll_page(app, down ? 1 : -1);
    return true;
}

static bool scroll_screen(struct nsc_app *app, bool down)
{
    scroll_page(app, down ? page_rows(app) : -page_rows(app));
    return true;
}

static bool scroll_end(struct nsc_app *app, bool bottom)
{
    scroll_page(app, bottom ? INT32_MAX : -INT32_MAX);
    return true;
}

/* ---- the rest ---- */

/* The key that opened a page closes it; the other one turns to its own. */
static bool page_toggle(struct nsc_app *app, bool legend)
{
    app->help = !app->help || app->legend != legend;
    app->legend = legend;
    app->guide = NULL;
    app->help_top = 0;
    nsc_prompt_set(&app->prompt.lines[NSC_PROMPT_NARROW], nsc_text_from(""));
    return true;
}

static void lines_changed(struct nsc_app *app)
{
    if (!app->help)
        (void)nsc_app_pane_narrow(app, nsc_app_prompt_text(app));
}

static void lines_cancel(struct nsc_app *app)
{
    nsc_prompt_set(&app->prompt.lines[NSC_PROMPT_NARROW], nsc_text_from(""));
    lines_changed(app);
}

const struct nsc_prompt_kind nsc_prompt_lines = {"lines with:", "keep",       lines_changed,
                                                 NULL,          lines_cancel, NULL};

static bool help_find(struct nsc_app *app)
{
    app->guide = NULL;
    app->prompt.behind = app->prompt.open;
    nsc_app_prompt_open(app, NSC_PROMPT_NARROW, nsc_text_from(""));
    return true;
}

/* Closes the topmost box or pane. False if there is none. */
static bool close_top(struct nsc_app *app)
{
    if (app->help)
        return page_toggle(app, app->legend);
    if (app->menu.open) {
        nsc_app_menu_close(app);
        return true;
    }
    if (app->config.open)
        return nsc_app_config_open(app);
    if (app->scene->trace && nsc_app_pane_has_focus(app) && app->pane_full) {
        if (nsc_pane_is_list(&nsc_panes[app->pane]))
            nsc_app_pane_show(app, app->pane, false);
        else
            nsc_app_pane_back(app);
        return true;
    }
    if (app->scene->trace && nsc_app_pane_has_focus(app))
        return nsc_app_switch_focus(app);
    return false;
}

static bool build_cancel(struct nsc_app *app)
{
    for (unsigned i = NSC_BUILDS_TREE; i <= NSC_BUILDS_PROJECTION; i++) {
        struct nsc_app_build *build = &app->builds[i];

        if (!build->runs || build->given_up ||
            (i == NSC_BUILDS_TREE ? build->what == NSC_BUILD_ACTION
                                  : !app->explore.projection_asked))
            continue;
        build->given_up = true;
        nsc_app_say(app, "Given up.");
        if (i == NSC_BUILDS_TREE && !app->tree)
            nsc_app_pane_back(app);
        return true;
    }
    return false;
}

/* Cancels one long task. False if none runs. */
static bool give_up(struct nsc_app *app)
{
    return nsc_app_sql_stop(app) || build_cancel(app) || nsc_app_filter_cancel(app) ||
           nsc_app_search_cancel(app);
}

static void cancel(struct nsc_app *app)
{
    if ((!nsc_app_has_box(app) && give_up(app)) || close_top(app))
        return;
    if (!app->scene->trace && !app->loading.failure[0]) {
        app->loading.cancelled = true;
        app->effects.set |= NSC_EFFECT_CANCEL_LOAD;
    } else if (nsc_app_export_cancel(app)) {
        return;
    } else if (app->scene->has_range) {
        nsc_app_range_drop(app);
    } else if (nsc_app_search_end(app)) {
        nsc_app_say(app, "The search is over.");
    } else {
        app->effects.set |= NSC_EFFECT_BELL;
    }
}

static void quit(struct nsc_app *app)
{
    if (close_top(app))
        return;
    app->effects.set |= NSC_EFFECT_QUIT;
    if (!app->scene->trace)
        app->effects.set |= NSC_EFFECT_CANCEL_LOAD;
}

static bool command_open(struct nsc_app *app)
{
    if (!app->scene->trace)
        return false;
    app->help = false;
    nsc_app_prompt_open(app, NSC_PROMPT_COMMAND, nsc_text_from(""));
    return true;
}

/* The run column of action.def: one of the three functions, a pane to open, or nothing. */
struct run {
    bool (*app)(struct nsc_app *app);
    bool (*way)(struct nsc_app *app, bool forward);
    bool (*scene)(struct nsc_scene_edit *edit);
    bool forward;
    uint32_t pane; /* its number plus 1; 0: none */
};

static const struct run runs[NSC_N_ACTIONS] = {
#define NONE                                                             .pane = 0
#define DO(f)                                                            .app = (f)
#define WAY(f, is_next)                                                  .way = (f), .forward = (is_next)
#define TAB(p)                                                           .pane = ((NSC_PANE_##p) + 1u)
#define SCENE(f)                                                         .scene = (f)
#define NSC_ACTION(id, name, keys, scope, group, help, things, run, why) [NSC_ACTION_##id] = {run},
#include "view/kit/action.def"
#undef SCENE
#undef TAB
#undef WAY
#undef DO
#undef NONE
};

/* False if it had no effect. */
static bool run_action(struct nsc_app *app, enum nsc_action action)
{
    const struct run *run = &runs[action];

    if (run->way)
        return run->way(app, run->forward);
    if (run->pane)
        return nsc_app_pane_open(app, run->pane - 1);
    if (run->scene)
        return run->scene(app->edit);
    return run->app && run->app(app);
}

/* Neither works while another thread uses the tree. The first may free it: the second checks again. */
static bool run_tree(struct nsc_app *app, enum nsc_action action)
{
    return app->tree && !nsc_app_tree_is_built(app) &&
           (run_action(app, action) || nsc_app_tree_action(app, action));
}

/* Only global actions work before a trace is loaded. */
static bool action_applies(const struct nsc_app *app, enum nsc_action action)
{
    enum nsc_key_scope scope = nsc_actions[action].scope;

    return scope == NSC_KEY_SCOPE_GLOBAL || app->scene->trace ||
           (app->help && scope == NSC_KEY_SCOPE_PAGE);
}

/* NOLINTNEXTLINE(misc-no-recursion): one level, for the menu is closed when it gives an action */
static void menu_action(struct nsc_app *app, enum nsc_action action)
{
    enum nsc_action chosen = nsc_app_menu_action(app, action);

    if (chosen != NSC_ACTION_NONE)
        nsc_app_action(app, chosen);
}

/* NOLINTNEXTLINE(misc-no-recursion): see menu_action */
void nsc_app_action(struct nsc_app *app, enum nsc_action action)
{
    if (action != NSC_ACTION_FIT)
        nsc_scene_fit_again(app->edit);
    if (action != NSC_ACTION_COPY)
        app->panes.copies = 0;
    if (!nsc_app_has_box(app) && nsc_app_pane_action(app, action))
        return;
    if (!nsc_app_has_box(app) && !nsc_app_pane_take_event(app, action)) {
        app->effects.set |= NSC_EFFECT_BELL;
        return;
    }
    if (action == NSC_ACTION_CANCEL)
        cancel(app);
    else if (action == NSC_ACTION_QUIT)
        quit(app);
    else if (action == NSC_ACTION_QUIT_NOW)
        app->effects.set |=
            NSC_EFFECT_QUIT | (app->scene->trace ? 0u : (unsigned)NSC_EFFECT_CANCEL_LOAD);
    else if (action == NSC_ACTION_REPAINT)
        app->effects.set |= NSC_EFFECT_REPAINT;
    else if (action == NSC_ACTION_SUSPEND)
        app->effects.set |= NSC_EFFECT_SUSPEND;
    else if (action == NSC_ACTION_COPY)
        nsc_app_copy(app);
    else if (nsc_actions[action].scope == NSC_KEY_SCOPE_MENU)
        menu_action(app, action);
    else if (nsc_actions[action].scope == NSC_KEY_SCOPE_CONFIG)
        app->effects.set |= nsc_app_config_action(app, action) ? 0u : (unsigned)NSC_EFFECT_BELL;
    else if (nsc_actions[action].scope == NSC_KEY_SCOPE_TREE)
        app->effects.set |= run_tree(app, action) ? 0u : (unsigned)NSC_EFFECT_BELL;
    else if (!action_applies(app, action) || !run_action(app, action))
        app->effects.set |= NSC_EFFECT_BELL;
    if (app->effects.set & NSC_EFFECT_BELL)
        nsc_app_say_nothing(app, action);
}
