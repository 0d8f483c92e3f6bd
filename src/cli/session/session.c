/*
 * Connects a loader, an application and a terminal.
 */
#include "cli/session/session.h"

#include "nsyscope/trace.h"

#include "cli/commands.h"
#include "cli/config_files.h"
#include "cli/session/background.h"
#include "cli/session/kept_view.h"
#include "cli/session/loader.h"
#include "cli/session/querier.h"
#include "cli/session/startup.h"
#include "cli/session/store.h"
#include "core/die.h"
#include "core/paths.h"
#include "core/temporary.h"
#include "core/threads.h"
#include "tui/loop.h"
#include "tui/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STOP_MS = 200, PROGRESS_MS = 100, ALIGN_BYTES = 256 };

struct session {
    const struct nsc_session_options *options;
    int wake[2]; /* read end, write end */
    struct nsc_term term;
    struct nsc_app *app;
    struct nsc_loader *loader;
    struct nsc_querier *querier;
    struct nsc_background *background;
    const struct nsc_trace *trace; /* NULL until the load is complete */
    struct nsc_job *exports;       /* the loader's; NULL before the early rows */
    struct nsc_theme theme;        /* the terminal draws with it */
    size_t command;                /* index of the next start command */
    uint64_t progress_at;          /* ms: time of the next progress report */
    struct nsc_error query_error;  /* error of the last failed query */
    bool cancelled;
    bool unsaved; /* the last save of bookmarks failed */
    struct nsc_error error;
    struct nsc_job_options job;         /* current options of the load */
    char align[2][ALIGN_BYTES];         /* words of :align; one is in use */
    const char *align_word, *was_align; /* current and previous word; NULL: none */
    bool again;                         /* load the exports again */
    struct nsc_session_state view;      /* view before a reload, for the new load */
    bool has_view;
    struct nsc_kept_view kept;
    bool has_notice;
    char notice[sizeof((struct nsc_error *)0)->text]; /* message for after the reload */
};

/* ---- hooks of the loop ---- */

/* The view of a part of an export does not replace that of the whole. */
static bool keeps_view(const struct session *session)
{
    const struct nsc_open_options *open = session->options->job.open;

    return !open->has_trim && !open->gpus && !open->pids && !open->tables;
}

/* ---- other alignments: everything but the terminal begins anew ---- */

static void align_by(struct session *session, const char *word)
{
    session->align_word = word;
    session->job.align = session->options->job.align;
    session->job.range = session->options->job.range;
    if (word)
        (void)nsc_align_parse(&session->job.align, &session->job.range, word);
    session->again = true;
}

static void align_again(struct session *session, struct nsc_text word)
{
    char *own = session->align_word == session->align[0] ? session->align[1] : session->align[0];

    if (!session->trace || word.n >= ALIGN_BYTES)
        return;
    memcpy(own, word.bytes, word.n);
    own[word.n] = '\0';
    session->was_align = session->align_word;
    align_by(session, own);
}

/* Restores the previous alignment if the new one is impossible. */
static bool align_back(struct session *session, const struct nsc_error *error)
{
    if (session->align_word == session->was_align || error->status != NSC_ENODATA)
        return false;
    (void)snprintf(session->notice, sizeof session->notice, "%s", error->text);
    session->has_notice = true;
    align_by(session, session->was_align);
    return true;
}

/* Turns the loader's answer into an input; END if the load failed. */
static enum nsc_loop_next tell(struct session *session, const struct nsc_answer_view *answer,
                               struct nsc_input *out)
{
    switch (answer->type) {
    case NSC_ANSWER_EARLY:
        out->type = NSC_INPUT_LOADED;
        out->trace = answer->trace;
        out->early = true;
        session->exports = answer->job;
        break;
    case NSC_ANSWER_LOADED:
        session->was_align = session->align_word;
        session->trace = answer->trace;
        session->exports = answer->job;
        if (nsc_check_trim(session->options->job.open, answer->trace, answer->job,
                           &session->error) != NSC_OK)
            return NSC_LOOP_END;
        if (!session->has_notice)
            session->has_notice =
                nsc_gpu_lacks_work(session->notice, answer->trace, session->options->job.open);
        out->type = NSC_INPUT_LOADED;
        out->trace = answer->trace;
        out->iterations = answer->iterations;
        out->tables = nsc_job_tables(answer->job, &out->n_tables);
        break;
    case NSC_ANSWER_FAILED:
        if (align_back(session, answer->error))
            return NSC_LOOP_END;
        session->error = *answer->error;
        return NSC_LOOP_END;
    case NSC_ANSWER_DETAILS:
        out->type = NSC_INPUT_DETAILS;
        out->event = answer->event;
        out->details = answer->details;
        out->waited = answer->waited;
        out->has_waited = true;
        break;
    case NSC_ANSWER_NO_DETAILS:
        out->type = NSC_INPUT_FAILED;
        out->text = answer->error->text;
        break;
    case NSC_ANSWER_KEPT:
        out->type = NSC_INPUT_BOOKMARKS;
        out->bookmarks = answer->bookmarks;
        out->state = keeps_view(session) && !session->options->no_restore ? answer->state : NULL;
        if (session->has_view)
            out->state = &session->view;
        session->has_view = false;
        out->text = answer->error->text;
        session->unsaved = session->unsaved && answer->error->status != NSC_OK;
        break;
    case NSC_ANSWER_CHANGED:
        out->type = NSC_INPUT_CHANGED;
        break;
    case NSC_ANSWER_NONE:
        return NSC_LOOP_NONE;
    }
    return NSC_LOOP_INPUT;
}

