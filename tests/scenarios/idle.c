/*
 * Why a GPU is idle. Most scenarios are eight steps of 20 ms with 10 ms of GPU work; the truth is
 * what the host does in the rest.
 */
#include "scenarios/scenario.h"

#include <stdio.h>
#include <string.h>

#define STEPS 8
#define STEP  MS(20)

static int64_t python(struct scenario *s)
{
    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    return scenario_thread(s, 100, 100, "python");
}

/* One kernel of a step that the thread launches at t. */
static void work(struct scenario *s, int64_t thread, int64_t t, int64_t busy)
{
    (void)scenario_launch(s, thread, t, 0, 7, "gemm", t + US(9), t + US(9) + busy);
}

static int64_t idle_of(struct scenario *s, const char *cause)
{
    char where[200];

    (void)snprintf(where, sizeof where, "cause = '%s'", cause);
    return scenario_sum(s, "idle_causes", where, "idle_ns");
}

static int64_t all_idle(struct scenario *s)
{
    return scenario_sum(s, "idle", NULL, "idle_ns");
}

/* Asks, and expects this cause to take at least a share of the idle time, in percent. */
static void expect_most(struct scenario *s, const char *cause, int percent)
{
    scenario_ask(s, "skill run idle @");
    if (idle_of(s, cause) * 100 < all_idle(s) * percent)
        fail_msg("%s: %lld of %lld ns\n%s", cause, (long long)idle_of(s, cause),
                 (long long)all_idle(s), scenario_output(s));
    assert_int_equal(scenario_sum(s, "idle_causes", NULL, "idle_ns"), all_idle(s));
}

/* The call, range or thread of the first place in the sheet. */
static void expect_top(struct scenario *s, const char *column, const char *want)
{
    const char *got = scenario_text(s, "idle_places", NULL, column);

    if (!strstr(got, want))
        fail_msg("%s: \"%s\", expected \"%s\"\n%s", column, got, want, scenario_output(s));
}

/* Truth: between kernels the launching thread is in read() in the range dataloader. */
SCENARIO(test_file)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        scenario_range(s, thread, "dataloader", t + US(20), t + MS(19.9));
        scenario_os(s, thread, "pread64", t + US(30), t + MS(4));
        scenario_os(s, thread, "read", t + MS(4.1), t + MS(19.8));
    }
    expect_most(s, "file I/O", 95);
    expect_top(s, "call", "read");
    expect_top(s, "range", "dataloader");
    expect_top(s, "thread", "python");
}

/* Truth: the same reads, hidden behind GPU work: hardly any idle time. */
SCENARIO(test_file_hidden)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        (void)scenario_launch(s, thread, t, 0, 7, "gemm", t + MS(20.01), t + MS(39.99));
        scenario_os(s, thread, "read", t + US(30), t + MS(19.8));
    }
    scenario_ask(s, "skill run idle @");
    assert_true(all_idle(s) < MS(1));
    assert_int_equal(idle_of(s, "file I/O"), 0);
}

/* Each call of the OS is of its class and named. */
static void check_os(struct scenario *s, const char *call, const char *cause)
{
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        scenario_os(s, thread, call, t + US(30), t + MS(19.9));
    }
    expect_most(s, cause, 95);
    expect_top(s, "call", call);
}

/* Truth: usleep between steps. */
SCENARIO(test_sleep)
{
    check_os(*state, "usleep", "sleep");
}

/* Truth: a server without load waits in epoll_wait. */
SCENARIO(test_requests)
{
    check_os(*state, "epoll_wait", "wait for events or requests");
}

/* Truth: recv from another node. */
SCENARIO(test_network)
{
    check_os(*state, "recv", "network");
}

/* Truth: a mutex that another thread holds. */
SCENARIO(test_mutex)
{
    check_os(*state, "pthread_mutex_lock", "lock or join (waits for another thread)");
}

/* Truth: the parent waits for a worker process. */
SCENARIO(test_waitpid)
{
    check_os(*state, "waitpid", "lock or join (waits for another thread)");
}

/* Truth: a semaphore without a recorded post: it waits for another thread, the rest is unknown. */
SCENARIO(test_semaphore)
{
    check_os(*state, "sem_clockwait", "lock or join (waits for another thread)");
}

/* Truth: a barrier of threads. */
SCENARIO(test_barrier)
{
    check_os(*state, "pthread_barrier_wait", "lock or join (waits for another thread)");
}

/* Steps in which the launching thread waits in a call, from 10.05 ms on after a synchronize, for the
 * range of a worker that ends `before` the wait does. */
static void wait_for_worker(struct scenario *s, const char *call, int64_t before)
{
    int64_t thread = python(s);
    int64_t worker = scenario_thread(s, 100, 101, "worker");

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        (void)scenario_call(s, thread, "cudaStreamSynchronize_v3020", t + US(50), t + MS(10.02));
        scenario_os(s, thread, call, t + MS(10.05), t + MS(19.95));
        scenario_range(s, worker, "pack_halo", t + MS(10.03), t + MS(19.95) - before);
    }
    scenario_ask(s, "skill run idle @");
}

