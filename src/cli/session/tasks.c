/* Runs tasks on threads, one of a kind at a time. */
#include "cli/session/tasks.h"

#include "core/die.h"
#include "core/threads.h"

#include <poll.h>
#include <stdlib.h>
#include <time.h>

enum { POLL_MS = 2 };

struct slot {
    uint64_t generation;      /* of the newest task */
    struct nsc_task *task;    /* NULL: none */
    struct nsc_task *waiting; /* the newest, while an older one runs; NULL: none */
};

struct nsc_tasks {
    int wake_fd;
    pthread_mutex_t lock;
    pthread_cond_t cancelled; /* of nsc_task_wait */
    struct slot slots[NSC_N_TASK_KINDS];
    struct nsc_task *told; /* the last one; out of next points into it */
};

void *nsc_task_new(size_t size, void (*run)(struct nsc_task *task),
                   bool (*tell)(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out),
                   void (*fini)(struct nsc_task *task))
{
    struct nsc_task *task = nsc_xcalloc(1, size);

    task->run = run;
    task->tell = tell;
    task->fini = fini;
    return task;
}

static void task_free(struct nsc_task *task)
{
    if (task && task->fini)
        task->fini(task);
    free(task);
}

/* ---- on the threads ---- */

static void *run(void *context)
{
    struct nsc_task *task = context;
    int wake_fd = task->tasks->wake_fd;

    task->run(task);
    atomic_store(&task->has_ended, true);
    nsc_wake(wake_fd);
    return NULL;
}

void nsc_task_show(struct nsc_task *task)
{
    atomic_store(&task->has_part, true);
    nsc_wake(task->tasks->wake_fd);
}

bool nsc_task_wait(struct nsc_task *task, int ms)
{
    struct nsc_tasks *tasks = task->tasks;
    struct timespec at = {0, 0};
    int late = 0;

    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += ms / 1000;
    at.tv_nsec += (long)ms % 1000 * 1000000;
    at.tv_sec += at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    pthread_mutex_lock(&tasks->lock);
    while (!late && !nsc_progress_is_cancelled(&task->progress))
        late = pthread_cond_timedwait(&tasks->cancelled, &tasks->lock, &at);
    pthread_mutex_unlock(&tasks->lock);
    return !nsc_progress_is_cancelled(&task->progress);
}

/* ---- begun and ended ---- */

static void start(struct slot *slot, struct nsc_task *task)
{
    slot->task = task;
    task->has_thread = nsc_thread_start(&task->thread, run, task);
    if (task->has_thread)
        return;
    task->run(task);
    atomic_store(&task->has_ended, true);
}

static void join(struct nsc_task *task)
{
    if (task->has_thread)
        pthread_join(task->thread, NULL);
    task->has_thread = false;
}

static void cancel(struct nsc_tasks *tasks, struct slot *slot)
{
    pthread_mutex_lock(&tasks->lock);
    if (slot->task)
        atomic_store(&slot->task->progress.cancel, true);
    pthread_cond_broadcast(&tasks->cancelled);
    pthread_mutex_unlock(&tasks->lock);
    task_free(slot->waiting);
    slot->waiting = NULL;
}

void nsc_tasks_begin(struct nsc_tasks *tasks, enum nsc_task_kind kind, struct nsc_task *task)
{
    struct slot *slot = &tasks->slots[kind];

    task->tasks = tasks;
    task->generation = ++slot->generation;
    cancel(tasks, slot);
    if (slot->task)
        slot->waiting = task;
    else
        start(slot, task);
}

void nsc_tasks_cancel(struct nsc_tasks *tasks, enum nsc_task_kind kind)
{
    struct slot *slot = &tasks->slots[kind];

    cancel(tasks, slot);
    if (slot->task)
        slot->generation = slot->task->generation;
}

/* The task, which has ended. NULL if a newer one begins in its place. */
static struct nsc_task *take(struct nsc_tasks *tasks, struct slot *slot)
{
    struct nsc_task *task = slot->task;
    struct nsc_task *newer = slot->waiting;

    join(task);
    slot->task = slot->waiting = NULL;
    if (task->generation != slot->generation) {
        task_free(task);
        start(slot, newer);
        return NULL;
    }
    task_free(tasks->told);
    tasks->told = task;
    return task;
}

