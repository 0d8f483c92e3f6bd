/*
 * What each action does: one table from enum nsc_action to functions.
 */
#include "core/bits.h"
#include "view/app/bookmarks.h"
#include "view/app/build.h"
#include "view/app/explore.h"
#include "view/app/export.h"
#include "view/app/filter.h"
#include "view/app/findings.h"
#include "view/app/menu.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/sql.h"
#include "view/app/state.h"
#include "view/kit/help.h"
#include "view/scene/look.h"
#include "view/scene/move.h"

#include <stdio.h>

enum { TICKS_MIN = 2, TICKS_MAX = 20, TICKS_STEP = 3 };

static void scroll_help(struct nsc_app *app, int64_t by)
{
    int64_t most = nsc_help_max_top(nsc_app_help_rect(app), app->keymap, nsc_app_scope_behind(app));
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

/* In logical order events take the place of columns. */
static bool pan(struct nsc_app *app, int64_t cols)
{
    return app->scene->logical ? nsc_scene_select_step(app->edit, cols > 0)
                               : nsc_scene_pan(app->edit, cols);
}

static bool pan_left(struct nsc_app *app)
{
    return pan(app, -1);
}

static bool pan_right(struct nsc_app *app)
{
    return pan(app, 1);
}

static bool pan_left_far(struct nsc_app *app)
{
    return nsc_scene_pan(app->edit, -quarter(app));
}

static bool pan_right_far(struct nsc_app *app)
{
    return nsc_scene_pan(app->edit, quarter(app));
}

/* The first or last event of the line; the trace's ends where the line has no events. */
static bool go_end(struct nsc_app *app, bool first)
{
    uint32_t lane = nsc_scene_lane(app->scene, app->scene->line);
    const struct nsc_lane *lanes = nsc_trace_lanes(app->scene->trace, NULL);
    struct nsc_window extent = app->scene->viewport.extent;

    if (lane != NSC_NONE && lanes[lane].n) {
        nsc_scene_jump(app->edit,
                       first ? lanes[lane].first : lanes[lane].first + lanes[lane].n - 1);
        return true;
    }
    nsc_scene_remember(app->edit);
    nsc_scene_go(app->edit, first ? extent.t0 : extent.t1 - 1);
    return true;
}

static bool go_first(struct nsc_app *app)
{
    return go_end(app, true);
}

static bool go_last(struct nsc_app *app)
{
    return go_end(app, false);
}

static bool row_up(struct nsc_app *app)
{
    return nsc_scene_move_line(app->edit, -1);
}

static bool row_down(struct nsc_app *app)
{
    return nsc_scene_move_line(app->edit, 1);
}

static bool step_event(struct nsc_app *app, bool forward)
{
    if (nsc_scene_select_step(app->edit, forward))
        return true;
    if (nsc_scene_lane(app->scene, app->scene->line) == NSC_NONE)
        nsc_app_say(app, "This row holds no events of its own.");
    else
        nsc_app_say(app, forward ? "No later event on this row." : "No earlier event on this row.");
    return false;
}

static bool next_event(struct nsc_app *app)
{
    return step_event(app, true);
}

static bool prev_event(struct nsc_app *app)
{
    return step_event(app, false);
}

/* ---- zooming ---- */

static bool zoom_in(struct nsc_app *app)
{
    return nsc_scene_zoom(app->edit, app->scene->cursor, true);
}

static bool zoom_out(struct nsc_app *app)
{
    return nsc_scene_zoom(app->edit, app->scene->cursor, false);
}

static bool zoom_all(struct nsc_app *app)
{
    return nsc_scene_show_window(app->edit, app->scene->viewport.extent);
}

static bool fit_view(struct nsc_app *app)
{
    return nsc_scene_fit(app->edit);
}

static bool undo_view(struct nsc_app *app)
{
    return nsc_scene_undo(app->edit);
}

static bool redo_view(struct nsc_app *app)
{
    return nsc_scene_redo(app->edit);
}

static bool back_view(struct nsc_app *app)
{
    return nsc_scene_back(app->edit);
}

/* ---- showing ---- */

static bool tick_density(struct nsc_app *app)
{
    char line[NSC_APP_MESSAGE];

    nsc_scene_set(app->edit, NSC_SCENE_TICKS,
                  app->scene->ticks + TICKS_STEP <= TICKS_MAX ? app->scene->ticks + TICKS_STEP
                                                              : TICKS_MIN);
    (void)snprintf(line, sizeof line, "About %d ticks in 160 columns.", (int)app->scene->ticks);
    nsc_app_say(app, line);
    return true;
}

static bool logical_order(struct nsc_app *app)
{
    nsc_scene_set(app->edit, NSC_SCENE_LOGICAL, !app->scene->logical);
    return true;
}

static bool demangled(struct nsc_app *app)
{
    nsc_scene_set(app->edit, NSC_SCENE_DEMANGLED, !app->scene->demangled);
    nsc_app_say(app, app->scene->demangled ? "Full demangled names." : "Short names.");
    return true;
}

static bool fold(struct nsc_app *app)
{
    return nsc_scene_fold(app->edit, app->scene->line);
}

static bool fold_all(struct nsc_app *app)
{
    nsc_scene_fold_every(app->edit, true);
    return true;
}

static bool unfold_all(struct nsc_app *app)
{
    nsc_scene_fold_every(app->edit, false);
    return true;
}

static bool row_move_up(struct nsc_app *app)
{
    return nsc_scene_move_row(app->edit, false);
}

static bool row_move_down(struct nsc_app *app)
{
    return nsc_scene_move_row(app->edit, true);
}

/* ---- filtering ---- */

static bool next_hit(struct nsc_app *app)
{
    return nsc_app_hit_step(app, true);
}

static bool prev_hit(struct nsc_app *app)
{
    return nsc_app_hit_step(app, false);
}

/* ---- the bottom pane ---- */

/* Opens the details of what lies under the cursor; closes them when they are open. */
static bool details(struct nsc_app *app)
{
    if (app->scene->lines.n && app->scene->lines.at[app->scene->line].kind == NSC_LINE_GROUP)
        return nsc_scene_fold(app->edit, app->scene->line);
    if (app->scene->selected == NSC_NONE)
        nsc_scene_select_here(app->edit);
    else if (app->scene->layout.pane.rows && app->pane == NSC_PANE_DETAILS) {
        nsc_app_pane_close(app);
        return true;
    }
    nsc_app_pane_show(app, NSC_PANE_DETAILS, false);
    return true;
}

static bool follow(struct nsc_app *app, bool to_work)
{
    if (nsc_scene_follow(app->edit, to_work))
        return true;
    if (nsc_app_wait_for_rest(app))
        return false;
    nsc_app_say(app, app->scene->selected == NSC_NONE ? "No event is selected."
                     : to_work                        ? "Nothing is known that it launched."
                               : "Nothing is known that launched or encloses it.");
    return false;
}

static bool link_back(struct nsc_app *app)
{
    return follow(app, false);
}

static bool link_forward(struct nsc_app *app)
{
    return follow(app, true);
}

static bool next_same(struct nsc_app *app)
{
    return nsc_app_same_step(app, true);
}

static bool prev_same(struct nsc_app *app)
{
    return nsc_app_same_step(app, false);
}

static bool next_bookmark(struct nsc_app *app)
{
    return nsc_app_bookmark_step(app, true);
}

static bool prev_bookmark(struct nsc_app *app)
{
    return nsc_app_bookmark_step(app, false);
}

static bool next_iteration(struct nsc_app *app)
{
    return nsc_app_iteration_step(app, true);
}

static bool prev_iteration(struct nsc_app *app)
{
    return nsc_app_iteration_step(app, false);
}

static bool pane_next(struct nsc_app *app)
{
    nsc_app_pane_show(app, (app->pane + 1) % NSC_N_PANES, app->pane_full);
    return true;
}

static bool pane_prev(struct nsc_app *app)
{
    nsc_app_pane_show(app, (app->pane + NSC_N_PANES - 1) % NSC_N_PANES, app->pane_full);
    return true;
}

/* Closes the pane when it is the one that is shown. */
static bool overlap(struct nsc_app *app)
{
    if (app->pane_open && app->pane == NSC_PANE_OVERLAP)
        nsc_app_pane_show(app, NSC_PANE_DETAILS, false);
    else
        nsc_app_pane_show(app, NSC_PANE_OVERLAP, app->pane_full);
    return true;
}

static bool line_up(struct nsc_app *app)
{
    scroll_page(app, -1);
    return true;
}

static bool line_down(struct nsc_app *app)
{
    scroll_page(app, 1);
    return true;
}

static bool page_up(struct nsc_app *app)
{
    scroll_page(app, -page_rows(app));
    return true;
}

static bool page_down(struct nsc_app *app)
{
    scroll_page(app, page_rows(app));
    return true;
}

static bool page_top(struct nsc_app *app)
{
    scroll_page(app, -INT32_MAX);
    return true;
}

static bool page_bottom(struct nsc_app *app)
{
    scroll_page(app, INT32_MAX);
    return true;
}

/* ---- the rest ---- */

static bool help(struct nsc_app *app)
{
    app->help = !app->help;
    app->help_top = 0;
    return true;
}

/* Closes what lies on top. False: nothing does. */
static bool close_top(struct nsc_app *app)
{
    if (app->help)
        return help(app);
    if (app->menu.open) {
        nsc_app_menu_close(app);
        return true;
    }
    if (app->config.open)
        return nsc_app_config_open(app);
    if (app->export.open)
        return nsc_app_export_open(app);
    if (app->scene->trace && app->pane_open && app->pane_full) {
        nsc_app_pane_show(app, nsc_panes[app->pane].list ? app->pane : NSC_PANE_DETAILS, false);
        return true;
    }
    if (app->scene->trace && nsc_app_pane_has_focus(app))
        return nsc_app_switch_focus(app);
    return false;
}

/* Ends one thing that takes long; false when there is none. */
static bool give_up(struct nsc_app *app)
{
    return nsc_app_sql_stop(app) || nsc_app_build_cancel(app) || nsc_app_filter_cancel(app) ||
           nsc_app_search_cancel(app);
}

static void cancel(struct nsc_app *app, struct nsc_effects *effects)
{
    bool on_top = app->help || app->config.open || app->menu.open || app->export.open;

    if ((!on_top && give_up(app)) || close_top(app))
        return;
    if (!app->scene->trace && !app->loading.failure[0]) {
        app->loading.cancelled = true;
        effects->set |= NSC_EFFECT_CANCEL_LOAD;
    } else if (nsc_app_export_cancel(app)) {
        return;
    } else if (app->scene->has_range) {
        nsc_app_range_drop(app);
    } else if (nsc_app_search_end(app)) {
        nsc_app_say(app, "The search is over.");
    } else if (app->scene->selected != NSC_NONE) {
        nsc_scene_select(app->edit, NSC_NONE);
    } else {
        effects->set |= NSC_EFFECT_BELL;
    }
}

static void quit(struct nsc_app *app, struct nsc_effects *effects)
{
    if (close_top(app))
        return;
    effects->set |= NSC_EFFECT_QUIT;
    if (!app->scene->trace)
        effects->set |= NSC_EFFECT_CANCEL_LOAD;
}

static bool command_open(struct nsc_app *app)
{
    if (!app->scene->trace)
        return false;
    app->help = false;
    nsc_app_prompt_open(app, NSC_PROMPT_COMMAND, nsc_text_from(""));
    return true;
}

/* Each says with false that there was nothing to do. */
static bool (*const changes[NSC_N_ACTIONS])(struct nsc_app *) = {
    [NSC_ACTION_PAN_LEFT] = pan_left,
    [NSC_ACTION_PAN_RIGHT] = pan_right,
    [NSC_ACTION_PAN_LEFT_FAR] = pan_left_far,
    [NSC_ACTION_PAN_RIGHT_FAR] = pan_right_far,
    [NSC_ACTION_GO_FIRST] = go_first,
    [NSC_ACTION_GO_LAST] = go_last,
    [NSC_ACTION_ROW_UP] = row_up,
    [NSC_ACTION_ROW_DOWN] = row_down,
    [NSC_ACTION_NEXT_EVENT] = next_event,
    [NSC_ACTION_PREV_EVENT] = prev_event,
    [NSC_ACTION_ZOOM_IN] = zoom_in,
    [NSC_ACTION_ZOOM_OUT] = zoom_out,
    [NSC_ACTION_ZOOM_ALL] = zoom_all,
    [NSC_ACTION_FIT] = fit_view,
    [NSC_ACTION_UNDO_VIEW] = undo_view,
    [NSC_ACTION_REDO_VIEW] = redo_view,
    [NSC_ACTION_BACK_VIEW] = back_view,
    [NSC_ACTION_AXIS_MODE] = nsc_app_axis_next,
    [NSC_ACTION_TICK_DENSITY] = tick_density,
    [NSC_ACTION_LOGICAL_ORDER] = logical_order,
    [NSC_ACTION_DEMANGLED] = demangled,
    [NSC_ACTION_CONFIG] = nsc_app_config_open,
    [NSC_ACTION_FOLD] = fold,
    [NSC_ACTION_FOLD_ALL] = fold_all,
    [NSC_ACTION_UNFOLD_ALL] = unfold_all,
    [NSC_ACTION_PIN] = nsc_app_pin,
    [NSC_ACTION_ROW_HIDE] = nsc_app_row_hide,
    [NSC_ACTION_ROW_MOVE_UP] = row_move_up,
    [NSC_ACTION_ROW_MOVE_DOWN] = row_move_down,
    [NSC_ACTION_ROW_TALLER] = nsc_app_row_taller,
    [NSC_ACTION_FILTER] = nsc_app_filter_open,
    [NSC_ACTION_FILTER_DURATION] = nsc_app_filter_duration,
    [NSC_ACTION_FILTER_NAME] = nsc_app_filter_name,
    [NSC_ACTION_FILTER_DIM] = nsc_app_filter_dim,
    [NSC_ACTION_FIND] = nsc_app_find_open,
    [NSC_ACTION_NEXT_HIT] = next_hit,
    [NSC_ACTION_PREV_HIT] = prev_hit,
    [NSC_ACTION_DETAILS] = details,
    [NSC_ACTION_TREE] = nsc_app_tree_open,
    [NSC_ACTION_TREE_HERE] = nsc_app_tree_here,
    [NSC_ACTION_LINK_BACK] = link_back,
    [NSC_ACTION_LINK_FORWARD] = link_forward,
    [NSC_ACTION_NEXT_SAME] = next_same,
    [NSC_ACTION_PREV_SAME] = prev_same,
    [NSC_ACTION_LONGEST_SAME] = nsc_app_same_longest,
    [NSC_ACTION_NEXT_ITERATION] = next_iteration,
    [NSC_ACTION_PREV_ITERATION] = prev_iteration,
    [NSC_ACTION_MARK] = nsc_app_mark,
    [NSC_ACTION_BOOKMARK] = nsc_app_bookmark_open,
    [NSC_ACTION_BOOKMARKS] = nsc_app_bookmarks_open,
    [NSC_ACTION_NEXT_BOOKMARK] = next_bookmark,
    [NSC_ACTION_PREV_BOOKMARK] = prev_bookmark,
    [NSC_ACTION_FINDINGS] = nsc_app_findings_open,
    [NSC_ACTION_NEXT_FINDING] = nsc_app_finding_next,
    [NSC_ACTION_PREV_FINDING] = nsc_app_finding_prev,
    [NSC_ACTION_EXPORT] = nsc_app_export_open,
    [NSC_ACTION_PROJECT] = nsc_app_project,
    [NSC_ACTION_OVERLAP] = overlap,
    [NSC_ACTION_PANE_NEXT] = pane_next,
    [NSC_ACTION_PANE_PREV] = pane_prev,
    [NSC_ACTION_PANE_UP] = line_up,
    [NSC_ACTION_PANE_DOWN] = line_down,
    [NSC_ACTION_PAGE_LINE_UP] = line_up,
    [NSC_ACTION_PAGE_LINE_DOWN] = line_down,
    [NSC_ACTION_PAGE_UP] = page_up,
    [NSC_ACTION_PAGE_DOWN] = page_down,
    [NSC_ACTION_PAGE_TOP] = page_top,
    [NSC_ACTION_PAGE_BOTTOM] = page_bottom,
    [NSC_ACTION_RANGE_MARK] = nsc_app_range_mark,
    [NSC_ACTION_RANGE_START] = nsc_app_range_start,
    [NSC_ACTION_RANGE_END] = nsc_app_range_end,
    [NSC_ACTION_RANGE_EVENT] = nsc_app_range_event,
    [NSC_ACTION_STATISTICS] = nsc_app_statistics,
    [NSC_ACTION_EVENTS] = nsc_app_events_open,
    [NSC_ACTION_FOCUS] = nsc_app_switch_focus,
    [NSC_ACTION_DETAILS_NEXT] = pane_next,
    [NSC_ACTION_DETAILS_PREV] = pane_prev,
    [NSC_ACTION_CHOOSE_NEXT] = pane_next, /* where a pane has nothing to choose from */
    [NSC_ACTION_CHOOSE_PREV] = pane_prev,
    [NSC_ACTION_PANE_FILTER] = nsc_app_filter_open,
    [NSC_ACTION_ZOOM_PANE] = nsc_app_pane_zoom,
    [NSC_ACTION_INFO] = nsc_app_info_open,
    [NSC_ACTION_COMMAND] = command_open,
    [NSC_ACTION_MENU] = nsc_app_menu_open,
    [NSC_ACTION_SQL] = nsc_app_sql_open,
    [NSC_ACTION_SQL_TRACK] = nsc_app_sql_track,
    [NSC_ACTION_HELP] = help,
};

/* What is found in the timeline's scope is meant for a trace; the same goes for its pane. */
static bool action_applies(const struct nsc_app *app, enum nsc_action action)
{
    enum nsc_key_scope scope = nsc_action_scope(action);

    return scope == NSC_KEY_SCOPE_GLOBAL || app->scene->trace ||
           (app->help && scope == NSC_KEY_SCOPE_PAGE);
}

static void menu_action(struct nsc_app *app, enum nsc_action action, struct nsc_effects *effects)
{
    enum nsc_action chosen = nsc_app_menu_action(app, action, effects);

    if (chosen != NSC_ACTION_NONE)
        nsc_app_action(app, chosen, effects);
}

void nsc_app_action(struct nsc_app *app, enum nsc_action action, struct nsc_effects *effects)
{
    if (action != NSC_ACTION_FIT)
        nsc_scene_fit_again(app->edit);
    if (action != NSC_ACTION_COPY)
        app->panes.copies = 0;
    if (!app->help && !app->config.open && !app->menu.open && !app->export.open &&
        nsc_app_pane_action(app, action, effects))
        return;
    if (action == NSC_ACTION_CANCEL)
        cancel(app, effects);
    else if (action == NSC_ACTION_QUIT)
        quit(app, effects);
    else if (action == NSC_ACTION_QUIT_NOW)
        effects->set |=
            NSC_EFFECT_QUIT | (app->scene->trace ? 0u : (unsigned)NSC_EFFECT_CANCEL_LOAD);
    else if (action == NSC_ACTION_REPAINT)
        effects->set |= NSC_EFFECT_REPAINT;
    else if (action == NSC_ACTION_SUSPEND)
        effects->set |= NSC_EFFECT_SUSPEND;
    else if (action == NSC_ACTION_COPY)
        nsc_app_copy(app, effects);
    else if (nsc_action_scope(action) == NSC_KEY_SCOPE_MENU)
        menu_action(app, action, effects);
    else if (nsc_action_scope(action) == NSC_KEY_SCOPE_CONFIG)
        effects->set |=
            nsc_app_config_action(app, action, effects) ? 0u : (unsigned)NSC_EFFECT_BELL;
    else if (nsc_action_scope(action) == NSC_KEY_SCOPE_EXPORT)
        effects->set |= nsc_app_export_action(app, action) ? 0u : (unsigned)NSC_EFFECT_BELL;
    else if (nsc_action_scope(action) == NSC_KEY_SCOPE_TREE)
        effects->set |= nsc_app_tree_action(app, action) ? 0u : (unsigned)NSC_EFFECT_BELL;
    else if (!changes[action] || !action_applies(app, action) || !changes[action](app))
        effects->set |= NSC_EFFECT_BELL;
    if (effects->set & NSC_EFFECT_BELL)
        nsc_app_say_nothing(app, action);
}
