/*
 * Waits of streams: time without compute, and the critical path. Stream 7 computes, stream 20
 * communicates, stream 14 copies; the host runs 1 ms ahead unless a scenario says otherwise.
 */
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

#define STEPS 6
#define STEP  MS(20)
#define AHEAD MS(1)

static int64_t python(struct scenario *s)
{
    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    return scenario_thread(s, 100, 100, "python");
}

static int64_t cause(struct scenario *s, const char *name)
{
    char where[100];

    (void)snprintf(where, sizeof where, "cause = '%s' AND gpu = 0", name);
    return scenario_int(s, "dependencies", where, "absent_ns");
}

/* cudaEventRecord on a stream. Returns the id of the record. */
static int64_t record(struct scenario *s, int64_t thread, int64_t t, int stream, int event)
{
    return scenario_record(s, scenario_call(s, thread, "cudaEventRecord_v3020", t, t + US(2)), 0,
                           stream, event);
}

/* A stream waits for a record; id 0: the export does not name the record. */
static void wait_for(struct scenario *s, int64_t thread, int64_t t, int stream, int event,
                     int64_t id)
{
    int64_t call = scenario_call(s, thread, "cudaStreamWaitEvent_v3020", t, t + US(2));

    scenario_wait(s, call, 2, 0, stream, event, id, t, t + US(2));
}

/* One step: 5 ms of compute, then communication until t + 15 ms; the scenario adds the rest. */
static void compute_and_reduce(struct scenario *s, int64_t thread, int64_t t)
{
    (void)scenario_launch(s, thread, t - AHEAD, 0, 7, "gemm", t, t + MS(5));
    (void)scenario_launch(s, thread, t - AHEAD + US(20), 0, 20,
                          "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", t + MS(5), t + MS(15));
}

/* Truth: the optimizer waits for the all-reduce by an event, which blocks it for 10 ms per step. */
SCENARIO(test_blocked_by_event)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t id;

        compute_and_reduce(s, thread, t);
        id = record(s, thread, t - AHEAD + US(40), 20, 3);
        wait_for(s, thread, t - AHEAD + US(50), 7, 3, id);
        (void)scenario_launch(s, thread, t - AHEAD + US(60), 0, 7, "adam", t + MS(15.005),
                              t + MS(19.999));
    }
    scenario_ask(s, "skill run dependencies @ --whole");
    scenario_near(cause(s, "blocked by communication"), STEPS * MS(10), 1);
    assert_true(cause(s, "residual") < STEPS * MS(0.5));
    assert_int_equal(cause(s, "launched late"), 0);
    scenario_ask(s, "skill run exposed @");
    scenario_near(scenario_int(s, "exposed", "gpu = 0", "blocking_ns"), STEPS * MS(10), 1);
}

/* Truth: the same work, but the optimizer is launched 10 ms later and waits for no event. The host
 * is late while unrelated communication runs, which blocks nothing. */
SCENARIO(test_late_behind)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        compute_and_reduce(s, thread, t);
        (void)scenario_launch(s, thread, t + MS(14.99), 0, 7, "adam", t + MS(15), t + MS(18.9));
    }
    scenario_ask(s, "skill run dependencies @ --whole");
    scenario_near(cause(s, "late behind communication"), STEPS * MS(10), 2);
    assert_int_equal(cause(s, "blocked by communication"), 0);
}

/* The same, but the optimizer is launched before the all-reduce ends and starts when it does, as a stage of a pipeline
 * that no recorded event holds. */
static void launch_under(struct scenario *s, int64_t before)
{
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        compute_and_reduce(s, thread, t);
        (void)scenario_launch(s, thread, t + MS(15) - before, 0, 7, "adam", t + MS(15.005),
                              t + MS(18.9));
    }
    scenario_ask(s, "skill run dependencies @ --whole");
}

/* Truth: launched sooner, it would have waited for the all-reduce as well. */
SCENARIO(test_launched_under_what_holds_it)
{
    launch_under(*state, MS(6));
    assert_int_equal(cause(*state, "late behind communication"), 0);
    assert_true(cause(*state, "residual") > STEPS * MS(9.9));
}