/* The next start command; false if there is none, or no trace yet. */
static bool next_command(struct session *session, struct nsc_input *out)
{
    const struct nsc_startup *startup = session->options->startup;

    if (!session->trace || session->command == startup->commands.n)
        return false;
    out->type = NSC_INPUT_COMMAND;
    out->text = startup->commands.at[session->command++];
    return true;
}

/* Reports why the previous alignment is restored. */
static bool next_notice(struct session *session, struct nsc_input *out)
{
    if (!session->trace || !session->has_notice)
        return false;
    session->has_notice = false;
    out->type = NSC_INPUT_MESSAGE;
    out->text = session->notice;
    return true;
}

/* The answer to a query or, periodically while it runs, a tick that shows the elapsed time. */
static bool next_query(struct session *session, struct nsc_input *out)
{
    struct nsc_query_answer answer;

    if (nsc_querier_next(session->querier, &answer)) {
        session->query_error = answer.error;
        out->type = NSC_INPUT_QUERY;
        out->relation = answer.relation;
        out->text = session->query_error.text;
        out->column = answer.column;
        return true;
    }
    if (!nsc_querier_is_busy(session->querier) || out->now < session->progress_at)
        return false;
    session->progress_at = out->now + PROGRESS_MS;
    out->type = NSC_INPUT_TICK;
    return true;
}

/* A background job's end or, periodically, its progress. */
static bool next_background(struct session *session, struct nsc_input *out)
{
    bool due = out->now >= session->progress_at;

    if (!nsc_background_next(session->background, due, out))
        return false;
    if (due)
        session->progress_at = out->now + PROGRESS_MS;
    return true;
}

static enum nsc_loop_next next(void *context, struct nsc_input *out)
{
    struct session *session = context;
    struct nsc_answer_view answer = nsc_loader_next(session->loader);

    /* The loader stops when it can; do not wait for it. */
    if (session->cancelled) {
        (void)nsc_fail(&session->error, NSC_ECANCELLED, "cancelled");
        return NSC_LOOP_END;
    }
    if (session->again)
        return NSC_LOOP_END;
    if (answer.type != NSC_ANSWER_NONE)
        return tell(session, &answer, out);
    if (next_notice(session, out))
        return NSC_LOOP_INPUT;
    if (next_query(session, out) || next_background(session, out) || next_command(session, out))
        return NSC_LOOP_INPUT;
    if (session->trace && keeps_view(session))
        nsc_kept_view_update(&session->kept, session->app, session->loader, out->now);
    if (!nsc_loader_is_busy(session->loader) || out->now < session->progress_at)
        return NSC_LOOP_NONE;
    session->progress_at = out->now + PROGRESS_MS;
    out->type = NSC_INPUT_PROGRESS;
    out->progress = nsc_loader_progress(session->loader);
    return NSC_LOOP_INPUT;
}

static int wait(void *context, uint64_t now)
{
    const struct session *session = context;
    bool is_busy = nsc_loader_is_busy(session->loader) || nsc_querier_is_busy(session->querier) ||
                   nsc_background_is_busy(session->background);
    uint64_t at = is_busy ? session->progress_at : session->kept.at;

    if (!is_busy && !session->kept.due)
        return -1;
    return at > now ? (int)(at - now) : 0;
}

