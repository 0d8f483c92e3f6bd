/*
 * Text for the clipboard: the value under the cursor, its row, and the command that prints what has the
 * focus: a pane, or the bins of the timeline's row.
 */
#include "analysis/base/correlate.h"
#include "core/argv.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/kit/words.h"
#include "view/scene/subject.h"

#include <stdio.h>

enum { COPY_VALUE, COPY_ROW, COPY_COMMAND, N_COPIES };

static const char *const names[N_COPIES] = {"name", "row, with tabs between its fields",
                                            "command that prints this"};

static void put_name(const struct nsc_app *app, struct nsc_buf *out, nsc_event event)
{
    char scratch[NSC_NAME_BYTES];

    nsc_text_clean(out, nsc_trace_event_text(app->scene->trace, event, false, scratch), false);
}

/* Columns: start, duration, kind, name, row, group, and the export if there are several. Times in
 * ns. */
static void put_row(const struct nsc_app *app, struct nsc_buf *out, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(app->scene->trace);
    char scratch[NSC_NAME_BYTES];
    struct nsc_text parts[NSC_PLACE_PARTS];
    uint32_t n =
        nsc_place_parts(app->scene, nsc_event_track(app->scene->trace, event), parts, scratch);

    nsc_buf_printf(out, "%lld\t%lld\t%s\t", (long long)events->start[event],
                   (long long)nsc_event_duration(events, event),
                   nsc_kind_label((enum nsc_kind)events->kind[event]));
    put_name(app, out, event);
    for (uint32_t i = 0; i < n; i++) {
        nsc_buf_putc(out, '\t');
        nsc_text_clean(out, parts[i], false);
    }
}

/* All files, and --align if it was given. */
static void put_files(const struct nsc_app *app, struct nsc_buf *out)
{
    nsc_argv_quote(out, app->sources.file);
    for (uint32_t i = 1; i < app->sources.n_files; i++) {
        nsc_buf_putc(out, ' ');
        nsc_argv_quote(out, app->files[i]);
    }
    if (app->sources.n_files > 1 && app->align) {
        nsc_buf_puts(out, " --align ");
        nsc_argv_quote(out, app->align);
    }
}

/* The filter, with the export's number for the bins of one device of several exports. */
static void put_filter(const struct nsc_app *app, struct nsc_buf *out,
                       const struct nsc_track *device)
{
    struct nsc_buf filter = NSC_BUF_INIT(NSC_APP_FILTER_BYTES + 32);

    if (device && app->sources.n_files > 1)
        nsc_buf_printf(&filter, "rank:%u%s", device->capture_no,
                       nsc_scene_is_filtered(app->scene) ? " " : "");
    if (nsc_scene_is_filtered(app->scene))
        nsc_buf_puts(&filter, app->filter.text);
    if (filter.n) {
        nsc_buf_puts(out, " --filter ");
        nsc_argv_quote(out, filter.bytes);
    }
    nsc_buf_fini(&filter);
}

static void put_window(struct nsc_buf *out, const char *option, struct nsc_window w,
                       const char *unit)
{
    nsc_buf_printf(out, " %s %lld%s %lld%s", option, (long long)w.t0, unit, (long long)w.t1, unit);
}

/* "nsyscope COMMAND FILE..." */
static void put_start(const struct nsc_app *app, struct nsc_buf *out, const char *command)
{
    nsc_buf_printf(out, "nsyscope %s ", command);
    put_files(app, out);
}

/* The bins of a lane, or of a device on its header. False for other rows. */
static bool put_bins(const struct nsc_app *app, struct nsc_buf *out)
{
    struct nsc_subject question = nsc_scene_subject(app->scene, false);
    const struct nsc_track *track =
        question.track == NSC_NONE ? NULL : nsc_trace_track(app->scene->trace, question.track);
    bool is_lane = question.lane != NSC_NONE;

    if (!is_lane && (!track || track->kind != NSC_TRACK_DEVICE))
        return false;
    put_start(app, out, "bins");
    nsc_buf_printf(out, is_lane ? " --lane %lld" : " --device %lld",
                   is_lane ? (long long)question.lane : (long long)track->device);
    put_window(out, "--window", question.window, "");
    nsc_buf_printf(out, " --columns %u", app->scene->viewport.cols);
    put_filter(app, out, is_lane ? NULL : track);
    return true;
}

static bool put_query(const struct nsc_app *app, struct nsc_buf *out)
{
    const struct nsc_pane_sql *sql = &app->sql;

    if (sql->of_trace) {
        put_start(app, out, "sql");
    } else {
        nsc_buf_puts(out, "nsyscope sql --raw ");
        nsc_argv_quote(out, sql->answer_of < app->sources.n_files ? app->files[sql->answer_of]
                                                                  : app->sources.file);
    }
    nsc_buf_putc(out, ' ');
    nsc_argv_quote(out, sql->query);
    return sql->query[0] != '\0';
}

