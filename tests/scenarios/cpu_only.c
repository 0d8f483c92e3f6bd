/* Exports without GPU work: answers come from MPI, OS calls, NVTX ranges and the scheduler. */
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

/* ---- what happens ---- */

static void add_tables(struct scenario *s)
{
    static const char *const kinds[] = {"P2P", "COLLECTIVES", "START_WAIT", "OTHER"};

    for (int i = 0; i < 4; i++)
        scenario_sql(s,
                     "CREATE TABLE IF NOT EXISTS MPI_%s_EVENTS (start INTEGER NOT NULL, end "
                     "INTEGER, globalTid INTEGER, textId INTEGER, commHandle INTEGER)",
                     kinds[i]);
}

static void mpi(struct scenario *s, int64_t thread, const char *table, const char *name,
                int64_t start, int64_t end)
{
    scenario_sql(s, "INSERT INTO MPI_%s_EVENTS VALUES (%lld, %lld, %lld, %lld, 1)", table,
                 (long long)start, (long long)end, (long long)thread,
                 (long long)scenario_string(s, name));
}

/* Steps of 10 ms of n ranks, each of which computes for compute(rank, step) ns and then meets the
 * others in MPI_Allreduce. Returns the end time. */
static void ranks_compute(struct scenario *s, int n, int steps, int64_t (*compute)(int, int))
{
    int64_t threads[8];
    int64_t at = MS(100);

    add_tables(s);
    for (int r = 0; r < n; r++) {
        char name[20];

        snprintf(name, sizeof name, "MPI Rank %d", r);
        threads[r] = scenario_thread(s, 500 + r, 500 + r, name);
        mpi(s, threads[r], "OTHER", "MPI_Init", MS(10), MS(99));
    }
    for (int i = 0; i < steps; i++) {
        int64_t last = 0;

        for (int r = 0; r < n; r++)
            last = compute(r, i) > last ? compute(r, i) : last;
        for (int r = 0; r < n; r++)
            mpi(s, threads[r], "COLLECTIVES", "MPI_Allreduce", at + compute(r, i),
                at + last + US(40));
        at += last + US(60);
    }
    for (int r = 0; r < n; r++)
        mpi(s, threads[r], "OTHER", "MPI_Finalize", at, at + MS(50));
    scenario_findings(s);
}

/* ---- MPI ---- */

static int64_t rank_2_is_slow(int rank, int step)
{
    return rank == 2 ? MS(10) : MS(7) + US(13 * ((step * 7 + rank * 3) % 11));
}

/* Rank 2 (process 502) computes for 10 ms, the others for 7: it is late, and they wait. */
SCENARIO(test_one_rank_is_late)
{
    struct scenario *s = *state;

    ranks_compute(s, 4, 300, rank_2_is_slow);
    loop_severity(s, "mpi-imbalance", "high");
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'mpi-imbalance'", "finding"),
                           "Process 502 is late"));
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'mpi-imbalance'", "evidence"),
                           "process 502: waits 0 ns in MPI, the others wait"));
    loop_is_quiet(s, "gpu-idle");
    loop_fires(s, "mpi-waits");
}

static int64_t rank_2_is_3_percent_slower(int rank, int step)
{
    (void)step;
    return rank == 2 ? MS(10) : US(9700);
}

/* The others wait for 3 % of the time, which is below the threshold, however many collectives there
 * are; each of them counts once. */
SCENARIO(test_many_collectives)
{
    struct scenario *s = *state;

    ranks_compute(s, 4, 300, rank_2_is_3_percent_slower);
    loop_is_quiet(s, "mpi-imbalance");
}

static int64_t all_alike(int rank, int step)
{
    return MS(10) + US(3 * ((step * 5 + rank * 7) % 13));
}

/* The healthy twin: all compute for the same time, and wait microseconds for each other. */
SCENARIO(test_balanced_ranks)
{
    struct scenario *s = *state;

    ranks_compute(s, 4, 40, all_alike);
    loop_is_healthy(s);
    loop_is_quiet(s, "mpi-imbalance");
    loop_is_quiet(s, "mpi-waits");
    loop_is_quiet(s, "nvtx-shares");
    loop_is_quiet(s, "os-waits");
}

static int64_t another_each_step(int rank, int step)
{
    return ((unsigned)step * 2654435761U >> 7) % 4 == (unsigned)rank ? MS(10) : MS(7);
}

