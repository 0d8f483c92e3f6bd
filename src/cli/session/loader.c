/* Loads exports on a separate thread. */
#include "cli/session/loader.h"

#include "analysis/ranges/iterations.h"
#include "cli/call_details.h"
#include "cli/session/store.h"
#include "core/die.h"
#include "core/threads.h"
#include "nsys/jobs/job_load.h"
#include "tui/signals.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { CHECK_MS = 1000, BRIEF_MS = 100, LAST_MS = 10000 };
#ifdef NSC_SMALL
enum { EARLY_ROWS = 1000 };
#else
enum { EARLY_ROWS = 4 * 1000 * 1000 }; /* reading more than this takes half a second */
#endif

struct nsc_loader {
    const struct nsc_loader_options *options;
    int wake_fd;
    struct nsc_progress *progress;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* signals that there is work */

    /* The thread writes these before it sets finished; then they stay constant. */
    struct nsc_job *job;
    struct nsc_trace *trace;
    struct nsc_iterations iterations[2]; /* comparing: of each recording; else the first */
    struct nsc_error error;
    struct nsc_store *store; /* NULL if bookmarks cannot be saved */
    struct nsc_session_state state;
    char identity[NSC_IDENTITY_BYTES];
    struct nsc_call_details calls; /* used by the thread only */

    /* Protected by the lock. */
    struct nsc_trace *early; /* NULL before the first rows arrive, or always */
    bool finished, quit, asked, answered, stale;
    nsc_event asked_for, answer_for, answer_waited;
    struct nsc_details answer;
    struct nsc_error answer_error;
    bool saving, kept; /* saving: data to save; kept: result to report */
    struct nsc_bookmarks to_save, saved;
    struct nsc_error kept_error;
    bool saving_view,
        saving_last; /* last: save at the end of the thread; its error is in last_error */
    struct nsc_session_state view; /* to save */
    struct nsc_error last_error;
    bool in_store, taken_over; /* the thread uses the store; the thread must not use it any more */
    bool ended;                /* the thread is done */

    /* Used by the caller's thread only: answers already given, and data it may still read. */
    bool told_early, told_load, told_stale, told_kept;
    struct nsc_details shown;
    struct nsc_error shown_error;
    struct nsc_bookmarks shown_bookmarks;
};

/* ---- on the thread ---- */

/* False if the caller's thread has taken the store over. */
static bool enter_store(struct nsc_loader *loader)
{
    bool may;

    pthread_mutex_lock(&loader->lock);
    may = loader->in_store = !loader->taken_over;
    pthread_mutex_unlock(&loader->lock);
    return may;
}

/* Opens the store before reporting the trace, so that the first screen is already restored. */
static void open_store(struct nsc_loader *loader)
{
    char *identity = loader->identity;
    struct nsc_error *error = &loader->kept_error;
    enum nsc_status status = NSC_OK;

    if (loader->early || !enter_store(loader))
        return; /* already opened for the early rows */
    status = nsc_job_identity(identity, loader->job, error);
    if (status == NSC_OK)
        status = nsc_store_open(&loader->store, identity, loader->options->bookmarks, error);
    if (status == NSC_OK)
        status = nsc_store_load(loader->store, &loader->saved, &loader->state, error);
    if (status == NSC_OK)
        (void)snprintf(error->text, sizeof error->text, "%s", nsc_store_notice(loader->store));
    error->status = status;
    pthread_mutex_lock(&loader->lock);
    loader->kept = true;
    loader->in_store = false;
    pthread_mutex_unlock(&loader->lock);
}

/* Reports the bookmarks too, so that the first screen is already restored. */
static void show_early(void *context, struct nsc_trace *trace)
{
    struct nsc_loader *loader = context;

    open_store(loader);
    pthread_mutex_lock(&loader->lock);
    loader->early = trace;
    pthread_mutex_unlock(&loader->lock);
    nsc_wake(loader->wake_fd);
}

static void load(struct nsc_loader *loader)
{
    const struct nsc_loader_options *options = loader->options;
    const struct nsc_early early = {show_early, loader, EARLY_ROWS};
    enum nsc_status status =
        nsc_job_open(&loader->job, options->paths, options->n_paths, &options->job, &loader->error);

    if (status == NSC_OK)
        nsc_job_show_early(loader->job, &early);
    if (status == NSC_OK)
        status = nsc_job_load(&loader->trace, loader->job, loader->progress, &loader->error);
    if (status != NSC_OK)
        loader->error.status = status;
    else
        open_store(loader);
    if (status == NSC_OK) /* takes a tenth of the time of loading */
        nsc_iterations_find_each(loader->iterations, loader->trace, options->compares);
    pthread_mutex_lock(&loader->lock);
    loader->finished = true;
    pthread_mutex_unlock(&loader->lock);
    nsc_wake(loader->wake_fd);
}

