/*
 * One process with two GPUs: whether the host of an idle GPU is late, or waits for the other one.
 */
#include "scenarios/flow.h"
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

#define STEPS 20

/* The second GPU of the same thread. */
static struct flow second(const struct flow *first)
{
    struct flow f = *first;

    f.device = 1;
    scenario_gpu(f.s, 1, "NVIDIA H100 80GB HBM3");
    return f;
}

static const char *bound_of(struct scenario *s, int gpu)
{
    char where[20];

    (void)snprintf(where, sizeof where, "gpu = %d", gpu);
    return scenario_text(s, "bound", where, "verdict");
}

static const char *bound(struct scenario *s, int gpu)
{
    scenario_ask(s, "skill run bound @");
    return bound_of(s, gpu);
}

/* A copy to the host that blocks until it is done. */
static void copy_back(struct flow *f, int64_t bytes, int64_t ns)
{
    int64_t start = f->gpu > f->host + US(8) ? f->gpu : f->host + US(8);
    int64_t call = scenario_call(f->s, f->thread, "cudaMemcpy_v3020", f->host, start + ns + US(4));

    scenario_copy(f->s, call, f->device, 7, DEVICE_TO_HOST, true, bytes, start, start + ns);
    f->gpu = start + ns;
    f->host = f->gpu + US(4);
}

/* The first half of a model runs 4 ms on GPU a, then the second on GPU b. */
static void split_pass(struct flow *a, struct flow *b, int64_t second_half)
{
    flow_layer(a, MS(4));
    b->host = a->host;
    b->gpu = a->gpu;
    flow_layer(b, second_half);
}

/* Truth: the first half of a model runs on GPU 0, the second on GPU 1. The host waits for GPU 1 before
 * it launches the next pass: it is not late for GPU 0. */
SCENARIO(test_model_on_two_gpus)
{
    struct scenario *s = *state;
    struct flow a = flow_begin(s, 100, 0);
    struct flow b = second(&a);

    for (int i = 0; i < STEPS; i++) {
        split_pass(&a, &b, MS(4));
        flow_synchronize(&b);
        a.host = b.host;
    }
    scenario_findings(s);
    loop_fires(s, "waits-for-gpu");
    loop_is_quiet(s, "cpu-bottleneck");
    loop_is_quiet(s, "sync-while-idle");
    assert_string_equal(bound(s, 0), "waits for another GPU");
}

/* Truth: the same, but the host waits in a blocking copy of the result from GPU 1. */
SCENARIO(test_result_from_the_other_gpu)
{
    struct scenario *s = *state;
    struct flow a = flow_begin(s, 100, 0);
    struct flow b = second(&a);

    for (int i = 0; i < STEPS; i++) {
        split_pass(&a, &b, MS(3));
        copy_back(&b, 4 << 20, US(200));
        a.host = b.host;
    }
    scenario_findings(s);
    loop_fires(s, "waits-for-gpu");
    loop_is_quiet(s, "cpu-bottleneck");
}

/* The near miss: the host works while one GPU does, and is late for the other. */
SCENARIO(test_host_works_beside_the_other_gpu)
{
    struct scenario *s = *state;
    struct flow a = flow_begin(s, 100, 0);
    struct flow b = second(&a);

    for (int i = 0; i < STEPS; i++) {
        flow_layer(&a, MS(4));
        b.host = a.host + MS(4);
        flow_layer(&b, MS(4));
        a.host = b.host + MS(4);
    }
    scenario_findings(s);
    loop_is_quiet(s, "waits-for-gpu");
    assert_true(loop_faults(s, "cpu-bottleneck") > 0);
    assert_string_equal(bound(s, 0), "CPU-bound");
}

/* The near miss: two threads with a GPU each. That of GPU 0 is in a blocking copy of its own, of which
 * the driver prepares the greater part on the CPU, while the other thread's GPU is busy. */