/* A different rank is slow in each step: they wait, but no rank is the cause. */
SCENARIO(test_nobody_is_usually_late)
{
    struct scenario *s = *state;

    ranks_compute(s, 4, 60, another_each_step);
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'mpi-imbalance'", "finding"),
                           "it is not shown that it is late"));
    loop_fires(s, "mpi-imbalance");
}

static int64_t two_in_turn(int rank, int step)
{
    return (step % 2 == 0 && rank == 0) || (step % 2 == 1 && rank == 3) ? MS(10) : MS(7);
}

/* Ranks 0 and 3 are late in turn: both are named. */
SCENARIO(test_two_are_late_in_turn)
{
    struct scenario *s = *state;
    const char *title;

    ranks_compute(s, 4, 40, two_in_turn);
    title = scenario_text(s, "findings", "rule = 'mpi-imbalance'", "finding");
    assert_non_null(strstr(title, "500"));
    assert_non_null(strstr(title, "503"));
    loop_fires(s, "mpi-imbalance");
}

static void is_titled(struct scenario *s, const char *words)
{
    const char *title = scenario_text(s, "findings", "rule = 'mpi-imbalance'", "finding");

    if (!strstr(title, words))
        fail_msg("%s", title);
}

static int64_t late_in_every_fifth(int rank, int step)
{
    return step % 5 == 0 && rank == 2 ? MS(40) : MS(7) + US(3 * ((step * 5 + rank * 7) % 13));
}

/* Rank 2 is late in every fifth step only, in which the others wait for 33 ms. */
SCENARIO(test_late_in_every_fifth_step)
{
    ranks_compute(*state, 4, 60, late_in_every_fifth);
    loop_severity(*state, "mpi-imbalance", "high");
    is_titled(*state, "Process 502 is late");
}

static int64_t node_1_is_slow(int rank, int step)
{
    return (rank >= 4 ? MS(10) : MS(7)) + US(3 * ((step * 5 + rank * 7) % 13));
}

/* The ranks 4 to 7, a node, are late together; in turn one of them is the last. */
SCENARIO(test_a_late_node)
{
    ranks_compute(*state, 8, 60, node_1_is_slow);
    is_titled(*state, "Processes 504, 505, 506, 507 are late");
}

/* The near miss: the same in five collectives shows nothing. */
SCENARIO(test_late_in_few_collectives)
{
    ranks_compute(*state, 4, 5, rank_2_is_slow);
    loop_is_quiet(*state, "mpi-imbalance");
}

static int64_t late_once(int rank, int step)
{
    return rank == 2 && step == 30 ? MS(400) : MS(7) + US(3 * ((step * 5 + rank * 7) % 13));
}

/* One long wait tells nothing of the rank that it was for. */
SCENARIO(test_late_once)
{
    ranks_compute(*state, 4, 60, late_once);
    is_titled(*state, "502 causes the most of it");
    is_titled(*state, "it is not shown that it is late");
}

/* A single rank is in MPI for 60 % of its time; which rank is late is not assessable. */
SCENARIO(test_one_rank_alone)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 500, 500, "MPI Rank 0");

    add_tables(s);
    for (int i = 0; i < 50; i++)
        mpi(s, thread, "P2P", "MPI_Recv", MS(10) + i * MS(10), MS(16) + i * MS(10));
    scenario_findings(s);
    loop_severity(s, "mpi-waits", "high");
    loop_is_quiet(s, "mpi-imbalance");
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'mpi-waits'", "next_step"), "all ranks"));
    loop_abstains(s, "mpi-imbalance", 0);
    loop_abstains(s, "nvtx-shares", 0);
}

/* ---- ranks ---- */

static bool names_nobody(struct scenario *s)
{
    return scenario_count(s, "late", NULL) == 0;
}

/* The command ranks names the late process by its collectives of MPI. */
SCENARIO(test_ranks_names_the_late_one)
{
    struct scenario *s = *state;

    ranks_compute(s, 4, 40, rank_2_is_slow);
    scenario_ask(s, "ranks @");
    assert_int_equal(scenario_count(s, "late", NULL), 1);
    assert_int_equal(scenario_int(s, "late", NULL, "pid"), 502);
    assert_string_equal(scenario_text(s, "late", NULL, "cause"), "CPU");
}

SCENARIO(test_ranks_names_nobody)
{
    struct scenario *s = *state;

    ranks_compute(s, 4, 40, all_alike);
    scenario_ask(s, "ranks @");
    assert_true(names_nobody(s));
}