/* Truth: the worker holds the mutex while it works. That the queue is empty is not the cause. */
SCENARIO(test_mutex_of_a_worker)
{
    wait_for_worker(*state, "pthread_mutex_lock", US(4));
    expect_most(*state, "CPU work", 95);
    expect_top(*state, "range", "pack_halo");
    expect_top(*state, "thread", "worker");
}

/* Truth: the worker comes last to the barrier. */
SCENARIO(test_barrier_of_a_worker)
{
    wait_for_worker(*state, "pthread_barrier_wait", US(4));
    expect_most(*state, "CPU work", 95);
    expect_top(*state, "range", "pack_halo");
}

/* The near miss: the worker is done 2 ms before the barrier opens. */
SCENARIO(test_barrier_of_others)
{
    wait_for_worker(*state, "pthread_barrier_wait", MS(2));
    expect_most(*state, "lock or join (waits for another thread)", 95);
}

/* The near miss: main drains the queue, works, and hands over to the thread that launches: the time
 * is after main's wait. */
SCENARIO(test_drained_by_main)
{
    struct scenario *s = *state;
    int64_t main_thread = python(s);
    int64_t launcher = scenario_thread(s, 100, 101, "executor");

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, launcher, t, MS(10));
        scenario_os(s, launcher, "pthread_cond_wait", t + US(30), t + MS(19.95));
        (void)scenario_call(s, main_thread, "cudaStreamSynchronize_v3020", t + US(50),
                            t + MS(10.02));
        scenario_range(s, main_thread, "schedule", t + MS(10.1), t + MS(19.94));
    }
    expect_most(s, "after a wait that drained the queue", 95);
    expect_top(s, "range", "schedule");
}

/* Truth: a call of no known class is another OS call. */
SCENARIO(test_ioctl)
{
    check_os(*state, "ioctl", "other OS call");
}

/* Truth: getc in a loop of a C program reads a file. */
SCENARIO(test_getc)
{
    check_os(*state, "getc", "file I/O");
}

/* Truth: the executor's thread launches, and sleeps while the main thread prepares in
 * "schedule". */
SCENARIO(test_parked)
{
    struct scenario *s = *state;
    int64_t main_thread = python(s);
    int64_t worker = scenario_thread(s, 100, 101, "executor");
    int64_t watchdog = scenario_thread(s, 100, 102, "watchdog");

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, worker, t, MS(10));
        scenario_os(s, worker, "pthread_cond_wait", t + US(30), t + MS(19.95));
        scenario_range(s, main_thread, "schedule", t + MS(1), t + MS(19.94));
        scenario_os(s, watchdog, "pthread_cond_timedwait", t, t + MS(19.99));
    }
    expect_most(s, "CPU work", 95);
    expect_top(s, "range", "schedule");
    expect_top(s, "thread", "python");
}

/* Truth: the executor sleeps while the main thread prepares for 5 ms; then it launches on another GPU
 * every 45 us for 10 ms. What it does between launches is launch overhead, as without a sleep. */
SCENARIO(test_launches_after_a_sleep)
{
    struct scenario *s = *state;
    int64_t main_thread = python(s);
    int64_t executor = scenario_thread(s, 100, 101, "executor");

    scenario_gpu(s, 1, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, executor, t, MS(5));
        scenario_os(s, executor, "pthread_cond_wait", t + US(30), t + MS(9.99));
        scenario_range(s, main_thread, "schedule", t + MS(1), t + MS(9.98));
        for (int k = 0; k < 222; k++)
            (void)scenario_launch(s, executor, t + MS(10) + k * US(45), 1, 7, "copy_params",
                                  t + MS(10) + k * US(45) + US(9),
                                  t + MS(10) + k * US(45) + US(12));
    }
    scenario_ask(s, "skill run idle @");
    assert_in_range(
        scenario_sum(s, "idle_causes", "cause = 'launch overhead' AND gpu = 0", "idle_ns"),
        (STEPS - 1) * MS(9.9), STEPS * MS(10.1));
    assert_in_range(scenario_sum(s, "idle_causes", "cause = 'CPU work' AND gpu = 0", "idle_ns"),
                    (STEPS - 1) * MS(4.9), STEPS * MS(5.1));
}

/* Truth: the loader's thread reads a file while the launching thread waits for it. */
SCENARIO(test_parked_reader)
{
    struct scenario *s = *state;
    int64_t main_thread = python(s);
    int64_t loader = scenario_thread(s, 100, 101, "pin_memory");

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, main_thread, t, MS(10));
        scenario_os(s, main_thread, "pthread_cond_clockwait", t + US(30), t + MS(19.95));
        scenario_os(s, loader, "pread64", t + MS(1), t + MS(19.93));
    }
    expect_most(s, "file I/O", 95);
    expect_top(s, "thread", "pin_memory");
}

/* Truth: the backward's thread has no record before its first launch; the main thread, which
 * launched before it, computes a loss in "loss". */
SCENARIO(test_silent)
{
    struct scenario *s = *state;
    int64_t main_thread = python(s);
    int64_t autograd = scenario_thread(s, 100, 101, "pt_autograd_0");

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        scenario_range(s, main_thread, "forward", t - US(5), t + US(20));
        work(s, main_thread, t, MS(5));
        scenario_range(s, main_thread, "loss", t + US(30), t + MS(14.9));
        scenario_range(s, main_thread, "backward", t + MS(14.91), t + MS(19.9));
        work(s, autograd, t + MS(15), MS(4.9));
    }
    expect_most(s, "CPU work", 95);
    expect_top(s, "range", "loss");
    expect_top(s, "thread", "python");
}

