/* Runs exports and the search for findings on separate threads. */
#include "cli/session/background.h"

#include "analysis/base/stacks.h"
#include "analysis/finding/finding.h"
#include "analysis/ranges/iterations.h"
#include "analysis/skill/skill.h"
#include "cli/bookmark_session.h"
#include "cli/stack_reader.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/progress.h"
#include "core/text.h"
#include "core/threads.h"
#include "nsys/jobs/query.h"
#include "share/dump.h"
#include "tui/signals.h"
#include "view/model/bookmark.h"
#include "view/pane/answers.h"
#include "view/pane/schema.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct work {
    pthread_t thread;
    bool running; /* used by the caller's thread only: begun, and the end not yet reported */
    bool has_thread;
    _Atomic bool is_done; /* the thread sets it last */
    struct nsc_progress progress;
    int wake_fd;
    const struct nsc_trace *trace;
    struct nsc_error error;
};

struct export_work {
    struct work work;
    struct nsc_dump_query query;
    uint64_t *mask;
    struct nsc_bookmarks bookmarks;
    char *filter, *path;
    bool replace;
    const char *const *paths; /* of the trace's exports */
    const struct nsc_open_options *open;
};

struct find_work {
    struct work work;
    const char *path; /* NULL: several exports */
    const char *const *paths;
    const struct nsc_open_options *open;
    const struct nsc_job *job;
    struct nsc_findings findings;
    struct nsc_iterations iterations; /* valid if knows */
    bool knows;
};

struct answer_work {
    struct work work;
    struct find_work from; /* the export, as for findings */
    struct nsc_answer_request question;
    char *line;
    struct nsc_sheets sheets;
    struct nsc_query_stop *stop; /* stops the schema's queries */
};

struct stacks_work {
    struct work work;
    struct find_work from;
    struct nsc_stacks *stacks; /* NULL once taken */
};

struct session_work {
    struct work work;
    struct nsc_session_order order;
    struct nsc_bookmarks bookmarks;
    char *path;
};

struct build_work {
    struct work work;
    struct nsc_app *app;
    enum nsc_build_slot slot;
};

struct nsc_background {
    struct build_work builds[NSC_N_BUILD_SLOTS];
    struct export_work export;
    struct find_work find;
    struct answer_work answer;
    struct stacks_work stacks;
    struct session_work session;
};

/* ---- on the threads ---- */

static void end_work(struct work *work)
{
    atomic_store(&work->is_done, true);
    nsc_wake(work->wake_fd);
}

static void *run_export(void *context)
{
    struct export_work *export = context;
    struct nsc_error *error = &export->work.error;
    struct nsc_stacks *stacks = NULL;

    nsc_signals_block(); /* blocks SIGXFSZ too, so that write reports a file grown too large */
    if (export->query.format == NSC_DUMP_FOLDED_SAMPLES)
        error->status = nsc_stacks_read_files(&stacks, export->work.trace, export->paths,
                                              export->open, export->query.check_context, error);
    export->query.stacks = stacks;
    if (error->status == NSC_OK)
        error->status = nsc_dump_file(&export->query, export->path, export->replace,
                                      &export->work.progress, error);
    nsc_stacks_free(stacks);
    end_work(&export->work);
    return NULL;
}

/* Opens a second connection, because the loader's thread uses the first. NULL if the file is no
 * longer the loaded one. */
static struct nsc_capture *open_again(const struct find_work *find, struct nsc_error *error)
{
    struct nsc_capture *capture = NULL;
    enum nsc_status status = nsc_capture_open(&capture, find->path, find->open, error);

    if (nsc_job_check(find->job, status, error) == NSC_OK)
        return capture;
    nsc_capture_close(capture);
    return NULL;
}

static void *run_find(void *context)
{
    struct find_work *find = context;
    struct nsc_capture *capture = NULL;
    struct nsc_error error = {0};

    nsc_signals_block();
    if (find->path)
        capture = open_again(find, &error);
    if (!nsc_findings_of_trace(&find->findings, find->work.trace,
                               find->knows ? &find->iterations : NULL, capture,
                               &find->work.progress))
        find->work.error.status = NSC_ECANCELLED;
    else if (find->path && !capture)
        nsc_findings_lack_columns(&find->findings, error.text);
    nsc_capture_close(capture);
    end_work(&find->work);
    return NULL;
}