/* Called and returns with the lock held. */
static void fetch_details(struct nsc_loader *loader)
{
    nsc_event event = loader->asked_for;
    struct nsc_details details = {0, NULL};
    struct nsc_error error = {NSC_OK, ""};

    loader->asked = false;
    pthread_mutex_unlock(&loader->lock);
    loader->calls.job = loader->job;
    loader->calls.trace = loader->trace;
    if (nsc_call_details_read(&loader->calls, &details, event, &error) != NSC_OK &&
        error.status == NSC_OK)
        error.status = NSC_EIO;
    pthread_mutex_lock(&loader->lock);
    nsc_details_fini(&loader->answer);
    loader->answer = details;
    loader->answer_error = error;
    loader->answer_for = event;
    loader->answer_waited = loader->calls.waited;
    loader->answered = true;
    nsc_wake(loader->wake_fd);
}

/* Saves the pending data. Called and returns with the lock held. */
static void save(struct nsc_loader *loader, struct nsc_bookmarks *list, struct nsc_error *error)
{
    struct nsc_session_state view = loader->view;
    bool has_view = loader->saving_view;

    *list = loader->to_save;
    loader->to_save = (struct nsc_bookmarks){0};
    loader->view = (struct nsc_session_state){0};
    loader->saving = loader->saving_view = false;
    loader->in_store = true;
    pthread_mutex_unlock(&loader->lock);
    error->status = nsc_store_save(loader->store, list, has_view ? &view : NULL, error);
    if (error->status == NSC_OK)
        (void)snprintf(error->text, sizeof error->text, "%s", nsc_store_notice(loader->store));
    nsc_session_state_fini(&view);
    pthread_mutex_lock(&loader->lock);
    loader->in_store = false;
}

/* Called and returns with the lock held. An unsaved view is not reported. */
static void save_now(struct nsc_loader *loader)
{
    struct nsc_bookmarks list = {0};
    struct nsc_error error = {0};
    bool is_news = loader->saving;

    save(loader, &list, &error);
    if (is_news) {
        nsc_bookmarks_merge(&loader->saved, &list);
        loader->kept_error = error;
        loader->kept = true;
        nsc_wake(loader->wake_fd);
    }
    nsc_bookmarks_fini(&list);
}

/* Called and returns with the lock held. */
static void save_last(struct nsc_loader *loader)
{
    struct nsc_bookmarks list = {0};

    if (loader->saving_last && loader->store && nsc_store_path(loader->store))
        save(loader, &list, &loader->last_error);
    nsc_bookmarks_fini(&list);
}

/* Called and returns with the lock held. */
static void check_file(struct nsc_loader *loader)
{
    bool changed = false;

    pthread_mutex_unlock(&loader->lock);
    changed = nsc_job_has_changed(loader->job);
    pthread_mutex_lock(&loader->lock);
    if (changed && !loader->stale) {
        loader->stale = true;
        nsc_wake(loader->wake_fd);
    }
}