static void change_theme(struct session *session, struct nsc_text name)
{
    struct nsc_input input = {.type = NSC_INPUT_THEME};
    struct nsc_error error = {0};

    if (nsc_theme_change(&session->theme, name, &error) != NSC_OK ||
        (nsc_text_is(name, "default") &&
         nsc_theme_fit(&session->theme, &session->term, &error) != NSC_OK)) {
        input.type = NSC_INPUT_MESSAGE;
        input.text = error.text;
    }
    input.export_colors = session->theme.nvtx_export;
    (void)nsc_app_input(session->app, &input); /* an answer returns no effects */
}

/* Copies the bookmarks to save them. */
static void copy_bookmarks(const struct session *session, struct nsc_bookmarks *out)
{
    int64_t utc = 0;
    uint64_t random = 0;

    nsc_store_stamp(&utc, &random);
    nsc_app_bookmarks_copy(session->app, out, utc, random);
}

static void save(struct session *session)
{
    struct nsc_bookmarks list = {0};

    copy_bookmarks(session, &list);
    session->unsaved = true;
    nsc_loader_save(session->loader, &list);
}

/* Reports unsaved bookmarks, but not an unsaved view. */
static void save_last(struct session *session)
{
    struct nsc_bookmarks list = {0};
    struct nsc_session_state state = {0};
    struct nsc_error error = {0};

    copy_bookmarks(session, &list);
    if (nsc_app_state(session->app, &state) && (keeps_view(session) || list.n) &&
        nsc_loader_save_last(session->loader, &list,
                             session->trace && keeps_view(session) ? &state : NULL,
                             &error) != NSC_OK &&
        session->unsaved)
        (void)nsc_complain(&error);
    nsc_session_state_fini(&state);
    nsc_bookmarks_fini(&list);
}

/* Opens the exports before it drops the old trace, so that the screen stays if a file is still
 * being written. */
static void reload(struct session *session)
{
    struct nsc_input input = {.type = NSC_INPUT_MESSAGE};
    struct nsc_error error = {0};
    struct nsc_job *job = NULL;
    enum nsc_status status = nsc_job_open(&job, session->options->paths, session->options->n_paths,
                                          &session->job, &error);

    nsc_job_close(job);
    if (status != NSC_OK) {
        input.text = error.text;
        (void)nsc_app_input(session->app, &input); /* an answer returns no effects */
        return;
    }
    nsc_session_state_fini(&session->view);
    session->has_view = session->again = nsc_app_state(session->app, &session->view);
    session->view.modified = 1;
    (void)snprintf(session->notice, sizeof session->notice, "Loaded again.");
    session->has_notice = session->again;
}

static void share(struct session *session, struct nsc_text name)
{
    struct nsc_input input = {.type = NSC_INPUT_MESSAGE};
    struct nsc_buf path = NSC_BUF_INIT(4096);
    struct nsc_buf told = NSC_BUF_INIT(4200);
    struct nsc_bookmarks list = {0};
    struct nsc_error error = {0};

    nsc_buf_add(&path, name.bytes, name.n);
    nsc_buf_puts(&path, "");
    copy_bookmarks(session, &list);
    if (nsc_bookmarks_share(path.bytes, &list, nsc_loader_identity(session->loader), &error) ==
        NSC_OK)
        nsc_buf_printf(&told, "Written to %s.  nsyscope --bookmarks FILE, or bookmarks import.",
                       path.bytes);
    input.text = told.n ? told.bytes : error.text;
    (void)nsc_app_input(session->app, &input); /* an answer returns no effects */
    nsc_bookmarks_fini(&list);
    nsc_buf_fini(&told);
    nsc_buf_fini(&path);
}

static void write_session(struct session *session, struct nsc_text path)
{
    struct nsc_bookmarks list = {0};
    struct nsc_session_order order = {session->trace,
                                      session->exports,
                                      &session->job,
                                      session->options->paths,
                                      session->options->n_paths,
                                      nsc_loader_identity(session->loader),
                                      &list,
                                      path};

    copy_bookmarks(session, &list);
    nsc_background_session(session->background, &order);
    nsc_bookmarks_fini(&list);
}

static void save_settings(struct session *session, struct nsc_text lines)
{
    struct nsc_input input = {.type = NSC_INPUT_MESSAGE};
    struct nsc_error error = {0};

    input.text = nsc_settings_save(lines, &error) == NSC_OK
                     ? "Saved: this is how it will be next time."
                     : error.text;
    (void)nsc_app_input(session->app, &input); /* an answer returns no effects */
}