SCENARIO(test_launched_just_under_what_holds_it)
{
    launch_under(*state, US(60));
    assert_int_equal(cause(*state, "late behind communication"), 0);
}

/* The near miss: its launch ends as the all-reduce does. */
SCENARIO(test_launched_at_the_end)
{
    launch_under(*state, US(15));
    scenario_near(cause(*state, "late behind communication"), STEPS * MS(10), 2);
}

/* Truth: the thread asks again and again whether the all-reduce is done, as a busy wait does. every: ns
 * from one query to the next. */
static void poll_steps(struct scenario *s, int64_t every)
{
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        compute_and_reduce(s, thread, t);
        for (int64_t at = t + MS(4.9); at < t + MS(15); at += every)
            scenario_call(s, thread, "cudaStreamQuery_v3020", at, at + US(2));
        (void)scenario_launch(s, thread, t + MS(15.05), 0, 7, "adam", t + MS(15.06), t + MS(18.9));
    }
    scenario_ask(s, "skill run dependencies @ --whole");
}

SCENARIO(test_polls_for_communication)
{
    poll_steps(*state, US(60));
    scenario_near(cause(*state, "blocked by communication"), STEPS * MS(10), 2);
}

/* The near miss: it works between the queries. */
SCENARIO(test_works_between_queries)
{
    poll_steps(*state, MS(1));
    scenario_near(cause(*state, "late behind communication"), STEPS * MS(10), 2);
}

/* Truth: the wait is for a record before the all-reduce; the same event was recorded again after
 * it. Handles are reused, so the id of the record decides. */
SCENARIO(test_reused_event)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t id;

        (void)scenario_launch(s, thread, t - AHEAD, 0, 20, "ncclDevKernel_Broadcast", t, t + MS(1));
        id = record(s, thread, t - AHEAD + US(10), 20, 3);
        (void)scenario_launch(s, thread, t - AHEAD + US(20), 0, 20, "ncclDevKernel_AllReduce",
                              t + MS(1), t + MS(15));
        (void)record(s, thread, t - AHEAD + US(30), 20, 3);
        wait_for(s, thread, t - AHEAD + US(40), 7, 3, id);
        (void)scenario_launch(s, thread, t - AHEAD + US(60), 0, 7, "gemm", t + MS(1.004),
                              t + MS(16));
    }
    scenario_ask(s, "skill run dependencies @ --whole");
    scenario_near(cause(s, "blocked by communication"), STEPS * MS(1), 1);
}

/* Truth: without ids the wait is for the previous record of the event. */
SCENARIO(test_without_ids)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        compute_and_reduce(s, thread, t);
        (void)record(s, thread, t - AHEAD + US(40), 20, 3);
        wait_for(s, thread, t - AHEAD + US(50), 7, 3, 0);
        (void)scenario_launch(s, thread, t - AHEAD + US(60), 0, 7, "adam", t + MS(15.005),
                              t + MS(19.999));
    }
    scenario_sql(s, "UPDATE CUPTI_ACTIVITY_KIND_CUDA_EVENT SET eventSyncId = NULL");
    scenario_ask(s, "skill run dependencies @ --whole");
    scenario_near(cause(s, "blocked by communication"), STEPS * MS(10), 1);
}

/* Truth: the wait is for communication that ended long before, which blocks nothing; the host is
 * late and the GPU idle. */
SCENARIO(test_over_long_ago)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t id;

        (void)scenario_launch(s, thread, t - US(10), 0, 20, "ncclDevKernel_AllReduce", t,
                              t + MS(1));
        id = record(s, thread, t, 20, 3);
        wait_for(s, thread, t + US(10), 7, 3, id);
        (void)scenario_launch(s, thread, t + MS(11), 0, 7, "gemm", t + MS(11.01), t + MS(19.9));
    }
    scenario_ask(s, "skill run dependencies @ --whole");
    scenario_near(cause(s, "launched late"), STEPS * MS(10), 2);
    assert_true(cause(s, "blocked by communication") < MS(1));
}

