/*
 * Unit tests of tasks: the newest of a kind counts, cancel, parts, progress, the order of results,
 * and that every task is freed once.
 */
#include "cli/session/tasks.h"
#include "support/cm.h"

#include <unistd.h>

/* Shared with the test: the task itself is freed after its result was told. */
struct shared {
    atomic_int begun, freed;
    atomic_bool may_end; /* a task that waits ends with it, or once it is cancelled */
};

struct one_task {
    struct nsc_task task;
    struct shared *shared;
    uint32_t number; /* told as the rows of a resize */
    bool shows_part;
};

static void run_one(struct nsc_task *task)
{
    struct one_task *one = (struct one_task *)task;

    atomic_fetch_add(&one->shared->begun, 1);
    if (one->shows_part)
        nsc_task_show(task);
    while (!atomic_load(&one->shared->may_end))
        if (!nsc_task_wait(task, 1))
            break;
    if (nsc_progress_is_cancelled(&task->progress))
        task->error.status = NSC_ECANCELLED;
}

static bool tell_one(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out)
{
    out->type = NSC_INPUT_RESIZE;
    out->rows = ((struct one_task *)task)->number;
    out->cols = what;
    return true;
}

static void fini_one(struct nsc_task *task)
{
    atomic_fetch_add(&((struct one_task *)task)->shared->freed, 1);
}

static void begin(struct nsc_tasks *tasks, enum nsc_task_kind kind, struct shared *shared,
                  uint32_t number)
{
    struct one_task *one = nsc_task_new(sizeof *one, run_one, tell_one, fini_one);

    one->shared = shared;
    one->number = number;
    one->shows_part = kind == NSC_TASK_LOAD;
    one->task.has_progress = kind == NSC_TASK_QUERY;
    nsc_tasks_begin(tasks, kind, &one->task);
}

TEST(the_newest_of_a_kind_counts)
{
    struct nsc_tasks *tasks = nsc_tasks_new(-1);
    struct shared shared = {0};
    struct nsc_input out = {0};

    for (uint32_t i = 1; i <= 5; i++)
        begin(tasks, NSC_TASK_QUERY, &shared, i);
    atomic_store(&shared.may_end, true);
    assert_true(nsc_tasks_wait(tasks, 1u << NSC_TASK_QUERY, &out));
    assert_int_equal(out.rows, 5);
    assert_int_equal(out.cols, NSC_TELL_RESULT);
    assert_false(nsc_tasks_wait(tasks, UINT32_MAX, &out));
    assert_int_equal(atomic_load(&shared.begun), 2); /* those between never ran */
    nsc_tasks_free(tasks);
    assert_int_equal(atomic_load(&shared.freed), 5);
}

/* What runs tells that it was cancelled; what waited for it is dropped. */
TEST(a_cancelled_task_tells_its_result)
{
    struct nsc_tasks *tasks = nsc_tasks_new(-1);
    struct shared shared = {0};
    struct nsc_input out = {0};

    begin(tasks, NSC_TASK_QUERY, &shared, 1);
    begin(tasks, NSC_TASK_QUERY, &shared, 2);
    nsc_tasks_cancel(tasks, NSC_TASK_QUERY);
    assert_true(nsc_tasks_finish(tasks, 1u << NSC_TASK_QUERY, 10000));
    assert_int_equal(nsc_tasks_error(tasks, NSC_TASK_QUERY)->status, NSC_ECANCELLED);
    assert_true(nsc_tasks_next(tasks, false, &out));
    assert_int_equal(out.rows, 1);
    assert_false(nsc_tasks_has(tasks, NSC_TASK_QUERY));
    nsc_tasks_free(tasks);
    assert_int_equal(atomic_load(&shared.freed), 2);
}

TEST(parts_and_progress_come_before_the_result)
{
    struct nsc_tasks *tasks = nsc_tasks_new(-1);
    struct shared shared = {0};
    struct nsc_input out = {0};

    begin(tasks, NSC_TASK_LOAD, &shared, 7);
    while (!nsc_tasks_next(tasks, true, &out))
        usleep(1000);
    assert_int_equal(out.cols, NSC_TELL_PART);
    assert_false(nsc_tasks_next(tasks, true, &out)); /* once, and a load here has no progress */
    begin(tasks, NSC_TASK_QUERY, &shared, 8);
    assert_true(nsc_tasks_has_progress(tasks));
    assert_false(nsc_tasks_next(tasks, false, &out));
    assert_true(nsc_tasks_next(tasks, true, &out));
    assert_int_equal(out.rows, 8);
    assert_int_equal(out.cols, NSC_TELL_PROGRESS);
    assert_false(nsc_tasks_finish(tasks, UINT32_MAX, 0));
    atomic_store(&shared.may_end, true);
    assert_true(nsc_tasks_finish(tasks, UINT32_MAX, 10000));
    for (uint32_t i = 7; i <= 8; i++) { /* in the order of kinds */
        assert_true(nsc_tasks_next(tasks, false, &out));
        assert_int_equal(out.rows, i);
        assert_int_equal(out.cols, NSC_TELL_RESULT);
    }
    nsc_tasks_free(tasks);
    assert_int_equal(atomic_load(&shared.freed), 2);
}

TEST(the_end_cancels_what_runs_and_what_waits)
{
    struct nsc_tasks *tasks = nsc_tasks_new(-1);
    struct shared shared = {0};

    for (uint32_t i = 0; i < NSC_N_TASK_KINDS; i++) {
        begin(tasks, (enum nsc_task_kind)i, &shared, i);
        begin(tasks, (enum nsc_task_kind)i, &shared, i);
    }
    nsc_tasks_free(tasks);
    assert_int_equal(atomic_load(&shared.freed), 2 * NSC_N_TASK_KINDS);
}