/* If GPUs communicate, processes that call MPI on the CPU are not ranks. */
SCENARIO(test_ranks_of_gpus_come_first)
{
    struct scenario *s = *state;
    int64_t thread;

    ranks_compute(s, 4, 40, rank_2_is_slow);
    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    thread = scenario_thread(s, 500, 500, "solver");
    (void)scenario_launch(
        s, thread, MS(6), 0, 20,
        "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", MS(6.1),
        MS(7));
    scenario_ask(s, "ranks @");
    assert_true(names_nobody(s));
}

/* ---- calls of the OS ---- */

/* The thread sleeps for most of its time: the advice is about sleeping, not files. */
SCENARIO(test_sleeps_of_the_working_thread)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 700, 700, "python");

    add_tables(s);
    for (int i = 0; i < 20; i++) {
        scenario_range(s, thread, "poll_queue", i * MS(50), i * MS(50) + MS(49));
        scenario_os(s, thread, "nanosleep", i * MS(50) + MS(5), i * MS(50) + MS(44));
    }
    scenario_findings(s);
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'os-waits'", "next_step"),
                           "instead of a fixed time"));
    assert_null(
        strstr(scenario_text(s, "findings", "rule = 'os-waits'", "next_step"), "larger pieces"));
    loop_fires(s, "os-waits");
}

/* The thread looks up files for most of its time, as imports of Python do: the advice is of that. */
SCENARIO(test_lookups_of_the_working_thread)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 700, 700, "python");

    for (int i = 0; i < 40; i++) {
        scenario_range(s, thread, "import", i * MS(10), i * MS(10) + MS(9.9));
        scenario_os(s, thread, "stat64", i * MS(10) + MS(1), i * MS(10) + MS(4));
        scenario_os(s, thread, "open64", i * MS(10) + MS(5), i * MS(10) + MS(7));
    }
    scenario_findings(s);
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'os-waits'", "next_step"), "fewer files"));
}

/* The main thread reads files for 6 of 10 ms in "load_batch"; eight threads of a pool wait for work
 * all the time. The reads are to blame, not the pool. */
SCENARIO(test_reads_of_the_working_thread)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");
    const char *title;

    for (int i = 0; i < 30; i++) {
        int64_t at = MS(10) + i * MS(10);

        scenario_range(s, thread, "load_batch", at, at + MS(6.5));
        scenario_range(s, thread, "augment", at + MS(6.6), at + MS(9.9));
        for (int k = 0; k < 6; k++)
            scenario_os(s, thread, "read", at + US(100) + k * MS(1), at + US(1050) + k * MS(1));
    }
    for (int k = 0; k < 8; k++) {
        int64_t pool = scenario_thread(s, 100, 110 + k, "pool");

        for (int i = 0; i < 30; i++)
            scenario_os(s, pool, "pthread_cond_wait", MS(10) + i * MS(10), MS(19.99) + i * MS(10));
    }
    scenario_findings(s);
    loop_severity(s, "os-waits", "high");
    title = scenario_text(s, "findings", "rule = 'os-waits'", "finding");
    assert_non_null(strstr(title, "most in read in the range load_batch"));
    assert_non_null(strstr(title, "thread 100"));
    assert_int_equal(loop_faults(s, NULL), 1);
}

/* The healthy twin: the main thread reads for 0.3 ms of 10, the pool waits as before. */
SCENARIO(test_pool_is_parked)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    for (int i = 0; i < 30; i++) {
        int64_t at = MS(10) + i * MS(10);

        scenario_range(s, thread, "load_batch", at, at + MS(6.5));
        scenario_os(s, thread, "read", at + US(100), at + US(400));
    }
    for (int k = 0; k < 8; k++) {
        int64_t pool = scenario_thread(s, 100, 110 + k, "pool");

        for (int i = 0; i < 30; i++)
            scenario_os(s, pool, "pthread_cond_wait", MS(10) + i * MS(10), MS(19.99) + i * MS(10));
    }
    scenario_findings(s);
    loop_is_healthy(s);
    loop_is_quiet(s, "os-waits");
    loop_is_quiet(s, "event-waits");
}

