/*
 * Scenarios of rules without a subject of their own: two that fire, two near misses, and one that
 * is not assessable (tests/checks/rules.sh).
 */
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

#define SCENARIO(name) TEST_WITH(name, scenario_setup, scenario_teardown)

static struct scenario *begin(void **state)
{
    scenario_gpu(*state, 0, "NVIDIA H100 80GB HBM3");
    return *state;
}

/* ---- the recording ---- */

/* A healthy loop, and messages of the profiler: 1 is information, 2 a warning, 3 an error. */
static void record_messages(struct scenario *s, const int severities[], int n)
{
    scenario_sql(s,
                 "CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER NOT NULL, timestampType "
                 "INTEGER NOT NULL, source INTEGER NOT NULL, severity INTEGER NOT NULL, text TEXT "
                 "NOT NULL, globalPid INTEGER)");
    for (int i = 0; i < n; i++)
        scenario_sql(s, "INSERT INTO DIAGNOSTIC_EVENT VALUES (%d, 1, 1, %d, 'a message', NULL)", i,
                     severities[i]);
    loop_run(s, &(struct loop){0});
    scenario_findings(s);
    loop_is_healthy(s);
}

SCENARIO(test_one_error_of_the_profiler)
{
    struct scenario *s = begin(state);

    record_messages(s, (const int[]){1, 2, 3, 1}, 4);
    loop_fires(s, "profiler-errors");
}

SCENARIO(test_only_errors_of_the_profiler)
{
    struct scenario *s = begin(state);

    record_messages(s, (const int[]){3, 3}, 2);
    loop_fires(s, "profiler-errors");
}

/* Warnings that CPU events may be missing come with most recordings. */
SCENARIO(test_warnings_of_the_profiler)
{
    struct scenario *s = begin(state);

    record_messages(s, (const int[]){2, 2, 1}, 3);
    loop_is_quiet(s, "profiler-errors");
}

SCENARIO(test_words_of_the_profiler)
{
    struct scenario *s = begin(state);

    record_messages(s, (const int[]){1}, 1);
    loop_is_quiet(s, "profiler-errors");
}

/* No messages are recorded: errors of the profiler are not assessable. All launches are known. */
SCENARIO(test_no_messages)
{
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){0});
    scenario_findings(s);
    loop_abstains(s, "profiler-errors", 0);
}

/* ---- lost events ---- */

/* A loop of 20 steps, whose kernels are not recorded in some of them; the launch calls are. The profiler may say
 * something about it, and graphs may be captured. */
static void lose_kernels(struct scenario *s, int from, int to, const char *message, bool captures)
{
    static const struct loop loop = {0};
    int64_t thread;

    if (message) {
        scenario_sql(s, "CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER NOT NULL, timestampType "
                        "INTEGER NOT NULL, source INTEGER NOT NULL, severity INTEGER NOT NULL, "
                        "text TEXT NOT NULL, globalPid INTEGER)");
        scenario_sql(s, "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 1, 1, 2, '%s', NULL)", message);
    }
    thread = loop_run(s, &loop);
    if (captures)
        (void)scenario_call(s, thread, "cudaStreamBeginCapture_v10000", MS(1), MS(1.1));
    scenario_sql(s, "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE start >= %lld AND start < %lld",
                 (long long)loop_step(&loop, from), (long long)loop_step(&loop, to));
    scenario_findings(s);
}

/* Truth: the GPU worked all the time; a quarter of the kernels is lost. It is told first, and nothing is
 * concluded from the hole. */
static void is_told_first(struct scenario *s)
{
    loop_severity(s, "lost-events", "high");
    loop_is_quiet(s, "gpu-idle");
    loop_is_quiet(s, "cpu-bottleneck");
    assert_string_equal(scenario_text(s, "findings", "number = 1", "rule"), "lost-events");
}