SCENARIO(test_own_copy_beside_an_independent_gpu)
{
    struct scenario *s = *state;
    struct flow a = flow_begin(s, 100, 0);
    struct flow b = second(&a);

    b.thread = scenario_thread(s, 100, 101, "worker");
    for (int i = 0; i < STEPS; i++) {
        int64_t call;

        flow_layer(&a, MS(6));
        call = scenario_call(s, a.thread, "cudaMemcpy_v3020", a.host, a.gpu + MS(3.1));
        scenario_copy(s, call, 0, 7, HOST_TO_DEVICE, true, 4 << 20, a.gpu + MS(2.9), a.gpu + MS(3));
        a.gpu += MS(3);
        a.host = a.gpu + US(100);
        while (b.gpu < a.gpu)
            flow_layer(&b, MS(1));
    }
    scenario_findings(s);
    loop_is_quiet(s, "waits-for-gpu");
    assert_int_equal(loop_faults(s, "sync-while-idle"), 1);
}

/* The calls are not recorded, so nobody knows whom the host waits for. */
SCENARIO(test_waits_without_launches)
{
    struct scenario *s = *state;

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    scenario_gpu(s, 1, "NVIDIA H100 80GB HBM3");
    scenario_thread(s, 100, 100, "python");
    for (int i = 0; i < STEPS; i++) {
        scenario_kernel(s, 0, 0, 7, "flash_fwd_kernel", MS(1) + i * MS(8), MS(5) + i * MS(8));
        scenario_kernel(s, 0, 1, 7, "flash_fwd_kernel", MS(5) + i * MS(8), MS(9) + i * MS(8));
    }
    scenario_findings(s);
    loop_abstains(s, "waits-for-gpu", 0);
}

/* ---- queued behind another GPU ---- */

/* Passes over two GPUs, launched ahead: GPU 1 begins `later` after GPU 0's half, which ends with a copy if
 * `peer`. other: GPU 1 belongs to another process. */
static void pass_on(struct scenario *s, int64_t later, bool peer, bool other)
{
    struct flow a = flow_begin(s, 100, 0);
    struct flow b = second(&a);

    if (other)
        b.thread = scenario_thread(s, 101, 101, "python");
    for (int i = 0; i < STEPS; i++) {
        flow_layer(&a, MS(4));
        if (peer)
            flow_copy(&a, PEER, 8 << 20, US(300));
        b.host = a.host;
        b.gpu = a.gpu + later;
        flow_layer(&b, MS(4));
        a.gpu = b.gpu; /* the next pass begins with the last result */
    }
    scenario_ask(s, "skill run idle @");
}

/* ns that GPU 1 is idle for a cause. */
static int64_t idle_of(struct scenario *s, const char *cause)
{
    char where[80];

    (void)snprintf(where, sizeof where, "gpu = 1 AND cause = '%s'", cause);
    return scenario_count(s, "idle_causes", where) == 0
               ? 0
               : scenario_int(s, "idle_causes", where, "idle_ns");
}

/* Truth: GPU 1 waits for the first half of each pass, 4 ms. */
SCENARIO(test_behind_another_gpu)
{
    pass_on(*state, 0, false, false);
    scenario_near(idle_of(*state, "behind another GPU"), STEPS * MS(4), 6);
    scenario_findings(*state);
    assert_non_null(strstr(scenario_text(*state, "findings", "rule = 'gpu-idle'", "next_step"),
                           "waits for another GPU: split the batch"));
}

/* Truth: for the copy of its result, too. */
SCENARIO(test_behind_a_copy_from_another_gpu)
{
    pass_on(*state, US(3), true, false);
    scenario_near(idle_of(*state, "behind another GPU"), STEPS * MS(4.3), 6);
}

/* The near miss: GPU 1 begins 1 ms after the work of GPU 0 has ended, so it waited for something else. */
SCENARIO(test_not_behind_another_gpu)
{
    pass_on(*state, MS(1), false, false);
    assert_int_equal(idle_of(*state, "behind another GPU"), 0);
    assert_true(idle_of(*state, "why is not known") > 0);
}

/* The near miss: the GPUs belong to two processes, which events do not connect. */
SCENARIO(test_not_behind_another_process)
{
    pass_on(*state, 0, false, true);
    assert_int_equal(idle_of(*state, "behind another GPU"), 0);
}

/* Without launches nobody knows whether work was queued. */
SCENARIO(test_behind_without_launches)
{
    struct scenario *s = *state;

    pass_on(s, 0, false, false);
    scenario_sql(s, "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET correlationId = 0");
    scenario_ask(s, "skill run idle @ --whole");
    assert_int_equal(idle_of(s, "behind another GPU"), 0);
    assert_true(idle_of(s, "not known") > 0);
}

