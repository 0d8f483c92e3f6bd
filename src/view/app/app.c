/*
 * The life of the application: made, told what happened, drawn.
 */
#include "view/app/app.h"

#include "core/die.h"
#include "view/app/state.h"
#include "view/kit/help.h"
#include "view/model/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct nsc_app *nsc_app_new(const struct nsc_app_options *options)
{
    struct nsc_app *app = nsc_xcalloc(1, sizeof *app);
    const char *file = options->file ? options->file : "";
    size_t n = strlen(file) + 1;

    app->sources.file = nsc_xmalloc(n);
    memcpy(app->sources.file, file, n);
    app->files = options->files;
    app->sources.n_files = options->files ? options->n_files : 0;
    app->align = options->align;
    app->edit = nsc_scene_new();
    app->scene = nsc_scene_of(app->edit);
    nsc_app_config_init(app, options);
    nsc_keymap_init(&app->own_keymap);
    app->keymap = options->keymap ? options->keymap : &app->own_keymap;
    app->details.row_of = app->details.wanted = app->details.facts.event = NSC_NONE;
    app->pool = options->pool;
    app->builds_apart = options->builds_apart;
    app->build.reveal = NSC_NONE;
    nsc_scene_set(app->edit, NSC_SCENE_EXPORT_COLORS, options->export_colors);
    app->filter.presets = options->presets;
    app->filter.n_presets = options->n_presets;
    nsc_scene_set(app->edit, NSC_SCENE_DIM, true);
    if (options->filter && strlen(options->filter) < sizeof app->filter.text)
        memcpy(app->filter.text, options->filter, strlen(options->filter) + 1);
    app->sql.sorted = NSC_NONE;
    app->pane_open = true;
    nsc_app_panes_init(app);
    app->title = (struct nsc_buf)NSC_BUF_INIT(1u << 16);
    nsc_pane_title_name(app);
    return app;
}

/* The copy is the application's own: names are borrowed for ever, values are not. */
static void details_clear(struct nsc_app *app)
{
    for (uint32_t i = 0; i < app->details.row.n; i++)
        free(app->details.row.at[i].value);
    free(app->details.row.at);
    app->details.row = (struct nsc_details){0};
    app->details.row_of = NSC_NONE;
}

void nsc_app_free(struct nsc_app *app)
{
    if (!app)
        return;
    details_clear(app);
    nsc_app_panes_fini(app);
    nsc_app_bookmarks_fini(app);
    nsc_app_findings_fini(app);
    nsc_app_covers_fini(app);
    nsc_facts_fini(app);
    nsc_app_prompt_fini(app);
    nsc_app_filter_fini(app);
    nsc_app_search_fini(app);
    nsc_app_build_fini(app);
    nsc_tree_free(app->tree);
    nsc_explore_fini(app);
    nsc_app_sql_fini(app);
    nsc_scene_free(app->edit);
    nsc_buf_fini(&app->title);
    free(app->sources.file);
    free(app);
}

void nsc_app_relayout(struct nsc_app *app)
{
    struct nsc_layout_options options = {.pane = app->pane_open,
                                         .pane_full = app->pane_full,
                                         .pane_tall = nsc_panes[app->pane].tall,
                                         .strip = app->explore.iterations.n > 0};

    nsc_scene_set_layout(app->edit, nsc_layout_build(app->scene->rows, app->scene->cols, options));
    if (!app->scene->trace)
        return;
    nsc_overview_build(app->scene);
    nsc_app_search_ticks(app);
}

void nsc_app_say(struct nsc_app *app, const char *text)
{
    size_t n = strlen(text);

    n = n < sizeof app->message ? n : sizeof app->message - 1;
    memcpy(app->message, text, n);
    app->message[n] = '\0';
}

bool nsc_app_give_up(struct nsc_app *app)
{
    return nsc_app_sql_stop(app) || nsc_app_build_cancel(app) || nsc_app_filter_cancel(app) ||
           nsc_app_search_cancel(app);
}

static void resize(struct nsc_app *app, const struct nsc_input *input)
{
    nsc_app_menu_close(app);
    nsc_scene_set_size(app->edit, input->rows < NSC_APP_MAX_SIZE ? input->rows : NSC_APP_MAX_SIZE,
                       input->cols < NSC_APP_MAX_SIZE ? input->cols : NSC_APP_MAX_SIZE);
    nsc_app_relayout(app);
}