/* Truth: each step waits by an event for its batch, which a copy stream brings. */
SCENARIO(test_blocked_by_copy)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t call =
            scenario_call(s, thread, "cudaMemcpyAsync_v3020", t - AHEAD, t - AHEAD + US(5));
        int64_t id;

        scenario_copy(s, call, 0, 14, HOST_TO_DEVICE, false, 1 << 27, t, t + MS(6));
        id = record(s, thread, t - AHEAD + US(10), 14, 9);
        wait_for(s, thread, t - AHEAD + US(20), 7, 9, id);
        (void)scenario_launch(s, thread, t - AHEAD + US(30), 0, 7, "gemm", t + MS(6.003),
                              t + MS(19.99));
    }
    scenario_ask(s, "skill run dependencies @ --whole");
    scenario_near(cause(s, "blocked by a copy"), STEPS * MS(6), 1);
    assert_true(cause(s, "residual") < STEPS * MS(0.5));
}

/* Each step copies a batch for 6 ms; the next kernel is launched when the copy is over. The thread
 * waits in the copy, in a synchronizing call, or works. comm: an all-reduce runs beside it. */
static void copy_then_launch(struct scenario *s, const char *wait, bool comm)
{
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        bool is_blocking = wait && strstr(wait, "Memcpy");
        int64_t call = scenario_call(s, thread, is_blocking ? wait : "cudaMemcpyAsync_v3020",
                                     t - US(10), is_blocking ? t + MS(6) : t - US(5));

        if (comm)
            (void)scenario_launch(s, thread, t - US(30), 0, 20, "ncclDevKernel_AllReduce_Sum_bf16",
                                  t, t + MS(6));
        scenario_copy(s, call, 0, 14, HOST_TO_DEVICE, is_blocking, 1 << 27, t, t + MS(6));
        if (wait && !is_blocking)
            scenario_call(s, thread, wait, t, t + MS(6));
        (void)scenario_launch(s, thread, t + MS(6.001), 0, 7, "gemm", t + MS(6.01), t + MS(19.96));
    }
    scenario_ask(s, "skill run dependencies @ --whole");
}

/* Truth: the thread waits in a blocking copy, so the copy blocks the compute. */
SCENARIO(test_blocked_by_blocking_copy)
{
    copy_then_launch(*state, "cudaMemcpy_v3020", false);
    scenario_near(cause(*state, "blocked by a copy"), STEPS * MS(6), 1);
    assert_true(cause(*state, "launched late") < STEPS * MS(0.1));
}

/* Truth: the same while communication runs for which nothing waits. */
SCENARIO(test_blocked_by_blocking_copy_beside_communication)
{
    copy_then_launch(*state, "cudaMemcpy_v3020", true);
    scenario_near(cause(*state, "blocked by a copy"), STEPS * MS(6), 1);
    assert_int_equal(cause(*state, "late behind communication"), 0);
}

/* Truth: the thread waits for the copy in a call of its own. */
SCENARIO(test_blocked_by_awaited_copy)
{
    copy_then_launch(*state, "cudaStreamSynchronize_v3020", false);
    scenario_near(cause(*state, "blocked by a copy"), STEPS * MS(6), 1);
}

/* Near miss: the thread works while the copy runs: it is late. */
SCENARIO(test_late_beside_a_copy)
{
    copy_then_launch(*state, NULL, false);
    scenario_near(cause(*state, "launched late"), STEPS * MS(6), 1);
    assert_int_equal(cause(*state, "blocked by a copy"), 0);
}

/* Near miss: it works while copy and communication run. */
SCENARIO(test_late_beside_a_copy_and_communication)
{
    copy_then_launch(*state, NULL, true);
    scenario_near(cause(*state, "late behind communication"), STEPS * MS(6), 1);
    assert_int_equal(cause(*state, "blocked by a copy"), 0);
}