static void begin_background(struct session *session, const struct nsc_effects *effects)
{
    const struct nsc_session_options *options = session->options;
    struct nsc_find_request find = {options->n_paths == 1 ? options->paths[0] : NULL,
                                    options->paths,
                                    options->job.open,
                                    session->exports,
                                    options->ascii,
                                    nsc_app_iterations(session->app)};
    struct nsc_export_request request;
    struct nsc_answer_request question;

    if (effects->set & NSC_EFFECT_CANCEL_EXPORT)
        nsc_background_cancel_export(session->background);
    if ((effects->set & NSC_EFFECT_EXPORT) && session->trace &&
        nsc_app_export_request(session->app, &request))
        nsc_background_export(session->background, session->trace, &find, &request);
    if (effects->set & NSC_EFFECT_BUILD)
        nsc_background_build(session->background, session->app, effects->builds);
    if ((effects->set & NSC_EFFECT_ANSWER) && session->trace &&
        nsc_app_answer_request(session->app, &question))
        nsc_background_answer(session->background, session->trace, &find, &question);
    if ((effects->set & NSC_EFFECT_STACKS) && session->trace)
        nsc_background_stacks(session->background, session->trace, &find);
    if ((effects->set & NSC_EFFECT_FINDINGS) && session->trace)
        nsc_background_find(session->background, session->trace, &find);
}

static void effect(void *context, const struct nsc_effects *effects)
{
    struct session *session = context;

    if (effects->set & NSC_EFFECT_CANCEL_LOAD) {
        session->cancelled = true;
        nsc_loader_cancel(session->loader);
    }
    if (effects->set & NSC_EFFECT_DETAILS)
        nsc_loader_details(session->loader, effects->event);
    if (effects->set & NSC_EFFECT_SHARE)
        share(session, effects->text);
    if (effects->set & NSC_EFFECT_ANSWER_WRITE)
        nsc_answer_write(session->app, effects->text);
    if (effects->set & NSC_EFFECT_SCREENSHOT)
        nsc_screenshot_write(session->app, &session->theme, effects->text);
    if ((effects->set & NSC_EFFECT_SESSION) && session->trace)
        write_session(session, effects->text);
    if (effects->set & NSC_EFFECT_TERMINAL)
        nsc_term_change(&session->term, effects->mouse, (enum nsc_color_mode)effects->color);
    if ((effects->set & NSC_EFFECT_QUERY) && session->exports)
        nsc_querier_ask(session->querier, effects->text, effects->capture_no,
                        nsc_job_capture(session->exports, effects->capture_no));
    if (effects->set & NSC_EFFECT_QUERY_STOP)
        nsc_querier_cancel(session->querier);
    begin_background(session, effects);
    if (effects->set & NSC_EFFECT_ALIGN)
        align_again(session, effects->text);
    if (effects->set & NSC_EFFECT_RELOAD)
        reload(session);
    if (effects->set & NSC_EFFECT_SAVE)
        save(session);
    if (effects->set & NSC_EFFECT_SETTINGS)
        save_settings(session, effects->text);
    if (effects->set & NSC_EFFECT_THEME)
        change_theme(session, effects->text);
}

/* ---- start and end ---- */

static enum nsc_status open_wake(struct session *session)
{
    if (pipe(session->wake))
        return nsc_fail(&session->error, NSC_ENOMEM, "cannot make a pipe: too many open files");
    for (int i = 0; i < 2; i++) {
        fcntl(session->wake[i], F_SETFL, O_NONBLOCK);
        fcntl(session->wake[i], F_SETFD, FD_CLOEXEC);
    }
    return NSC_OK;
}

static int exit_of(const struct session *session, enum nsc_loop_result result)
{
    if (result == NSC_LOOP_GONE)
        return 128 + SIGHUP;
    if (nsc_signals_ended()) /* also after the loop: while the view is saved */
        return 128 + nsc_signals_ended();
    if (result == NSC_LOOP_QUIT || (session->error.status == NSC_ECANCELLED && session->cancelled))
        return NSC_EXIT_DONE;
    return nsc_complain(&session->error);
}

static void begin(struct session *session, struct nsc_app_options *app,
                  const struct nsc_loader_options *loader)
{
    session->again = false;
    session->trace = NULL;
    session->exports = NULL;
    app->align = session->align_word;
    session->app = nsc_app_new(app);
    session->querier =
        nsc_querier_new(session->options->paths, session->options->job.open, session->wake[1]);
    session->background = nsc_background_new(session->wake[1]);
    session->loader = nsc_loader_new(loader, session->wake[1]);
}