static void details_set(struct nsc_app *app, const struct nsc_input *input)
{
    if (!input->details || input->event != app->scene->selected)
        return;
    details_clear(app);
    app->details.row.at =
        nsc_xcalloc(input->details->n ? input->details->n : 1, sizeof *app->details.row.at);
    for (uint32_t i = 0; i < input->details->n; i++) {
        const char *value = input->details->at[i].value;
        size_t n = strlen(value ? value : "") + 1;

        app->details.row.at[i].name = input->details->at[i].name;
        app->details.row.at[i].value = nsc_xmalloc(n);
        memcpy(app->details.row.at[i].value, value ? value : "", n);
        app->details.row.n = i + 1;
    }
    app->details.row_of = input->event;
    nsc_facts_rank(app);
}

/* "Q does nothing here.  h lists the keys." */
static void say_unbound(struct nsc_app *app, nsc_key key)
{
    char pressed[32];
    char help[32];
    char text[NSC_APP_MESSAGE];

    nsc_key_format(pressed, key);
    (void)snprintf(text, sizeof text, "%s does nothing here.  %s lists the keys.", pressed,
                   nsc_keymap_key(help, app->keymap, NSC_ACTION_HELP));
    nsc_app_say(app, text);
}

static void key(struct nsc_app *app, const struct nsc_input *input, struct nsc_effects *effects)
{
    enum nsc_action action = NSC_ACTION_NONE;

    app->message[0] = '\0';
    action = nsc_keymap_find(app->keymap, nsc_app_scope(app), input->key);
    if (nsc_app_scope(app) == NSC_KEY_SCOPE_PROMPT) {
        nsc_app_prompt_key(app, action, input->key, effects);
    } else if (action != NSC_ACTION_NONE) {
        nsc_app_action(app, action, effects);
    } else {
        if (app->scene->trace)
            say_unbound(app, input->key);
        effects->set |= NSC_EFFECT_BELL;
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

static void failed(struct nsc_app *app, const char *text)
{
    nsc_app_say(app, text ? text : "");
    if (!app->scene->trace)
        memcpy(app->loading.failure, app->message, sizeof app->loading.failure);
}

/* Asks for the row of a newly selected event as long as somebody looks at it. */
static void details_ask(const struct nsc_app *app, nsc_event before, struct nsc_effects *effects)
{
    if (app->details.wanted == NSC_NONE || app->details.wanted == before)
        return;
    effects->set |= NSC_EFFECT_DETAILS;
    effects->event = app->details.wanted;
}

/* What follows from any input. */
static void bring_up_to_date(struct nsc_app *app, const struct nsc_input *input, nsc_event before,
                             struct nsc_effects *effects)
{
    nsc_app_search_update(app, input->type == NSC_INPUT_TICK, effects);
    nsc_app_filter_update(app, input->type == NSC_INPUT_TICK, effects);
    if (app->scene->trace)
        nsc_scene_follow_stream(app->edit);
    if (app->n_selected != app->scene->n_selected)
        app->pane_top = 0;
    app->n_selected = app->scene->n_selected;
    app->details.wanted = app->pane_open ? app->scene->selected : NSC_NONE;
    details_ask(app, before, effects);
    if (app->details.facts.event != app->scene->selected)
        nsc_facts_build(app);
    nsc_facts_update(app, input->type == NSC_INPUT_TICK, effects);
    nsc_app_tree_update(app);
    if (nsc_app_panes_update(app, input->type == NSC_INPUT_TICK) || app->prompt.due)
        effects->set |= NSC_EFFECT_WORK;
    nsc_app_covers_update(app, effects);
    nsc_app_build_update(app, effects);
    nsc_explore_update(app, effects);
    nsc_app_sql_effects(app, input, effects);
    nsc_app_config_effects(app, effects);
    nsc_app_export_update(app, effects);
    nsc_app_findings_update(app, effects);
    if (app->bookmarks.is_changed)
        effects->set |= NSC_EFFECT_SAVE;
    app->bookmarks.is_changed = false;
}

/* What comes of work that others do for the application. */
static void told(struct nsc_app *app, const struct nsc_input *input)
{
    if (input->type == NSC_INPUT_QUERY)
        nsc_app_sql_input(app, input);
    else if (input->type == NSC_INPUT_EXPORT)
        nsc_app_export_input(app, input);
    else if (input->type == NSC_INPUT_FINDINGS)
        nsc_app_findings_input(app, input);
    else
        nsc_app_build_done(app);
}

struct nsc_effects nsc_app_input(struct nsc_app *app, const struct nsc_input *input)
{
    struct nsc_effects effects = {.set = NSC_EFFECT_REDRAW, .event = NSC_NONE};
    nsc_event before = app->details.wanted;

    switch (input->type) {
    case NSC_INPUT_KEY:
        key(app, input, &effects);
        break;
    case NSC_INPUT_MOUSE:
        nsc_app_mouse(app, input, &effects);
        break;
    case NSC_INPUT_RESIZE:
        resize(app, input);
        break;
    case NSC_INPUT_TICK:
        app->loading.now = input->now;
        nsc_app_prompt_tick(app);
        break;
    case NSC_INPUT_PROGRESS:
        progress(app, input);
        break;
    case NSC_INPUT_LOADED:
        nsc_app_loaded(app, input);
        break;
    case NSC_INPUT_FAILED:
        failed(app, input->text);
        break;
    case NSC_INPUT_DETAILS:
        details_set(app, input);
        break;
    case NSC_INPUT_CHANGED:
        nsc_app_say(app,
                    "The export changed on disk: what is shown is as it was when it was opened.");
        break;
    case NSC_INPUT_LINK:
        app->slow_link = input->slow;
        break;
    case NSC_INPUT_THEME:
        nsc_scene_set(app->edit, NSC_SCENE_EXPORT_COLORS, input->export_colors);
        memcpy(app->config.theme, app->config.theme_wanted, sizeof app->config.theme);
        break;
    case NSC_INPUT_COMMAND:
        nsc_app_command_run(app, nsc_text_from(input->text ? input->text : ""), &effects);
        break;
    case NSC_INPUT_BOOKMARKS:
        nsc_app_bookmarks_input(app, input);
        break;
    default: /* QUERY, EXPORT, FINDINGS, BUILT */
        told(app, input);
        break;
    case NSC_INPUT_MESSAGE:
        nsc_app_say(app, input->text ? input->text : "");
        break;
    }
    bring_up_to_date(app, input, before, &effects);
    return effects;
}

static void note_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    nsc_grid_puts(grid, app->scene->layout.note.row, app->scene->layout.note.col,
                  app->scene->layout.note.cols, NSC_ROLE_WARNING, "nsyscope needs 40x10");
}

void nsc_app_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    grid->ascii = app->scene->ascii;
    nsc_grid_resize(grid, app->scene->rows, app->scene->cols);
    grid->cursor_row = grid->cursor_col = -1;
    if (app->scene->layout.too_small) {
        note_draw(app, grid);
        return;
    }
    nsc_pane_title_draw(app, grid);
    if (!app->scene->trace) {
        nsc_pane_loading_draw(app, grid);
    } else {
        nsc_pane_overview_draw(app->scene, app->search.pick.summary, app->search.ticks, grid);
        if (app->scene->layout.overview.rows) {
            nsc_pane_findings_mark(app->scene, &app->findings, grid);
            nsc_pane_bookmarks_mark(app->scene, &app->bookmarks, grid);
        }
        nsc_pane_overview_window_draw(app->scene, grid);
        nsc_pane_ruler_draw(app->scene, &app->explore, app->keymap, grid);
        nsc_pane_iterations_draw(app->scene, &app->explore, grid);
        nsc_pane_timeline_draw(app->scene, &app->covers, app->search.pick.summary, grid);
        nsc_pane_bottom_draw(app, grid);
    }
    nsc_pane_status_draw(app, grid);
    nsc_pane_config_draw(app, grid);
    nsc_app_menu_draw(app, grid);
    nsc_pane_export_draw(app, grid);
    nsc_app_prompt_draw(app, grid);
    if (app->help)
        nsc_help_draw(grid, nsc_app_help_rect(app), app->keymap, nsc_app_scope_behind(app),
                      app->help_top);
}
