/* The command line: runs commands, and completes them. */

#include "nsyscope/trace.h"

#include "analysis/skill/skill.h"
#include "core/nearest.h"
#include "core/text.h"
#include "core/units.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/setting.h"
#include "view/app/state.h"
#include "view/kit/help.h"
#include "view/kit/theme.h"
#include "view/kit/words.h"
#include "view/pane/panes.h"
#include "view/scene/move.h"

#include <stdio.h>
#include <string.h>

/* ---- what each does ---- */

static enum nsc_status go_to(struct nsc_app *app, struct nsc_text arguments,
                             struct nsc_error *error)
{
    struct nsc_window extent = app->scene->viewport.extent;
    char text[NSC_PROMPT_BYTES];
    nsc_time t = 0;

    nsc_text_keep(text, arguments);
    if (nsc_units_parse_time(&t, text, NSC_UNITS_S, NULL) != NSC_OK)
        return nsc_fail(error, NSC_EINVAL,
                        "goto: give seconds, or a time with a unit (155.3, "
                        "20ms)");
    if (t < extent.t0 || t >= extent.t1) {
        char from[NSC_UNITS_BYTES];
        char to[NSC_UNITS_BYTES];

        nsc_units_instant(from, extent.t0);
        nsc_units_instant(to, extent.t1);
        return nsc_fail(error, NSC_EINVAL, "goto: the trace goes from %s to %s", from, to);
    }
    if (nsc_app_tree_is_shown(app) && nsc_app_pane_has_focus(app))
        return nsc_app_tree_go(app, t)
                   ? NSC_OK
                   : nsc_fail(error, NSC_ENODATA,
                              "goto: no range of this thread is there or follows");
    nsc_scene_save_view(app->edit);
    nsc_scene_go(app->edit, t);
    return NSC_OK;
}

static enum nsc_status filter(struct nsc_app *app, struct nsc_text arguments,
                              struct nsc_error *error)
{
    if (!nsc_app_filter_set(app, arguments))
        return nsc_fail(error, NSC_EINVAL, "%s", app->message);
    nsc_prompt_add_history(&app->prompt.lines[NSC_PROMPT_FILTER], arguments);
    return NSC_OK;
}

static enum nsc_status iterations(struct nsc_app *app, struct nsc_text arguments,
                                  struct nsc_error *error)
{
    char text[2 * NSC_AXIS_BYTES];

    if (app->scene->compare.on)
        return nsc_fail(error, NSC_EINVAL,
                        "iterations: those of two compared recordings are found, not named");
    if (!nsc_app_set_iterations(app, arguments))
        return nsc_fail(error, NSC_EINVAL, "iterations: no NVTX range %s",
                        arguments.n ? "has such a name" : "recurs steadily through the work");
    nsc_iterations_text(app->scene, &app->explore, text);
    nsc_app_say(app, text);
    return NSC_OK;
}

static enum nsc_status bookmarks(struct nsc_app *app, struct nsc_text arguments,
                                 struct nsc_error *error)
{
    struct nsc_text file;
    struct nsc_text verb = nsc_command_line_split(arguments, &file);

    if (!verb.n) {
        nsc_app_action(app, NSC_ACTION_BOOKMARKS);
        return NSC_OK;
    }
    if (!nsc_text_is(verb, "write") || !file.n)
        return nsc_fail(error, NSC_EINVAL, "bookmarks: give write and the name of a new file");
    if (!nsc_bookmarks_live(&app->bookmarks.list))
        return nsc_fail(error, NSC_EINVAL, "bookmarks: there is none to write");
    app->effects.set |= NSC_EFFECT_SHARE;
    app->effects.text = file;
    return NSC_OK;
}

static enum nsc_status session(struct nsc_app *app, struct nsc_text path, struct nsc_error *error)
{
    if (!path.n)
        return nsc_fail(error, NSC_EINVAL, "session: give the name of a new folder or .html file");
    if (!nsc_bookmarks_live(&app->bookmarks.list))
        return nsc_fail(error, NSC_EINVAL, "session: there are no bookmarks yet;  B  saves one");
    if (nsc_app_wait_for_rest(app))
        return nsc_fail(error, NSC_EINVAL, "%s", app->message);
    nsc_app_say(app, "Writing the session ...");
    app->effects.set |= NSC_EFFECT_SESSION;
    app->effects.text = path;
    return NSC_OK;
}

static enum nsc_status screenshot(struct nsc_app *app, struct nsc_text path,
                                  struct nsc_error *error)
{
    if (!path.n)
        return nsc_fail(error, NSC_EINVAL, "screenshot: give the name of a new file");
    app->effects.set |= NSC_EFFECT_SCREENSHOT;
    app->effects.text = path;
    return NSC_OK;
}

