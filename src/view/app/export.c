/*
 * Exports from the screen: choices in the box or on the command line, the request, and its result.
 */

#include "core/text.h"
#include "core/units.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/kit/grid.h"
#include "view/kit/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINE_FORMAT, LINE_WHAT, N_LINES };

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

/* ---- the box ---- */

bool nsc_app_export_open(struct nsc_app *app)
{
    if (!app->scene->trace || nsc_app_wait_for_rest(app))
        return false;
    if (app->export.running)
        return nsc_app_refuse(app, "An export is being written: Esc cancels it.");
    app->help = false;
    app->export.open = !app->export.open;
    if (app->scene->has_range && app->export.what == NSC_EXPORT_VIEW)
        app->export.what = NSC_EXPORT_RANGE;
    else if (!app->scene->has_range && app->export.what == NSC_EXPORT_RANGE)
        app->export.what = NSC_EXPORT_VIEW;
    return true;
}

static bool choose(struct nsc_app *app, bool more)
{
    struct nsc_app_export *export = &app->export;
    unsigned n = export->line == LINE_FORMAT ? NSC_N_DUMP_FORMATS : NSC_N_EXPORT_WHATS;
    unsigned step = more ? 1 : n - 1;

    if (export->line == LINE_FORMAT) {
        export->format = (enum nsc_dump_format)(((unsigned)export->format + step) % n);
        return true;
    }
    do
        export->what = (enum nsc_export_what)(((unsigned)export->what + step) % n);
    while (export->what == NSC_EXPORT_RANGE && !app->scene->has_range);
    return true;
}

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

static bool ask_name(struct nsc_app *app)
{
    char name[NSC_PROMPT_BYTES];

    propose(app, name);
    app->export.open = false;
    nsc_app_prompt_offer(app, NSC_PROMPT_EXPORT, nsc_text_from(name), 0);
    return true;
}

bool nsc_app_export_action(struct nsc_app *app, enum nsc_action action)
{
    struct nsc_app_export *export = &app->export;

    if (!export->open)
        return false;
    switch (action) {
    case NSC_ACTION_EXPORT_UP:
    case NSC_ACTION_EXPORT_DOWN:
        export->line = (export->line + 1) % N_LINES;
        return true;
    case NSC_ACTION_EXPORT_LESS:
    case NSC_ACTION_EXPORT_MORE:
        return choose(app, action == NSC_ACTION_EXPORT_MORE);
    case NSC_ACTION_EXPORT_WRITE:
        return ask_name(app);
    case NSC_ACTION_EXPORT_CLOSE:
        export->open = false;
        return true;
    default:
        return false;
    }
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

static bool export_accept(struct nsc_app *app)
{
    struct nsc_text path = nsc_app_prompt_text(app);

    if (!path.n || memchr(path.bytes, '\0', path.n)) {
        nsc_app_prompt_wrong(app, 0, "the name of a file is wanted");
        return false;
    }
    ask(app, path);
    return true;
}

const struct nsc_prompt_kind nsc_prompt_export = {"export to:",  "write", NULL,
                                                  export_accept, NULL,    NULL};

/* The same name again overwrites the file; another name is written as a new file. */
static bool replace_accept(struct nsc_app *app)
{
    struct nsc_text path = nsc_app_prompt_text(app);
    bool same = nsc_text_is(path, app->export.path);

    if (!export_accept(app))
        return false;
    app->export.replace = same;
    return true;
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
        app->export.open = false;
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
        nsc_app_prompt_open(app, NSC_PROMPT_REPLACE, nsc_text_from(app->export.path));
        return;
    case NSC_EXPORTED_FAILED:
        nsc_app_say(app, input->text ? input->text : "");
        return;
    case NSC_EXPORTED_ALL:
        nsc_app_sayf(app, "Written: %.160s (%s)", app->export.path,
                     nsc_dump_formats[app->export.format].name);
        return;
    }
}

/* ---- the box ---- */

enum { FRAME = 2, BOX_COLS = 72, NAME_COLS = 10, VALUE_COLS = 19, TEXT_BYTES = 160 };

/* "61.2 ms, 12 345 events that the filter keeps" */
static void what_text(const struct nsc_app *app, char out[TEXT_BYTES])
{
    enum nsc_export_what what = app->export.what;
    struct nsc_window w = what == NSC_EXPORT_VIEW    ? nsc_viewport_window(&app->scene->viewport)
                          : what == NSC_EXPORT_RANGE ? app->scene->range
                                                     : app->scene->viewport.extent;
    char length[NSC_UNITS_BYTES], count[NSC_UNITS_BYTES];

    nsc_units_duration(length, nsc_window_length(w), app->scene->ascii);
    nsc_units_count(count, count_events(app, what));
    (void)snprintf(out, TEXT_BYTES, "%s, %s events%s", length, count,
                   nsc_scene_is_filtered(app->scene) ? " of the filter" : "");
}

void nsc_app_export_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    int cols = BOX_COLS < (int)app->scene->cols ? BOX_COLS : (int)app->scene->cols;
    struct nsc_rect box = {app->scene->layout.status.row - 5, ((int)app->scene->cols - cols) / 2,
                           2 + FRAME + 1, cols};
    struct nsc_rect line = {box.row + 1, box.col + 1, 1, cols - FRAME};
    char text[TEXT_BYTES];
    struct nsc_choice choices[N_LINES] = {
        {"format", nsc_dump_formats[app->export.format].name,
         nsc_dump_formats[app->export.format].help, NAME_COLS, VALUE_COLS},
        {"what", whats[app->export.what], text, NAME_COLS, VALUE_COLS}};

    if (!app->export.open || box.row < 1)
        return;
    what_text(app, text);
    nsc_box_draw(grid, box, " Export ");
    for (size_t i = 0; i < N_LINES; i++, line.row++)
        nsc_choice_draw(grid, line, &choices[i], i == app->export.line);
    nsc_grid_puts(grid, line.row, line.col + 1, line.cols - 2, NSC_ROLE_DIM,
                  "Enter asks for the name of the file and writes it.");
}
