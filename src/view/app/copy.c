/*
 * Text for the clipboard: the value under the cursor, its row, and the command that prints the
 * row's bins.
 */
#include "analysis/base/correlate.h"
#include "core/argv.h"
#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/scene/subject.h"

enum { COPY_VALUE, COPY_ROW, COPY_COMMAND, N_COPIES };

static const char *const copied[N_COPIES] = {
    [COPY_VALUE] = "Copied the name.  Again: the row, then the command.",
    [COPY_ROW] = "Copied the row, with tabs between its fields.  Again: the command.",
    [COPY_COMMAND] = "Copied the command that prints this.",
};

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
        nsc_buf_printf(&filter, "rank:%u ", device->capture_no);
    if (nsc_scene_is_filtered(app->scene))
        nsc_buf_puts(&filter, app->filter.text);
    else if (filter.n)
        filter.bytes[--filter.n] = '\0';
    if (filter.n) {
        nsc_buf_puts(out, " --filter ");
        nsc_argv_quote(out, filter.bytes);
    }
    nsc_buf_fini(&filter);
}

/* The command for the bins of a lane, or of a device on its header. False for other rows. */
static bool put_command(const struct nsc_app *app, struct nsc_buf *out)
{
    struct nsc_subject question = nsc_scene_subject(app->scene, false);
    const struct nsc_track *track = NULL;

    if (question.track == NSC_NONE)
        return false;
    track = nsc_trace_track(app->scene->trace, question.track);
    if (question.lane == NSC_NONE && track->kind != NSC_TRACK_DEVICE)
        return false;
    nsc_buf_puts(out, "nsyscope bins ");
    put_files(app, out);
    if (question.lane != NSC_NONE)
        nsc_buf_printf(out, " --lane %u", question.lane);
    else
        nsc_buf_printf(out, " --device %lld", (long long)track->device);
    nsc_buf_printf(out, " --window %lld %lld --columns %u", (long long)question.window.t0,
                   (long long)question.window.t1, app->scene->viewport.cols);
    put_filter(app, out, question.lane == NSC_NONE ? track : NULL);
    return true;
}

static bool put(struct nsc_app *app, struct nsc_buf *out, uint32_t what)
{
    const struct nsc_table *table = nsc_app_table(app);

    if (table && table->is_page && !table->list.n)
        return false;
    if (table && !table->is_page && what != COPY_COMMAND) /* a page: of the selected event */
        return nsc_table_copy(table, out, what == COPY_ROW);
    if (table == &app->sql.table) {
        nsc_buf_puts(out, app->sql.of_trace ? "nsyscope sql " : "nsyscope sql --raw ");
        if (app->sql.of_trace)
            put_files(app, out);
        else
            nsc_argv_quote(out, app->sql.answer_of < app->sources.n_files
                                    ? app->files[app->sql.answer_of]
                                    : app->sources.file);
        nsc_buf_putc(out, ' ');
        nsc_argv_quote(out, app->sql.query);
        return app->sql.query[0] != '\0';
    }
    if (what == COPY_COMMAND)
        return put_command(app, out);
    if (app->scene->selected == NSC_NONE)
        return false;
    if (what == COPY_ROW)
        put_row(app, out, app->scene->selected);
    else
        put_name(app, out, app->scene->selected);
    return true;
}

void nsc_app_copy(struct nsc_app *app)
{
    struct nsc_buf *out = &app->panes.copied;

    for (int tries = 0; app->scene->trace && tries < N_COPIES; tries++) {
        uint32_t what = app->panes.copies++ % N_COPIES;

        nsc_buf_clear(out);
        if (!put(app, out, what) || out->overflow || !out->n)
            continue;
        app->effects.set |= NSC_EFFECT_COPY;
        app->effects.text = nsc_text_of_buf(out);
        nsc_app_say(app, copied[what]);
        return;
    }
    nsc_app_say(app, "There is nothing to copy here.");
    app->effects.set |= NSC_EFFECT_BELL;
}
