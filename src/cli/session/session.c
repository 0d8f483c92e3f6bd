/*
 * Connects tasks, an application and a terminal.
 */
#include "cli/session/session.h"

#include "nsyscope/trace.h"

#include "cli/call_details.h"
#include "cli/commands.h"
#include "cli/session/host.h"
#include "cli/session/kept_view.h"
#include "cli/session/loader.h"
#include "cli/session/startup.h"
#include "cli/session/store.h"
#include "core/temporary.h"
#include "core/threads.h"
#include "start/tour.h"
#include "tui/loop.h"
#include "tui/signals.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STOP_MS = 200, LAST_MS = 10000, PROGRESS_MS = 100, ALIGN_BYTES = 256 };

/* Tasks that wait for a disk; those that read other data; those that neither hold. */
#define LOADS \
    (1u << NSC_TASK_LOAD | 1u << NSC_TASK_SAVE | 1u << NSC_TASK_WATCH | 1u << NSC_TASK_DETAILS)
#define QUERY   (1u << NSC_TASK_QUERY)
#define SESSION (1u << NSC_TASK_SESSION)

struct session {
    struct nsc_screen_setup *setup;
    const struct nsc_options *options; /* of the setup */
    int wake[2];                       /* read end, write end */
    struct nsc_term term;
    struct nsc_host host;
    struct nsc_tour tour;          /* the screen */
    struct nsc_call_details calls; /* of the host */
    struct nsc_loaded loaded;      /* its task's until the host has a job: but for the trace */
    bool has_kept;                 /* its bookmarks and view are to be told */
    struct nsc_theme theme;        /* the terminal draws with it */
    struct nsc_startup startup;
    size_t command;         /* index of the next start command */
    uint64_t progress_at;   /* ms: time of the next progress report */
    bool cancelled, failed; /* the load */
    bool unsaved;           /* the last save of bookmarks failed */
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
    const struct nsc_open_options *open = &session->options->open;

    return !open->has_trim && !open->gpus && !open->pids && !open->tables;
}

/* ---- other alignments: everything but the terminal begins anew ---- */

static void align_by(struct session *session, const char *word)
{
    session->align_word = word;
    session->job.align = session->options->align;
    session->job.range = session->options->align_range;
    if (word)
        (void)nsc_align_parse(&session->job.align, &session->job.range, word);
    session->again = true;
}