/* Truth: the worker waits for work with timeouts of 1 ms; the main thread tokenizes meanwhile. */
SCENARIO(test_parked_with_timeouts)
{
    struct scenario *s = *state;
    int64_t main_thread = python(s);
    int64_t worker = scenario_thread(s, 100, 101, "worker");

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, worker, t, MS(10));
        for (int k = 0; k < 19; k++)
            scenario_os(s, worker, "pthread_cond_timedwait", t + US(30) + k * MS(1.05),
                        t + US(20) + (k + 1) * MS(1.05));
        scenario_range(s, main_thread, "tokenize", t + MS(1), t + MS(19.94));
    }
    expect_most(s, "CPU work", 95);
    expect_top(s, "range", "tokenize");
    expect_top(s, "thread", "python");
}

/* Truth: requests come to the main thread, in epoll_wait, which hands them to an executor. */
SCENARIO(test_parked_server)
{
    struct scenario *s = *state;
    int64_t main_thread = python(s);
    int64_t worker = scenario_thread(s, 100, 101, "executor");

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, worker, t, MS(5));
        scenario_os(s, worker, "sem_wait", t + US(30), t + MS(19.95));
        scenario_os(s, main_thread, "epoll_wait", t + US(50), t + MS(19.9));
        scenario_range(s, main_thread, "handle", t + MS(19.91), t + MS(19.96));
    }
    expect_most(s, "wait for events or requests", 95);
    expect_top(s, "call", "epoll_wait");
    expect_top(s, "thread", "python");
}

/* Truth: the network's thread is in epoll_wait and hands over nothing: the launching thread waits
 * for another one, the rest is unknown. */
SCENARIO(test_parked_beside_a_server)
{
    struct scenario *s = *state;
    int64_t main_thread = python(s);
    int64_t network = scenario_thread(s, 100, 101, "pt_tcpstore");

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, main_thread, t, MS(5));
        scenario_os(s, main_thread, "sem_wait", t + US(30), t + MS(19.95));
        scenario_os(s, network, "epoll_wait", t + MS(1), t + MS(20.5));
    }
    expect_most(s, "lock or join (waits for another thread)", 95);
    expect_top(s, "thread", "python");
}

/* Truth: autograd's thread is slow to launch; the main thread waits for it in "backward". */
static void autograd(struct scenario *s, bool is_waiting)
{
    int64_t main_thread = python(s);
    int64_t worker = scenario_thread(s, 100, 101, is_waiting ? "python" : "pt_autograd_0");

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        scenario_range(s, main_thread, "forward", t - US(5), t + MS(9));
        work(s, main_thread, t, MS(9));
        scenario_range(s, main_thread, "backward", t + MS(9), t + MS(19.9));
        if (is_waiting)
            scenario_os(s, main_thread, "pthread_cond_wait", t + MS(9) + US(5), t + MS(19.8));
        for (int k = 0; k < 20; k++)
            work(s, worker, t + MS(9.05) + k * US(500), US(50));
    }
    expect_most(s, "CPU work", 80);
    expect_top(s, "range", "backward");
    expect_top(s, "thread", is_waiting ? "101" : "pt_autograd_0");
}

SCENARIO(test_autograd)
{
    autograd(*state, false);
}

SCENARIO(test_a_thread_that_is_waited_for)
{
    autograd(*state, true);
}

/* Truth: the thread works for itself, and so does the main thread: its time is outside of
 * ranges. */
SCENARIO(test_a_thread_of_its_own)
{
    struct scenario *s = *state;
    int64_t main_thread = python(s);
    int64_t worker = scenario_thread(s, 100, 101, "render");

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        scenario_range(s, main_thread, "simulate", t, t + MS(19.9));
        work(s, worker, t, MS(5));
    }
    expect_most(s, "CPU work", 95);
    expect_top(s, "range", "(none)");
}

/* Truth: the wait for the GIL holds a timed wait inside. */
SCENARIO(test_gil)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        scenario_range_in(s, thread, "GIL Trace", "Waiting for GIL", t + US(30), t + MS(19.9));
        scenario_os(s, thread, "pthread_cond_timedwait", t + US(40), t + MS(19.8));
    }
    expect_most(s, "wait for Python''s GIL", 95);
}

/* Truth: nsys of 2022 wrote MPI calls as ranges, with the poll inside. A range of the program with
 * the same wait is not an MPI call. */
static void check_mpi_range(struct scenario *s, const char *range, const char *cause)
{
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        scenario_range_in(s, thread, "MPI", range, t + US(30), t + MS(19.9));
        scenario_os(s, thread, "poll", t + US(40), t + MS(19.8));
    }
    expect_most(s, cause, 95);
}

SCENARIO(test_mpi_as_a_range)
{
    check_mpi_range(*state, "MPI_Waitall", "MPI call");
}

SCENARIO(test_exchange_as_a_range)
{
    check_mpi_range(*state, "exchange halo", "wait for events or requests");
}

