/* The filter: an expression that selects the events for the whole screen. */

#include "core/die.h"
#include "core/units.h"
#include "view/app/explore.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/kit/words.h"
#include "view/pane/panes.h"
#include "view/scene/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char name_keys[] = "name: name= name~";

/* ---- undoing it ---- */

/* The number of the current filter, for the history of views. The oldest are dropped. */
static uint32_t filter_number(struct nsc_app *app)
{
    struct nsc_app_filter *filter = &app->filter;

    for (uint32_t i = 0; i < NSC_APP_FILTERS; i++)
        if (filter->seen[i] && strcmp(filter->seen[i], filter->shown) == 0)
            return i;
    filter->n_seen = filter->n_seen % (NSC_APP_FILTERS - 1) + 1; /* 0 is the empty one */
    free(filter->seen[filter->n_seen]);
    filter->seen[filter->n_seen] = nsc_xmalloc(strlen(filter->shown) + 1);
    strcpy(filter->seen[filter->n_seen], filter->shown);
    return filter->n_seen;
}

bool nsc_app_filter_undo(struct nsc_app *app)
{
    uint32_t wanted = nsc_scene_filter_no(app->edit);
    const char *text = wanted ? app->filter.seen[wanted] : "";

    app->filter.is_undoing = text && strcmp(text, app->filter.text) != 0;
    return app->filter.is_undoing && nsc_app_filter_set(app, nsc_text_from(text));
}

/* Stores the view without the new filter for undo. */
static void view_save(struct nsc_app *app)
{
    uint32_t number = app->filter.shown[0] ? filter_number(app) : 0;

    if (number == nsc_scene_filter_no(app->edit))
        return;
    if (!app->filter.is_undoing)
        nsc_scene_save_view(app->edit);
    nsc_scene_set_filter_no(app->edit, number);
}

/* ---- accepting it ---- */

/* Accepts the filter: adds it to the history, and looks up slow facts again. */
static void filter_settle(struct nsc_app *app)
{
    view_save(app);
    if (nsc_scene_is_filtered(app->scene) &&
        (app->scene->selected == NSC_NONE ||
         !nsc_summary_has(app->scene->summary, app->scene->selected)) &&
        !app->filter.is_undoing)
        (void)nsc_scene_go_nearest(app->edit);
    app->filter.is_undoing = false;
    nsc_app_search_again(app);
    nsc_overview_build(app->scene);
}

static void say_when_empty(struct nsc_app *app)
{
    char key[32], clear[32];

    if (!nsc_scene_is_filtered(app->scene) || nsc_summary_count(app->scene->summary))
        return;
    nsc_app_sayf(app, "No event passes the filter.  %s: change it, %s: clear it.",
                 nsc_keymap_key(key, app->keymap, NSC_ACTION_FILTER),
                 nsc_keymap_key(clear, app->keymap, NSC_ACTION_FILTER_CLEAR));
}

static void drop_work(struct nsc_app *app)
{
    nsc_app_pick_drop(app, NSC_BUILDS_PICK);
    app->filter.is_accepted = false;
}

static void give_up(struct nsc_app *app)
{
    drop_work(app);
    app->filter.is_undoing = false;
    memcpy(app->filter.text, app->filter.shown, sizeof app->filter.text);
}

bool nsc_app_filter_is_waiting(const struct nsc_app *app)
{
    return nsc_app_pick_is_waiting(app, NSC_BUILDS_PICK);
}

/* Shows the built filter: the whole screen uses the scene's summary. */
static void filter_shown(struct nsc_app *app)
{
    bool is_accepted = app->filter.is_accepted;

    drop_work(app);
    memcpy(app->filter.shown, app->filter.text, sizeof app->filter.shown);
    nsc_scene_set_summary(app->edit, app->filter.pick.summary
                                         ? app->filter.pick.summary
                                         : nsc_trace_summary(app->scene->trace));
    nsc_overview_build(app->scene);
    nsc_facts_update_standing(app);
    if (!is_accepted)
        return;
    filter_settle(app);
    say_when_empty(app);
}

static void picked(struct nsc_app *app, const struct nsc_pick *pick)
{
    if (!pick) {
        give_up(app);
        return;
    }
    nsc_pick_clear(&app->filter.pick);
    app->filter.pick = *pick;
    filter_shown(app);
}

bool nsc_app_filter_cancel(struct nsc_app *app)
{
    if (!nsc_app_filter_is_waiting(app))
        return false;
    give_up(app);
    nsc_app_say(app, "Given up: the filter is what it was.");
    return true;
}