struct nsc_tasks *nsc_tasks_new(int wake_fd)
{
    struct nsc_tasks *tasks = nsc_xcalloc(1, sizeof *tasks);
    pthread_condattr_t attributes;

    tasks->wake_fd = wake_fd;
    pthread_mutex_init(&tasks->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&tasks->cancelled, &attributes);
    pthread_condattr_destroy(&attributes);
    return tasks;
}

void nsc_tasks_free(struct nsc_tasks *tasks)
{
    if (!tasks)
        return;
    for (unsigned i = 0; i < NSC_N_TASK_KINDS; i++)
        cancel(tasks, &tasks->slots[i]);
    for (unsigned i = 0; i < NSC_N_TASK_KINDS; i++) {
        if (tasks->slots[i].task)
            join(tasks->slots[i].task);
        task_free(tasks->slots[i].task);
    }
    task_free(tasks->told);
    pthread_cond_destroy(&tasks->cancelled);
    pthread_mutex_destroy(&tasks->lock);
    free(tasks);
}

/* ---- told ---- */

bool nsc_tasks_has(const struct nsc_tasks *tasks, enum nsc_task_kind kind)
{
    return tasks->slots[kind].task != NULL;
}

bool nsc_tasks_has_progress(const struct nsc_tasks *tasks)
{
    for (unsigned i = 0; i < NSC_N_TASK_KINDS; i++)
        if (tasks->slots[i].task && tasks->slots[i].task->has_progress)
            return true;
    return false;
}

/* The result of a slot, or a part of it. */
static bool tell(struct nsc_tasks *tasks, struct slot *slot, struct nsc_input *out)
{
    struct nsc_task *task = slot->task;

    if (!task)
        return false;
    if (atomic_load(&task->has_ended)) {
        task = take(tasks, slot);
        return task && task->tell(task, NSC_TELL_RESULT, out);
    }
    return atomic_exchange(&task->has_part, false) && task->tell(task, NSC_TELL_PART, out);
}

bool nsc_tasks_next(struct nsc_tasks *tasks, bool progress, struct nsc_input *out)
{
    for (unsigned i = 0; i < NSC_N_TASK_KINDS; i++)
        if (tell(tasks, &tasks->slots[i], out))
            return true;
    for (unsigned i = 0; i < NSC_N_TASK_KINDS && progress; i++) {
        struct nsc_task *task = tasks->slots[i].task;

        if (task && task->has_progress && task->tell(task, NSC_TELL_PROGRESS, out))
            return true;
    }
    return false;
}

bool nsc_tasks_wait(struct nsc_tasks *tasks, unsigned kinds, struct nsc_input *out)
{
    for (unsigned i = 0; i < NSC_N_TASK_KINDS; i++) {
        struct slot *slot = &tasks->slots[i];

        while (kinds & 1u << i && slot->task) {
            struct nsc_task *task = NULL;

            join(slot->task);
            task = take(tasks, slot);
            if (task && task->tell(task, NSC_TELL_RESULT, out))
                return true;
        }
    }
    return false;
}

bool nsc_tasks_finish(struct nsc_tasks *tasks, unsigned kinds, int ms)
{
    for (;; ms -= POLL_MS) {
        bool any = false;

        for (unsigned i = 0; i < NSC_N_TASK_KINDS; i++) {
            struct slot *slot = &tasks->slots[i];

            if (!(kinds & 1u << i) || !slot->task)
                continue;
            if (slot->waiting && atomic_load(&slot->task->has_ended))
                (void)take(tasks, slot);
            any = any || !atomic_load(&slot->task->has_ended);
        }
        if (!any || ms <= 0)
            return !any;
        (void)poll(NULL, 0, POLL_MS);
    }
}

bool nsc_tasks_stop(struct nsc_tasks *tasks, unsigned kinds, int ms)
{
    for (unsigned i = 0; i < NSC_N_TASK_KINDS; i++)
        if (kinds & 1u << i)
            nsc_tasks_cancel(tasks, (enum nsc_task_kind)i);
    return nsc_tasks_finish(tasks, kinds, ms);
}

const struct nsc_error *nsc_tasks_error(const struct nsc_tasks *tasks, enum nsc_task_kind kind)
{
    const struct nsc_task *task = tasks->slots[kind].task;

    return task && atomic_load(&task->has_ended) ? &task->error : NULL;
}