/* Truth: the copy is prefetched under compute: nothing is blocked. */
SCENARIO(test_prefetched_copy)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t call =
            scenario_call(s, thread, "cudaMemcpyAsync_v3020", t - AHEAD, t - AHEAD + US(5));

        scenario_copy(s, call, 0, 14, HOST_TO_DEVICE, false, 1 << 27, t + MS(1), t + MS(7));
        (void)scenario_launch(s, thread, t - AHEAD + US(30), 0, 7, "gemm", t, t + MS(19.998));
    }
    scenario_ask(s, "skill run dependencies @ --whole");
    assert_int_equal(cause(s, "blocked by a copy"), 0);
    assert_true(scenario_sum(s, "dependencies", NULL, "absent_ns") < MS(1));
}

/* Truth: GPU 0 waits by an event for compute of GPU 1. */
SCENARIO(test_elsewhere)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    scenario_gpu(s, 1, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t call, id;

        (void)scenario_launch(s, thread, t - AHEAD, 1, 31, "stage0", t, t + MS(10));
        call = scenario_call(s, thread, "cudaEventRecord_v3020", t - AHEAD + US(10),
                             t - AHEAD + US(12));
        id = scenario_record(s, call, 1, 31, 5);
        wait_for(s, thread, t - AHEAD + US(20), 7, 5, id);
        (void)scenario_launch(s, thread, t - AHEAD + US(30), 0, 7, "stage1", t + MS(10.005),
                              t + MS(20));
    }
    scenario_ask(s, "skill run dependencies @ --whole");
    scenario_near(cause(s, "blocked by compute elsewhere"), (STEPS - 1) * MS(10), 2);
}

/* Truth: the stream's own order: communication on the compute stream blocks it. */
SCENARIO(test_own_stream)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        (void)scenario_launch(s, thread, t - AHEAD, 0, 7, "gemm", t, t + MS(5));
        (void)scenario_launch(s, thread, t - AHEAD + US(10), 0, 7, "ncclDevKernel_AllGather",
                              t + MS(5), t + MS(15));
        (void)scenario_launch(s, thread, t - AHEAD + US(20), 0, 7, "gemm", t + MS(15), t + MS(20));
    }
    scenario_ask(s, "skill run dependencies @ --whole");
    scenario_near(cause(s, "blocked by communication"), STEPS * MS(10), 1);
}

/* Truth: stream 7 is the legacy default stream, which waits for the copy on a blocking stream. */
static void legacy(struct scenario *s, int flag)
{
    int64_t thread = python(s);

    scenario_sql(s,
                 "CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER, hwId INTEGER, vmId "
                 "INTEGER, processId INTEGER, contextId INTEGER, priority INTEGER, flag INTEGER)");
    scenario_sql(s,
                 "INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (7, 0, 0, 100, 1, 0, 3), (14, 0, 0, "
                 "100, 1, 0, %d)",
                 flag);
    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t call =
            scenario_call(s, thread, "cudaMemcpyAsync_v3020", t - AHEAD, t - AHEAD + US(5));

        scenario_copy(s, call, 0, 14, HOST_TO_DEVICE, false, 1 << 27, t, t + MS(6));
        (void)scenario_launch(s, thread, t - AHEAD + US(30), 0, 7, "gemm", t + MS(6.003),
                              t + MS(19.99));
    }
    scenario_ask(s, "skill run dependencies @ --whole");
}

SCENARIO(test_legacy_stream)
{
    legacy(*state, 1);
    scenario_near(cause(*state, "blocked by a copy"), STEPS * MS(6), 1);
}

/* Truth: a non-blocking stream is not ordered by the legacy stream, so the cause of the wait is
 * unknown. */
SCENARIO(test_non_blocking_stream)
{
    legacy(*state, 2);
    assert_int_equal(cause(*state, "blocked by a copy"), 0);
    assert_true(cause(*state, "residual") > STEPS * MS(5.9));
}