/* The events of the rows, by a query of their ids. False for a list of like events. */
static bool put_events(const struct nsc_app *app, struct nsc_buf *out)
{
    static const char *const orders[] = {[NSC_LISTING_TIME] = "start",
                                         [NSC_LISTING_DURATION] = "dur DESC, start",
                                         [NSC_LISTING_NAME] = "label, start"};
    const struct nsc_listing *listing = &app->panes.events.listing;

    put_start(app, out, "sql");
    nsc_buf_puts(out,
                 " \"SELECT start, dur, label, group_label, track_label, kind_label FROM event");
    for (uint32_t i = 0; i < listing->n_ranges; i++)
        nsc_buf_printf(out, " %s id BETWEEN %u AND %u", i ? "OR" : "WHERE",
                       listing->ranges[i].first, listing->ranges[i].end - 1u);
    nsc_buf_printf(out, " ORDER BY %s, id\"", orders[nsc_pane_events_order(&app->panes.events)]);
    put_filter(app, out, NULL);
    return app->panes.events.like == NSC_NONE;
}

/* The question with its parameters and its window. False if no answer is shown. */
static bool put_question(const struct nsc_app *app, struct nsc_buf *out)
{
    const struct nsc_pane_answers *answers = &app->answers;
    struct nsc_text words = nsc_text_from(answers->asked), word = nsc_word_next(&words);
    bool is_command = answers->is_schema || nsc_text_is(word, NSC_RANKS_QUESTION) ||
                      nsc_text_is(word, NSC_DIFF_QUESTION);
    char text[sizeof answers->asked];

    (void)snprintf(text, sizeof text, "%s%.*s", is_command ? "" : "skill run ", (int)word.n,
                   word.bytes);
    put_start(app, out, text);
    while ((word = nsc_word_next(&words)).n) {
        (void)snprintf(text, sizeof text, "%.*s", (int)word.n, word.bytes);
        nsc_buf_puts(out, " -p ");
        nsc_argv_quote(out, text);
    }
    if (answers->has_window)
        put_window(out, "--trim", answers->window, "ns");
    put_filter(app, out, NULL);
    return answers->is_open && !answers->running &&
           !(answers->is_schema && app->sources.n_files > 1); /* the command takes one export */
}

/* False with a filter: it changes the figures of the command. */
static bool put_tree(const struct nsc_app *app, struct nsc_buf *out)
{
    const struct nsc_tree *tree = app->tree;

    if (!tree || nsc_app_tree_is_built(app) || nsc_scene_is_filtered(app->scene))
        return false;
    put_start(app, out, "tree");
    nsc_buf_puts(out, !tree->merged_face ? " --instances" : tree->exact ? " -p fold=off" : "");
    return true;
}

/* The command that prints what has the focus. False: there is none. */
static bool put_command(const struct nsc_app *app, struct nsc_buf *out)
{
    static bool (*const own[NSC_N_PANES])(const struct nsc_app *app,
                                          struct nsc_buf *out) = {[NSC_PANE_SQL] = put_query,
                                                                  [NSC_PANE_EVENTS] = put_events,
                                                                  [NSC_PANE_ANSWERS] = put_question,
                                                                  [NSC_PANE_TREE] = put_tree};

    if (!nsc_app_pane_has_focus(app))
        return put_bins(app, out);
    if (own[app->pane])
        return own[app->pane](app, out);
    if (!app->kinds[app->pane].command)
        return false;
    put_start(app, out, app->kinds[app->pane].command);
    if (app->pane == NSC_PANE_BOOKMARKS)
        nsc_buf_puts(out, " list");
    if (app->pane == NSC_PANE_OVERLAP)
        put_window(out, "--trim", nsc_viewport_window(&app->scene->viewport), "ns");
    return true;
}

/* Puts a name, row or command. False if there is none. */
static bool put(struct nsc_app *app, struct nsc_buf *out, uint32_t what)
{
    const struct nsc_table *table = nsc_app_table(app);

    nsc_buf_clear(out);
    if (table && table->is_page && !table->list.n)
        return false;
    if (what == COPY_COMMAND)
        return put_command(app, out) && !out->overflow;
    if (table && !table->is_page) /* a page: of the selected event */
        return nsc_table_copy(table, out, what == COPY_ROW) && !out->overflow;
    if (app->scene->selected == NSC_NONE)
        return false;
    if (what == COPY_ROW)
        put_row(app, out, app->scene->selected);
    else
        put_name(app, out, app->scene->selected);
    return out->n && !out->overflow;
}

void nsc_app_copy(struct nsc_app *app)
{
    struct nsc_buf *out = &app->panes.copied;
    uint32_t what = app->panes.copies, next;

    for (uint32_t i = 0; app->scene->trace && !nsc_app_has_box(app) && i < N_COPIES; i++, what++) {
        if (!put(app, out, what % N_COPIES))
            continue;
        for (next = what + 1; !put(app, out, next % N_COPIES);)
            next++;
        (void)put(app, out, what % N_COPIES);
        app->panes.copies = what + 1;
        app->effects.set |= NSC_EFFECT_COPY;
        app->effects.text = nsc_text_of_buf(out);
        nsc_app_sayf(app, "Copied the %s.  Again: the %s.", names[what % N_COPIES],
                     names[next % N_COPIES]);
        return;
    }
    nsc_app_say(app, "There is nothing to copy here.");
    app->effects.set |= NSC_EFFECT_BELL;
}