/* Says that there is no such thing, and which names are near. */
static enum nsc_status refuse(const struct nsc_nearest *nearest, const char *before,
                              const char *what, struct nsc_error *error)
{
    char near[NSC_NEAREST_WORDS];
    struct nsc_text name = nearest->wanted;

    return nsc_fail(error, NSC_EINVAL, "%s%.*s: no such %s%s", before,
                    (int)(name.n < 64 ? name.n : 64), name.bytes, what,
                    nearest->n ? nsc_nearest_words(near, nearest) : "; Tab completes its name");
}

static enum nsc_status refuse_command(const struct nsc_app *app, struct nsc_text name,
                                      struct nsc_error *error)
{
    struct nsc_nearest nearest;

    nsc_nearest_init(&nearest, name);
    for (unsigned c = 0; c < NSC_N_COMMAND_LINES; c++)
        nsc_nearest_add(&nearest, nsc_text_from(nsc_command_lines[c].name));
    for (unsigned a = NSC_ACTION_NONE + 1; a < NSC_N_ACTIONS; a++)
        if (nsc_app_command_offers(app, (enum nsc_action)a))
            nsc_nearest_add(&nearest, nsc_text_from(nsc_actions[a].name));
    return refuse(&nearest, "", "command", error);
}

static enum nsc_status refuse_setting(struct nsc_text name, struct nsc_error *error)
{
    struct nsc_nearest nearest;

    nsc_nearest_init(&nearest, name);
    for (unsigned i = 0; i < NSC_N_SETTINGS; i++)
        nsc_nearest_add(&nearest, nsc_text_from(nsc_settings[i].name));
    return refuse(&nearest, "set ", "option", error);
}

/* Accepts "ticks=4" and "ticks = 4" besides "ticks 4". */
static enum nsc_status set(struct nsc_app *app, struct nsc_text arguments, struct nsc_error *error)
{
    char line[NSC_PROMPT_BYTES], now[NSC_SETTING_BYTES];
    struct nsc_text name, value;
    enum nsc_setting setting = NSC_N_SETTINGS;

    if (!arguments.n)
        return nsc_app_config_open(app) ? NSC_OK : nsc_fail(error, NSC_EINVAL, "set: give a name");
    nsc_text_keep(line, arguments);
    if (strchr(line, '='))
        *strchr(line, '=') = ' ';
    name = nsc_command_line_split(nsc_text_from(line), &value);
    setting = nsc_setting_find(name);
    if (setting == NSC_N_SETTINGS)
        return refuse_setting(name, error);
    if (value.n)
        return nsc_app_setting_set(app, setting, value, error);
    nsc_app_setting_text(app, setting, now);
    nsc_app_sayf(app, "%s is %s (%s): %s", nsc_settings[setting].name, now,
                 nsc_settings[setting].values, nsc_settings[setting].help);
    return NSC_OK;
}

/* Describes a command, an action with its keys, or an option of :set; opens a guide. */
static enum nsc_status help(struct nsc_app *app, struct nsc_text name, struct nsc_error *error)
{
    enum nsc_command_line command = nsc_command_line_find(name);
    enum nsc_action action = nsc_action_find(name);
    enum nsc_setting setting = nsc_setting_find(name);
    char keys[NSC_KEYMAP_KEYS_TEXT];
    char text[NSC_APP_MESSAGE];
    const struct nsc_guide_file *guide = nsc_guide_find(name);

    if (!name.n) {
        nsc_app_action(app, NSC_ACTION_HELP);
        return NSC_OK;
    }
    /* A guide's topic takes precedence over a command of that name; words of a title come last. */
    if (guide && (nsc_text_is(name, nsc_guide_topic(guide)) ||
                  (command == NSC_N_COMMAND_LINES && action == NSC_ACTION_NONE &&
                   setting == NSC_N_SETTINGS))) {
        app->help = true;
        app->guide = guide;
        app->help_top = 0;
        return NSC_OK;
    }
    if (command != NSC_N_COMMAND_LINES)
        (void)snprintf(text, sizeof text, "%s %s: %s", nsc_command_lines[command].name,
                       nsc_command_lines[command].arguments, nsc_command_lines[command].help);
    else if (action != NSC_ACTION_NONE)
        (void)snprintf(text, sizeof text, "%s (%s): %s", nsc_actions[action].name,
                       nsc_keymap_keys(keys, app->keymap, NSC_N_KEY_SCOPES, action),
                       nsc_actions[action].help);
    else if (setting != NSC_N_SETTINGS)
        (void)snprintf(text, sizeof text, "set %s (%s): %s", nsc_settings[setting].name,
                       nsc_settings[setting].values, nsc_settings[setting].help);
    else
        return nsc_fail(error, NSC_EINVAL, "help %.*s: no such command or topic",
                        (int)(name.n < 64 ? name.n : 64), name.bytes);
    nsc_app_say(app, text);
    return NSC_OK;
}

