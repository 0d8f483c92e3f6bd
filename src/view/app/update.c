/* Handles each input, and updates everything that depends on it. */
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"

#include <string.h>

static void resize(struct nsc_app *app, const struct nsc_input *input)
{
    nsc_app_menu_close(app);
    nsc_scene_set_size(app->edit, input->rows < NSC_APP_MAX_SIZE ? input->rows : NSC_APP_MAX_SIZE,
                       input->cols < NSC_APP_MAX_SIZE ? input->cols : NSC_APP_MAX_SIZE);
    nsc_app_relayout(app);
}

/* "Q does nothing here.  h lists the keys." */
static void say_unbound(struct nsc_app *app, nsc_key key)
{
    char pressed[32], help[32];

    nsc_key_format(pressed, key);
    nsc_app_sayf(app, "%s does nothing here.  %s lists the keys.", pressed,
                 nsc_keymap_key(help, app->keymap, NSC_ACTION_HELP));
}

static void key(struct nsc_app *app, const struct nsc_input *input)
{
    enum nsc_action action = nsc_keymap_find(app->keymap, nsc_app_scope(app), input->key);
    enum nsc_action passed = nsc_keymap_find(app->keymap, NSC_KEY_SCOPE_TIMELINE, input->key);

    app->message[0] = '\0';
    if (passed != NSC_ACTION_NONE && nsc_app_pane_has_focus(app) &&
        nsc_app_pane_passes(app, action))
        action = passed;
    if (nsc_app_scope(app) == NSC_KEY_SCOPE_PROMPT) {
        nsc_app_prompt_key(app, action, input->key);
    } else if (action != NSC_ACTION_NONE) {
        nsc_app_action(app, action);
    } else {
        if (app->scene->trace && !nsc_app_has_box(app))
            say_unbound(app, input->key);
        app->effects.set |= NSC_EFFECT_BELL;
    }
}

static void progress(struct nsc_app *app, const struct nsc_input *input)
{
    struct nsc_loading *loading = &app->loading;

    if (!loading->started)
        loading->since = input->now;
    loading->started = true;
    loading->now = input->now;
    loading->progress = input->progress;
}

static void failed(struct nsc_app *app, const struct nsc_input *input)
{
    nsc_app_say(app, input->text ? input->text : "");
    if (!app->scene->trace)
        memcpy(app->loading.failure, app->message, sizeof app->loading.failure);
}

/* ---- what follows each input ---- */

static void follow_rows(struct nsc_app *app)
{
    if (app->scene->trace) {
        nsc_scene_settle(app->edit);
        nsc_app_compare_update(app);
        nsc_scene_settle(app->edit);
        nsc_scene_follow_stream(app->edit);
        nsc_app_relayout_lines(app);
        nsc_app_summary_follow(app);
    }
    if (app->n_selected != app->scene->n_selected)
        app->pane_top = 0;
    app->n_selected = app->scene->n_selected;
}

static void follow_pane(struct nsc_app *app, bool tick)
{
    app->has_time = tick && !nsc_app_filter_is_waiting(app);
    nsc_app_panes_update(app);
    if (app->prompt.offering)
        app->effects.set |= NSC_EFFECT_WORK;
}

/* A step may use the results of earlier steps. */
static void follow(struct nsc_app *app, bool tick)
{
    nsc_idle_row_update(app); /* data derived from each trace */
    nsc_projection_update(app);
    follow_rows(app);         /* the event at the cursor; the lines */
    nsc_app_details_ask(app); /* row of the selected event */
    nsc_facts_update(app);    /* facts about it from the trace */
    nsc_app_tree_update(app); /* lines of the tree */
    if (app->scene->trace)
        nsc_app_range_follow(app); /* the range that follows the cursor */
    follow_pane(app, tick);        /* contents of the bottom pane, unless rows are filtered */
    nsc_app_findings_update(app);  /* findings to look for */
}

/* News of the file, the link and the terminal, and others that are one call. */
static void told(struct nsc_app *app, const struct nsc_input *input)
{
    switch (input->type) {
    case NSC_INPUT_TICK:
        app->loading.now = input->now;
        nsc_app_prompt_tick(app);
        break;
    case NSC_INPUT_CHANGED:
        app->changed = true;
        nsc_app_say(app, "The export changed on disk; this is its old content.  :reload loads the "
                         "new one.");
        break;
    case NSC_INPUT_LINK:
        app->slow_link = input->slow;
        break;
    case NSC_INPUT_BACKDROP: /* the default theme follows it */
        if (strcmp(app->config.theme_wanted, "default") == 0)
            nsc_app_theme_ask(app, nsc_text_from("default"));
        break;
    case NSC_INPUT_THEME:
        nsc_scene_set(app->edit, NSC_SCENE_EXPORT_COLORS, input->export_colors);
        memcpy(app->config.theme, app->config.theme_wanted, sizeof app->config.theme);
        break;
    case NSC_INPUT_BUILT:
        nsc_app_build_done(app, input->slot);
        break;
    case NSC_INPUT_MESSAGE:
        nsc_app_say(app, input->text ? input->text : "");
        break;
    case NSC_INPUT_COMMAND:
        nsc_app_command_run(app, nsc_text_from(input->text ? input->text : ""));
        break;
    default:
        break;
    }
}

/* Who takes an input; NULL: told(). */
static void (*const takers[])(struct nsc_app *app, const struct nsc_input *input) = {
    [NSC_INPUT_KEY] = key,
    [NSC_INPUT_MOUSE] = nsc_app_mouse,
    [NSC_INPUT_RESIZE] = resize,
    [NSC_INPUT_PROGRESS] = progress,
    [NSC_INPUT_LOADED] = nsc_app_loaded,
    [NSC_INPUT_FAILED] = failed,
    [NSC_INPUT_DETAILS] = nsc_app_details_set,
    [NSC_INPUT_QUERY] = nsc_app_sql_input,
    [NSC_INPUT_ANSWER] = nsc_app_answers_input,
    [NSC_INPUT_EXPORT] = nsc_app_export_input,
    [NSC_INPUT_FINDINGS] = nsc_app_findings_input,
    [NSC_INPUT_STACKS] = nsc_app_flame_input,
    [NSC_INPUT_BOOKMARKS] = nsc_app_bookmarks_input,
};

struct nsc_effects nsc_app_input(struct nsc_app *app, const struct nsc_input *input)
{
    size_t type = (size_t)input->type;

    app->effects = (struct nsc_effects){.set = NSC_EFFECT_REDRAW, .event = NSC_NONE};
    app->now = input->now;
    app->details.before = app->details.wanted;
    (type < sizeof takers / sizeof *takers && takers[type] ? takers[type] : told)(app, input);
    follow(app, input->type == NSC_INPUT_TICK);
    return app->effects;
}