static struct timespec in_ms(int ms)
{
    struct timespec at = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += (long)ms % 1000 * 1000000;
    at.tv_sec += ms / 1000 + at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

static bool is_past(const struct timespec *at)
{
    struct timespec now = in_ms(0);

    return now.tv_sec > at->tv_sec || (now.tv_sec == at->tv_sec && now.tv_nsec >= at->tv_nsec);
}

/* The check of the file has its own clock, so requests cannot delay it. It stops when the file has
 * changed. Called and returns with the lock held. */
static void serve(struct nsc_loader *loader)
{
    struct timespec due = in_ms(0); /* the file may have changed during the load */

    while (!loader->quit) {
        if (!loader->stale && is_past(&due)) {
            check_file(loader);
            due = in_ms(CHECK_MS);
        } else if (loader->saving || loader->saving_view) {
            save_now(loader);
        } else if (loader->asked) {
            fetch_details(loader);
        } else if (loader->stale) {
            pthread_cond_wait(&loader->changed, &loader->lock);
        } else {
            pthread_cond_timedwait(&loader->changed, &loader->lock, &due);
        }
    }
}

static void *run(void *context)
{
    struct nsc_loader *loader = context;

    nsc_signals_block();
    load(loader);
    pthread_mutex_lock(&loader->lock);
    if (loader->error.status == NSC_OK)
        serve(loader);
    if (!loader->taken_over)
        save_last(loader);
    loader->ended = true;
    pthread_cond_broadcast(&loader->changed);
    pthread_mutex_unlock(&loader->lock);
    return NULL;
}

/* ---- on the caller's ---- */

static void init_locks(struct nsc_loader *loader)
{
    pthread_condattr_t attributes;

    pthread_mutex_init(&loader->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&loader->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void fini(struct nsc_loader *loader)
{
    pthread_cond_destroy(&loader->changed);
    pthread_mutex_destroy(&loader->lock);
    nsc_progress_free(loader->progress);
    nsc_details_fini(&loader->answer);
    nsc_details_fini(&loader->shown);
    nsc_call_details_fini(&loader->calls);
    nsc_bookmarks_fini(&loader->to_save);
    nsc_bookmarks_fini(&loader->saved);
    nsc_bookmarks_fini(&loader->shown_bookmarks);
    nsc_session_state_fini(&loader->state);
    nsc_session_state_fini(&loader->view);
    nsc_store_close(loader->store);
    nsc_iterations_fini(&loader->iterations[0]);
    nsc_iterations_fini(&loader->iterations[1]);
    nsc_trace_free(loader->early); /* it points into the whole trace */
    nsc_trace_free(loader->trace);
    nsc_job_close(loader->job);
    free(loader);
}

struct nsc_loader *nsc_loader_new(const struct nsc_loader_options *options, int wake_fd)
{
    struct nsc_loader *loader = nsc_xcalloc(1, sizeof *loader);

    loader->options = options;
    loader->wake_fd = wake_fd;
    loader->progress = nsc_progress_new();
    init_locks(loader);
    if (pthread_create(&loader->thread, NULL, run, loader)) {
        fini(loader);
        return NULL;
    }
    return loader;
}

bool nsc_loader_stop(struct nsc_loader *loader, int ms)
{
    struct timespec until = in_ms(ms);
    int failed = 0;

    nsc_progress_cancel(loader->progress);
    pthread_mutex_lock(&loader->lock);
    loader->quit = true;
    pthread_cond_broadcast(&loader->changed);
    while (!loader->ended && !failed)
        failed = pthread_cond_timedwait(&loader->changed, &loader->lock, &until);
    failed = !loader->ended;
    pthread_mutex_unlock(&loader->lock);
    return !failed;
}

void nsc_loader_free(struct nsc_loader *loader)
{
    if (!loader)
        return;
    (void)nsc_loader_stop(loader, 0);
    pthread_join(loader->thread, NULL);
    fini(loader);
}

void nsc_loader_save(struct nsc_loader *loader, struct nsc_bookmarks *list)
{
    pthread_mutex_lock(&loader->lock);
    nsc_bookmarks_fini(&loader->to_save);
    loader->to_save = *list;
    *list = (struct nsc_bookmarks){0};
    loader->saving = loader->store != NULL;
    pthread_cond_broadcast(&loader->changed);
    pthread_mutex_unlock(&loader->lock);
}

/* Call with the lock held. */
static void put_view(struct nsc_loader *loader, struct nsc_session_state *view)
{
    nsc_session_state_fini(&loader->view);
    loader->view = *view;
    *view = (struct nsc_session_state){0};
    loader->saving_view = true;
}

void nsc_loader_save_view(struct nsc_loader *loader, struct nsc_session_state *view)
{
    pthread_mutex_lock(&loader->lock);
    if (loader->store && nsc_store_path(loader->store))
        put_view(loader, view);
    pthread_cond_broadcast(&loader->changed);
    pthread_mutex_unlock(&loader->lock);
}

/* Does not wait for a thread that waits for the export's disk: the store may be on another disk. */
static void take_over(struct nsc_loader *loader)
{
    pthread_mutex_lock(&loader->lock);
    loader->taken_over = !loader->ended && !loader->in_store;
    if (loader->taken_over)
        save_last(loader);
    pthread_mutex_unlock(&loader->lock);
}

enum nsc_status nsc_loader_save_last(struct nsc_loader *loader, struct nsc_bookmarks *list,
                                     struct nsc_session_state *view, struct nsc_error *error)
{
    pthread_mutex_lock(&loader->lock);
    nsc_bookmarks_fini(&loader->to_save);
    loader->to_save = *list;
    *list = (struct nsc_bookmarks){0};
    if (view)
        put_view(loader, view);
    loader->saving_last = true;
    pthread_mutex_unlock(&loader->lock);
    if (!nsc_loader_stop(loader, BRIEF_MS))
        take_over(loader);
    if (!loader->taken_over && !nsc_loader_stop(loader, LAST_MS))
        return nsc_fail(error, NSC_EIO, "a disk does not answer: the last changes are not saved");
    if (loader->last_error.status == NSC_OK)
        return NSC_OK;
    return nsc_fail(error, loader->last_error.status, "%s", loader->last_error.text);
}

void nsc_loader_cancel(struct nsc_loader *loader)
{
    nsc_progress_cancel(loader->progress);
}

const char *nsc_loader_identity(const struct nsc_loader *loader)
{
    return loader->identity;
}

bool nsc_loader_is_busy(const struct nsc_loader *loader)
{
    return !loader->told_load;
}

struct nsc_progress_view nsc_loader_progress(const struct nsc_loader *loader)
{
    return nsc_progress_view(loader->progress);
}

void nsc_loader_details(struct nsc_loader *loader, nsc_event event)
{
    const struct nsc_trace *trace = loader->told_load    ? loader->trace
                                    : loader->told_early ? loader->early
                                                         : NULL;

    if (!trace || event >= nsc_trace_events(trace)->n)
        return;
    pthread_mutex_lock(&loader->lock);
    loader->asked = true;
    loader->asked_for = event;
    pthread_cond_broadcast(&loader->changed);
    pthread_mutex_unlock(&loader->lock);
}

static struct nsc_answer_view tell_load(struct nsc_loader *loader)
{
    struct nsc_answer_view view = {
        .type = NSC_ANSWER_FAILED, .event = NSC_NONE, .error = &loader->error};

    loader->told_load = true;
    if (loader->error.status == NSC_OK) {
        view.type = NSC_ANSWER_LOADED;
        view.trace = loader->trace;
        view.iterations = loader->iterations;
        view.job = loader->job;
    }
    return view;
}

/* Call with the lock held. */
static struct nsc_answer_view tell_details(struct nsc_loader *loader)
{
    struct nsc_answer_view view = {.type = NSC_ANSWER_DETAILS,
                                   .event = loader->answer_for,
                                   .waited = loader->answer_waited,
                                   .details = &loader->shown,
                                   .error = &loader->shown_error};

    nsc_details_fini(&loader->shown);
    loader->shown = loader->answer;
    loader->shown_error = loader->answer_error;
    loader->answer = (struct nsc_details){0, NULL};
    loader->answered = false;
    if (loader->shown_error.status != NSC_OK)
        view.type = NSC_ANSWER_NO_DETAILS;
    return view;
}

/* Call with the lock held. */
static struct nsc_answer_view tell_kept(struct nsc_loader *loader)
{
    struct nsc_answer_view view = {.type = NSC_ANSWER_KEPT,
                                   .event = NSC_NONE,
                                   .error = &loader->shown_error,
                                   .bookmarks = &loader->shown_bookmarks,
                                   .state = loader->told_kept ? NULL : &loader->state};

    nsc_bookmarks_fini(&loader->shown_bookmarks);
    loader->shown_bookmarks = loader->saved;
    loader->saved = (struct nsc_bookmarks){0};
    loader->shown_error = loader->kept_error;
    loader->kept = false;
    loader->told_kept = true;
    return view;
}

struct nsc_answer_view nsc_loader_next(struct nsc_loader *loader)
{
    struct nsc_answer_view view = {.type = NSC_ANSWER_NONE, .event = NSC_NONE};

    pthread_mutex_lock(&loader->lock);
    if (loader->finished && !loader->told_load) {
        view = tell_load(loader);
    } else if (loader->early && !loader->told_early && !loader->told_load) {
        loader->told_early = true;
        view.type = NSC_ANSWER_EARLY;
        view.trace = loader->early;
        view.job = loader->job;
    } else if ((loader->told_early || loader->told_load) && loader->kept) {
        view = tell_kept(loader);
    } else if (loader->stale && !loader->told_stale) {
        loader->told_stale = true;
        view.type = NSC_ANSWER_CHANGED;
    } else if (loader->answered) {
        view = tell_details(loader);
    }
    pthread_mutex_unlock(&loader->lock);
    return view;
}