static void *run_answer(void *context)
{
    struct answer_work *answer = context;
    struct nsc_capture *capture = NULL;
    struct nsc_error *error = &answer->work.error;

    nsc_signals_block();
    if (strcmp(answer->line, NSC_SCHEMA_QUESTION) == 0) {
        error->status =
            nsc_schema_of_path(&answer->sheets, answer->from.paths[answer->question.capture_no],
                               answer->from.open, answer->stop, error);
        end_work(&answer->work);
        return NULL;
    }
    if (answer->from.path)
        capture = open_again(&answer->from, error);
    if (error->status == NSC_OK)
        error->status = nsc_answer_of_trace(&answer->sheets, answer->work.trace, capture,
                                            &answer->question, error);
    nsc_capture_close(capture);
    end_work(&answer->work);
    return NULL;
}

static void *run_stacks(void *context)
{
    struct stacks_work *stacks = context;
    const struct find_work *from = &stacks->from;
    struct nsc_error *error = &stacks->work.error;

    nsc_signals_block();
    error->status = nsc_stacks_read_files(&stacks->stacks, stacks->work.trace, from->paths,
                                          from->open, from->job, error);
    end_work(&stacks->work);
    return NULL;
}

/* Opens the exports again, because the loader's thread uses its own job. */
static enum nsc_status write_session(const struct session_work *session, struct nsc_error *error)
{
    const struct nsc_session_order *order = &session->order;
    struct nsc_scope scope = nsc_scope_all(order->trace);
    struct nsc_session_request request = {.trace = order->trace,
                                          .scope = &scope,
                                          .files = order->files,
                                          .n_files = order->n_files,
                                          .bookmarks = &session->bookmarks,
                                          .identity = order->identity,
                                          .path = session->path};
    enum nsc_status status =
        nsc_job_open(&request.job, order->files, order->n_files, order->job, error);

    status = nsc_job_check(order->loaded, status, error);
    if (status == NSC_OK)
        status = nsc_bookmark_session_write(&request, error);
    nsc_job_close(request.job);
    return status;
}

static void *run_session(void *context)
{
    struct session_work *session = context;
    struct nsc_error *error = &session->work.error;

    nsc_signals_block();
    error->status = write_session(session, error);
    if (error->status == NSC_OK)
        (void)snprintf(error->text, sizeof error->text,
                       "Written to %s.  nsyscope bookmarks COPY import %s puts them back.",
                       session->path, session->path);
    end_work(&session->work);
    return NULL;
}

static void *run_build(void *context)
{
    struct build_work *build = context;

    nsc_signals_block();
    nsc_app_build_run(build->app, build->slot);
    end_work(&build->work);
    return NULL;
}

/* ---- begun and ended ---- */

struct nsc_background *nsc_background_new(int wake_fd)
{
    struct nsc_background *background = nsc_xcalloc(1, sizeof *background);

    background->export.work.wake_fd = background->find.work.wake_fd = wake_fd;
    background->answer.work.wake_fd = background->stacks.work.wake_fd = wake_fd;
    for (unsigned i = 0; i < NSC_N_BUILD_SLOTS; i++)
        background->builds[i].work.wake_fd = wake_fd;
    background->session.work.wake_fd = wake_fd;
    background->answer.stop = nsc_query_stop_new();
    return background;
}

static void begin(struct work *work, const struct nsc_trace *trace, void *(*run)(void *),
                  void *context)
{
    work->trace = trace;
    work->error = (struct nsc_error){0};
    atomic_store(&work->is_done, false);
    atomic_store(&work->progress.cancel, false);
    atomic_store(&work->progress.rows, 0);
    atomic_store(&work->progress.rows_total, 0);
    work->running = true;
    work->has_thread = pthread_create(&work->thread, NULL, run, context) == 0;
    if (work->has_thread)
        return;
    atomic_store(&work->is_done, true);
    (void)nsc_fail(&work->error, NSC_ENOMEM, "cannot start a thread");
}

static void join(struct work *work)
{
    if (work->running && work->has_thread)
        pthread_join(work->thread, NULL);
    work->running = false;
}

static void forget_export(struct export_work *export)
{
    nsc_bookmarks_fini(&export->bookmarks);
    free(export->mask);
    free(export->filter);
    free(export->path);
    export->mask = NULL;
    export->filter = export->path = NULL;
}

static void forget_session(struct session_work *session)
{
    nsc_bookmarks_fini(&session->bookmarks);
    free(session->path);
    session->path = NULL;
}

static bool runs(struct work *work)
{
    return work->running && !atomic_load(&work->is_done);
}