SCENARIO(test_lost_kernels)
{
    lose_kernels(begin(state), 5, 10, "Not all CUDA events might have been collected.", false);
    loop_fires(*state, "lost-events");
    is_told_first(*state);
}

SCENARIO(test_lost_kernels_in_other_words)
{
    lose_kernels(begin(state), 8, 9, "3201 events were lost: the buffers of CUPTI were full",
                 false);
    loop_fires(*state, "lost-events");
    is_told_first(*state);
}

/* Nobody warns, or about ranges only, as of most programs that have none. */
SCENARIO(test_lost_kernels_without_a_warning)
{
    lose_kernels(begin(state), 5, 10, NULL, false);
    loop_fires(*state, "lost-events");
    is_told_first(*state);
}

/* The same, and the calls of these steps are lost too; their ranges are recorded, if steps have ranges. */
static void lose_all(struct scenario *s, const char *message, const char *range, int from, int to)
{
    const struct loop loop = {.range = range};

    scenario_sql(s, "CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER NOT NULL, timestampType "
                    "INTEGER NOT NULL, source INTEGER NOT NULL, severity INTEGER NOT NULL, "
                    "text TEXT NOT NULL, globalPid INTEGER)");
    scenario_sql(s, "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 1, 1, 2, '%s', NULL)", message);
    loop_run(s, &loop);
    for (int i = 0; i < 2; i++)
        scenario_sql(s, "DELETE FROM CUPTI_ACTIVITY_KIND_%s WHERE start >= %lld AND start < %lld",
                     i ? "KERNEL" : "RUNTIME", (long long)loop_step(&loop, from),
                     (long long)loop_step(&loop, to));
    scenario_findings(s);
}

SCENARIO(test_lost_calls_and_kernels)
{
    lose_all(begin(state), "Not all CUDA events might have been collected.", "train_step", 5, 10);
    loop_fires(*state, "lost-events");
    is_told_first(*state);
    assert_non_null(strstr(scenario_text(*state, "findings", "number = 1", "finding"),
                           "no CUDA call and no GPU work for"));
}

SCENARIO(test_lost_calls_and_kernels_at_once)
{
    lose_all(begin(state), "3201 events were lost: the buffers of CUPTI were full", "step 7", 6, 9);
    loop_fires(*state, "lost-events");
    is_told_first(*state);
}

/* The near misses: the profiler is silent, too few steps are without calls, or no step is told. */
SCENARIO(test_a_pause_without_a_warning)
{
    lose_all(begin(state), "Unified Memory trace is not supported", "train_step", 5, 10);
    loop_is_quiet(*state, "lost-events");
}

SCENARIO(test_a_warning_and_one_step_without_calls)
{
    lose_all(begin(state), "Not all CUDA events might have been collected.", "train_step", 5, 6);
    loop_is_quiet(*state, "lost-events");
}

SCENARIO(test_a_warning_and_a_pause_without_ranges)
{
    lose_all(begin(state), "Not all CUDA events might have been collected.", "", 5, 10);
    loop_is_quiet(*state, "lost-events");
}

SCENARIO(test_a_warning_about_ranges)
{
    lose_kernels(begin(state), 8, 9, "Not all NVTX events might have been collected.", false);
    loop_fires(*state, "lost-events");
    is_told_first(*state);
}

/* The near miss: the profiler warns, but each launch has its kernel. */
SCENARIO(test_a_warning_without_a_hole)
{
    lose_kernels(begin(state), 0, 0, "Not all CUDA events might have been collected.", false);
    loop_is_quiet(*state, "lost-events");
    loop_is_healthy(*state);
}

/* The near miss: the recording of the GPU ends before that of the CPU. */
SCENARIO(test_no_kernels_at_the_end)
{
    lose_kernels(begin(state), 16, 20, NULL, false);
    loop_is_quiet(*state, "lost-events");
}

