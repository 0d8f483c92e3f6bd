/*
 * The tree inside the application: opened over the timeline, kept up to date, and the ways between
 * both.
 */
#include "core/units.h"
#include "view/app_state.h"
#include "view/tree.h"

#include <stdio.h>

enum { TREE_FRAME_ROWS = 3, TREE_LEAST_ROWS = 8, WHEEL_LINES = 3 };

bool nsc_app_tree_is_shown(const struct nsc_app *app)
{
    return app->trace && app->pane_open && app->pane == NSC_PANE_TREE;
}

bool nsc_app_tree_has_frame(struct nsc_rect rect)
{
    return rect.rows >= TREE_LEAST_ROWS;
}

void nsc_app_tree_update(struct nsc_app *app)
{
    struct nsc_rect rect = app->layout.pane;
    bool wanted = nsc_app_tree_is_shown(app) && app->pane_full;

    if (wanted && !app->tree) {
        app->tree = nsc_tree_new(app->trace);
        if (!app->tree)
            nsc_app_say(app, "There is not enough memory for the tree.");
    }
    if (app->tree && nsc_app_tree_is_shown(app) && rect.rows > 0)
        nsc_tree_update(
            app->tree,
            (size_t)(nsc_app_tree_has_frame(rect) ? rect.rows - TREE_FRAME_ROWS : rect.rows));
}

static void open_tree(struct nsc_app *app)
{
    app->pane = NSC_PANE_TREE;
    app->pane_open = app->pane_full = true;
    app->pane_top = 0;
    nsc_app_relayout(app);
    nsc_app_tree_update(app);
}

bool nsc_app_tree_open(struct nsc_app *app)
{
    open_tree(app);
    return app->tree != NULL;
}

bool nsc_app_tree_here(struct nsc_app *app)
{
    nsc_event event = app->selected;

    if (event == NSC_NONE)
        event = nsc_app_event_at(app, app->line, nsc_app_cursor_col(app));
    if (event == NSC_NONE) {
        nsc_app_say(app, "No event is selected.");
        return false;
    }
    open_tree(app);
    if (app->tree && nsc_tree_reveal(app->tree, event))
        return true;
    nsc_app_say(app, "The tree does not hold this event: no thread is known that launched it.");
    return false;
}

/* The event under the cursor on the timeline, the tree closed. */
static bool show_event(struct nsc_app *app)
{
    nsc_event event = nsc_tree_event(app->tree);

    if (event == NSC_NONE) {
        nsc_app_say(app, "This line is no event of the timeline.");
        return false;
    }
    app->pane = NSC_PANE_DETAILS;
    app->pane_full = false;
    app->pane_top = 0;
    nsc_app_relayout(app);
    nsc_app_jump(app, event);
    (void)nsc_app_fit(app);
    return true;
}

static void say_limits(struct nsc_app *app, enum nsc_action action)
{
    char text[NSC_UNITS_BYTES];
    char line[NSC_APP_MESSAGE];

    if (action == NSC_ACTION_TREE_BUBBLE_LEAST || action == NSC_ACTION_TREE_BUBBLES) {
        nsc_units_duration(text, app->tree->least_bubble, app->ascii);
        (void)snprintf(line, sizeof line, "Idle times of %s and more are %s.", text,
                       app->tree->bubbles ? "shown" : "not shown");
        nsc_app_say(app, line);
    } else if (action == NSC_ACTION_TREE_SHORTEST || action == NSC_ACTION_TREE_LONGER ||
               action == NSC_ACTION_TREE_SHORTER) {
        nsc_units_duration(text, app->tree->shortest, app->ascii);
        (void)snprintf(line, sizeof line,
                       app->tree->shortest ? "Only what lasts %s or longer is shown."
                                           : "Everything is shown, however short.",
                       text);
        nsc_app_say(app, line);
    }
}

bool nsc_app_tree_action(struct nsc_app *app, enum nsc_action action)
{
    bool did = false;

    if (!app->tree)
        return false;
    if (action == NSC_ACTION_TREE_SHOW)
        return show_event(app);
    if (action == NSC_ACTION_TREE_DEMANGLED) {
        app->demangled = !app->demangled;
        return true;
    }
    did = nsc_tree_action(app->tree, action);
    if (!did && action == NSC_ACTION_TREE_SORT)
        nsc_app_say(app, "Instances stand in order of time; v merges them, then o sorts.");
    else
        say_limits(app, action);
    return did;
}

void nsc_app_tree_mouse(struct nsc_app *app, const struct nsc_input *input)
{
    struct nsc_rect rect = app->layout.pane;
    int top = rect.row + (nsc_app_tree_has_frame(rect) ? 2 : 0);
    bool again = input->mouse.action == NSC_MOUSE_DOUBLE;

    if (!app->tree)
        return;
    if (input->mouse.action == NSC_MOUSE_WHEEL_UP || input->mouse.action == NSC_MOUSE_WHEEL_DOWN)
        nsc_tree_scroll(app->tree,
                        input->mouse.action == NSC_MOUSE_WHEEL_UP ? -WHEEL_LINES : WHEEL_LINES);
    else if ((again || input->mouse.action == NSC_MOUSE_PRESS) && input->mouse.button == 1 &&
             input->mouse.row >= top)
        (void)nsc_tree_click(app->tree, (size_t)(input->mouse.row - top), again);
}