/* Truth: the host waits for the all-reduce in cudaStreamSynchronize before it launches. */
SCENARIO(test_host_waits)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        (void)scenario_launch(s, thread, t - US(30), 0, 7, "gemm", t, t + MS(5));
        (void)scenario_launch(s, thread, t - US(20), 0, 20, "ncclDevKernel_AllReduce", t + MS(5),
                              t + MS(15));
        (void)scenario_call(s, thread, "cudaStreamSynchronize_v3020", t, t + MS(15.005));
        (void)scenario_launch(s, thread, t + MS(15.01), 0, 7, "adam", t + MS(15.02), t + MS(19.9));
    }
    scenario_ask(s, "skill run dependencies @ --whole");
    scenario_near(cause(s, "blocked by communication"), STEPS * MS(10), 1);
    assert_int_equal(cause(s, "late behind communication"), 0);
}

/* Truth: no launch is recorded: unknown. */
SCENARIO(test_no_launch)
{
    struct scenario *s = *state;

    (void)python(s);
    scenario_kernel(s, 0, 0, 7, "gemm", MS(1), MS(2));
    scenario_kernel(s, 0, 0, 7, "gemm", MS(5), MS(6));
    scenario_ask(s, "skill run dependencies @ --whole");
    assert_int_equal(cause(s, "unknown: no launch or nothing follows"), MS(3));
}

static int64_t on_path(struct scenario *s, const char *class)
{
    char where[100];

    (void)snprintf(where, sizeof where, "class = '%s' AND gpu = 0", class);
    return scenario_int(s, "critical_path", where, "path_ns");
}

/* Truth: compute 5 ms, all-reduce 10 ms and optimizer 5 ms are a chain; a copy beside it is not on
 * it. */
SCENARIO(test_path)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t id = 0;

        scenario_range(s, thread, "step", t - AHEAD, t - AHEAD + MS(19));
        (void)scenario_launch(s, thread, t - AHEAD, 0, 7, "gemm", t, t + MS(5));
        id = record(s, thread, t - AHEAD + US(10), 7, 2);
        wait_for(s, thread, t - AHEAD + US(20), 20, 2, id);
        (void)scenario_launch(s, thread, t - AHEAD + US(25), 0, 20, "ncclDevKernel_AllReduce",
                              t + MS(5), t + MS(15));
        scenario_copy(s,
                      scenario_call(s, thread, "cudaMemcpyAsync_v3020", t - AHEAD + US(30),
                                    t - AHEAD + US(35)),
                      0, 14, HOST_TO_DEVICE, false, 1 << 27, t + MS(6), t + MS(14.9));
        id = record(s, thread, t - AHEAD + US(40), 20, 3);
        wait_for(s, thread, t - AHEAD + US(50), 7, 3, id);
        (void)scenario_launch(s, thread, t - AHEAD + US(60), 0, 7, "adam", t + MS(15), t + MS(20));
    }
    scenario_ask(s, "skill run critical_path @ --trim 0 125ms");
    scenario_near(on_path(s, "communication"), STEPS * MS(10), 1);
    scenario_near(on_path(s, "compute"), STEPS * MS(10), 1);
    assert_int_equal(on_path(s, "copies"), 0);
    assert_true(on_path(s, "delay on the GPU''s side") < MS(1));
    assert_int_equal(scenario_count(s, "critical_steps", "name LIKE '%AllReduce%'"), STEPS);
}

/* Truth: the communication is hidden under compute: it is not on the path. */
SCENARIO(test_path_hidden)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        (void)scenario_launch(s, thread, t - AHEAD, 0, 7, "gemm", t, t + MS(20));
        (void)scenario_launch(s, thread, t - AHEAD + US(25), 0, 20, "ncclDevKernel_AllReduce",
                              t + MS(5), t + MS(15));
    }
    scenario_ask(s, "skill run critical_path @");
    assert_int_equal(on_path(s, "communication"), 0);
    scenario_near(on_path(s, "compute"), scenario_sum(s, "critical_path", NULL, "path_ns"), 1);
}

/* Truth: each step of 12 ms waits for a copy of 2 ms beside an all-reduce, which ends after the next step
 * has begun and for which nothing waits: the copies are on the path, the communication is not. */