static enum nsc_status theme(struct nsc_app *app, struct nsc_text name, struct nsc_error *error)
{
    if (!name.n)
        return nsc_fail(error, NSC_EINVAL, "theme: give the name of one, or a file");
    return nsc_app_setting_set(app, NSC_SETTING_THEME, name, error);
}

static enum nsc_status align(struct nsc_app *app, struct nsc_text word, struct nsc_error *error)
{
    enum nsc_align by = NSC_ALIGN_AUTO;
    const char *range = NULL;

    if (!app->scene->trace || app->sources.n_files < 2)
        return nsc_fail(error, NSC_EINVAL, "align: there is only one export");
    if (word.n >= sizeof app->align_wanted)
        return nsc_fail(error, NSC_EINVAL, "align: this name is too long");
    nsc_text_keep(app->align_wanted, word);
    if (!nsc_align_parse(&by, &range, app->align_wanted))
        return nsc_fail(error, NSC_EINVAL, "align: give " NSC_ALIGN_WORDS);
    app->effects.set |= NSC_EFFECT_ALIGN;
    app->effects.text = nsc_text_from(app->align_wanted);
    return NSC_OK;
}

static enum nsc_status sql(struct nsc_app *app, struct nsc_text query, struct nsc_error *error)
{
    if (query.n)
        return nsc_app_sql_ask(app, query, error);
    nsc_app_action(app, NSC_ACTION_SQL);
    return NSC_OK;
}

static enum nsc_status reload(struct nsc_app *app, struct nsc_text none, struct nsc_error *error)
{
    (void)none;
    if (!app->scene->trace || app->scene->early)
        return nsc_fail(error, NSC_EINVAL, "reload: the exports are still being loaded");
    app->effects.set |= NSC_EFFECT_RELOAD;
    return NSC_OK;
}

static enum nsc_status sql_track(struct nsc_app *app, struct nsc_text none, struct nsc_error *error)
{
    (void)none;
    return nsc_app_sql_track(app) ? NSC_OK : nsc_fail(error, NSC_EINVAL, "%s", app->message);
}

static enum nsc_status quit(struct nsc_app *app, struct nsc_text none, struct nsc_error *error)
{
    (void)none;
    (void)error;
    app->effects.set |= NSC_EFFECT_QUIT;
    return NSC_OK;
}

static enum nsc_status (*const runs[NSC_N_COMMAND_LINES])(struct nsc_app *app,
                                                          struct nsc_text arguments,
                                                          struct nsc_error *error) = {
#define NSC_COMMAND_LINE(id, name, arguments, help, run) [NSC_COMMAND_LINE_##id] = (run),
#include "view/kit/command.def"
};

/* ---- running ---- */

static enum nsc_status run(struct nsc_app *app, struct nsc_text line, struct nsc_error *error)
{
    struct nsc_text arguments;
    struct nsc_text name = nsc_command_line_split(line, &arguments);
    enum nsc_command_line command = nsc_command_line_find(name);
    enum nsc_action action = nsc_action_find(name);
    int shown = (int)(name.n < 64 ? name.n : 64);

    if (command != NSC_N_COMMAND_LINES) {
        if (arguments.n && !nsc_command_lines[command].arguments[0])
            return nsc_fail(error, NSC_EINVAL, "%.*s takes no arguments", shown, name.bytes);
        return runs[command](app, arguments, error);
    }
    if (action == NSC_ACTION_NONE && !nsc_app_knows_question(app, name))
        return refuse_command(app, name, error);
    /* ":diff", ":top_kernels limit=5", ":idle time of each GPU" */
    if (action == NSC_ACTION_NONE && arguments.n && !memchr(arguments.bytes, '=', arguments.n))
        return nsc_app_answers_ask_words(app, line, error);
    if (action == NSC_ACTION_NONE)
        return nsc_app_answers_ask(app, nsc_text_trim(line), error);
    if (!nsc_app_command_offers(app, action))
        return nsc_fail(error, NSC_EINVAL, "%.*s: not for what has the focus now", shown,
                        name.bytes);
    if (arguments.n)
        return nsc_fail(error, NSC_EINVAL, "%.*s takes no arguments", shown, name.bytes);
    nsc_app_action(app, action);
    return NSC_OK;
}

void nsc_app_command_run(struct nsc_app *app, struct nsc_text line)
{
    struct nsc_error error = {0};
    enum nsc_status status = NSC_OK;

    if (!app->scene->trace)
        status = nsc_fail(&error, NSC_EINVAL, "commands wait for the trace");
    else if (line.n >= NSC_PROMPT_BYTES)
        status =
            nsc_fail(&error, NSC_EINVAL, "command: longer than %d bytes", NSC_PROMPT_BYTES - 1);
    else if (line.n)
        status = run(app, line, &error);
    if (status == NSC_OK)
        return;
    nsc_app_say(app, error.text);
    app->effects.set |= NSC_EFFECT_BELL | NSC_EFFECT_REFUSED;
    app->effects.text = nsc_text_from(app->message);
}