/* Truth: "Holding GIL" does not count: the time is CPU work in "preprocess". */
SCENARIO(test_gil_held)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        scenario_range(s, thread, "preprocess", t + US(30), t + MS(19.9));
        scenario_range_in(s, thread, "GIL Trace", "Holding GIL", t + US(40), t + MS(19.8));
    }
    expect_most(s, "CPU work", 95);
    expect_top(s, "range", "preprocess");
}

/* Truth: MPI_Allreduce holds the thread, with a poll inside. */
SCENARIO(test_mpi)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    scenario_sql(s, "CREATE TABLE MPI_COLLECTIVES_EVENTS (start INTEGER NOT NULL, end INTEGER NOT "
                    "NULL, globalTid INTEGER, textId INTEGER)");
    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        scenario_sql(s, "INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (%lld, %lld, %lld, %lld)",
                     (long long)(t + US(30)), (long long)(t + MS(19.9)), (long long)thread,
                     (long long)scenario_string(s, "MPI_Allreduce"));
        scenario_os(s, thread, "poll", t + MS(1), t + MS(19.8));
    }
    expect_most(s, "MPI call", 95);
    expect_top(s, "call", "MPI_Allreduce");
}

/* Truth: the profiler flushes its buffers on the launching thread. */
SCENARIO(test_overhead)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    scenario_sql(s, "CREATE TABLE PROFILER_OVERHEAD (start INTEGER NOT NULL, end INTEGER NOT NULL, "
                    "globalTid INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER)");
    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        scenario_sql(s, "INSERT INTO PROFILER_OVERHEAD VALUES (%lld, %lld, %lld, %lld, 0)",
                     (long long)(t + MS(9)), (long long)(t + MS(19.9)), (long long)thread,
                     (long long)scenario_string(s, "CUPTI: Buffer Flush"));
        (void)scenario_call(s, thread, "cudaEventRecord", t + MS(8.9), t + MS(19.95));
    }
    expect_most(s, "profiler overhead", 95);
}

/* One step in which the thread waits for the GPU and then works in Python for 9.9 ms. */
static void drained_step(struct scenario *s, int64_t thread, int64_t t, const char *wait)
{
    work(s, thread, t, MS(10));
    (void)scenario_call(s, thread, wait, t + US(50), t + MS(10.02));
    scenario_range(s, thread, "optimizer", t + MS(10.1), t + MS(19.9));
}

/* Truth: .item() drained the queue each step; the Python work after it is after that wait. */
SCENARIO(test_drained)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++)
        drained_step(s, thread, MS(5) + i * STEP, "cudaStreamSynchronize");
    expect_most(s, "after a wait that drained the queue", 95);
    expect_top(s, "call", "cudaStreamSynchronize");
    expect_top(s, "range", "optimizer");
    assert_true(scenario_real(s, "idle", NULL, "after_drain_share") > 99);
}

/* Steps that synchronize and launch a graph of 10 ms; the launch call takes `call` of the 10 ms after
 * the wait. */
static void launch_slowly(struct scenario *s, int64_t call)
{
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t launch =
            scenario_call(s, thread, "cudaGraphLaunch_v10000", t + MS(9.9) - call, t + MS(9.9));

        scenario_graph(s, launch, 0, 7, 1, t + MS(9.91), t + MS(19.9));
        (void)scenario_call(s, thread, "cudaStreamSynchronize", t + MS(9.92), t + MS(19.91));
    }
    scenario_ask(s, "skill run idle @");
}

/* Truth: each graph launch takes 9 ms, which is its usual time, on the queue that the wait drained. */
SCENARIO(test_slow_launches_after_waits)
{
    launch_slowly(*state, MS(9));
    expect_most(*state, "after a wait that drained the queue", 80);
    expect_top(*state, "call", "cudaStreamSynchronize");
    expect_top(*state, "inside", "cudaGraphLaunch");
    scenario_findings(*state);
    assert_non_null(
        strstr(scenario_text(*state, "findings", "rule = 'sync-while-idle'", "evidence"),
               "after it in cudaGraphLaunch"));
}

/* The near miss: the launches take little of the time. */
SCENARIO(test_quick_launches_after_waits)
{
    launch_slowly(*state, US(40));
    expect_most(*state, "after a wait that drained the queue", 80);
    scenario_findings(*state);
    assert_null(strstr(scenario_text(*state, "findings", "rule = 'sync-while-idle'", "evidence"),
                       "after it"));
}

/* Truth: cudaFree waits for the GPU and drains its queue, and Python works after it. */
SCENARIO(test_freeing_drains)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++)
        drained_step(s, thread, MS(5) + i * STEP, "cudaFree_v3020");
    expect_most(s, "after a wait that drained the queue", 95);
    expect_top(s, "call", "cudaFree");
}

/* Truth: cudaFreeAsync does not wait: the same Python time is CPU work. */
SCENARIO(test_freeing_async)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++)
        drained_step(s, thread, MS(5) + i * STEP, "cudaFreeAsync_v11020");
    expect_most(s, "CPU work", 95);
}

