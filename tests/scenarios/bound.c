/* What bounds a GPU, and the possible gain: one window, parts that add up, and one verdict. */
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

static const char *const all_reduce =
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

static struct scenario *begin(void **state)
{
    scenario_gpu(*state, 0, "NVIDIA H100 80GB HBM3");
    return *state;
}

/* Asks what bounds GPU 0; its parts add up to the window. */
static void is_bound(struct scenario *s, const char *verdict)
{
    scenario_ask(s, "skill run bound @");
    assert_string_equal(scenario_text(s, "bound", "gpu = 0", "verdict"), verdict);
    assert_int_equal(scenario_sum(s, "time_parts", "gpu = 0", "time_ns"),
                     scenario_int(s, "bound", "gpu = 0", "window_ns"));
}

static double share_of(struct scenario *s, const char *part)
{
    char where[100];

    snprintf(where, sizeof where, "part LIKE '%s%%'", part);
    return scenario_real(s, "time_parts", where, "time_share");
}

/* Kernels one after the other from a deep queue. */
SCENARIO(test_busy_loop_is_gpu_bound)
{
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.ahead = MS(3), .start = MS(20)});
    is_bound(s, "GPU-bound");
    scenario_findings(s);
    loop_is_quiet(s, "gpu-idle");
}

/* 40 % of each step the CPU launches nothing. */
SCENARIO(test_late_launches_are_cpu_bound)
{
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.idle = MS(4)});
    is_bound(s, "CPU-bound");
    assert_true(share_of(s, "starved") > 36 && share_of(s, "starved") < 42);
}

/* The near miss: 6 % of each step is idle. */
SCENARIO(test_a_little_late_is_gpu_bound)
{
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.idle = US(600)});
    is_bound(s, "GPU-bound");
}

/* Graphs recorded whole are work. */
SCENARIO(test_opaque_graphs_are_busy)
{
    struct scenario *s = begin(state);
    int64_t thread = scenario_thread(s, 100, 100, "VLLM::EngineCore");

    for (int i = 0; i < 100; i++) {
        int64_t at = MS(5) + i * MS(5);
        int64_t call =
            scenario_call(s, thread, "cudaGraphLaunch_v10000", at - US(400), at - US(360));

        scenario_graph(s, call, 0, 7, 3, at, at + MS(4.9));
    }
    is_bound(s, "GPU-bound");
    scenario_findings(s);
    loop_is_healthy(s);
}

/* The last 4 of 10 ms of each step are an all-reduce without compute; the host launches the next step only
 * after it. From `from` on, it makes this call each `every` ns, which takes `length`. */
static void reduce_each_step(struct scenario *s, int64_t from, const char *call, int64_t every,
                             int64_t length)
{
    const struct loop loop = {.idle = MS(4)};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++) {
        int64_t at = loop_step(&loop, i + 1) - MS(4);
        int64_t end = at + MS(3.94);

        scenario_launch(s, thread, at - MS(1), 0, 20, all_reduce, at + US(20), end);
        for (int64_t t = at + from; t < end; t += every)
            scenario_call(s, thread, call, t, t + length < end ? t + length : end + US(5));
    }
}

/* The host synchronizes from then on. */
static void reduce_and_wait(struct scenario *s, int64_t from)
{
    reduce_each_step(s, from, "cudaStreamSynchronize_v3020", MS(10), MS(10));
}

/* The rank waits in an all-reduce for a late one, while its host synchronizes: bound by
 * communication, not by the CPU. */
SCENARIO(test_rank_that_waits_in_nccl)
{
    struct scenario *s = begin(state);

    reduce_and_wait(s, -US(900));
    is_bound(s, "waits for communication");
    assert_true(share_of(s, "starved") < 2);
    assert_true(share_of(s, "communication alone") > 35);
    scenario_findings(s);
    loop_is_quiet(s, "gpu-idle");
    loop_is_quiet(s, "cpu-bottleneck");
    loop_severity(s, "exposed-communication", "high");
}

/* The host does not wait: if it launched the next step sooner, the all-reduce would be hidden. */
SCENARIO(test_host_late_behind_communication)
{
    struct scenario *s = begin(state);

    reduce_and_wait(s, MS(4));
    is_bound(s, "CPU-bound");
}

/* The same, but the host waits for the last quarter. */
SCENARIO(test_host_mostly_late_behind_communication)
{
    struct scenario *s = begin(state);

    reduce_and_wait(s, MS(3));
    is_bound(s, "CPU-bound");
}

/* The near miss: it works for the first quarter and waits for the rest. */
SCENARIO(test_host_that_soon_waits_for_communication)
{
    struct scenario *s = begin(state);

    reduce_and_wait(s, MS(1));
    is_bound(s, "waits for communication");
}