/* A query that does not stop leaves nothing behind, so exit without waiting. */
static void end(struct session *session, enum nsc_loop_result result)
{
    if (session->trace || session->unsaved)
        save_last(session);
    /* Do not wait for a disk that does not respond. */
    if (result == NSC_LOOP_SIGNAL ||
        (session->loader && !nsc_loader_stop(session->loader, STOP_MS)) ||
        (!session->again && session->background &&
         !nsc_background_stop(session->background, STOP_MS))) {
        nsc_temporary_remove_all();
        _exit(exit_of(session, result));
    }
    nsc_background_free(session->background); /* it reads the trace and memory of the application */
    if (!nsc_querier_stop(session->querier, STOP_MS) && !session->again &&
        !session->options->job.open->wal)
        _exit(exit_of(session, result));
    nsc_app_free(session->app);
    nsc_querier_free(session->querier);
    nsc_loader_free(session->loader);
}

/* Runs until the end, or until the next load. */
static enum nsc_loop_result run_once(struct session *session, struct nsc_app_options *app)
{
    struct nsc_loader_options loader = {session->options->paths, session->options->n_paths,
                                        session->job, session->options->bookmarks,
                                        session->options->compare};
    struct nsc_loop_hooks hooks = {session, session->wake[0], next, wait, effect};
    struct nsc_loop_options loop = {app->ascii, session->options->low_bandwidth};
    enum nsc_loop_result result = NSC_LOOP_ENDED;

    begin(session, app, &loader);
    if (session->loader)
        result = nsc_loop_run(&session->term, session->app, &loop, &hooks);
    else
        (void)nsc_fail(&session->error, NSC_ENOMEM, "cannot start a thread");
    session->again = session->again && result == NSC_LOOP_ENDED;
    /* Restores the terminal before anything that may take long. */
    if (!session->again && result != NSC_LOOP_SIGNAL) /* the handler has restored it */
        nsc_term_close(&session->term);
    /* A load that has not stopped leaves only memory behind, so exit without waiting. Wait only if
     * bookmarks were made or SQLite keeps files beside the export. */
    if (session->loader && nsc_loader_is_busy(session->loader) && !session->unsaved &&
        !session->options->job.open->wal)
        _exit(exit_of(session, result));
    end(session, result);
    return result;
}

static int run_loop(struct session *session, bool ascii)
{
    struct nsc_app_options app = {.file = session->options->paths[0],
                                  .files = session->options->paths,
                                  .n_files = session->options->n_paths,
                                  .compare = session->options->compare,
                                  .ascii = ascii,
                                  .builds_apart = true,
                                  .ascii_only = !session->term.utf8,
                                  .no_mouse = session->options->no_mouse,
                                  .color = session->options->color,
                                  .theme = session->options->theme_name,
                                  .keymap = session->options->keymap,
                                  .export_colors = session->options->theme->nvtx_export,
                                  .filter = session->options->filter,
                                  .presets = session->options->presets->list.at,
                                  .n_presets = (uint32_t)session->options->presets->list.n};
    enum nsc_loop_result result = NSC_LOOP_ENDED;

    app.pool = nsc_pool_new(session->options->job.open->threads);
    session->job = session->options->job;
    session->align_word = session->was_align = session->options->align;
    do
        result = run_once(session, &app);
    while (session->again);
    nsc_pool_free(app.pool);
    return exit_of(session, result);
}

static bool is_default(const char *theme)
{
    return !theme || strcmp(theme, "default") == 0;
}

int nsc_session_run(const struct nsc_session_options *options)
{
    struct session session;
    struct nsc_term_options term = {&session.theme, options->color, !options->no_mouse, -1};
    int status = NSC_EXIT_USAGE;

    memset(&session, 0, sizeof session);
    session.options = options;
    session.theme = *options->theme;
    nsc_session_locale_set();
    if (open_wake(&session) != NSC_OK)
        return nsc_complain(&session.error);
    term.wake_fd = session.wake[1];
    if (nsc_term_open(&session.term, &term, &session.error) != NSC_OK ||
        (is_default(options->theme_name) &&
         nsc_theme_fit(&session.theme, &session.term, &session.error) != NSC_OK)) {
        nsc_term_close(&session.term);
        status = nsc_complain(&session.error);
    } else {
        status = run_loop(&session, options->ascii || !session.term.utf8);
    }
    nsc_session_state_fini(&session.view);
    nsc_kept_view_fini(&session.kept);
    close(session.wake[0]);
    close(session.wake[1]);
    return status;
}