/* Graphs are captured, in which launch calls have no kernels: without a warning it is not assessable. */
SCENARIO(test_a_hole_beside_captures)
{
    lose_kernels(begin(state), 5, 10, NULL, true);
    loop_abstains(*state, "lost-events", 0);
    loop_fires(*state, "gpu-idle");
}

/* Only copies: no kernel launches, and no directions of copies, because the export lacks them. */
SCENARIO(test_copies_of_no_direction)
{
    struct scenario *s = begin(state);
    int64_t thread = scenario_thread(s, 100, 100, "python");

    for (int i = 0; i < 40; i++) {
        int64_t at = MS(10) + i * MS(5);
        int64_t call = scenario_call(s, thread, "cuMemcpyAsync", at - US(20), at - US(15));

        scenario_copy(s, call, 0, 7, 0, false, 8 << 20, at, at + MS(2));
    }
    scenario_findings(s);
    loop_abstains(s, "transfers", 0);
}

/* ---- what takes most ---- */

/* Eight kernels in turn: none takes a quarter of the time. */
SCENARIO(test_eight_kernels)
{
    static const char *const names[] = {"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", NULL};
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.names = names});
    scenario_findings(s);
    loop_is_quiet(s, "top-kernel");
}

/* Five kernels in turn: none takes most of the time. */
SCENARIO(test_five_kernels)
{
    static const char *const kernels[] = {"k0", "k1", "k2", "k3", "k4", NULL};
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.names = kernels});
    scenario_findings(s);
    loop_is_quiet(s, "top-kernel");
}

/* ---- graphs ---- */

/* 20 graph launches of 40 kernels each, recorded node by node: the kernels are visible. */
static void launch_graphs(struct scenario *s, bool has_nodes)
{
    int64_t thread = scenario_thread(s, 100, 100, "VLLM::EngineCore");

    for (int i = 0; i < 20; i++) {
        int64_t at = MS(5) + i * MS(5);
        int64_t call =
            scenario_call(s, thread, "cudaGraphLaunch_v10000", at - US(400), at - US(360));

        for (int k = 0; k < 40; k++)
            scenario_kernel(s, has_nodes ? call : 0, 0, 7, "decode_kernel", at + k * US(124),
                            at + k * US(124) + US(123));
    }
    scenario_findings(s);
}

SCENARIO(test_graphs_by_node)
{
    launch_graphs(begin(state), true);
    loop_is_quiet(*state, "opaque-graphs");
}

/* Graphs are launched, but no work is recorded as theirs: whether their kernels are visible is
 * unknown. */
SCENARIO(test_graphs_without_work)
{
    launch_graphs(begin(state), false);
    loop_abstains(*state, "opaque-graphs", 0);
}

/* ---- iterations ---- */

/* Four steps, one of which takes twice as long as the others: too few for a slow step, a drift, or
 * a change of level. */
SCENARIO(test_four_iterations)
{
    struct scenario *s = begin(state);
    int64_t thread = scenario_thread(s, 100, 100, "python");
    int64_t t = MS(10);

    for (int i = 0; i < 4; i++) {
        int64_t length = i == 2 ? MS(20) : MS(10);

        scenario_range(s, thread, "train_step", t, t + length - US(10));
        scenario_launch(s, thread, t + US(10), 0, 7, "gemm_bf16", t + US(20), t + length - US(20));
        t += length;
    }
    scenario_findings(s);
    loop_abstains(s, "slow-iterations", 0);
    loop_abstains(s, "level-change", 0);
    loop_abstains(s, "drift", 0);
}

/* ---- the GPU and the host ---- */

/* One kernel: there is no gap that could be measured. */
SCENARIO(test_one_kernel)
{
    struct scenario *s = begin(state);

    scenario_launch(s, scenario_thread(s, 100, 100, "python"), MS(10), 0, 7, "gemm", MS(11),
                    MS(12));
    scenario_findings(s);
    loop_abstains(s, "gpu-idle", 0);
}