/* The near miss: the host asks each 50 us whether the all-reduce is done. */
SCENARIO(test_host_that_polls_for_communication)
{
    struct scenario *s = begin(state);

    reduce_each_step(s, 0, "cudaEventQuery_v3020", US(50), US(2));
    is_bound(s, "waits for communication");
}

/* It abstains: the host works for one half of the all-reduce and waits for the other. */
SCENARIO(test_host_half_late_behind_communication)
{
    struct scenario *s = begin(state);

    reduce_and_wait(s, MS(2));
    is_bound(s, "mixed");
}

/* The same all-reduce under compute. */
SCENARIO(test_hidden_communication_is_gpu_bound)
{
    struct scenario *s = begin(state);
    const struct loop loop = {0};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++)
        scenario_launch(s, thread, loop_step(&loop, i) + MS(3), 0, 20, all_reduce,
                        loop_step(&loop, i) + MS(4), loop_step(&loop, i) + MS(8));
    is_bound(s, "GPU-bound");
}

/* waits: the host synchronizes until the copy is done. */
static void copy_each_step(struct scenario *s, const struct loop *loop, int64_t thread,
                           enum scenario_copy kind, int64_t length, bool waits)
{
    for (int i = 0; i < 20; i++) {
        int64_t at = loop_step(loop, i + 1) - loop->idle + US(10);
        int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", at - US(90), at - US(80));

        if (waits)
            scenario_call(s, thread, "cudaStreamSynchronize_v3020", at - US(70), at + length);

        scenario_copy(s, call, 0, kind == DEVICE_TO_DEVICE ? 7 : 14, kind, false, length * 20, at,
                      at + length);
    }
}

/* Half of each step is a copy with nothing beside it, for which the host waits. */
SCENARIO(test_copies)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.idle = MS(5)};

    copy_each_step(s, &loop, loop_run(s, &loop), HOST_TO_DEVICE, MS(4.9), true);
    is_bound(s, "waits for copies");
}

/* The near miss: the host does not wait, and launches the next step only after the copy. */
SCENARIO(test_host_late_beside_copies)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.idle = MS(5)};

    copy_each_step(s, &loop, loop_run(s, &loop), HOST_TO_DEVICE, MS(4.9), false);
    is_bound(s, "CPU-bound");
}

/* The near miss: the copies are within the GPU, as of a concatenation: its own work, and a finding of its own. */
SCENARIO(test_copies_within_the_gpu)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.idle = MS(5)};

    copy_each_step(s, &loop, loop_run(s, &loop), DEVICE_TO_DEVICE, MS(4.9), true);
    is_bound(s, "GPU-bound");
    scenario_findings(s);
    assert_int_equal(scenario_count(s, "findings", "rule = 'device-copies'"), 1);
    assert_int_equal(scenario_count(s, "findings", "rule = 'transfers'"), 0);
}

/* In the last 2 of 10 ms of each step an all-reduce and a copy run, and no compute: no one part is named,
 * and the recording is not healthy. */
SCENARIO(test_copies_beside_communication)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.idle = MS(2)};
    int64_t thread = loop_run(s, &loop);

    copy_each_step(s, &loop, thread, HOST_TO_DEVICE, MS(1.9), true);
    for (int i = 0; i < 20; i++) {
        int64_t at = loop_step(&loop, i + 1) - MS(2);

        scenario_launch(s, thread, at - US(95), 0, 20, all_reduce, at + US(10), at + MS(1.9));
    }
    is_bound(s, "waits for communication or copies");
    scenario_findings(s);
    assert_int_equal(scenario_count(s, "findings", "rule = 'healthy'"), 0);
}

/* Communication, copies and the CPU each take 15 %; the host waits for the first two. */
SCENARIO(test_mixed)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.idle = MS(4.5)};
    int64_t thread = loop_run(s, &loop);

    copy_each_step(s, &loop, thread, HOST_TO_DEVICE, MS(1.5), true);
    for (int i = 0; i < 20; i++) {
        int64_t at = loop_step(&loop, i + 1) - MS(2.95);

        scenario_launch(s, thread, at - MS(1.63), 0, 20, all_reduce, at, at + MS(1.45));
        scenario_call(s, thread, "cudaStreamSynchronize_v3020", at + US(40), at + MS(1.45));
    }
    is_bound(s, "mixed");
    assert_true(share_of(s, "starved") > 12 && share_of(s, "starved") < 17);
}

