/*
 * Exports from the screen: choices in the box or on the command line, the request, and its result.
 */

#include "core/text.h"
#include "core/units.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/kit/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const whats[NSC_N_EXPORT_WHATS] = {
    [NSC_EXPORT_VIEW] = "view", [NSC_EXPORT_RANGE] = "range", [NSC_EXPORT_ALL] = "all"};

static struct nsc_window window_of(const struct nsc_app *app, enum nsc_export_what what)
{
    if (what == NSC_EXPORT_VIEW)
        return nsc_viewport_window(&app->scene->viewport);
    if (what == NSC_EXPORT_RANGE)
        return app->scene->range;
    return (struct nsc_window){INT64_MIN, INT64_MAX};
}

/* Counts events per lane with two searches each. */
static uint64_t count_events(const struct nsc_app *app, enum nsc_export_what what)
{
    uint64_t count = 0;
    uint32_t n = 0;

    (void)nsc_trace_lanes(app->scene->trace, &n);
    if (what == NSC_EXPORT_ALL)
        return nsc_summary_count(app->scene->summary);
    for (uint32_t lane = 0; lane < n; lane++)
        count +=
            nsc_lane_measure(app->scene->trace, app->scene->summary, lane, window_of(app, what))
                .events;
    return count;
}

/* ---- the form ---- */

enum { FORMAT, WHAT, FILE_NAME, N_FIELDS };

/* "trace-view.json": the name of the export without its folder and ending. */
static void propose(const struct nsc_app *app, char out[NSC_PROMPT_BYTES])
{
    const char *slash = strrchr(app->sources.file, '/');
    const char *name = slash ? slash + 1 : app->sources.file;
    size_t n = strlen(name);

    if (n > 7 && strcmp(name + n - 7, ".sqlite") == 0)
        n -= 7;
    (void)snprintf(out, NSC_PROMPT_BYTES, "%.*s%s%s.%s", (int)(n < 200 ? n : 200), name,
                   app->export.what == NSC_EXPORT_ALL ? "" : "-",
                   app->export.what == NSC_EXPORT_ALL ? "" : whats[app->export.what],
                   nsc_dump_formats[app->export.format].ending);
}

/* "61.2 ms, 12 345 events that the filter keeps" */
static void what_text(struct nsc_app *app)
{
    enum nsc_export_what what = app->export.what;
    struct nsc_window w =
        what == NSC_EXPORT_ALL ? app->scene->viewport.extent : window_of(app, what);
    char length[NSC_UNITS_BYTES], count[NSC_UNITS_BYTES];

    nsc_units_duration(length, nsc_window_length(w), app->scene->ascii);
    nsc_units_count(count, count_events(app, what));
    (void)snprintf(app->export.what_help, sizeof app->export.what_help, "%s, %s events%s", length,
                   count, nsc_scene_is_filtered(app->scene) ? " of the filter" : "");
}

/* The proposed name follows what is chosen. */
static void form_changed(struct nsc_app *app)
{
    struct nsc_form_field *fields = app->form.fields;
    char name[NSC_PROMPT_BYTES];

    propose(app, name);
    app->export.what =
        (enum nsc_export_what)nsc_words_find("view range all", nsc_text_from(fields[WHAT].value));
    app->export.format = nsc_dump_format_find(nsc_text_from(fields[FORMAT].value));
    if (strcmp(fields[FILE_NAME].value, name) == 0)
        propose(app, fields[FILE_NAME].value);
    fields[FORMAT].help = nsc_dump_formats[app->export.format].help;
    what_text(app);
    fields[WHAT].help = app->export.what_help;
}

bool nsc_app_export_open(struct nsc_app *app)
{
    struct nsc_form_field *fields = app->form.fields;
    size_t n = 0;

    if (!app->scene->trace || nsc_app_wait_for_rest(app))
        return false;
    if (app->export.running)
        return nsc_app_refuse(app, "An export is being written: Esc cancels it.");
    if (app->export.what != NSC_EXPORT_ALL)
        app->export.what = app->scene->has_range ? NSC_EXPORT_RANGE : NSC_EXPORT_VIEW;
    app->form = (struct nsc_app_form){
        .title = "Export", .changed = form_changed, .command = "export", .n = N_FIELDS};
    fields[FORMAT] = (struct nsc_form_field){.name = "format"};
    fields[WHAT] = (struct nsc_form_field){.name = "what"};
    fields[FILE_NAME] = (struct nsc_form_field){.name = "file", .help = ""};
    strcpy(fields[WHAT].words, app->scene->has_range ? "view range all" : "view all");
    for (unsigned i = 0; i < NSC_N_DUMP_FORMATS; i++)
        n += (size_t)snprintf(fields[FORMAT].words + n, sizeof fields->words - n, "%s ",
                              nsc_dump_formats[i].name);
    strcpy(fields[FORMAT].value, nsc_dump_formats[app->export.format].name);
    strcpy(fields[WHAT].value, whats[app->export.what]);
    propose(app, fields[FILE_NAME].value);
    form_changed(app);
    nsc_app_form_go(app, FORMAT);
    return true;
}

/* ---- the file's name ---- */

/* Requests an export to a file that must not exist yet. */
static void ask(struct nsc_app *app, struct nsc_text path)
{
    nsc_text_keep(app->export.path, path);
    app->export.replace = false;
    app->export.running = true;
    app->export.since = 0;
    app->effects.set |= NSC_EFFECT_EXPORT;
}