SCENARIO(test_path_ends_where_the_next_step_begins)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * MS(12);
        int64_t id = 0;

        (void)scenario_launch(s, thread, t - AHEAD, 0, 7, "gemm", t, t + MS(5));
        id = record(s, thread, t - AHEAD + US(10), 7, 2);
        wait_for(s, thread, t - AHEAD + US(20), 20, 2, id);
        (void)scenario_launch(s, thread, t - AHEAD + US(25), 0, 20, "ncclDevKernel_AllReduce",
                              t + MS(5), t + MS(13));
        wait_for(s, thread, t - AHEAD + US(30), 14, 2, id);
        scenario_copy(s,
                      scenario_call(s, thread, "cudaMemcpyAsync_v3020", t - AHEAD + US(35),
                                    t - AHEAD + US(40)),
                      0, 14, HOST_TO_DEVICE, false, 1 << 27, t + MS(5), t + MS(7));
        id = record(s, thread, t - AHEAD + US(45), 14, 2);
        wait_for(s, thread, t - AHEAD + US(50), 7, 2, id);
        (void)scenario_launch(s, thread, t - AHEAD + US(60), 0, 7, "adam", t + MS(7), t + MS(12));
    }
    scenario_ask(s, "skill run critical_path @ -p iteration=3");
    assert_int_equal(on_path(s, "communication"), 0);
    assert_int_equal(on_path(s, "copies"), MS(2));
    assert_int_equal(on_path(s, "compute"), MS(10));
    scenario_ask(s, "skill run critical_path @ --trim 5ms 65ms"); /* what follows is read too */
    assert_int_equal(on_path(s, "communication"), 0);
}

/* Truth: the host waits for each kernel and then works for 5 ms: host work is a third of the path. */
SCENARIO(test_path_host)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * MS(15);

        (void)scenario_launch(s, thread, t, 0, 7, "gemm", t + US(10), t + MS(10));
        (void)scenario_call(s, thread, "cudaDeviceSynchronize_v3020", t + US(20), t + MS(10.01));
    }
    scenario_ask(s, "skill run critical_path @");
    scenario_near(on_path(s, "host work"), (STEPS - 1) * MS(5), 1);
    scenario_near(on_path(s, "compute"), STEPS * MS(9.99), 1);
    assert_int_equal(scenario_sum(s, "critical_path", NULL, "path_ns"),
                     (STEPS - 1) * MS(15) + MS(10) - US(10));
}

/* Truth: a stream waits, and the host does not: only the calls of cudaStreamSynchronize are synchronizing
 * ones. */
SCENARIO(test_stream_waits_hold_no_host)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        compute_and_reduce(s, thread, t);
        wait_for(s, thread, t - AHEAD + US(60), 7, 2, record(s, thread, t - AHEAD + US(40), 20, 2));
        scenario_call(s, thread, "cudaStreamSynchronize_v3020", t + MS(14), t + MS(15));
    }
    scenario_ask(s, "skill run sync @");
    assert_int_equal(scenario_int(s, "sync", NULL, "count"), STEPS);
    assert_int_equal(scenario_count(s, "sync", "call LIKE '%WaitEvent%'"), 0);
}

/* ---- findings about communication that runs beside copies, or beside a late host ---- */

/* A step with a copy of 9.9 ms beside the all-reduce. */
static void reduce_and_copy(struct scenario *s, int64_t thread, int64_t t)
{
    int64_t call =
        scenario_call(s, thread, "cudaMemcpyAsync_v3020", t - AHEAD + US(30), t - AHEAD + US(36));

    compute_and_reduce(s, thread, t);
    scenario_copy(s, call, 0, 14, HOST_TO_DEVICE, false, 200 << 20, t + MS(5.1), t + MS(15));
}

/* The optimizer waits for a stream by an event; 0: for none, but the host launches it late. */
static void steps_beside(struct scenario *s, int64_t thread, int stream)
{
    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t launch = stream ? t - AHEAD + US(60) : t + MS(14.99);

        reduce_and_copy(s, thread, t);
        if (stream)
            wait_for(s, thread, t - AHEAD + US(50), 7, 3,
                     record(s, thread, t - AHEAD + US(40), stream, 3));
        (void)scenario_launch(s, thread, launch, 0, 7, "adam", t + MS(15.005), t + MS(19.99));
    }
    scenario_findings(s);
}