/* ---- one cause on several GPUs is one finding ---- */

/* Each of n processes drives a GPU, and is late for 3 of 10 ms; the last one does something else if
 * `other`: the GPU is never idle, or the thread reads a file. */
static void late_on(struct scenario *s, int n, const char *other)
{
    for (int g = 0; g < n; g++) {
        struct flow f = flow_begin(s, 100 + g, g);
        bool is_other = other && g == n - 1;

        for (int i = 0; i < STEPS; i++) {
            int64_t late = MS(3) + g * US(50);

            flow_layer(&f, is_other && !other[0] ? MS(10) : MS(7));
            flow_synchronize(&f);
            if (is_other && !other[0])
                continue;
            if (is_other)
                scenario_os(s, f.thread, other, f.host + US(10), f.host + late);
            f.host += late;
        }
    }
    scenario_findings(s);
}

/* A thread for each GPU of a process computes one tile of 5 ms after the other; pause: of GPU 1 in its
 * middle. */
static void compute_tiles(struct scenario *s, int n, int n_of_second, int64_t pause)
{
    for (int g = 0; g < 2; g++) {
        struct flow f = {s, scenario_thread(s, 100, 100 + g, "worker"), g, MS(1), 0};

        scenario_gpu(s, g, "NVIDIA H100 80GB HBM3");
        for (int i = 0; i < (g ? n_of_second : n); i++) {
            flow_run(&f, "render_tile", MS(5));
            if (i % 2)
                flow_run(&f, "encode_tile", US(300 + 7 * i));
            flow_synchronize(&f);
            if (g && i == n_of_second / 2)
                f.host += pause;
        }
    }
    scenario_findings(s);
}

static bool ends_early(struct scenario *s)
{
    return scenario_count(s, "findings", "finding LIKE 'GPU 1 has no more work for %'") == 1;
}

/* The answer to why GPU 1 is idle. */
static const char *why_idle(struct scenario *s)
{
    scenario_ask(s, "ask @ \"why is GPU 1 idle at the end?\"");
    return scenario_text(s, "answer", "part = 'Answer'", "text");
}

/* Truth: the work is divided unevenly. */
SCENARIO(test_one_gpu_is_done_early)
{
    compute_tiles(*state, 60, 30, 0);
    assert_true(ends_early(*state));
    loop_severity(*state, "gpu-idle", "high");
    loop_is_quiet(*state, "cpu-bottleneck");
    assert_non_null(strstr(why_idle(*state), "Most of it: no more work, "));
}

SCENARIO(test_one_gpu_is_done_somewhat_early)
{
    compute_tiles(*state, 60, 50, 0);
    assert_true(ends_early(*state));
    assert_non_null(strstr(why_idle(*state), "Most of it: no more work, "));
}

/* The near misses: it pauses in between, or is done a little earlier. */
SCENARIO(test_one_gpu_pauses)
{
    compute_tiles(*state, 60, 30, MS(150));
    assert_false(ends_early(*state));
    assert_non_null(strstr(why_idle(*state), "Most of it: CPU work, "));
}

SCENARIO(test_both_are_done)
{
    compute_tiles(*state, 60, 59, 0);
    assert_false(ends_early(*state));
    loop_is_quiet(*state, "gpu-idle");
}

/* Two recordings at once, of which one is over before the steady state of the other begins: nothing says
 * that its GPUs could have worked on. */
SCENARIO(test_one_recording_is_shorter)
{
    struct scenario *other = scenario_new();
    struct flow f = {*state, scenario_thread(*state, 100, 100, "worker"), 0, MS(1), 0};

    scenario_gpu(*state, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 60; i++) {
        flow_run(&f, "render_tile", i < 5 ? MS(50) : MS(5));
        flow_run(&f, "encode_tile", US(300));
        flow_synchronize(&f);
    }
    compute_tiles(other, 20, 19, 0); /* they do not end at once */
    scenario_add(*state, other);
    assert_int_equal(scenario_run(*state, "render @ @2 --size 400x60 -c findings"), 0);
    assert_null(strstr(scenario_output(*state), "has no more work"));
    scenario_free(other);
}

