/* Writes bookmarks, tables and screens to files that the user names on the screen. */
#include "analysis/base/stacks.h"
#include "cli/bookmark_session.h"
#include "cli/session/host.h"
#include "cli/session/session.h"
#include "cli/stack_reader.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/paths.h"
#include "share/dump.h"
#include "share/screen.h"
#include "share/sheet_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nsc_message_give(struct nsc_app *app, const char *text)
{
    const struct nsc_input input = {.type = NSC_INPUT_MESSAGE, .text = text};

    (void)nsc_app_input(app, &input); /* an answer returns no effects */
}

/* "Written to PATH.", the whole path, and more. */
static void say_written(struct nsc_error *out, const char *path, const char *more)
{
    char *real = realpath(path, NULL);

    (void)snprintf(out->text, sizeof out->text, "Written to %s.%s", real ? real : path, more);
    free(real);
}

/* Tells the application the error, or what follows "Written to PATH." */
static void say(struct nsc_app *app, const char *path, enum nsc_status status, const char *more,
                struct nsc_error *error)
{
    if (status == NSC_OK)
        say_written(error, path, more);
    nsc_message_give(app, error->text);
}

void nsc_bookmarks_share(struct nsc_app *app, struct nsc_text name,
                         const struct nsc_bookmarks *list, const char *identity)
{
    struct nsc_buf text = NSC_BUF_INIT(1u << 30);
    struct nsc_error error = {NSC_OK, ""};
    char *path = nsc_xcopy(name.bytes, name.n);
    enum nsc_status status;

    nsc_bookmarks_format(&text, list, NULL, identity, false);
    status = nsc_file_write(path, NSC_OUTFILE_NEW, &text, &error);
    say(app, path, status, "  nsyscope bookmarks EXPORT import FILE adds them elsewhere.", &error);
    nsc_buf_fini(&text);
    free(path);
}

void nsc_answer_write(struct nsc_app *app, struct nsc_text name)
{
    struct nsc_error error = {NSC_OK, ""};
    const struct nsc_sheet *sheet = nsc_app_answer_sheet(app);
    char *path = nsc_xcopy(name.bytes, name.n);

    say(app, path, sheet ? nsc_sheet_save(path, sheet, &error) : NSC_ENODATA, "", &error);
    free(path);
}

static enum nsc_status draw_to_file(const char *path, const struct nsc_app *app,
                                    const struct nsc_theme *theme, struct nsc_error *error)
{
    enum nsc_screen_format format = nsc_screen_format_of_file(path);
    struct nsc_buf text = NSC_BUF_INIT(1u << 30);
    enum nsc_status status = NSC_OK;
    struct nsc_grid grid;

    if (format == NSC_N_SCREEN_FORMATS)
        return nsc_fail(error, NSC_EINVAL, "%s: the name must end in .svg, .html, .ansi or .txt",
                        path);
    nsc_grid_init(&grid, false); /* enlarged when drawn */
    nsc_app_draw(app, &grid);
    nsc_screen_write(&text, &grid, theme, format);
    status = nsc_file_write(path, NSC_OUTFILE_NEW, &text, error);
    nsc_grid_fini(&grid);
    nsc_buf_fini(&text);
    return status;
}

void nsc_screenshot_write(struct nsc_app *app, const struct nsc_theme *theme, struct nsc_text name)
{
    struct nsc_error error = {NSC_OK, ""};
    char *path = nsc_xcopy(name.bytes, name.n);

    say(app, path, draw_to_file(path, app, theme, &error), "", &error);
    free(path);
}

/* ---- exports ---- */

struct export_task {
    struct nsc_task task;
    struct nsc_task_source from;
    struct nsc_dump_query query;
    uint64_t *mask;
    struct nsc_bookmarks bookmarks;
    char *filter, *path;
    bool replace;
};

static void run_export(struct nsc_task *task)
{
    struct export_task *export = (struct export_task *)task;
    const struct nsc_task_source *from = &export->from;
    struct nsc_error *error = &task->error;
    struct nsc_stacks *stacks = NULL;
    struct nsc_job *job = NULL;

    if (nsc_dump_has_stacks(export->query.format))
        job = nsc_task_source_open(from, error);
    if (job)
        error->status = nsc_stacks_read_job(&stacks, from->trace, job, error);
    nsc_job_close(job);
    export->query.stacks = stacks;
    if (error->status == NSC_OK)
        error->status =
            nsc_dump_file(&export->query, export->path, export->replace, &task->progress, error);
    if (error->status == NSC_OK)
        say_written(error, export->path, "");
    nsc_stacks_free(stacks);
}