/* The same name again overwrites the file; another name is written as a new file. */
static bool replace_accept(struct nsc_app *app)
{
    struct nsc_text path = nsc_app_prompt_text(app);
    bool same = nsc_text_is(path, app->export.path);

    if (path.n)
        ask(app, path);
    app->export.replace = same;
    return path.n > 0;
}

static void replace_cancel(struct nsc_app *app)
{
    nsc_app_say(app, "Nothing was written.");
}

const struct nsc_prompt_kind nsc_prompt_overwrite = {
    "it exists, Enter replaces it:", "replace", NULL, replace_accept, replace_cancel, NULL};

/* ---- the command line ---- */

enum nsc_status nsc_app_export_command(struct nsc_app *app, struct nsc_text arguments,
                                       struct nsc_error *error)
{
    struct nsc_text rest;
    struct nsc_text word = nsc_command_line_split(arguments, &rest);
    enum nsc_dump_format format = nsc_dump_format_find(word);
    struct nsc_text path = rest;

    if (app->changed)
        return nsc_fail(error, NSC_EINVAL,
                        "export: the file changed on disk; :reload loads it again");
    if (!app->scene->trace || app->scene->early)
        return nsc_fail(error, NSC_EINVAL, "export: the export is still being read");
    if (app->export.running)
        return nsc_fail(error, NSC_EINVAL, "export: one is being written; Esc cancels it");
    if (!word.n) {
        (void)nsc_app_export_open(app);
        return NSC_OK;
    }
    if (format == NSC_N_DUMP_FORMATS)
        return nsc_fail(error, NSC_EINVAL, "export %.*s: no such format; Tab completes its name",
                        (int)(word.n < 64 ? word.n : 64), word.bytes);
    word = nsc_command_line_split(rest, &rest);
    app->export.what = NSC_EXPORT_VIEW;
    for (unsigned i = 0; i < NSC_N_EXPORT_WHATS; i++)
        if (nsc_text_is(word, whats[i])) {
            app->export.what = (enum nsc_export_what)i;
            path = rest;
        }
    if (!path.n || path.n >= NSC_PROMPT_BYTES)
        return nsc_fail(error, NSC_EINVAL, "export: give FORMAT, view, range or all, and a file");
    if (app->export.what == NSC_EXPORT_RANGE && !app->scene->has_range)
        return nsc_fail(error, NSC_EINVAL, "export: there is no range; [ and ] make one");
    app->export.format = format;
    app->export.of_form = nsc_text_is(path, app->form.fields[FILE_NAME].value);
    ask(app, path);
    return NSC_OK;
}

void nsc_app_export_complete(struct nsc_app *app, struct nsc_text before, struct nsc_text stem)
{
    for (unsigned f = 0; !before.n && f < NSC_N_DUMP_FORMATS; f++)
        nsc_offers_words(&app->prompt.offers, nsc_dump_formats[f].name, stem);
    for (unsigned i = 0; before.n && i < NSC_N_EXPORT_WHATS; i++)
        nsc_offers_words(&app->prompt.offers, whats[i], stem);
}

/* ---- asked for, and heard of ---- */

bool nsc_app_export_request(const struct nsc_app *app, struct nsc_export_request *out)
{
    if (!app->scene->trace || app->scene->early)
        return false;
    *out = (struct nsc_export_request){.format = app->export.format,
                                       .window = window_of(app, app->export.what),
                                       .mask = app->filter.pick.mask,
                                       .bookmarks = &app->bookmarks.list,
                                       .filter = app->filter.shown,
                                       .path = app->export.path,
                                       .replace = app->export.replace};
    return true;
}

bool nsc_app_export_cancel(struct nsc_app *app)
{
    if (!app->export.running)
        return false;
    app->export.of_form = false;
    app->effects.set |= NSC_EFFECT_CANCEL_EXPORT;
    return true;
}

/* "Exporting trace.json: 34 %, about 2 s left.  Esc cancels." */
static void say_progress(struct nsc_app *app, const struct nsc_input *input)
{
    uint64_t done = input->progress.rows;
    uint64_t total = input->progress.rows_total;
    uint64_t ms = input->now - app->export.since;
    char left[64] = "";

    if (!app->export.since)
        app->export.since = input->now;
    else if (done && total > done && ms > 500)
        (void)snprintf(left, sizeof left, ", about %" PRIu64 " s left",
                       (ms * (total - done) / done + 999) / 1000);
    nsc_app_sayf(app, "Exporting %.120s: %" PRIu64 " %%%s.  Esc cancels.", app->export.path,
                 total ? done * 100 / total : 0, left);
}

void nsc_app_export_input(struct nsc_app *app, const struct nsc_input *input)
{
    app->export.running = input->exported == NSC_EXPORTED_PART;
    switch (input->exported) {
    case NSC_EXPORTED_PART:
        say_progress(app, input);
        return;
    case NSC_EXPORTED_EXISTS:
        nsc_app_prompt_offer(app, NSC_PROMPT_REPLACE, nsc_text_from(app->export.path));
        return;
    case NSC_EXPORTED_FAILED:
    case NSC_EXPORTED_ALL:
        nsc_app_say(app, input->text ? input->text : "");
        break;
    }
    if (input->exported == NSC_EXPORTED_ALL || !app->export.of_form || app->prompt.open ||
        app->form.changed != form_changed) /* another form since */
        return;
    nsc_app_form_go(app, FILE_NAME);
    nsc_app_prompt_wrong(app, 0, app->message);
}