/* Kernels with unknown launches, and gaps: unknown. */
SCENARIO(test_unknown_launches)
{
    struct scenario *s = begin(state);

    (void)scenario_thread(s, 100, 100, "python");
    for (int i = 0; i < 50; i++)
        scenario_kernel(s, 0, 0, 7, "flash_fwd_kernel", MS(10) + i * MS(10), MS(16) + i * MS(10));
    is_bound(s, "not known");
    scenario_findings(s);
    loop_abstains(s, "cpu-bottleneck", 1);
}

/* Kernels launched 8 ms before they start, which wait for work elsewhere. */
SCENARIO(test_launched_long_before)
{
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.idle = MS(4), .ahead = MS(8), .start = MS(20)});
    is_bound(s, "waits on the GPU's side");
    scenario_findings(s);
    loop_is_quiet(s, "cpu-bottleneck");
}

/* ---- the time that could be saved ---- */

/* 85 % exposed communication beside 10 % compute: hiding it saves at most the 10 %. */
SCENARIO(test_gain_is_bounded_by_compute)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.idle = MS(9), .kernel = US(240)};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++)
        scenario_launch(s, thread, loop_step(&loop, i) + MS(0.5), 0, 20, all_reduce,
                        loop_step(&loop, i) + MS(1.1), loop_step(&loop, i) + MS(9.8));
    scenario_ask(s, "skill run ceiling @");
    assert_true(scenario_int(s, "ceiling", "loss LIKE '%communication%'", "loss_ns") <= 20 * MS(1));
    scenario_ask(s, "skill run exposed @");
    assert_true(scenario_int(s, "exposed", "gpu = 0", "exposed_ns") > 20 * MS(8));
}

/* bound, breakdown, ceiling, idle and the finding give the same idle time for the same window. */
SCENARIO(test_one_idle_time)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.idle = MS(3)};
    int64_t thread = loop_run(s, &loop);
    int64_t idle;

    copy_each_step(s, &loop, thread, HOST_TO_DEVICE, MS(1), true);
    scenario_ask(s, "skill run breakdown @ --trim 10ms 210ms");
    idle = scenario_int(s, "breakdown", "gpu = 0", "idle_ns");
    scenario_ask(s, "skill run bound @ --trim 10ms 210ms");
    assert_int_equal(scenario_sum(s, "time_parts",
                                  "part LIKE 'starved%' OR part LIKE 'waiting%' OR part LIKE "
                                  "'idle%'",
                                  "time_ns"),
                     idle);
    scenario_ask(s, "skill run ceiling @ --trim 10ms 210ms");
    assert_int_equal(scenario_int(s, "ceiling", "loss = 'idle time of the GPU'", "loss_ns"), idle);
    scenario_ask(s, "skill run findings @ --trim 10ms 210ms");
    assert_int_equal(scenario_int(s, "findings", "rule = 'gpu-idle'", "stands_for_ns"), idle);
}

/* Timing does not show what bounds a kernel: no answer says "compute-bound". */
SCENARIO(test_nothing_is_called_compute_bound)
{
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){0});
    assert_int_equal(scenario_run(s, "analyze @"), 0);
    assert_null(strstr(scenario_output(s), "compute-bound"));
    assert_int_equal(scenario_run(s, "ask @ 'what bounds the gpu'"), 0);
    assert_null(strstr(scenario_output(s), "compute-bound"));
}

/* ---- one window ---- */

/* The model is loaded for a second by copies with nothing beside them; then a loop with 6 %
 * idle. */
static void slow_start(struct scenario *s, int64_t thread, int64_t idle)
{
    for (int i = 0; i < 40; i++) {
        int64_t t = MS(10) + i * MS(25);
        int64_t call = scenario_call(s, thread, "cudaMemcpy_v3020", t, t + MS(10));

        scenario_copy(s, call, 0, 7, HOST_TO_DEVICE, true, 64 << 20, t + US(20), t + MS(9.98));
    }
    loop_run(s, &(struct loop){.thread = thread, .start = MS(1100), .idle = idle});
}

/* The idle time of the steady state is the same in every answer, and each states its window; with
 * --whole each covers the whole recording. */