static void align_again(struct session *session, struct nsc_text word)
{
    char *own = session->align_word == session->align[0] ? session->align[1] : session->align[0];

    if (!session->host.trace || word.n >= ALIGN_BYTES)
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

/* Shows the first rows. */
static bool tell_early(struct session *session, struct nsc_input *out)
{
    out->type = NSC_INPUT_LOADED;
    out->trace = session->loaded.early;
    out->early = true;
    session->host.job = session->loaded.job;
    session->has_kept = true;
    return true;
}

static bool tell_loaded(struct session *session, const struct nsc_error *error,
                        struct nsc_input *out)
{
    struct nsc_loaded *loaded = &session->loaded;
    const struct nsc_open_options *open = &session->options->open;

    session->failed = error->status != NSC_OK;
    if (session->failed && !align_back(session, error))
        session->error = *error;
    if (session->failed)
        return false;
    session->was_align = session->align_word;
    session->failed = nsc_check_trim(open, loaded->trace, loaded->job, &session->error) != NSC_OK;
    if (session->failed)
        return false;
    session->has_kept = session->has_kept || !session->host.job;
    if (!session->has_notice)
        session->has_notice = nsc_options_lack_work(session->notice, loaded->trace, open);
    if (!session->has_notice)
        session->has_notice =
            snprintf(session->notice, sizeof session->notice, "%s", loaded->newer) > 0;
    nsc_host_loaded(&session->host, loaded->trace, loaded->job);
    nsc_watch_begin(session->host.tasks, loaded->job);
    out->type = NSC_INPUT_LOADED;
    out->trace = loaded->trace;
    out->iterations = loaded->iterations;
    out->tables = nsc_job_tables(loaded->job, &out->n_tables);
    return true;
}

static bool tell_load(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out)
{
    const struct nsc_load_task *load = (const struct nsc_load_task *)task;

    if (what == NSC_TELL_PART)
        return tell_early(load->context, out);
    if (what == NSC_TELL_RESULT)
        return tell_loaded(load->context, &task->error, out);
    out->type = NSC_INPUT_PROGRESS;
    out->progress = nsc_progress_view(&task->progress);
    return true;
}

/* An unsaved view is not reported. */
static bool tell_saved(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out)
{
    struct nsc_save_task *save = (struct nsc_save_task *)task;
    struct session *session = save->context;

    (void)what;
    if (!save->has_list)
        return false;
    session->unsaved = session->unsaved && task->error.status != NSC_OK;
    out->type = NSC_INPUT_BOOKMARKS;
    out->bookmarks = &save->list;
    out->text = task->error.text;
    return true;
}

/* What was saved before. */
static bool next_kept(struct session *session, struct nsc_input *out)
{
    struct nsc_loaded *loaded = &session->loaded;

    if (!session->has_kept)
        return false;
    session->has_kept = false;
    out->type = NSC_INPUT_BOOKMARKS;
    out->bookmarks = &loaded->bookmarks;
    out->state = keeps_view(session) && !session->options->set[NSC_OPTION_NO_RESTORE] &&
                         !session->options->set[NSC_OPTION_TOUR]
                     ? &loaded->state
                     : NULL;
    if (session->has_view)
        out->state = &session->view;
    session->has_view = false;
    out->text = loaded->kept.text;
    return true;
}

/* The next start command; false if there is none, or no trace yet. */
static bool next_command(struct session *session, struct nsc_input *out)
{
    const struct nsc_startup *startup = &session->startup;

    if (!session->host.trace || session->command == startup->commands.n)
        return false;
    out->type = NSC_INPUT_COMMAND;
    out->text = startup->commands.at[session->command++];
    return true;
}

/* Reports why the previous alignment is restored. */
static bool next_notice(struct session *session, struct nsc_input *out)
{
    if (!session->host.trace || !session->has_notice)
        return false;
    session->has_notice = false;
    out->type = NSC_INPUT_MESSAGE;
    out->text = session->notice;
    return true;
}

/* NULL: there is none, or none yet. */
static struct nsc_store *store_of(const struct session *session)
{
    return session->host.job ? session->loaded.store : NULL;
}

/* Saves the view now and then, unless the store is in use. */
static void keep_view(struct session *session, uint64_t now)
{
    struct nsc_store *store = store_of(session);
    struct nsc_session_state view = {0};

    if (!session->host.trace || !keeps_view(session) ||
        nsc_tasks_has(session->host.tasks, NSC_TASK_SAVE) ||
        !nsc_kept_view_update(&session->kept, session->host.app, now, &view))
        return;
    if (store && nsc_store_path(store))
        nsc_save_begin(session->host.tasks, store, NULL, &view, tell_saved, session);
    nsc_session_state_fini(&view);
}

static enum nsc_loop_next next(void *context, struct nsc_input *out)
{
    struct session *session = context;
    bool due = out->now >= session->progress_at;

    /* The load stops when it can; do not wait for it. */
    if (session->cancelled) {
        (void)nsc_fail(&session->error, NSC_ECANCELLED, "cancelled");
        return NSC_LOOP_END;
    }
    if (session->again)
        return NSC_LOOP_END;
    if (next_kept(session, out))
        return NSC_LOOP_INPUT;
    if (nsc_tasks_next(session->host.tasks, due, out)) {
        session->progress_at = due ? out->now + PROGRESS_MS : session->progress_at;
        return NSC_LOOP_INPUT;
    }
    if (session->failed)
        return NSC_LOOP_END;
    if (next_notice(session, out) || next_command(session, out))
        return NSC_LOOP_INPUT;
    keep_view(session, out->now);
    return NSC_LOOP_NONE;
}

static int wait(void *context, uint64_t now)
{
    const struct session *session = context;
    const struct nsc_tasks *tasks = session->host.tasks;
    bool has_progress = nsc_tasks_has_progress(tasks);
    uint64_t at = has_progress ? session->progress_at : session->kept.at;

    if (!has_progress && (!session->kept.due || nsc_tasks_has(tasks, NSC_TASK_SAVE)))
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
    (void)nsc_app_input(session->host.app, &input); /* an answer returns no effects */
}

/* Copies the bookmarks to save them. */
static void copy_bookmarks(const struct session *session, struct nsc_bookmarks *out)
{
    int64_t utc = 0;
    uint64_t random = 0;

    nsc_store_stamp(&utc, &random);
    nsc_app_bookmarks_copy(session->host.app, out, utc, random);
}

static void save(struct session *session)
{
    struct nsc_bookmarks list = {0};

    session->unsaved = true;
    if (!store_of(session))
        return;
    copy_bookmarks(session, &list);
    nsc_save_begin(session->host.tasks, store_of(session), &list, NULL, tell_saved, session);
}

/* Waits for the disk of the bookmarks. If there is no place to save them, the first save reported
 * it. */
static enum nsc_status save_and_wait(struct session *session, struct nsc_bookmarks *list,
                                     struct nsc_session_state *view, struct nsc_error *error)
{
    struct nsc_tasks *tasks = session->host.tasks;
    struct nsc_store *store = store_of(session);
    const struct nsc_error *last = NULL;

    if (!store || !nsc_store_path(store))
        return NSC_OK;
    nsc_save_begin(tasks, store, list, view, tell_saved, session);
    if (!nsc_tasks_finish(tasks, 1u << NSC_TASK_SAVE, LAST_MS))
        return nsc_fail(error, NSC_EIO, "a disk does not answer: the last changes are not saved");
    last = nsc_tasks_error(tasks, NSC_TASK_SAVE);
    return last && last->status != NSC_OK ? nsc_fail(error, last->status, "%s", last->text)
                                          : NSC_OK;
}

/* Reports unsaved bookmarks, but not an unsaved view. */
static void save_last(struct session *session)
{
    struct nsc_bookmarks list = {0};
    struct nsc_session_state state = {0};
    struct nsc_error error = {0};

    copy_bookmarks(session, &list);
    if (nsc_app_state(session->host.app, &state) && (keeps_view(session) || list.n) &&
        save_and_wait(session, &list, session->host.trace && keeps_view(session) ? &state : NULL,
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
    struct nsc_error error = {0};
    struct nsc_job *job = NULL;
    enum nsc_status status = nsc_job_open(&job, session->options->operands,
                                          session->options->n_operands, &session->job, &error);

    nsc_job_close(job);
    if (status != NSC_OK) {
        nsc_message_give(session->host.app, error.text);
        return;
    }
    nsc_session_state_fini(&session->view);
    session->has_view = session->again = nsc_app_state(session->host.app, &session->view);
    session->view.modified = 1;
    (void)snprintf(session->notice, sizeof session->notice, "Loaded again.");
    session->has_notice = session->again;
}

static void share(struct session *session, struct nsc_text name)
{
    struct nsc_bookmarks list = {0};

    copy_bookmarks(session, &list);
    nsc_bookmarks_share(session->host.app, name, &list,
                        session->host.job ? session->loaded.identity : "");
    nsc_bookmarks_fini(&list);
}

static void write_session(struct session *session, struct nsc_text path)
{
    struct nsc_bookmarks list = {0};

    copy_bookmarks(session, &list);
    nsc_session_begin(&session->host, session->loaded.identity, &list, path);
}

static void save_settings(struct session *session, struct nsc_text lines)
{
    struct nsc_error error = {0};
    enum nsc_status status = nsc_settings_save(lines, &error);

    nsc_message_give(session->host.app,
                     status == NSC_OK ? "Saved: this is how it will be next time." : error.text);
}

/* Carries out what the host does not: files, the terminal, other loads. */
static void effect(void *context, const struct nsc_effects *effects)
{
    struct session *session = context;
    struct nsc_tasks *tasks = session->host.tasks;

    if (effects->set & NSC_EFFECT_CANCEL_LOAD) {
        session->cancelled = true;
        nsc_tasks_cancel(tasks, NSC_TASK_LOAD);
    }
    if (effects->set & NSC_EFFECT_SHARE)
        share(session, effects->text);
    if (effects->set & NSC_EFFECT_ANSWER_WRITE)
        nsc_answer_write(session->host.app, effects->text);
    if (effects->set & NSC_EFFECT_SCREENSHOT)
        nsc_screenshot_write(session->host.app, &session->theme, effects->text);
    if ((effects->set & NSC_EFFECT_SESSION) && session->host.trace)
        write_session(session, effects->text);
    if (effects->set & NSC_EFFECT_TERMINAL)
        nsc_term_change(&session->term, effects->mouse, (enum nsc_color_mode)effects->color);
    if (effects->set & NSC_EFFECT_CANCEL_EXPORT)
        nsc_tasks_cancel(tasks, NSC_TASK_EXPORT);
    if (effects->set & NSC_EFFECT_EXPORT)
        nsc_export_begin(&session->host);
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

static void do_effects(void *context, const struct nsc_effects *effects)
{
    nsc_host_do(&((struct session *)context)->host, effects);
}

/* ---- start and end ---- */

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

static void begin(struct session *session, struct nsc_app_options *app)
{
    const struct nsc_options *options = session->options;

    session->again = session->failed = false;
    session->has_kept = false;
    app->align = session->align_word;
    session->host = (struct nsc_host){.app = nsc_app_new(app),
                                      .tasks = nsc_tasks_new(session->wake[1]),
                                      .paths = options->operands,
                                      .loading = &session->job,
                                      .calls = &session->calls,
                                      .ascii = options->set[NSC_OPTION_ASCII],
                                      .wanted = NSC_NONE,
                                      .others = effect,
                                      .context = session};
    nsc_load_begin(session->host.tasks, options, &session->job, &session->loaded, tell_load,
                   session);
}

static void leave(const struct session *session, enum nsc_loop_result result)
{
    nsc_temporary_remove_all();
    _exit(exit_of(session, result));
}

/* Does not wait for a disk that does not respond. A query that does not stop leaves nothing
 * behind. */
static void end(struct session *session, enum nsc_loop_result result)
{
    struct nsc_tasks *tasks = session->host.tasks;

    if (session->host.trace || session->unsaved)
        save_last(session);
    if (result == NSC_LOOP_SIGNAL || !nsc_tasks_stop(tasks, LOADS, STOP_MS) ||
        (!session->again && !nsc_tasks_stop(tasks, ~(LOADS | QUERY | SESSION), STOP_MS)))
        leave(session, result);
    (void)nsc_tasks_stop(tasks, ~QUERY, INT_MAX);
    if (!nsc_tasks_stop(tasks, QUERY, STOP_MS) && !session->again && !session->options->open.wal)
        _exit(exit_of(session, result));
    (void)nsc_tasks_stop(tasks, QUERY, INT_MAX);
    nsc_app_free(session->host.app); /* builds used it */
    nsc_tasks_free(tasks);
    nsc_call_details_fini(&session->calls);
    nsc_loaded_fini(&session->loaded);
}

/* Runs until the end, or until the next load. */
static enum nsc_loop_result run_once(struct session *session, struct nsc_app_options *app)
{
    struct nsc_loop_hooks hooks = {session, session->wake[0], next, wait, do_effects};
    struct nsc_loop_options loop = nsc_screen_setup_loop(session->setup, &session->term);
    enum nsc_loop_result result = NSC_LOOP_ENDED;

    begin(session, app);
    session->tour.app = session->host.app;
    result = nsc_loop_run(&session->term, nsc_tour_screen(&session->tour), &loop, &hooks);
    session->again = session->again && result == NSC_LOOP_ENDED;
    /* Restores the terminal before anything that may take long. */
    if (!session->again)
        nsc_term_close(&session->term);
    /* A load that has not stopped leaves only memory behind, so exit without waiting. Wait only if
     * bookmarks were made or SQLite keeps files beside the export. */
    if (!session->host.trace && !session->failed && !session->unsaved &&
        !session->options->open.wal)
        _exit(exit_of(session, result));
    end(session, result);
    return result;
}

static int run_loop(struct session *session, struct nsc_app_options *app)
{
    enum nsc_loop_result result = NSC_LOOP_ENDED;

    app->ascii_only = !session->term.utf8;
    app->ascii = session->options->set[NSC_OPTION_ASCII] || app->ascii_only;
    app->pool = nsc_pool_new(session->options->open.threads);
    session->job = nsc_options_job(session->options);
    session->align_word = session->was_align = app->align;
    do
        result = run_once(session, app);
    while (session->again);
    nsc_pool_free(app->pool);
    return exit_of(session, result);
}

int nsc_session_run(struct nsc_screen_setup *setup)
{
    struct nsc_app_options app = nsc_screen_setup_app(setup);
    struct session session;
    int status;

    memset(&session, 0, sizeof session);
    session.setup = setup;
    session.options = setup->options;
    session.tour.keymap = session.options->set[NSC_OPTION_TOUR] ? &setup->keymap : NULL;
    nsc_startup_init(&session.startup, session.options);
    if (nsc_session_terminal(&session.term, &session.theme, session.wake, setup, &session.error) ==
        NSC_OK) {
        status = run_loop(&session, &app);
        nsc_session_state_fini(&session.view);
        nsc_buf_fini(&session.kept.text);
        close(session.wake[0]);
        close(session.wake[1]);
    } else {
        status = nsc_complain(&session.error);
    }
    nsc_startup_fini(&session.startup);
    return status;
}