/* Truth: cudaStreamWaitEvent does not block the host: the same Python time is CPU work. */
SCENARIO(test_wait_event)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++)
        drained_step(s, thread, MS(5) + i * STEP, "cudaStreamWaitEvent");
    expect_most(s, "CPU work", 95);
    assert_int_equal(idle_of(s, "after a wait that drained the queue"), 0);
    assert_int_equal(idle_of(s, "synchronizing call"), 0);
}

/* Truth: a loop polls with cudaEventQuery: no synchronizing call. */
SCENARIO(test_event_query)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        for (int k = 0; k < 19; k++)
            (void)scenario_call(s, thread, "cudaEventQuery", t + MS(0.5) + k * MS(1),
                                t + MS(0.5) + k * MS(1) + US(2));
    }
    expect_most(s, "CPU work", 95);
    assert_int_equal(idle_of(s, "synchronizing call"), 0);
}

/* Steps whose wait returns `by` before the kernel ends. Python works after it. */
static void wait_until(struct scenario *s, int64_t by)
{
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        (void)scenario_call(s, thread, "cudaEventSynchronize", t + US(50), t + US(9) + MS(10) - by);
        scenario_range(s, thread, "optimizer", t + MS(10.1), t + MS(19.9));
    }
}

/* Truth: a wait that returns before the GPU's last work did not drain the queue. */
SCENARIO(test_early_wait)
{
    wait_until(*state, MS(5));
    expect_most(*state, "CPU work", 95);
    assert_int_equal(idle_of(*state, "after a wait that drained the queue"), 0);
}

/* Truth: the clocks of GPU and CPU differ by 4 us, so the wait seems to return before the kernel ends. */
SCENARIO(test_a_wait_by_another_clock)
{
    wait_until(*state, US(4));
    expect_most(*state, "after a wait that drained the queue", 95);
}

/* The near miss: 8 us are more than clocks differ. */
SCENARIO(test_a_wait_that_is_a_little_early)
{
    wait_until(*state, US(8));
    expect_most(*state, "CPU work", 95);
    assert_int_equal(idle_of(*state, "after a wait that drained the queue"), 0);
}

/* Truth: a pageable copy to the host holds the thread until it is done, and drains the queue. */
SCENARIO(test_held_copy)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t call;

        work(s, thread, t, MS(9));
        call = scenario_call(s, thread, "cudaMemcpyAsync", t + US(50), t + MS(10.01));
        scenario_copy(s, call, 0, 7, DEVICE_TO_HOST, true, 4, t + MS(9.02), t + MS(10));
    }
    expect_most(s, "after a wait that drained the queue", 90);
    expect_top(s, "call", "cudaMemcpyAsync");
}

/* Truth: a large blocking copy from pageable memory is staged for 9 ms before the GPU gets it. */
SCENARIO(test_blocking_copy)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t call = scenario_call(s, thread, "cudaMemcpy", t, t + MS(19.9));

        scenario_copy(s, call, 0, 7, HOST_TO_DEVICE, true, 1 << 28, t + MS(9), t + MS(19.8));
    }
    expect_most(s, "blocking copy", 90);
    expect_top(s, "call", "cudaMemcpy");
}

/* Truth: cudaMalloc and cudaFree take the time. */
SCENARIO(test_allocating)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        (void)scenario_call(s, thread, "cudaFree", t + US(50), t + MS(18));
        (void)scenario_call(s, thread, "cudaMalloc", t + MS(18.01), t + MS(19.9));
    }
    expect_most(s, "allocating or freeing", 95);
    expect_top(s, "call", "cudaFree");
}

/* Truth: another call of the CUDA API, named. */
SCENARIO(test_other_call)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        (void)scenario_call(s, thread, "cudaGraphInstantiate", t + US(50), t + MS(19.9));
    }
    expect_most(s, "other CUDA call", 95);
    expect_top(s, "call", "cudaGraphInstantiate");
}

/* Truth: the launch call itself takes 9.9 ms because it loads a module. */
SCENARIO(test_long_launch)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t call;

        for (int k = 0; k < 4; k++)
            work(s, thread, t + k * US(50), US(20));
        call = scenario_call(s, thread, "cudaLaunchKernel_v7000", t + US(250), t + MS(19.9));
        (void)scenario_call(s, thread, "cuModuleLoadData", t + US(260), t + MS(19.8));
        scenario_kernel(s, call, 0, 7, "new_kernel", t + MS(19.89), t + MS(19.95));
    }
    expect_most(s, "long launch call", 95);
    expect_top(s, "call", "cudaLaunchKernel");
    expect_top(s, "inside", "cuModuleLoadData");
}

/* Near miss: each launch call takes 63 years. None is longer than the others. */
SCENARIO(test_all_launches_take_long)
{
    struct scenario *s = *state;
    const int64_t ages = INT64_C(2000000000000000000);

    (void)python(s);
    work(s, scenario_thread(s, 100, 99, "python"), 0, MS(1));
    for (int i = 0; i < STEPS; i++) {
        int64_t thread = scenario_thread(s, 100, 101 + i, "python");
        int64_t call = scenario_call(s, thread, "cudaLaunchKernel", i * STEP, ages + i * STEP);

        scenario_kernel(s, call, 0, 7, "gemm", ages + i * STEP, ages + i * STEP + MS(10));
    }
    scenario_ask(s, "skill run idle @");
    assert_true(all_idle(s) > ages / 2);
    assert_int_equal(idle_of(s, "long launch call"), 0);
}