/* Starts building the filter, which is not shown. */
static void filter_begin(struct nsc_app *app, struct nsc_filter *filter)
{
    if (!nsc_filter_is_empty(filter)) {
        nsc_app_pick(app, NSC_BUILDS_PICK, filter, picked);
        return;
    }
    nsc_filter_free(filter);
    nsc_pick_clear(&app->filter.pick);
    filter_shown(app);
}

/* Leaves the filter unchanged on failure. */
static enum nsc_status filter_show(struct nsc_app *app, struct nsc_text text, uint32_t *column,
                                   struct nsc_error *error)
{
    struct nsc_filter *filter = NULL;
    enum nsc_status status = NSC_OK;

    *column = 0;
    while (text.n && text.bytes[text.n - 1] == ' ')
        text.n--;
    if (text.n >= NSC_PROMPT_BYTES)
        return nsc_fail(error, NSC_EINVAL, "filter: longer than %d bytes", NSC_PROMPT_BYTES - 1);
    status = nsc_filter_parse_at(&filter, text, column, error);
    if (status != NSC_OK)
        return status;
    drop_work(app);
    nsc_text_keep(app->filter.text, text);
    if (strcmp(app->filter.text, app->filter.shown) != 0)
        filter_begin(app, filter);
    else
        nsc_filter_free(filter);
    return NSC_OK;
}

/* Ends the preview: accepts the filter now, or as soon as it is built. */
static void filter_accepted(struct nsc_app *app)
{
    if (nsc_app_filter_is_waiting(app))
        app->filter.is_accepted = true;
    else
        filter_settle(app);
}

bool nsc_app_filter_set(struct nsc_app *app, struct nsc_text text)
{
    struct nsc_error error = {0};
    uint32_t column = 0;

    if (filter_show(app, text, &column, &error) != NSC_OK)
        return nsc_app_refuse(app, error.text);
    filter_accepted(app);
    return true;
}

bool nsc_app_filter_clear(struct nsc_app *app)
{
    if (!nsc_scene_is_filtered(app->scene) && !nsc_app_filter_is_waiting(app))
        return false;
    nsc_prompt_add_history(&app->prompt.lines[NSC_PROMPT_FILTER], nsc_text_from(app->filter.text));
    nsc_app_say(app, "The filter is cleared; u brings it back.");
    return nsc_app_filter_set(app, nsc_text_from(""));
}

void nsc_app_filter_fini(struct nsc_app *app)
{
    drop_work(app);
    nsc_pick_clear(&app->filter.pick);
    nsc_name_counts_fini(&app->prompt.names);
    app->filter.shown[0] = '\0';
    for (uint32_t i = 0; i < NSC_APP_FILTERS; i++) {
        free(app->filter.seen[i]);
        app->filter.seen[i] = NULL;
    }
}

/* ---- prompts ---- */

static void prompt_open(struct nsc_app *app, struct nsc_text text)
{
    memcpy(app->filter.before, app->filter.text, sizeof app->filter.before);
    nsc_app_prompt_open(app, NSC_PROMPT_FILTER, text);
}

/* Removes "filter, column 5: " from a message: its place on the screen says that. */
static const char *without_place(const char *text)
{
    const char *colon = strncmp(text, "filter, column", 14) == 0 ? strstr(text, ": ") : NULL;

    return colon ? colon + 2 : text;
}

/* Without a last word that is a key without a value; while typing, also without one that may become a key,
 * such as "kin": its letters are no name yet. */
static struct nsc_text without_key(struct nsc_text text, bool typing)
{
    uint32_t from = text.n;

    while (from > 0 && text.bytes[from - 1] != ' ')
        from--;
    for (uint32_t k = 0; from < text.n && nsc_filter_key(k); k++) {
        size_t n = strlen(nsc_filter_key(k)), typed = text.n - from;

        if ((n == typed || (typing && n > typed)) &&
            memcmp(nsc_filter_key(k), text.bytes + from, typed) == 0)
            text.n = from;
    }
    return text;
}

static void filter_changed(struct nsc_app *app)
{
    struct nsc_error error = {0};
    uint32_t column = 0;

    if (filter_show(app, without_key(nsc_app_prompt_text(app), true), &column, &error) != NSC_OK)
        nsc_app_prompt_wrong(app, column, without_place(error.text));
}

static bool filter_accept(struct nsc_app *app)
{
    (void)nsc_app_filter_set(app, without_key(nsc_app_prompt_text(app), false));
    if (!nsc_app_filter_is_waiting(app))
        say_when_empty(app);
    return true;
}

