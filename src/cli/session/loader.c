/* Loads exports, saves bookmarks and view, and watches files, each as a task. */
#include "cli/session/loader.h"

#include "cli/field_reader.h"
#include "cli/session/store.h"
#include "nsys/jobs/job_load.h"

#include <stdio.h>

enum { CHECK_MS = 1000 };
#ifdef NSC_SMALL
enum { EARLY_ROWS = 1000 };
#else
enum { EARLY_ROWS = 4 * 1000 * 1000 }; /* reading more than this takes half a second */
#endif

void nsc_loaded_fini(struct nsc_loaded *loaded)
{
    nsc_bookmarks_fini(&loaded->bookmarks);
    nsc_session_state_fini(&loaded->state);
    nsc_store_close(loaded->store);
    nsc_iterations_fini(&loaded->iterations[0]);
    nsc_iterations_fini(&loaded->iterations[1]);
    nsc_trace_free(loaded->early); /* it points into the whole trace */
    nsc_trace_free(loaded->trace);
    nsc_job_close(loaded->job);
    *loaded = (struct nsc_loaded){0};
}

/* ---- loading ---- */

/* Opens the store before the trace is reported, so that the first screen is already restored. */
static void open_store(struct nsc_load_task *load)
{
    struct nsc_loaded *loaded = load->loaded;
    struct nsc_error *error = &loaded->kept;
    enum nsc_status status = nsc_job_identity(loaded->identity, loaded->job, error);

    if (status == NSC_OK)
        status = nsc_store_open(&loaded->store, loaded->identity,
                                load->options->arg[NSC_OPTION_BOOKMARKS][0], error);
    if (status == NSC_OK)
        status = nsc_store_load(loaded->store, &loaded->bookmarks, &loaded->state, error);
    if (status == NSC_OK)
        (void)snprintf(error->text, sizeof error->text, "%s", nsc_store_notice(loaded->store));
    error->status = status;
}

static void show_early(void *context, struct nsc_trace *trace)
{
    struct nsc_load_task *load = context;

    open_store(load);
    load->loaded->early = trace;
    nsc_task_show(&load->task);
}

static void run_load(struct nsc_task *task)
{
    struct nsc_load_task *load = (struct nsc_load_task *)task;
    struct nsc_loaded *loaded = load->loaded;
    const struct nsc_options *options = load->options;
    const struct nsc_early early = {show_early, load, EARLY_ROWS};
    enum nsc_status status = nsc_job_open(&loaded->job, options->operands, options->n_operands,
                                          &load->job, &task->error);

    if (status == NSC_OK)
        nsc_job_show_early(loaded->job, &early);
    if (status == NSC_OK)
        status = nsc_job_load(&loaded->trace, loaded->job, &task->progress, &task->error);
    task->error.status = status;
    if (status != NSC_OK)
        return;
    if (!loaded->early)
        open_store(load);
    if (nsc_find_captures(loaded->trace, loaded->job, 0, &task->error) != NSC_OK)
        return;
    (void)nsc_newer_schema(loaded->newer, loaded->trace, loaded->job);
    nsc_iterations_find_each(
        loaded->iterations, loaded->trace,
        options->set[NSC_OPTION_COMPARE]); /* takes a tenth of the time of loading */
}

void nsc_load_begin(struct nsc_tasks *tasks, const struct nsc_options *options,
                    const struct nsc_job_options *job, struct nsc_loaded *out,
                    bool (*tell)(struct nsc_task *, enum nsc_tell, struct nsc_input *),
                    void *context)
{
    struct nsc_load_task *load = nsc_task_new(sizeof *load, run_load, tell, NULL);

    load->task.has_progress = true;
    load->options = options;
    load->job = *job;
    load->loaded = out;
    load->context = context;
    nsc_tasks_begin(tasks, NSC_TASK_LOAD, &load->task);
}

/* ---- saving ---- */

static void run_save(struct nsc_task *task)
{
    struct nsc_save_task *save = (struct nsc_save_task *)task;
    struct nsc_error *error = &task->error;

    error->status =
        nsc_store_save(save->store, &save->list, save->has_view ? &save->view : NULL, error);
    if (error->status == NSC_OK)
        (void)snprintf(error->text, sizeof error->text, "%s", nsc_store_notice(save->store));
}

static void fini_save(struct nsc_task *task)
{
    struct nsc_save_task *save = (struct nsc_save_task *)task;

    nsc_bookmarks_fini(&save->list);
    nsc_session_state_fini(&save->view);
}

void nsc_save_begin(struct nsc_tasks *tasks, struct nsc_store *store, struct nsc_bookmarks *list,
                    struct nsc_session_state *view,
                    bool (*tell)(struct nsc_task *, enum nsc_tell, struct nsc_input *),
                    void *context)
{
    struct nsc_save_task *save = nsc_task_new(sizeof *save, run_save, tell, fini_save);

    save->store = store;
    save->has_list = list != NULL;
    save->has_view = view != NULL;
    if (list) {
        save->list = *list;
        *list = (struct nsc_bookmarks){0};
    }
    if (view) {
        save->view = *view;
        *view = (struct nsc_session_state){0};
    }
    save->context = context;
    nsc_tasks_begin(tasks, NSC_TASK_SAVE, &save->task);
}

/* ---- watching ---- */

struct watch_task {
    struct nsc_task task;
    const struct nsc_job *job;
    bool changed;
};

static void run_watch(struct nsc_task *task)
{
    struct watch_task *watch = (struct watch_task *)task;

    do
        watch->changed = nsc_job_has_changed(watch->job);
    while (!watch->changed && nsc_task_wait(task, CHECK_MS));
}

static bool tell_watch(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out)
{
    (void)what;
    out->type = NSC_INPUT_CHANGED;
    return ((struct watch_task *)task)->changed;
}

void nsc_watch_begin(struct nsc_tasks *tasks, const struct nsc_job *job)
{
    struct watch_task *watch = nsc_task_new(sizeof *watch, run_watch, tell_watch, NULL);

    watch->job = job;
    nsc_tasks_begin(tasks, NSC_TASK_WATCH, &watch->task);
}