/* Truth: launch calls wait 1 ms each for room in a full queue while the GPU works: no cause. */
SCENARIO(test_full_queue)
{
    struct scenario *s = *state;
    int64_t thread = python(s);
    int64_t t = MS(5);

    for (int i = 0; i < 1100; i++) {
        int64_t launch = i < 1024 ? t + i * US(6) : t + MS(1) * (i - 1023) + MS(7);
        int64_t end = i < 1024 ? launch + US(5) : launch + MS(0.99);
        int64_t call = scenario_call(s, thread, "cudaLaunchKernel", launch, end);

        scenario_kernel(s, call, 0, 7, "gemm", t + US(8) + i * MS(1),
                        t + US(8) + i * MS(1) + MS(0.9985));
    }
    scenario_ask(s, "skill run idle @");
    assert_int_equal(idle_of(s, "long launch call"), 0);
    assert_true(idle_of(s, "behind its own stream") > all_idle(s) * 9 / 10);
}

/* Truth: kernels of 3 us, launched every 12 us by calls of 6 us: launch-bound. */
SCENARIO(test_launch_bound)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < 2000; i++) {
        int64_t t = MS(5) + i * US(12);
        int64_t call = scenario_call(s, thread, "cudaLaunchKernel", t, t + US(6));

        scenario_kernel(s, call, 0, 7, "add", t + US(9), t + US(12));
    }
    expect_most(s, "launch overhead", 95);
    assert_int_equal(scenario_sum(s, "idle_causes", "side = 'queued'", "idle_ns"), 0);
}

/* Truth: the same kernels from a queue 1 ms deep: nothing is late. */
SCENARIO(test_deep_queue)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < 500; i++) {
        int64_t t = MS(5) + i * US(7);
        int64_t call = scenario_call(s, thread, "cudaLaunchKernel", t, t + US(6));

        scenario_kernel(s, call, 0, 7, "add", t + MS(1) + i * US(3), t + MS(1) + i * US(3) + US(8));
    }
    expect_most(s, "behind its own stream", 95);
    assert_int_equal(scenario_sum(s, "idle_causes", "side = 'CPU late'", "idle_ns"), 0);
}

/* Truth: each kernel waits for a copy on another stream; all is issued long before. */
SCENARIO(test_behind_copy)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t call = scenario_call(s, thread, "cudaMemcpyAsync", t, t + US(5));

        scenario_copy(s, call, 0, 14, HOST_TO_DEVICE, false, 1 << 28, t + MS(20), t + MS(30));
        (void)scenario_launch(s, thread, t + US(20), 0, 7, "gemm", t + MS(30.005), t + MS(39.999));
    }
    scenario_ask(s, "skill run idle @");
    assert_int_equal(idle_of(s, "behind a copy"), STEPS * US(5));
}

/* Truth: after each step pages move back to the host, which the main thread touches in "check". */
SCENARIO(test_migration)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        scenario_range(s, thread, "check", t + MS(10.1), t + MS(19.9));
        scenario_copy(s, 0, 0, 0, 12, false, 65536, t + MS(15), t + MS(15.02));
    }
    expect_most(s, "CPU work", 95);
    expect_top(s, "range", "check");
    assert_int_equal(idle_of(s, "not known"), 0);
}

/* Truth: no launch is recorded: nothing can be said. */
SCENARIO(test_unknown)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    scenario_range(s, thread, "train", 0, MS(200));
    for (int i = 0; i < STEPS; i++)
        scenario_kernel(s, 0, 0, 7, "gemm", MS(5) + i * STEP, MS(15) + i * STEP);
    expect_most(s, "not known", 100);
}

/* Truth: the time is in "IO #"; "Compute 9" only contains the launches. */
SCENARIO(test_folded_ranges)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        char text[32];

        (void)snprintf(text, sizeof text, "IO %d", i * 10);
        scenario_range(s, thread, text, t - MS(9.8), t - US(20));
        (void)snprintf(text, sizeof text, "Compute %d", i * 10);
        scenario_range(s, thread, text, t - US(10), t + MS(1));
        work(s, thread, t, MS(10));
    }
    expect_most(s, "CPU work", 95);
    assert_string_equal(scenario_text(s, "idle_ranges", NULL, "range"), "IO #");
    assert_true(scenario_int(s, "idle_ranges", NULL, "late_ns") > MS(65));
}

/* Truth: in a window of one step the innermost range is still the loader's, also in the gap at the
 * window's end. */
SCENARIO(test_window)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        char text[32];

        (void)snprintf(text, sizeof text, "Step %d", i);
        scenario_range(s, thread, text, t - US(10), t + MS(19.9));
        work(s, thread, t, MS(10));
        scenario_range(s, thread, "next_batch", t + MS(10.1), t + MS(19.8));
    }
    scenario_ask(s, "skill run idle @ --range 'Step 3'");
    assert_true(idle_of(s, "CPU work") > MS(9));
    assert_string_equal(scenario_text(s, "idle_ranges", NULL, "range"), "next_batch");
    scenario_ask(s, "skill run idle @ --trim 24ms 44ms");
    assert_string_equal(scenario_text(s, "idle_ranges", NULL, "range"), "next_batch");
}