bool nsc_background_stop(struct nsc_background *background, int ms)
{
    static const struct timespec soon = {0, 2000000};
    struct work *reads[] = {&background->export.work, &background->find.work,
                            &background->answer.work, &background->stacks.work};

    nsc_background_cancel_export(background);
    atomic_store(&background->find.work.progress.cancel, true);
    nsc_query_cancel(background->answer.stop);
    for (;; ms -= 2, (void)nanosleep(&soon, NULL)) {
        bool any = false;

        for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
            any = any || runs(reads[i]);
        for (unsigned i = 0; i < NSC_N_BUILD_SLOTS; i++)
            any = any || runs(&background->builds[i].work);
        if (!any || ms <= 0)
            return !any;
    }
}

void nsc_background_free(struct nsc_background *background)
{
    if (!background)
        return;
    (void)nsc_background_stop(background, 0);
    join(&background->export.work);
    join(&background->find.work);
    join(&background->answer.work);
    join(&background->stacks.work);
    nsc_stacks_free(background->stacks.stacks);
    nsc_query_stop_free(background->answer.stop);
    free(background->answer.line);
    nsc_sheets_fini(&background->answer.sheets);
    for (unsigned i = 0; i < NSC_N_BUILD_SLOTS; i++)
        join(&background->builds[i].work);
    join(&background->session.work);
    forget_session(&background->session);
    forget_export(&background->export);
    nsc_findings_fini(&background->find.findings);
    nsc_iterations_fini(&background->find.iterations);
    free(background);
}

bool nsc_background_is_busy(const struct nsc_background *background)
{
    bool builds = false;

    for (unsigned i = 0; i < NSC_N_BUILD_SLOTS; i++)
        builds = builds || background->builds[i].work.running;
    return builds || background->export.work.running || background->find.work.running ||
           background->answer.work.running || background->stacks.work.running ||
           background->session.work.running;
}

/* ---- asked for ---- */

static uint64_t *copy_mask(const struct nsc_trace *trace, const uint64_t *mask)
{
    size_t bytes = nsc_bits_words(nsc_trace_events(trace)->n) * sizeof *mask;

    return mask ? memcpy(nsc_xmalloc(bytes + 1), mask, bytes) : NULL;
}

static enum nsc_status check_exports(const void *job, struct nsc_error *error)
{
    return nsc_job_check(job, NSC_OK, error);
}

void nsc_background_export(struct nsc_background *background, const struct nsc_trace *trace,
                           const struct nsc_find_request *from,
                           const struct nsc_export_request *request)
{
    struct export_work *export = &background->export;

    if (export->work.running)
        return;
    forget_export(export);
    export->mask = copy_mask(trace, request->mask);
    export->filter = nsc_xcopy(request->filter, strlen(request->filter));
    export->path = nsc_xcopy(request->path, strlen(request->path));
    export->replace = request->replace;
    export->paths = from->paths;
    export->open = from->open;
    nsc_bookmarks_copy(&export->bookmarks, request->bookmarks);
    export->query = (struct nsc_dump_query){.trace = trace,
                                            .mask = export->mask,
                                            .window = request->window,
                                            .filter = nsc_text_from(export->filter),
                                            .format = request->format,
                                            .bookmarks = &export->bookmarks,
                                            .check = check_exports,
                                            .check_context = from->job};
    begin(&export->work, trace, run_export, export);
}

void nsc_background_cancel_export(struct nsc_background *background)
{
    atomic_store(&background->export.work.progress.cancel, true);
}

void nsc_background_find(struct nsc_background *background, const struct nsc_trace *trace,
                         const struct nsc_find_request *request)
{
    struct find_work *find = &background->find;

    if (find->work.running)
        return;
    nsc_findings_fini(&find->findings);
    nsc_iterations_fini(&find->iterations);
    find->knows = request->iterations != NULL;
    if (find->knows)
        nsc_iterations_copy(&find->iterations, request->iterations);
    find->path = request->path;
    find->open = request->open;
    find->job = request->job;
    find->findings = (struct nsc_findings){.ascii = request->ascii};
    begin(&find->work, trace, run_find, find);
}

void nsc_background_answer(struct nsc_background *background, const struct nsc_trace *trace,
                           const struct nsc_find_request *request,
                           const struct nsc_answer_request *question)
{
    struct answer_work *answer = &background->answer;

    if (answer->work.running)
        return;
    free(answer->line);
    nsc_sheets_fini(&answer->sheets);
    answer->sheets = (struct nsc_sheets){0};
    answer->line = nsc_xcopy(question->line, strlen(question->line));
    answer->question = *question;
    answer->question.line = answer->line;
    answer->from.path = request->path;
    answer->from.paths = request->paths;
    answer->from.open = request->open;
    answer->from.job = request->job;
    begin(&answer->work, trace, run_answer, answer);
}