/* Compute waits for the copy, or for the all-reduce beside it: neither is exposed alone, and the GPU is not healthy. */
SCENARIO(test_copy_beside_communication)
{
    steps_beside(*state, python(*state), 14);
    loop_is_quiet(*state, "exposed-communication");
    loop_is_quiet(*state, "transfers");
    assert_int_equal(scenario_count(*state, "findings", "rule = 'healthy'"), 0);
}

/* The near miss: nothing waits for either; the host is late. */
SCENARIO(test_late_beside_both)
{
    steps_beside(*state, python(*state), 0);
    loop_is_quiet(*state, "exposed-communication");
}

/* The near miss: compute waits for both, but computes beside them until 0.3 ms before their end. */
SCENARIO(test_both_under_compute)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        reduce_and_copy(s, thread, t);
        (void)scenario_launch(s, thread, t - AHEAD + US(36), 0, 7, "backward", t + MS(5.001),
                              t + MS(14.7));
        wait_for(s, thread, t - AHEAD + US(50), 7, 3, record(s, thread, t - AHEAD + US(44), 14, 3));
        (void)scenario_launch(s, thread, t - AHEAD + US(60), 0, 7, "adam", t + MS(15.005),
                              t + MS(19.999));
    }
    scenario_findings(s);
    loop_is_healthy(s);
}

static const char *comm_advice(struct scenario *s)
{
    return scenario_text(s, "findings", "rule = 'exposed-communication'", "next_step");
}

/* Exposed for 10 of 20 ms; wait: the optimizer waits for it. late: it is launched this long after the
 * all-reduce begins. */
static void reduce_steps(struct scenario *s, bool waits, int64_t late)
{
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;
        int64_t launch = t + MS(5) + late;
        int64_t start = waits || launch > t + MS(14.9) ? t + MS(15.005) : launch + US(10);

        compute_and_reduce(s, thread, t);
        if (waits)
            wait_for(s, thread, launch - US(4), 7, 3, record(s, thread, launch - US(8), 20, 3));
        (void)scenario_launch(s, thread, launch, 0, 7, "adam", start, t + MS(19.9));
    }
    scenario_findings(s);
}

/* Truth: the host is late, so buckets and prefetching win nothing. */
SCENARIO(test_exposed_beside_a_late_host)
{
    reduce_steps(*state, false, MS(9.99));
    assert_non_null(strstr(comm_advice(*state), "launches the next compute late"));
}

/* Truth: the same for six of the ten ms. */
SCENARIO(test_exposed_beside_a_host_somewhat_late)
{
    reduce_steps(*state, false, MS(6));
    assert_non_null(strstr(comm_advice(*state), "launches the next compute late"));
}

/* The near miss: it is launched 1 ms after the all-reduce begins, and waits for it, which is not recorded. */
SCENARIO(test_exposed_and_waited_for_without_a_record)
{
    struct scenario *s = *state;
    int64_t thread = python(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = MS(5) + i * STEP;

        compute_and_reduce(s, thread, t);
        (void)scenario_launch(s, thread, t + MS(6), 0, 7, "adam", t + MS(15.005), t + MS(19.9));
    }
    scenario_findings(s);
    assert_null(strstr(comm_advice(s), "launches the next compute late"));
}

/* The near miss: the optimizer waits for the all-reduce. */
SCENARIO(test_exposed_and_waited_for)
{
    reduce_steps(*state, true, -MS(5.5));
    assert_null(strstr(comm_advice(*state), "launches the next compute late"));
}

/* The near miss: the host is late for four ms, and then the optimizer waits for six more. */
SCENARIO(test_exposed_late_and_waited_for)
{
    reduce_steps(*state, true, MS(4));
    assert_null(strstr(comm_advice(*state), "launches the next compute late"));
}