/* Truth: GPU 1 works only after step 3, so it is idle for all of that step. */
SCENARIO(test_window_without_work)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        char text[32];

        (void)snprintf(text, sizeof text, "Step %d", i);
        scenario_range(s, thread, text, t - US(10), t + MS(19.9));
        work(s, thread, t, MS(10));
        if (i > 3)
            (void)scenario_launch(s, thread, t + MS(11), 1, 7, "late", t + MS(12), t + MS(13));
    }
    scenario_ask(s, "skill run idle @ --range 'Step 3'");
    assert_int_equal(scenario_int(s, "idle", "gpu = 1", "idle_ns"), MS(19.9) + US(10));
    scenario_ask(s, "skill run breakdown @ --range 'Step 3'");
    assert_int_equal(scenario_int(s, "breakdown", "gpu = 1", "idle_ns"), MS(19.9) + US(10));
}

/* Truth: "Step #" chooses "Step 0 to 9", whose innermost range is IO. "Phase #" chooses "Phase 7 of
 * all", a name that has no like. */
SCENARIO(test_range_by_beginning)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        char name[40];

        (void)snprintf(name, sizeof name, "Step %d to %d", 10 * i, 10 * i + 9);
        scenario_range(s, thread, name, t - US(5), t + MS(19.99));
        work(s, thread, t, MS(10));
        scenario_range(s, thread, "IO 1", t + MS(10.1), t + MS(19.9));
    }
    scenario_range(s, thread, "Phase 7 of all", MS(3), MS(5) + 2 * STEP);
    scenario_ask(s, "skill run idle @ --range 'Step #'");
    expect_top(s, "range", "IO");
    scenario_near(scenario_sum(s, "idle", NULL, "window_ns"), STEP, 1);
    scenario_ask(s, "skill run idle @ --range 'Phase #'");
    scenario_near(scenario_sum(s, "idle", NULL, "window_ns"), MS(42), 1);
}

/* Truth: garbage collection between steps. */
SCENARIO(test_gc)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        scenario_range(s, thread, "gc.collect", t + MS(9), t + MS(19.9));
    }
    expect_most(s, "Python''s garbage collection", 95);
}

/* is_span: a start/end range, as TensorRT-LLM's callback leaves it. */
static void collect(struct scenario *s, const char *range, const char *cause, bool is_span)
{
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        scenario_range(s, thread, range, t + MS(9), t + MS(19.9));
    }
    if (is_span)
        scenario_sql(s, "UPDATE NVTX_EVENTS SET eventType = 60, endGlobalTid = globalTid");
    expect_most(s, cause, 95);
}

/* Truth: the collector as a callback names it. */
SCENARIO(test_gc_generation)
{
    collect(*state, "[GC] generation 2", "Python''s garbage collection", false);
}

/* Truth: the collector runs, whether its range is on the stack or not. */
SCENARIO(test_python_gc)
{
    struct scenario *s = scenario_new();

    collect(*state, "Python GC", "Python''s garbage collection", false);
    collect(s, "Python GC", "Python''s garbage collection", true);
    scenario_free(s);
}

/* The near misses: start/end ranges of requests are no place of a thread, and a network is no collector. */
SCENARIO(test_spans_are_no_place)
{
    struct scenario *s = scenario_new();

    collect(*state, "request 7", "CPU work", true);
    assert_int_equal(scenario_count(*state, "idle_places", "range LIKE 'request%%'"), 0);
    collect(s, "python gcn layer", "CPU work", true);
    scenario_free(s);
}

/* Truth: a graph network and a gradient checkpoint are not garbage collections. */
SCENARIO(test_gcn_is_no_gc)
{
    collect(*state, "gcn_layer full", "CPU work", false);
}

/* Truth: after a wait that drained the queue a checkpoint is written: the file is the cause. */
SCENARIO(test_drained_then_file)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        (void)scenario_call(s, thread, "cudaStreamSynchronize", t + US(50), t + MS(10.02));
        scenario_os(s, thread, "write", t + MS(10.1), t + MS(19.9));
    }
    expect_most(s, "file I/O", 95);
    expect_top(s, "call", "write");
}

/* Truth: two GPUs of one process: the thread of GPU 0 sleeps, that of GPU 1 reads. */
SCENARIO(test_two_gpus)
{
    struct scenario *s = *state;
    int64_t one = python(s);
    int64_t two = scenario_thread(s, 100, 101, "replica1");

    scenario_gpu(s, 1, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, one, t, MS(10));
        scenario_os(s, one, "nanosleep", t + US(30), t + MS(19.9));
        (void)scenario_launch(s, two, t, 1, 7, "gemm", t + US(9), t + MS(10));
        scenario_os(s, two, "read", t + US(30), t + MS(19.9));
    }
    scenario_ask(s, "skill run idle @");
    assert_true(scenario_sum(s, "idle_causes", "gpu = 0 AND cause = 'sleep'", "idle_ns") > MS(65));
    assert_true(scenario_sum(s, "idle_causes", "gpu = 1 AND cause = 'file I/O'", "idle_ns") >
                MS(65));
    assert_int_equal(scenario_sum(s, "idle_causes", "gpu = 0 AND cause = 'file I/O'", "idle_ns"),
                     0);
}

