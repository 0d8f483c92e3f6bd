/*
 * Changing lengths of iterations: alternating levels, waits that lengthen some, the profiler's own
 * work, and processes with unequal numbers of iterations.
 */
#include "scenarios/flow.h"
#include "scenarios/loop.h"
#include "scenarios/scenario.h"

#include <string.h>

#define SWINGS "goes up and down between two levels"

/* A step under its range; then the host waits. */
static void step(struct flow *f, int64_t ns, int64_t outside)
{
    int64_t start = f->host;

    flow_train_step(f, ns);
    scenario_range(f->s, f->thread, "train_step", start, f->host);
    f->host += outside;
}

/* Up to 2 % of noise without order. */
static int64_t noise(int i, int64_t ns)
{
    return ns + ns * (i * 7919 % 41 - 20) / 1000;
}

/* ---- levels in turn ---- */

/* Truth: the clocks fall by 18 % for ten steps and recover for ten, four times: two levels, none slow,
 * no warm-up, and one kind of steps. */
SCENARIO(test_throttled_again_and_again)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 80; i++)
        step(&f, noise(i, i / 10 % 2 ? MS(11.8) : MS(10)), US(10));
    assert_int_equal(loop_iterations(s), 80);
    assert_true(loop_notes(s, SWINGS));
    assert_true(loop_notes(s, "it changes 7 times"));
    assert_false(loop_notes(s, "warm-up"));
    assert_int_equal(scenario_count(s, TIMING, "slow OR kind <> 0"), 0);
    scenario_findings(s);
    loop_severity(s, "level-change", "medium");
    assert_int_equal(loop_faults(s, NULL), 1);
}

/* Truth: spells of 6 to 13 steps at 25 % more, in random order; one step of each level is slow. */
SCENARIO(test_throttled_without_order)
{
    static const int spells[] = {9, 7, 13, 11, 6, 12, 8, 10};
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    int n = 0;

    for (int k = 0; k < 8; k++)
        for (int i = 0; i < spells[k]; i++, n++)
            step(&f,
                 noise(n, (k % 2 ? MS(12.5) : MS(10)) * (n == 40 || n == 22 ? 5 : 1) /
                              (n == 22   ? 4
                               : n == 40 ? 3
                                         : 1)),
                 US(10));
    assert_int_equal(loop_iterations(s), 76);
    assert_true(loop_notes(s, SWINGS));
    assert_int_equal(scenario_count(s, TIMING, "slow AND iteration = 40"), 1);
    scenario_findings(s);
    loop_fires(s, "level-change");
}

/* The near miss: the same lengths in random order are noise of one level. */
SCENARIO(test_noise_is_no_level)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 80; i++)
        step(&f, MS(10) + i * 7919 % 101 * US(5), US(10));
    assert_int_equal(loop_iterations(s), 80);
    assert_false(loop_notes(s, SWINGS));
    scenario_findings(s);
    loop_is_quiet(s, "level-change");
    loop_is_healthy(s);
}

/* The near miss: lengths that rise and fall evenly, as with sorted sequences, have no two
 * levels. */
SCENARIO(test_a_wave_is_no_level)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 120; i++)
        step(&f, MS(10) + (i % 40 < 20 ? i % 40 : 40 - i % 40) * US(100), US(10));
    assert_int_equal(loop_iterations(s), 120);
    assert_false(loop_notes(s, SWINGS));
    scenario_findings(s);
    loop_is_quiet(s, "level-change");
}

/* The near miss: 4 % are no change of level. */
SCENARIO(test_small_swings)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 80; i++)
        step(&f, i / 10 % 2 ? MS(10.4) : MS(10), US(10));
    assert_int_equal(loop_iterations(s), 80);
    assert_false(loop_notes(s, SWINGS));
}

/* Truth: a solver whose host is ahead by a short kernel. The last iteration ends with its work,
 * later than the host time of the others; it is not slow. */
SCENARIO(test_the_last_is_not_slow)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 200; i++) {
        flow_run(&f, "spmv", US(150));
        for (int k = 0; k < 2; k++) {
            flow_run(&f, "dot", US(25));
            flow_copy(&f, DEVICE_TO_HOST, 8, US(1.3));
            flow_synchronize(&f);
        }
        flow_run(&f, "axpby", US(40));
    }
    assert_int_equal(loop_iterations(s), 200);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* ---- longer, or of another kind ---- */

/* Truth: every 5th step waits 20 ms for the garbage collector: it is slow, and of the same kind. */
SCENARIO(test_a_wait_is_no_kind)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++)
        step(&f, MS(8), i % 5 == 4 ? MS(20) : US(10));
    assert_int_equal(loop_iterations(s), 40);
    assert_int_equal(scenario_count(s, TIMING, "kind <> 0"), 0);
    assert_true(scenario_count(s, TIMING, "slow") >= 7);
    assert_true(loop_notes(s, "every 5th iteration is slow"));
}

/* The near miss: every 5th has a longer sequence. It does more work, and is of another kind. */
SCENARIO(test_more_work_is_a_kind)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++)
        step(&f, i % 5 == 4 ? MS(28) : MS(8), US(10));
    assert_int_equal(loop_iterations(s), 40);
    assert_int_equal(scenario_count(s, TIMING, "kind <> 0"), 8);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* ---- the profiler ---- */

/* 40 steps of 8 ms; after every 10th the thread is busy for 12 ms, with the profiler or
 * otherwise. */