SCENARIO(test_one_window)
{
    static const struct {
        const char *command, *sheet, *where, *idle, *window;
    } answers[] = {
        {"skill run idle @", "idle", "gpu = 0", "idle_ns", "window_ns"},
        {"skill run breakdown @", "breakdown", "gpu = 0", "idle_ns", "window_ns"},
        {"skill run ceiling @", "ceiling", "loss = 'idle time of the GPU'", "loss_ns", "window_ns"},
        {"summary @", "gpu_summary", "gpu = 0", "idle_ns", NULL},
        {"overlap @", "breakdown", "gpu = 0", "idle_ns", "window_ns"},
        {"skill run pipeline_bubble_metrics @", "idle", "gpu = 0", "idle_ns", "window_ns"},
    };
    struct scenario *s = begin(state);
    int64_t steady, whole;
    char command[200];

    slow_start(s, scenario_thread(s, 100, 100, "python"), MS(0.5));
    scenario_findings(s);
    steady = scenario_int(s, "findings", "rule = 'gpu-idle'", "stands_for_ns");
    scenario_near(steady, 20 * MS(0.65), 10);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        scenario_ask(s, answers[i].command);
        assert_int_equal(scenario_int(s, answers[i].sheet, answers[i].where, answers[i].idle),
                         steady);
        assert_non_null(strstr(scenario_output(s), "Steady state: the last 20 of 20 iterations"));
        (void)snprintf(command, sizeof command, "%s --whole", answers[i].command);
        scenario_ask(s, command);
        whole = scenario_int(s, answers[i].sheet, answers[i].where, answers[i].idle);
        assert_true(whole > steady + MS(600));
        assert_non_null(strstr(scenario_output(s), "from its first to its last work"));
        if (answers[i].window)
            scenario_near(scenario_int(s, answers[i].sheet, answers[i].where, answers[i].window),
                          MS(1289), 1);
    }
    is_bound(s, "GPU-bound");
    scenario_ask(s, "skill run bound @ --whole");
    assert_string_equal(scenario_text(s, "bound", "gpu = 0", "verdict"), "CPU-bound");
}

/* Every question about the time of GPUs states its window, the same one for all; sums and lists
 * state that they count the whole recording; a window chosen by the user is not stated. */
SCENARIO(test_every_answer_says_its_window)
{
    static const char *const of_steady[] = {
        "dependencies", "stream_waits",          "sync",   "concurrency",      "utilization",
        "exposed",      "kernel_overlap_matrix", "launch", "cpu_gpu_pipeline", "graphs"};
    static const char *const of_whole[] = {"top_kernels", "copies", "stream_concurrency",
                                           "tensor_core_usage"};
    static const char steady[] = "Steady state: the last 20 of 20 iterations";
    static const char whole[] = "Counts the whole recording";
    struct scenario *s = begin(state);
    char command[100];

    slow_start(s, scenario_thread(s, 100, 100, "python"), MS(0.5));
    for (size_t i = 0; i < sizeof of_steady / sizeof *of_steady; i++) {
        (void)snprintf(command, sizeof command, "skill run %s @", of_steady[i]);
        scenario_ask(s, command);
        assert_non_null(strstr(scenario_output(s), steady));
        (void)snprintf(command, sizeof command, "skill run %s @ --whole", of_steady[i]);
        scenario_ask(s, command);
        assert_non_null(strstr(scenario_output(s), "from its first to its last work"));
    }
    for (size_t i = 0; i < sizeof of_whole / sizeof *of_whole; i++) {
        (void)snprintf(command, sizeof command, "skill run %s @", of_whole[i]);
        scenario_ask(s, command);
        assert_non_null(strstr(scenario_output(s), whole));
        (void)snprintf(command, sizeof command, "skill run %s @ --trim 1200ms 1300ms", of_whole[i]);
        scenario_ask(s, command);
        assert_null(strstr(scenario_output(s), whole));
    }
}

/* The near miss: the kernels before the loop take longer than the loop, so the loop is not the
 * program's main work: the window covers all work. */
SCENARIO(test_other_work_before_the_loop)
{
    struct scenario *s = begin(state);
    int64_t thread = scenario_thread(s, 100, 100, "python");

    for (int i = 0; i < 60; i++) {
        static const char *const names[] = {"sort_kernel", "scan_kernel", "hash_kernel",
                                            "join_kernel", "fill_kernel"};
        int64_t t = MS(10) + i * MS(15);

        (void)scenario_launch(s, thread, t, 0, 7, names[i * i % 5], t + US(20),
                              t + MS(3) + i * US(171));
    }
    loop_run(s, &(struct loop){.thread = thread, .start = MS(1100), .steps = 12});
    scenario_ask(s, "skill run idle @");
    assert_true(scenario_int(s, "idle", "gpu = 0", "window_ns") > MS(1200));
    assert_non_null(strstr(scenario_output(s), "launch less than half of the work"));
}

/* A window chosen by the user is neither narrowed nor widened. */
SCENARIO(test_a_window_asked_for)
{
    struct scenario *s = begin(state);

    slow_start(s, scenario_thread(s, 100, 100, "python"), MS(0.5));
    scenario_ask(s, "skill run idle @ --trim 20ms 120ms");
    assert_int_equal(scenario_int(s, "idle", "gpu = 0", "window_ns"), MS(100));
    assert_null(strstr(scenario_output(s), "Steady state"));
}