static void filter_cancel(struct nsc_app *app)
{
    if (strcmp(app->filter.before, app->filter.text) != 0)
        (void)nsc_app_filter_set(app, nsc_text_from(app->filter.before));
    else
        filter_accepted(app);
}

/* The first typed character begins a term. */
bool nsc_app_filter_open(struct nsc_app *app)
{
    char text[NSC_PROMPT_BYTES + 1];

    (void)snprintf(text, sizeof text, "%s%s", app->filter.text, app->filter.text[0] ? " " : "");
    prompt_open(app, nsc_text_from(text));
    return true;
}

const struct nsc_prompt_kind nsc_prompt_filter = {"filter:",     "filter",      filter_changed,
                                                  filter_accept, filter_cancel, NULL};

bool nsc_app_filter_term(struct nsc_app *app, const char *key, struct nsc_text value)
{
    struct nsc_buf line = NSC_BUF_INIT(2 * NSC_PROMPT_BYTES);
    size_t from;

    nsc_filter_strip(&line, nsc_text_from(app->filter.text), key);
    nsc_buf_printf(&line, "%s%s", line.n ? " " : "", key);
    from = line.n;
    nsc_buf_add(&line, value.bytes, value.n);
    prompt_open(app, nsc_text_of_buf(&line));
    app->prompt.lines[NSC_PROMPT_FILTER].offered = from;
    nsc_buf_fini(&line);
    return true;
}

bool nsc_app_filter_duration(struct nsc_app *app)
{
    return nsc_app_filter_term(app, "dur>",
                               nsc_filter_find(nsc_text_from(app->filter.text), "dur>"));
}

/* ---- the minimum duration: a term of the filter, set by a setting ---- */

bool nsc_app_filter_least(struct nsc_app *app, struct nsc_text duration)
{
    struct nsc_buf line = NSC_BUF_INIT(2 * NSC_PROMPT_BYTES);
    bool done = false;

    nsc_filter_strip(&line, nsc_text_from(app->filter.text), "dur>");
    if (duration.n)
        nsc_buf_printf(&line, "%sdur>%.*s", line.n ? " " : "", (int)duration.n, duration.bytes);
    done = nsc_app_filter_set(app, nsc_text_of_buf(&line));
    nsc_buf_fini(&line);
    return done;
}

/* ---- by selection ---- */

bool nsc_app_filter_name(struct nsc_app *app)
{
    struct nsc_buf line = NSC_BUF_INIT(2 * NSC_NAME_BYTES);
    char scratch[NSC_NAME_BYTES];
    struct nsc_text name;
    bool is_flame =
        nsc_app_scope(app) == NSC_KEY_SCOPE_FLAME && app->flame.made && app->flame.made->n;
    bool is_range = false, done = false;

    if (app->scene->selected == NSC_NONE)
        return nsc_app_refuse(app, "No event is selected.");
    if (is_flame && app->flame.made->frames[app->flame.cursor].is_mixed)
        return nsc_app_refuse(app, "The frame stands for several names;  /  filters by text.");
    /* A frame stands for the work of its range, or for kernels of one full name. */
    is_range = is_flame && nsc_trace_events(app->scene->trace)->kind[app->scene->selected] ==
                               NSC_KIND_NVTX_RANGE;
    name = nsc_trace_event_text(app->scene->trace, app->scene->selected,
                                !app->scene->demangled && !is_flame, scratch);
    /* A filter that drops the event is replaced instead of extended. */
    if (nsc_summary_has(app->scene->summary, app->scene->selected))
        nsc_filter_strip(&line, nsc_text_from(app->filter.text), name_keys);
    nsc_buf_printf(&line, "%s%s", line.n ? " " : "", is_range ? "nvtx:" : "name=");
    nsc_filter_quote(&line, name);
    if (name.n == 0)
        nsc_app_say(app, "The event has no name.");
    else if (line.overflow || line.n >= NSC_PROMPT_BYTES)
        nsc_app_say(app, "The name is too long for a filter.");
    else
        done = nsc_app_filter_set(app, nsc_text_of_buf(&line));
    if (done)
        nsc_prompt_add_history(&app->prompt.lines[NSC_PROMPT_FILTER], nsc_text_of_buf(&line));
    if (done && is_flame && !is_range)
        nsc_app_say(app, "The filter keeps this name in all frames.");
    nsc_buf_fini(&line);
    return done;
}

bool nsc_app_filter_dim(struct nsc_app *app)
{
    nsc_scene_change(app->edit, NSC_SCENE_DIM, !app->scene->dim);
    nsc_app_say(app, app->scene->dim ? "What is filtered out is dimmed."
                                     : "What is filtered out is hidden.");
    return true;
}

/* ---- drawing ---- */
