/*
 * Work beside the screen. A task has an input by value, a generation number and a result; nothing
 * else is shared.
 *
 * One task of a kind runs at a time, each on a thread of its own. A newer one of its kind cancels
 * it, begins when it has ended, and drops its result. The caller polls for results; the wake
 * descriptor gets a byte for each.
 */
#ifndef NSC_CLI_TASKS_H
#define NSC_CLI_TASKS_H

#include "core/progress.h"
#include "view/app/app.h"

#include <pthread.h>

/* In the order of their results. */
enum nsc_task_kind {
    NSC_TASK_LOAD,
    NSC_TASK_SAVE,
    NSC_TASK_WATCH,
    NSC_TASK_DETAILS, /* it and LOAD use the job; no other one does */
    NSC_TASK_STACKS,
    NSC_TASK_BUILD,
    NSC_TASK_EXPORT = NSC_TASK_BUILD + NSC_N_BUILD_SLOTS,
    NSC_TASK_ANSWER,
    NSC_TASK_SESSION,
    NSC_TASK_QUERY,
    NSC_TASK_FINDINGS,
    NSC_N_TASK_KINDS
};

enum nsc_tell {
    NSC_TELL_PROGRESS,
    NSC_TELL_PART,  /* what nsc_task_show was called for */
    NSC_TELL_RESULT /* the task has ended */
};

/* The first member of each kind's own struct, which the kind fills in. */
struct nsc_task {
    void (*run)(struct nsc_task *task); /* on its thread */
    /* Makes an input of the result, of a part or of the progress. False: there is none. */
    bool (*tell)(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out);
    void (*fini)(struct nsc_task *task); /* frees what the struct owns; NULL: nothing */
    bool has_progress;                   /* tell knows PROGRESS */
    struct nsc_progress progress;        /* run writes it, and ends early once it is cancelled */
    struct nsc_error error;              /* of run */

    /* Of tasks.c. */
    struct nsc_tasks *tasks;
    uint64_t generation;
    pthread_t thread;
    bool has_thread;
    atomic_bool has_part, has_ended;
};

/* A task of a kind whose struct has size bytes, all else zero. */
void *nsc_task_new(size_t size, void (*run)(struct nsc_task *task),
                   bool (*tell)(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out),
                   void (*fini)(struct nsc_task *task));

struct nsc_tasks;

/* wake_fd must be non-blocking; -1: the caller does not poll. */
struct nsc_tasks *nsc_tasks_new(int wake_fd);
/* Cancels all tasks, waits for them and drops their results. NULL is allowed. */
void nsc_tasks_free(struct nsc_tasks *tasks);
/* Takes the task over. Without a thread, run is called here. */
void nsc_tasks_begin(struct nsc_tasks *tasks, enum nsc_task_kind kind, struct nsc_task *task);
/* Cancels what runs, and drops what waits for it. What runs still tells its result. */
void nsc_tasks_cancel(struct nsc_tasks *tasks, enum nsc_task_kind kind);
/* Whether the kind has a task whose result was not told. */
bool nsc_tasks_has(const struct nsc_tasks *tasks, enum nsc_task_kind kind);
/* Whether a task with a progress runs. */
bool nsc_tasks_has_progress(const struct nsc_tasks *tasks);
/* The next result or part, or with progress the first progress. What out points to is valid until
 * the next call. False: none. */
bool nsc_tasks_next(struct nsc_tasks *tasks, bool progress, struct nsc_input *out);
/* Waits for the first of the kinds, a bit each, that has a task, and tells its result. False: none
 * has. */
bool nsc_tasks_wait(struct nsc_tasks *tasks, unsigned kinds, struct nsc_input *out);
/* Waits at most ms for the tasks of the kinds, a bit each, to end. False if one still runs. */
bool nsc_tasks_finish(struct nsc_tasks *tasks, unsigned kinds, int ms);
/* Cancels them first. */
bool nsc_tasks_stop(struct nsc_tasks *tasks, unsigned kinds, int ms);
/* The error of a task that has ended and was not told; NULL: there is none. */
const struct nsc_error *nsc_tasks_error(const struct nsc_tasks *tasks, enum nsc_task_kind kind);

/* ---- on a task's thread ---- */

/* Reports that a part of the result is there. */
void nsc_task_show(struct nsc_task *task);
/* Waits. False, at once, if the task is cancelled. */
bool nsc_task_wait(struct nsc_task *task, int ms);

#endif