void nsc_background_stacks(struct nsc_background *background, const struct nsc_trace *trace,
                           const struct nsc_find_request *request)
{
    struct stacks_work *stacks = &background->stacks;

    if (stacks->work.running)
        return;
    stacks->from.paths = request->paths;
    stacks->from.open = request->open;
    stacks->from.job = request->job;
    begin(&stacks->work, trace, run_stacks, stacks);
}

void nsc_background_session(struct nsc_background *background,
                            const struct nsc_session_order *order)
{
    struct session_work *session = &background->session;

    if (session->work.running)
        return;
    forget_session(session);
    session->order = *order;
    session->bookmarks = *order->bookmarks;
    *order->bookmarks = (struct nsc_bookmarks){0};
    session->path = nsc_xcopy(order->path.bytes, order->path.n);
    begin(&session->work, order->trace, run_session, session);
}

void nsc_background_build(struct nsc_background *background, struct nsc_app *app, unsigned builds)
{
    for (unsigned i = 0; i < NSC_N_BUILD_SLOTS; i++) {
        struct build_work *build = &background->builds[i];

        if (!(builds & 1u << i))
            continue;
        build->app = app;
        build->slot = (enum nsc_build_slot)i;
        begin(&build->work, NULL, run_build, build);
        if (!build->work.has_thread) /* without a thread, the work runs here */
            nsc_app_build_run(app, build->slot);
    }
}

/* ---- told ---- */

static void tell_progress(struct work *work, struct nsc_input *out)
{
    out->progress.rows = atomic_load(&work->progress.rows);
    out->progress.rows_total = atomic_load(&work->progress.rows_total);
}

/* Whether the work has ended; true once. */
static bool has_ended(struct work *work)
{
    if (!work->running || !atomic_load(&work->is_done))
        return false;
    join(work);
    return true;
}

/* A build that has ended; NSC_N_BUILD_SLOTS: none. */
static enum nsc_build_slot ended_build(struct nsc_background *background)
{
    unsigned i = 0;

    while (i < NSC_N_BUILD_SLOTS && !has_ended(&background->builds[i].work))
        i++;
    return (enum nsc_build_slot)i;
}

static void tell_export(struct export_work *export, struct nsc_input *out)
{
    const struct nsc_error *error = &export->work.error;

    out->type = NSC_INPUT_EXPORT;
    out->text = error->status == NSC_ECANCELLED ? "Cancelled: nothing was written." : error->text;
    out->exported = error->status == NSC_OK       ? NSC_EXPORTED_ALL
                    : error->status == NSC_EINVAL ? NSC_EXPORTED_EXISTS
                                                  : NSC_EXPORTED_FAILED;
}

static void tell_findings(struct find_work *find, struct nsc_input *out)
{
    tell_progress(&find->work, out);
    out->type = NSC_INPUT_FINDINGS;
    out->findings = &find->findings;
}

bool nsc_background_wait_findings(struct nsc_background *background, struct nsc_input *out)
{
    struct find_work *find = &background->find;

    if (!find->work.running)
        return false;
    join(&find->work);
    tell_findings(find, out);
    return true;
}

bool nsc_background_next(struct nsc_background *background, bool progress, struct nsc_input *out)
{
    struct work *export = &background->export.work;
    struct work *find = &background->find.work;
    enum nsc_build_slot built = ended_build(background);

    if (built != NSC_N_BUILD_SLOTS) {
        out->type = NSC_INPUT_BUILT;
        out->slot = built;
    } else if (has_ended(export)) {
        tell_export(&background->export, out);
    } else if (has_ended(find)) {
        tell_findings(&background->find, out);
    } else if (has_ended(&background->answer.work)) {
        struct answer_work *answer = &background->answer;

        out->type = NSC_INPUT_ANSWER;
        if (answer->work.error.status == NSC_OK)
            out->sheets = &answer->sheets;
        else
            out->text = answer->work.error.text;
    } else if (has_ended(&background->stacks.work)) {
        out->type = NSC_INPUT_STACKS;
        out->stacks = background->stacks.stacks;
        out->text = background->stacks.work.error.text;
        background->stacks.stacks = NULL; /* the application owns them */
    } else if (has_ended(&background->session.work)) {
        out->type = NSC_INPUT_MESSAGE;
        out->text = background->session.work.error.text;
    } else if (progress && export->running) {
        tell_progress(export, out);
        out->type = NSC_INPUT_EXPORT;
        out->exported = NSC_EXPORTED_PART;
    } else if (progress && find->running) {
        tell_progress(find, out);
        out->type = NSC_INPUT_FINDINGS;
    } else {
        return false;
    }
    return true;
}