/* Truth: the GPU works without a pause. */
SCENARIO(test_healthy)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        (void)scenario_launch(s, thread, t, 0, 7, "gemm", t + MS(5), t + MS(24.999));
    }
    scenario_ask(s, "skill run idle @");
    assert_int_equal(scenario_sum(s, "idle_causes", "side = 'CPU late'", "idle_ns"), 0);
    assert_true(all_idle(s) <= STEPS * US(1));
}

/* The host launches a kernel in "prepare", which ends before the kernel starts: the answer says
 * that it runs later. A range that launches nothing, and one with work in its own time, get no such
 * note. */
SCENARIO(test_range_of_later_work)
{
    static const char later[] = "the host launches work in it: 1 ops, which run from";
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    scenario_range(s, thread, "prepare", MS(0.9), MS(2));
    scenario_launch(s, thread, MS(1), 0, 7, "gemm", MS(5), MS(9));
    scenario_range(s, thread, "log", MS(3), MS(4));
    scenario_range(s, thread, "wait", MS(6), MS(8));
    assert_int_equal(scenario_run(s, "skill run idle @ --range prepare"), 0);
    assert_non_null(strstr(scenario_output(s), later));
    assert_int_equal(scenario_run(s, "skill run idle @ --range prepare --projected"), 0);
    assert_null(strstr(scenario_output(s), later));
    assert_int_equal(scenario_run(s, "skill run idle @ --range log"), 0);
    assert_null(strstr(scenario_output(s), later));
    assert_int_equal(scenario_run(s, "skill run idle @ --range wait"), 0);
    assert_null(strstr(scenario_output(s), later));
}

/* ---- samples of the CPU ---- */

/* Kernels take 10 of 20 ms. Between them the thread works in the range "augment" and is sampled `n`
 * times per step, `most` of them in decode(), the others in `other`. Another thread is sampled in
 * spin(). */
static void sample_steps(struct scenario *s, int n, int most, const char *other)
{
    int64_t thread = python(s);
    int64_t aside = scenario_thread(s, 700, 701, "worker");

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        scenario_range(s, thread, "augment", t + US(20), t + MS(19.9));
        for (int k = 0; k < n; k++) {
            scenario_sample(s, thread, t + MS(11) + k * US(500), k < most ? "decode" : other);
            scenario_sample(s, aside, t + MS(11.1) + k * US(500), "spin");
        }
        scenario_sample(s, thread, t + MS(5), "hidden"); /* while the GPU works */
    }
    scenario_ask(s, "skill run idle @");
}

#define PLACE "cause = 'CPU work' AND range = 'augment'"

/* Truth: two thirds of the work between kernels is decode(). */
SCENARIO(test_samples)
{
    struct scenario *s = *state;

    sample_steps(s, 6, 4, "resize");
    assert_string_equal(scenario_text(s, "idle_places", PLACE, "function"), "decode");
    scenario_near((int64_t)scenario_real(s, "idle_places", PLACE, "of_samples"), 66, 2);
    assert_int_equal(scenario_int(s, "idle_places", PLACE, "samples"), 6 * (STEPS - 1));
    scenario_ask(s, "ask @ 'why is the GPU idle?'");
    assert_non_null(strstr(scenario_text(s, "answer", "part = 'Answer'", "text"), "in decode"));
    assert_int_equal(scenario_run(s, "analyze @"), 0);
    assert_non_null(strstr(scenario_output(s), "28 of 42 CPU samples in that work are in decode"));
}

/* Truth: all of it is one function. */
SCENARIO(test_samples_of_one_function)
{
    struct scenario *s = *state;

    sample_steps(s, 3, 3, "");
    assert_string_equal(scenario_text(s, "idle_places", PLACE, "function"), "decode");
    assert_true(scenario_real(s, "idle_places", PLACE, "of_samples") == 100);
}

/* Near misses: two functions tie; the samples have no function. */
SCENARIO(test_samples_that_tie)
{
    struct scenario *s = *state;

    sample_steps(s, 6, 3, "resize");
    assert_int_equal(scenario_count(s, "idle_places", PLACE " AND function IS NULL"), 1);
    assert_int_equal(scenario_run(s, "analyze @"), 0);
    assert_null(strstr(scenario_output(s), "CPU samples in that work"));
}

SCENARIO(test_samples_without_functions)
{
    struct scenario *s = *state;

    sample_steps(s, 6, 0, "0x7f3a12c45678");
    assert_int_equal(scenario_count(s, "idle_places", PLACE " AND function IS NULL"), 1);
}

/* Four samples in all are too few to name one. */
SCENARIO(test_few_samples)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < 4; i++) {
        int64_t t = MS(5) + i * STEP;

        work(s, thread, t, MS(10));
        scenario_range(s, thread, "augment", t + US(20), t + MS(19.9));
        scenario_sample(s, thread, t + MS(12), "decode");
    }
    work(s, thread, MS(5) + 4 * STEP, MS(10));
    scenario_ask(s, "skill run idle @");
    assert_int_equal(scenario_int(s, "idle_places", PLACE, "samples"), 4);
    assert_int_equal(scenario_count(s, "idle_places", PLACE " AND function IS NULL"), 1);
}