/* The main thread joins its workers all the time while they compute: neither is reported. */
SCENARIO(test_main_joins_workers)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "solver");

    add_tables(s);
    scenario_os(s, thread, "pthread_create", MS(10), MS(10.1));
    scenario_os(s, thread, "pthread_join", MS(10.2), MS(300));
    scenario_on_cpu(s, thread, MS(10), MS(10.2));
    for (int k = 0; k < 4; k++) {
        int64_t worker = scenario_thread(s, 100, 110 + k, "worker");

        scenario_on_cpu(s, worker, MS(10.2), MS(299));
        scenario_os(s, worker, "pthread_mutex_lock", MS(50), MS(50.1));
        scenario_os(s, worker, "pthread_mutex_lock", MS(298), MS(298.1));
    }
    scenario_findings(s);
    loop_is_healthy(s);
    loop_is_quiet(s, "os-waits");
    loop_is_quiet(s, "event-waits");
    loop_is_quiet(s, "nvtx-shares");
    loop_fires(s, "cpu-utilisation");
}

/* A server without requests waits in epoll_wait: information, not a fault. */
SCENARIO(test_server_without_requests)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "uvicorn");

    for (int i = 0; i < 30; i++) {
        scenario_range(s, thread, "handle_request", MS(10) + i * MS(100), MS(12) + i * MS(100));
        scenario_os(s, thread, "epoll_wait", MS(12.1) + i * MS(100), MS(109.9) + i * MS(100));
    }
    scenario_findings(s);
    assert_int_equal(loop_faults(s, NULL), 0);
    loop_fires(s, "event-waits");
    loop_is_quiet(s, "os-waits");
}

/* ---- ranges and the CPU ---- */

/* "simulate" takes 80 % of the marked time, "write" 20 %; the thread is on a CPU for 60 % of it. */
SCENARIO(test_shares_and_utilisation)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "sim");
    const char *title;

    add_tables(s);
    for (int i = 0; i < 20; i++) {
        int64_t at = MS(10) + i * MS(10);

        scenario_range(s, thread, "simulate", at, at + MS(8));
        scenario_range(s, thread, "write", at + MS(8), at + MS(10));
        scenario_on_cpu(s, thread, at + MS(1), at + MS(7));
    }
    scenario_findings(s);
    title = scenario_text(s, "findings", "rule = 'nvtx-shares'", "finding");
    assert_non_null(strstr(title, "simulate takes 80.0 %"));
    title = scenario_text(s, "findings", "rule = 'cpu-utilisation'", "finding");
    assert_non_null(strstr(title, "60.0 %"));
    loop_fires(s, "nvtx-shares");
    loop_fires(s, "cpu-utilisation");
    loop_is_quiet(s, "mpi-waits");
}

/* Only ranges: the time on a CPU is unknown, and the answer says how to record it. */
SCENARIO(test_scheduler_not_recorded)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "sim");

    for (int i = 0; i < 20; i++)
        scenario_range(s, thread, "simulate", MS(10) + i * MS(10), MS(18) + i * MS(10));
    scenario_findings(s);
    assert_int_equal(loop_faults(s, NULL), 0);
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'cpu-utilisation'", "finding"), "--cpuctxsw"));
    loop_is_quiet(s, "healthy");
    loop_abstains(s, "cpu-utilisation", 1);
    loop_abstains(s, "os-waits", 0);
    loop_abstains(s, "event-waits", 0);
    loop_abstains(s, "mpi-waits", 0);
    loop_fires(s, "nvtx-shares");
}

/* ---- samples ---- */

/* The answer to which function takes most CPU time, after 100 samples, one a millisecond, of which `in` in "gather" and
 * the others in two other functions. */
static bool names(struct scenario *s, int in, const char *words)
{
    int64_t thread = scenario_thread(s, 100, 100, "solver");

    scenario_range(s, thread, "sweep", MS(1), MS(101));
    for (int i = 0; i < 100; i++)
        if (in > 0)
            scenario_sample(s, thread, MS(1) + i * MS(1),
                            i < in       ? "gather"
                            : i % 2 == 0 ? "scatter"
                                         : "reduce");
    assert_true(scenario_run(s, "ask @ 'which function takes most CPU time?'") <= 3);
    return strstr(scenario_output(s), words) != NULL;
}

/* Truth: most of the samples are in one function. */
SCENARIO(test_a_hot_function)
{
    assert_true(names(*state, 70, "most in the function gather: 70, 70.0 %"));
}

/* Truth: the function with the most samples has 40 of 100. */
SCENARIO(test_the_hottest_function)
{
    assert_true(names(*state, 40, "most in the function gather: 40, 40.0 %"));
}

/* Withheld: no CPU samples are recorded. */
SCENARIO(test_no_samples)
{
    assert_true(names(*state, 0, "No CPU samples are recorded."));
}