/* Asks about a recording of 60 tiles beside another one, for the time of the longer. Frees the other. */
static void ask_beside(struct scenario *s, struct scenario *other, const char *question)
{
    struct flow f = {s, scenario_thread(s, 100, 100, "worker"), 2, MS(1), 0};

    scenario_gpu(s, 2, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 60; i++) {
        flow_run(&f, "render_tile", MS(5));
        flow_synchronize(&f);
    }
    scenario_add(s, other);
    scenario_ask(s, question);
    scenario_free(other);
}

/* How much of the idle time of a GPU has the cause. */
static double share_of_gaps(struct scenario *s, int gpu, const char *cause)
{
    char where[2][80];

    (void)snprintf(where[0], sizeof where[0], "gpu = %d AND cause = '%s'", gpu, cause);
    (void)snprintf(where[1], sizeof where[1], "gpu = %d", gpu);
    return (double)scenario_sum(s, "idle_causes", where[0], "idle_ns") /
           (double)scenario_sum(s, "idle_causes", where[1], "idle_ns");
}

#define ASK_IDLE "skill run idle @ @2 --trim 0.01 0.3"

/* Truth: a third of the time is recorded. */
SCENARIO(test_the_rest_of_a_window_is_not_recorded)
{
    struct scenario *other = scenario_new();

    compute_tiles(other, 20, 20, 0);
    ask_beside(*state, other, ASK_IDLE);
    assert_true(share_of_gaps(*state, 0, "not recorded") > 0.9);
    assert_true(share_of_gaps(*state, 1, "not recorded") > 0.9);
    assert_true(share_of_gaps(*state, 0, "CPU work") < 0.05);
    assert_true(share_of_gaps(*state, 2, "not recorded") == 0);
}

SCENARIO(test_no_bottleneck_in_what_is_not_recorded)
{
    struct scenario *other = scenario_new();

    compute_tiles(other, 20, 20, 0);
    ask_beside(*state, other, "skill run bound @ @2 --trim 0.01 0.3");
    assert_string_equal(bound_of(*state, 0), "not known");
    assert_string_equal(bound_of(*state, 2), "GPU-bound");
}

/* The near misses: one GPU is done while the other one of its recording works on, or pauses. */
SCENARIO(test_done_in_the_shorter_recording)
{
    struct scenario *other = scenario_new();

    compute_tiles(other, 30, 15, 0);
    ask_beside(*state, other, ASK_IDLE);
    assert_true(share_of_gaps(*state, 1, "no more work") > 0.2);
    assert_true(share_of_gaps(*state, 0, "no more work") < 0.05);
}

SCENARIO(test_pause_in_the_shorter_recording)
{
    struct scenario *other = scenario_new();

    compute_tiles(other, 45, 15, MS(100));
    ask_beside(*state, other, ASK_IDLE);
    assert_true(share_of_gaps(*state, 1, "CPU work") > 0.4);
}

/* Without launches nobody knows why a GPU is idle; what is not recorded is known. */
SCENARIO(test_without_launches_in_the_shorter_recording)
{
    struct scenario *other = scenario_new();

    scenario_thread(other, 100, 100, "python");
    scenario_gpu(other, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 12; i++)
        scenario_kernel(other, 0, 0, 7, "render_tile", MS(1) + i * MS(10), MS(5) + i * MS(10));
    ask_beside(*state, other, ASK_IDLE);
    assert_true(share_of_gaps(*state, 0, "not known") > 0.2);
    assert_true(share_of_gaps(*state, 0, "not recorded") > 0.5);
}

/* Truth: two GPUs are idle for the same cause. */
SCENARIO(test_two_idle_gpus_are_one_finding)
{
    late_on(*state, 2, NULL);
    assert_int_equal(loop_faults(*state, "gpu-idle"), 1);
    assert_int_equal(loop_faults(*state, "sync-while-idle"), 1);
    assert_non_null(strstr(scenario_text(*state, "findings", "rule = 'gpu-idle'", "finding"),
                           "GPU 1 is idle for "));
    assert_non_null(strstr(scenario_text(*state, "findings", "rule = 'gpu-idle'", "finding"),
                           "; likewise GPU 0"));
    assert_non_null(
        strstr(scenario_text(*state, "findings", "rule = 'gpu-idle'", "evidence"), "; GPU 0: "));
}