static void flushes(struct scenario *s, bool by_profiler)
{
    struct flow f = flow_begin(s, 100, 0);

    scenario_sql(s, "CREATE TABLE PROFILER_OVERHEAD (start INTEGER NOT NULL, end INTEGER NOT NULL, "
                    "globalTid INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER)");
    for (int i = 0; i < 40; i++) {
        step(&f, MS(8), US(10));
        if (i % 10 != 5)
            continue;
        if (by_profiler)
            scenario_sql(s, "INSERT INTO PROFILER_OVERHEAD VALUES (%lld, %lld, %lld, %lld, 0)",
                         (long long)f.host, (long long)(f.host + MS(12)), (long long)f.thread,
                         (long long)scenario_string(s, "CUPTI: Buffer Flush"));
        f.host += MS(12);
    }
    scenario_findings(s);
}

/* Truth: the profiler makes every 10th step long. No time can be saved. */
SCENARIO(test_flushes_are_no_fault)
{
    struct scenario *s = *state;

    flushes(s, true);
    loop_severity(s, "slow-iterations", "info");
    assert_int_equal(loop_faults(s, NULL), 0);
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'slow-iterations'", "next_step"), "profiler"));
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'gpu-idle'", "next_step"), "profiler"));
}

/* The sick twin: the program itself does. */
SCENARIO(test_other_work_is_a_fault)
{
    struct scenario *s = *state;

    flushes(s, false);
    loop_severity(s, "slow-iterations", "medium");
}

/* ---- processes ---- */

/* Two ranks on separate GPUs; the recording has fewer iterations of one. gap: between its steps. */
static void ranks(struct scenario *s, int n, int64_t gap)
{
    struct flow a = flow_begin(s, 100, 0);
    struct flow b = flow_begin(s, 200, 1);

    for (int i = 0; i < n; i++)
        step(&a, MS(16), US(10) + gap);
    for (int i = 0; i < 12; i++)
        step(&b, MS(16), US(10));
    scenario_findings(s);
}

/* Truth: rank 0 has one step less in the recording. Its time after that is not idle time. */
SCENARIO(test_unequal_ranks_are_healthy)
{
    struct scenario *s = *state;

    ranks(s, 11, 0);
    loop_is_healthy(s);
    scenario_ask(s, "skill run idle @");
    assert_true(scenario_real(s, "idle", "gpu = 0", "idle_share") < 2);
}

/* The sick twin: rank 0 waits 3 ms after each of its ten steps. */
SCENARIO(test_a_rank_that_waits_is_idle)
{
    struct scenario *s = *state;

    ranks(s, 10, MS(3));
    loop_severity(s, "gpu-idle", "medium");
}

/* ---- a server ---- */

/* Passes of a graph of 5 ms; after every fourth the server is in `call` for 40 ms. */
static void serve_by_fours(struct scenario *s, const char *call)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 80; i++) {
        flow_copy(&f, HOST_TO_DEVICE, 2048, US(2));
        flow_run_graph(&f, 5, MS(5));
        flow_copy(&f, DEVICE_TO_HOST, 64, US(2));
        flow_synchronize(&f);
        if (i % 4 == 3) {
            scenario_os(s, f.thread, call, f.host + US(50), f.host + MS(40));
            f.host += MS(40.1);
        }
    }
    scenario_findings(s);
}

/* Truth: no request is there, which makes no pass slow and bounds nothing. */
SCENARIO(test_no_requests_are_no_fault)
{
    struct scenario *s = *state;

    serve_by_fours(s, "epoll_wait");
    loop_severity(s, "slow-iterations", "info");
    assert_int_equal(loop_faults(s, NULL), 0);
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'slow-iterations'", "next_step"), "request"));
    scenario_ask(s, "skill run bound @");
    assert_string_equal(scenario_text(s, "bound", NULL, "verdict"), "waits for requests");
}

/* The same server, whose thread that receives requests hands them to the one that launches: `call` is what
 * the receiver does meanwhile. */
static void receive_by_fours(struct scenario *s, const char *call)
{
    struct flow f = flow_begin(s, 100, 0);
    int64_t receiver = scenario_thread(s, 100, 101, "grpc");

    for (int i = 0; i < 40; i++) {
        flow_copy(&f, HOST_TO_DEVICE, 4096, US(2));
        flow_run_graph(&f, 1, MS(5));
        flow_copy(&f, DEVICE_TO_HOST, 64, US(2));
        flow_synchronize(&f);
        if (i % 4 == 3) {
            scenario_os(s, receiver, call, f.host + US(20), f.host + MS(39.95));
            scenario_os(s, receiver, "pthread_cond_signal", f.host + MS(39.98),
                        f.host + MS(39.985));
            scenario_os(s, f.thread, "pthread_cond_wait", f.host + US(50), f.host + MS(40));
            f.host += MS(40.1);
        }
    }
    scenario_findings(s);
}

/* Truth: no request is there, which the other thread waits for. */
SCENARIO(test_no_requests_to_hand_over)
{
    receive_by_fours(*state, "epoll_wait");
    loop_severity(*state, "slow-iterations", "info");
    assert_int_equal(loop_faults(*state, NULL), 0);
}

/* The sick twin: the other thread reads a file. */
SCENARIO(test_a_file_to_hand_over)
{
    receive_by_fours(*state, "read");
    loop_severity(*state, "slow-iterations", "high");
}

/* The sick twin: it reads a file. */
SCENARIO(test_a_file_makes_passes_slow)
{
    struct scenario *s = *state;

    serve_by_fours(s, "read");
    loop_severity(s, "slow-iterations", "high");
    scenario_ask(s, "skill run bound @");
    assert_string_equal(scenario_text(s, "bound", NULL, "verdict"), "CPU-bound");
}