static bool tell_export(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out)
{
    const struct nsc_error *error = &task->error;

    out->type = NSC_INPUT_EXPORT;
    out->progress = nsc_progress_view(&task->progress);
    if (what == NSC_TELL_PROGRESS) {
        out->exported = NSC_EXPORTED_PART;
        return true;
    }
    out->text = error->status == NSC_ECANCELLED ? "Cancelled: nothing was written." : error->text;
    out->exported = error->status == NSC_OK       ? NSC_EXPORTED_ALL
                    : error->status == NSC_EINVAL ? NSC_EXPORTED_EXISTS
                                                  : NSC_EXPORTED_FAILED;
    return true;
}

static void fini_export(struct nsc_task *task)
{
    struct export_task *export = (struct export_task *)task;

    nsc_bookmarks_fini(&export->bookmarks);
    free(export->mask);
    free(export->filter);
    free(export->path);
}

void nsc_export_begin(const struct nsc_host *host)
{
    struct nsc_export_request request;
    struct export_task *export = NULL;

    if (!host->trace || !nsc_app_export_request(host->app, &request))
        return;
    export = nsc_task_new(sizeof *export, run_export, tell_export, fini_export);
    export->task.has_progress = true;
    export->from = nsc_task_source_of(host);
    export->mask = nsc_bits_copy(request.mask, nsc_trace_events(host->trace)->n);
    export->filter = nsc_xcopy(request.filter, strlen(request.filter));
    export->path = nsc_xcopy(request.path, strlen(request.path));
    export->replace = request.replace;
    nsc_bookmarks_copy(&export->bookmarks, request.bookmarks);
    export->query = (struct nsc_dump_query){.trace = host->trace,
                                            .mask = export->mask,
                                            .window = request.window,
                                            .filter = nsc_text_from(export->filter),
                                            .format = request.format,
                                            .bookmarks = &export->bookmarks,
                                            .check = nsc_stack_reader_check,
                                            .check_context = host->job};
    nsc_tasks_begin(host->tasks, NSC_TASK_EXPORT, &export->task);
}

/* ---- bookmarks with what belongs to them ---- */

struct session_task {
    struct nsc_task task;
    struct nsc_task_source from;
    const char *identity;
    struct nsc_bookmarks bookmarks;
    char *path;
};

/* Opens the exports again, because the task of details uses the job. */
static enum nsc_status write_session(const struct session_task *session, struct nsc_error *error)
{
    const struct nsc_task_source *from = &session->from;
    struct nsc_scope scope = nsc_scope_all(from->trace);
    struct nsc_session_request request = {.trace = from->trace,
                                          .scope = &scope,
                                          .files = from->paths,
                                          .n_files = nsc_job_count(from->job),
                                          .bookmarks = &session->bookmarks,
                                          .identity = session->identity,
                                          .path = session->path,
                                          .flags = NSC_OUTFILE_NEW,
                                          .job = nsc_task_source_open(from, error)};
    enum nsc_status status =
        request.job ? nsc_bookmark_session_write(&request, error) : error->status;

    nsc_job_close(request.job);
    return status;
}

static void run_session(struct nsc_task *task)
{
    const struct session_task *session = (const struct session_task *)task;
    struct nsc_error *error = &task->error;

    error->status = write_session(session, error);
    if (error->status == NSC_OK)
        say_written(error, session->path, "  nsyscope bookmarks EXPORT import FILE adds them.");
}

static bool tell_session(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out)
{
    (void)what;
    out->type = NSC_INPUT_MESSAGE;
    out->text = task->error.text;
    return true;
}

static void fini_session(struct nsc_task *task)
{
    struct session_task *session = (struct session_task *)task;

    nsc_bookmarks_fini(&session->bookmarks);
    free(session->path);
}

void nsc_session_begin(const struct nsc_host *host, const char *identity,
                       struct nsc_bookmarks *bookmarks, struct nsc_text path)
{
    struct session_task *session =
        nsc_task_new(sizeof *session, run_session, tell_session, fini_session);

    session->from = nsc_task_source_of(host);
    session->identity = identity;
    session->bookmarks = *bookmarks;
    *bookmarks = (struct nsc_bookmarks){0};
    session->path = nsc_xcopy(path.bytes, path.n);
    nsc_tasks_begin(host->tasks, NSC_TASK_SESSION, &session->task);
}