/* A daemon without GPU work polls for most of its time: information. For less of it: none. */
static void poll_for(struct scenario *s, double ms)
{
    int64_t thread = scenario_thread(s, 100, 100, "daemon");

    for (int i = 0; i < 40; i++) {
        scenario_range(s, thread, "serve", MS(10) + i * MS(10), MS(20 - ms) + i * MS(10));
        scenario_os(s, thread, "poll", MS(20 - ms) + i * MS(10), MS(19.9) + i * MS(10));
    }
    scenario_findings(s);
}

SCENARIO(test_polling)
{
    poll_for(*state, 5.5);
    loop_fires(*state, "event-waits");
}

SCENARIO(test_polling_for_less)
{
    poll_for(*state, 4.5);
    loop_is_quiet(*state, "event-waits");
}

/* ---- matrix kernels ---- */

static void multiply_on(struct scenario *s, const char *gpu, const char *kernel)
{
    const char *const names[] = {kernel, NULL};

    scenario_gpu(s, 0, gpu);
    loop_run(s, &(struct loop){.names = names});
    scenario_findings(s);
}

/* A part of the Ada generation outside the table of peaks has TF32: its name differs from that of
 * Turing's GeForce RTX 20. */
SCENARIO(test_sgemm_on_an_rtx_2000_ada)
{
    multiply_on(*state, "NVIDIA RTX 2000 Ada Generation", "ampere_sgemm_128x64_tn");
    loop_fires(*state, "no-tensor-cores");
}

/* A part of the Turing generation outside the table of peaks: the gain from FP16 is unknown. */
SCENARIO(test_sgemm_on_an_rtx_2080)
{
    multiply_on(*state, "NVIDIA GeForce RTX 2080 Ti", "volta_sgemm_128x64_tn");
    loop_abstains(*state, "no-tensor-cores", 0);
}

/* ---- open-end ---- */

/* Twenty steps of 10 ms; then a range without an end, NULL: none, and a last call of a logger this much
 * later. */
static void end_open(struct scenario *s, const char *range, int64_t later)
{
    int64_t end = loop_step(&(struct loop){0}, 20);
    int64_t thread = loop_run(s, &(struct loop){0});

    if (range)
        scenario_sql(s,
                     "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                     "VALUES (%lld, NULL, 59, '%s', %lld, 0)",
                     (long long)(end - US(10)), range, (long long)thread);
    scenario_os(s, scenario_thread(s, 100, 101, "logger"), "write", end + later,
                end + later + US(5));
}

/* The program hangs in the next step. The steady state ends before, and is healthy. */
SCENARIO(test_hang_in_a_step)
{
    end_open(begin(state), "train_step", MS(900));
    scenario_findings(*state);
    loop_fires(*state, "open-end");
    assert_non_null(strstr(scenario_text(*state, "findings", "rule = 'open-end'", "finding"),
                           "900 ms without GPU work, in a range that never ended: train_step"));
    loop_is_healthy(*state);
}

/* The same in another range. */
SCENARIO(test_hang_in_a_checkpoint)
{
    end_open(begin(state), "save_checkpoint", MS(60));
    scenario_findings(*state);
    loop_fires(*state, "open-end");
}

/* The near miss: the recording stops within a step. */
SCENARIO(test_recording_stops_in_a_step)
{
    end_open(begin(state), "train_step", MS(5));
    scenario_findings(*state);
    loop_is_quiet(*state, "open-end");
}

/* The near miss: the program goes on without GPU work, and no range is open. */
SCENARIO(test_end_without_a_range)
{
    end_open(begin(state), NULL, MS(900));
    scenario_findings(*state);
    loop_is_quiet(*state, "open-end");
}

/* Whoever chooses a window asks about that. */
SCENARIO(test_hang_outside_of_the_window)
{
    end_open(begin(state), "train_step", MS(900));
    scenario_ask(*state, "analyze @ --trim 10ms 210ms");
    loop_abstains(*state, "open-end", 0);
}