/* ---- the prompt ---- */

static bool command_accept(struct nsc_app *app)
{
    const struct nsc_offers *offers = &app->prompt.offers;
    struct nsc_text line = nsc_app_prompt_text(app);

    if (offers->is_runner && offers->chosen < 0 && offers->n > 0)
        line = nsc_text_from(offers->items[0].text);
    nsc_text_keep(app->command.line, line);
    app->command.due = true;
    return true;
}

void nsc_app_command_due(struct nsc_app *app)
{
    if (!app->command.due)
        return;
    app->command.due = false;
    nsc_app_command_run(app, nsc_text_from(app->command.line));
}

/* ---- completing ---- */

/* Completes commands, then actions that have no command of the same name. */
static void complete_name(struct nsc_app *app, struct nsc_text stem)
{
    for (unsigned c = 0; c < NSC_N_COMMAND_LINES; c++)
        nsc_offers_words(&app->prompt.offers, nsc_command_lines[c].name, stem);
    for (unsigned a = NSC_ACTION_NONE + 1; a < NSC_N_ACTIONS; a++) {
        const char *name = nsc_actions[a].name;

        if (nsc_app_command_offers(app, (enum nsc_action)a) &&
            nsc_command_line_find(nsc_text_from(name)) == NSC_N_COMMAND_LINES)
            nsc_offers_words(&app->prompt.offers, name, stem);
    }
}

/* before: the words between "set" and the word being completed. */
static void complete_set(struct nsc_app *app, struct nsc_text before, struct nsc_text stem)
{
    struct nsc_text rest;
    struct nsc_text name = nsc_command_line_split(before, &rest);
    enum nsc_setting setting = nsc_setting_find(name);

    for (unsigned s = 0; !name.n && s < NSC_N_SETTINGS; s++)
        nsc_offers_words(&app->prompt.offers, nsc_settings[s].name, stem);
    if (setting != NSC_N_SETTINGS && !rest.n && nsc_settings[setting].kind == NSC_SETTING_IS_WORDS)
        nsc_offers_words(&app->prompt.offers, nsc_settings[setting].values, stem);
}

/* Completes an action, or where keys are taken away or come first, a scope. */
static void complete_map(struct nsc_app *app, bool actions, struct nsc_text stem)
{
    for (unsigned a = NSC_ACTION_NONE + 1; actions && a < NSC_N_ACTIONS; a++)
        nsc_offers_words(&app->prompt.offers, nsc_actions[a].name, stem);
    for (unsigned s = 0; !actions && s < NSC_N_KEY_SCOPES; s++)
        nsc_offers_words(&app->prompt.offers, nsc_key_scopes[s].name, stem);
}

static void command_complete(struct nsc_app *app, struct nsc_text word)
{
    struct nsc_text before = {nsc_app_prompt_text(app).bytes, (uint32_t)app->prompt.from};
    struct nsc_text rest, name = nsc_command_line_split(before, &before);
    enum nsc_command_line command = nsc_command_line_find(name);

    if (!name.n || command == NSC_COMMAND_LINE_HELP)
        complete_name(app, word);
    else if (command == NSC_COMMAND_LINE_SET)
        complete_set(app, before, word);
    else if (command == NSC_COMMAND_LINE_ALIGN)
        nsc_offers_words(&app->prompt.offers, "utc start nvtx:", word);
    else if (command == NSC_COMMAND_LINE_EXPORT)
        nsc_app_export_complete(app, before, word);
    else if (command == NSC_COMMAND_LINE_MAP || command == NSC_COMMAND_LINE_UNMAP)
        complete_map(app, command == NSC_COMMAND_LINE_MAP && before.n > 0, word);
    else if (command == NSC_COMMAND_LINE_SQL)
        nsc_prompt_sql.complete(app, word);
    for (unsigned t = 0; command == NSC_COMMAND_LINE_THEME && t < nsc_n_theme_files; t++)
        nsc_offers_words(&app->prompt.offers, nsc_theme_files[t].name, word);
    for (uint32_t i = 0; command == NSC_COMMAND_LINE_ANSWER && i < app->n_skills; i++)
        if (!before.n)
            nsc_offers_words(&app->prompt.offers, app->skills[i].name, word);
        else if (nsc_text_is(nsc_command_line_split(before, &rest), app->skills[i].name))
            nsc_offers_words(&app->prompt.offers, app->skills[i].params, word);
}

const struct nsc_prompt_kind nsc_prompt_command = {":",  "run",           NULL, command_accept,
                                                   NULL, command_complete};