/* Truth: eight of them; the causes stand under the one idle finding. */
SCENARIO(test_eight_idle_gpus_are_one_finding)
{
    late_on(*state, 8, NULL);
    assert_int_equal(loop_faults(*state, "gpu-idle"), 1);
    assert_non_null(strstr(scenario_text(*state, "findings", "rule = 'gpu-idle'", "finding"),
                           "likewise GPUs 0 to 6"));
    loop_same_time(*state, "sync-while-idle", "gpu-idle");
    assert_int_equal(scenario_count(*state, "findings", "rule = 'gpu-idle' AND under > 0"), 1);
}

/* The near miss: the other GPU is never idle, so nothing is said of it. */
SCENARIO(test_one_of_two_is_idle)
{
    late_on(*state, 2, "");
    assert_int_equal(loop_faults(*state, "gpu-idle"), 1);
    assert_null(
        strstr(scenario_text(*state, "findings", "rule = 'gpu-idle'", "finding"), "likewise"));
}

/* The near miss: both are idle, but for different causes. */
SCENARIO(test_two_causes_are_two_findings)
{
    late_on(*state, 2, "fread");
    assert_int_equal(loop_faults(*state, "cpu-bottleneck"), 0);
    assert_int_equal(loop_faults(*state, "sync-while-idle"), 1);
    assert_int_equal(loop_faults(*state, "file-io"), 1);
    assert_null(
        strstr(scenario_text(*state, "findings", "rule = 'file-io'", "finding"), "likewise"));
}

/* The near miss: the other GPU is idle for less than half as much. */
SCENARIO(test_a_much_smaller_share_stays_apart)
{
    for (int g = 0; g < 2; g++) {
        struct flow f = flow_begin(*state, 100 + g, g);

        for (int i = 0; i < STEPS; i++) {
            flow_layer(&f, MS(7));
            flow_synchronize(&f);
            f.host += g ? MS(1) : MS(3);
        }
    }
    scenario_findings(*state);
    assert_int_equal(loop_faults(*state, "gpu-idle"), 2);
}

/* Without launches the cause is assessable for neither: that is said once. */
SCENARIO(test_neither_is_assessable)
{
    struct scenario *s = *state;

    scenario_thread(s, 100, 100, "python");
    for (int g = 0; g < 2; g++) {
        scenario_gpu(s, g, "NVIDIA H100 80GB HBM3");
        for (int i = 0; i < STEPS; i++)
            scenario_kernel(s, 0, g, 7, "flash_fwd_kernel", MS(1) + i * MS(8), MS(5) + i * MS(8));
    }
    scenario_findings(s);
    loop_abstains(s, "cpu-bottleneck", 1);
}

/* GPUs that compute for 4 ms, all but GPU 0 for `late` longer, and then reduce for 1 ms. */
static void reduce_together(struct scenario *s, int n, int64_t late)
{
    for (int rank = 0; rank < n; rank++) {
        int64_t thread = scenario_thread(s, 100 + rank, 100 + rank, "python");

        scenario_gpu(s, rank, "NVIDIA H100 80GB HBM3");
        for (int i = 0; i < 20; i++) {
            int64_t t = MS(10) + i * MS(9);
            int64_t end = t + MS(4) + (rank ? late : 0);

            scenario_launch(s, thread, t - US(20), rank, 7, "sm90_gemm", t, end);
            scenario_launch(s, thread, t, rank, 20, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", end,
                            t + MS(5) + late);
        }
    }
    scenario_findings(s);
}

/* Truth: GPU 0 spends 4 ms of a step in the all-reduce, 3 ms of them in a wait for GPU 1. */
SCENARIO(test_exposed_wait_for_a_late_gpu)
{
    reduce_together(*state, 2, MS(3));
    assert_true(scenario_count(*state, "findings",
                               "next_step LIKE 'GPU 1 computes for % longer, and%'") > 0);
}

/* Truth: it waits for both others. */
SCENARIO(test_exposed_wait_for_late_gpus)
{
    reduce_together(*state, 3, MS(3));
    assert_true(scenario_count(
                    *state, "findings",
                    "next_step LIKE 'GPU % longer (1 other GPU at least half as much), and%'") > 0);
}

/* The near miss: 0.5 ms are a third of its time. */
SCENARIO(test_exposed_communication_of_equal_gpus)
{
    reduce_together(*state, 2, US(500));
    assert_int_equal(scenario_count(*state, "findings", "next_step LIKE 'GPU 1 computes for %'"),
                     0);
}
