/*
 * Work of autograd's thread also belongs to the main thread's ranges, if it is evident that it
 * works for the main thread.
 */
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

enum { STEPS = 6 };
#define STEP MS(10)

struct job {
    int64_t main, engine;
};

static struct job begin(struct scenario *s)
{
    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    return (struct job){scenario_thread(s, 500, 500, "python"),
                        scenario_thread(s, 500, 531, "pt_autograd_0")};
}

/* A step of the main thread: forward launches 3 ms of work, backward is a range of 4 ms. */
static int64_t forward(struct scenario *s, const struct job *job, int i)
{
    int64_t t = MS(5) + i * STEP;

    scenario_range(s, job->main, "step", t, t + MS(9));
    scenario_range(s, job->main, "forward", t, t + MS(4));
    scenario_launch(s, job->main, t + US(50), 0, 7, "gemm_fwd", t + US(80), t + MS(3));
    scenario_range(s, job->main, "backward", t + MS(4), t + MS(8));
    return t + MS(4);
}

/* The engine launches two kernels of 1.5 ms in all in backward. */
static void engine_launches(struct scenario *s, const struct job *job, int64_t t)
{
    scenario_launch(s, job->engine, t + US(300), 0, 7, "gemm_bwd", t + US(400), t + MS(1.4));
    scenario_launch(s, job->engine, t + US(600), 0, 7, "gemm_bwd", t + MS(1.4), t + MS(1.9));
    scenario_call(s, job->engine, "cudaEventRecord_v3020", t + MS(2.9), t + MS(2.99));
}

/* GPU work of the path itself, and work outside of ranges. */
static int64_t own_work(struct scenario *s, const char *path)
{
    char where[100];

    snprintf(where, sizeof where, "path = '%s'", path);
    return scenario_sum(s, "layers", where, "work_ns");
}

static void expect(struct scenario *s, int64_t backward, int64_t none)
{
    scenario_ask(s, "skill run layers @");
    assert_int_equal(own_work(s, "step / backward"), backward);
    assert_int_equal(own_work(s, "(none)"), none);
    assert_int_equal(own_work(s, "step / forward"), STEPS * US(2920));
    scenario_ask(s, "skill run nvtx_tree @");
    assert_int_equal(scenario_sum(s, "nvtx_tree", "range = 'backward'", "gpu_work_ns"), backward);
    assert_int_equal(scenario_sum(s, "nvtx_tree", "range = 'step'", "gpu_work_ns"),
                     STEPS * US(2920) + backward);
    assert_int_equal(scenario_sum(s, "nvtx_tree", "range = '(under no range)'", "gpu_work_ns"),
                     none);
    scenario_ask(s, "skill run nvtx_instances -p limit=0 @");
    assert_int_equal(scenario_sum(s, "nvtx_instances", "name LIKE '%backward'", "gpu_work_ns"),
                     backward);
    assert_int_equal(scenario_sum(s, "nvtx_instances", "name = 'step'", "gpu_work_ns"),
                     STEPS * US(2920) + backward);
}

/* Truth: the main thread sleeps in backward until the engine has launched everything. */
SCENARIO(test_main_waits)
{
    struct scenario *s = *state;
    struct job job = begin(s);
    int n = 0;

    for (int i = 0; i < STEPS; i++) {
        int64_t t = forward(s, &job, i);

        engine_launches(s, &job, t);
        scenario_os(s, job.main, "pthread_cond_wait", t + US(100), t + MS(3));
    }
    expect(s, STEPS * US(1500), 0);
    scenario_ask(s, "skill run nvtx_kernel_map @");
    assert_int_equal(scenario_count(s, "nvtx_kernel_map", "range = 'backward'"), 2 * STEPS);
    assert_int_equal(scenario_run(s, "render @ --size 240x90 --keys 't E'"), 0);
    for (const char *at = scenario_output(s); (at = strstr(at, "1.50 ms  ███▌        1.50 ms"));
         at++)
        n++;
    assert_int_equal(n, STEPS); /* backward: work, its share and span, in the screen's tree too */
}

/* Truth: emit_nvtx's sequence numbers. The work is in the engine's ranges, and in backward too. */
SCENARIO(test_sequence_numbers)
{
    struct scenario *s = *state;
    struct job job = begin(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = forward(s, &job, i);
        char text[80];

        snprintf(text, sizeof text, "aten::linear, op_id = %d, seq = %d", 2 * i, i);
        scenario_range(s, job.main, text, t - MS(3.9), t - MS(3.8));
        snprintf(text, sizeof text, "autograd::engine::evaluate_function: MmBackward0, seq = %d",
                 i);
        scenario_range(s, job.engine, text, t + US(200), t + MS(1));
        engine_launches(s, &job, t);
    }
    scenario_ask(s, "skill run projection @");
    assert_int_equal(scenario_sum(s, "projection", "path = 'step / backward'", "work_ns"),
                     STEPS * US(1500));
    assert_int_equal(scenario_sum(s, "projection", "path = 'step'", "work_ns"), STEPS * US(4420));
    assert_int_equal(scenario_sum(s, "projection", "path = 'step'", "projected"), STEPS);
    scenario_ask(s, "skill run layers @");
    assert_int_equal(scenario_sum(s, "layers", "path LIKE 'autograd%'", "work_ns"),
                     STEPS * US(1500));
    scenario_ask(s, "skill run nvtx_tree @");
    assert_int_equal(scenario_sum(s, "nvtx_tree", "range = 'backward'", "gpu_work_ns"),
                     STEPS * US(1500));
    assert_int_equal(scenario_count(s, "nvtx_tree", "range = '(under no range)'"), 0);
}

/* Near miss: the main thread sleeps, but wakes up long after the other thread's work, when no
 * recorded act ends. */
SCENARIO(test_main_waits_for_another)
{
    struct scenario *s = *state;
    struct job job = begin(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = forward(s, &job, i);

        engine_launches(s, &job, t);
        scenario_os(s, job.main, "pthread_cond_wait", t + US(100), t + MS(3.7));
    }
    expect(s, 0, STEPS * US(1500));
}

/* Near miss: the main thread works in backward while the other one launches. */
SCENARIO(test_main_works)
{
    struct scenario *s = *state;
    struct job job = begin(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = forward(s, &job, i);

        engine_launches(s, &job, t);
        scenario_os(s, job.main, "read", t + US(100), t + MS(3));
    }
    expect(s, 0, STEPS * US(1500));
}

/* Near miss: the numbers are others. */
SCENARIO(test_other_sequence_numbers)
{
    struct scenario *s = *state;
    struct job job = begin(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = forward(s, &job, i);
        char text[80];

        snprintf(text, sizeof text, "aten::linear, op_id = %d, seq = %d", i, i);
        scenario_range(s, job.main, text, t - MS(3.9), t - MS(3.8));
        snprintf(text, sizeof text, "MmBackward0, seq = %d", 1000 + i);
        scenario_range(s, job.engine, text, t + US(200), t + MS(1));
        engine_launches(s, &job, t);
    }
    scenario_ask(s, "skill run nvtx_tree @");
    assert_int_equal(scenario_sum(s, "nvtx_tree", "range = 'backward'", "gpu_work_ns"), 0);
}

/* Near miss: the other thread's range ends after backward, so backward does not contain it. */
SCENARIO(test_range_beyond_backward)
{
    struct scenario *s = *state;
    struct job job = begin(s);

    for (int i = 0; i < STEPS; i++) {
        int64_t t = forward(s, &job, i);
        char text[80];

        snprintf(text, sizeof text, "aten::linear, seq = %d", i);
        scenario_range(s, job.main, text, t - MS(3.9), t - MS(3.8));
        snprintf(text, sizeof text, "prefetch, seq = %d", i);
        scenario_range(s, job.engine, text, t + US(200), t + MS(5.5));
        engine_launches(s, &job, t);
    }
    scenario_ask(s, "skill run nvtx_tree @");
    assert_int_equal(scenario_sum(s, "nvtx_tree", "range = 'backward'", "gpu_work_ns"), 0);
}

/* Abstains: another process waits; threads of different processes are unrelated. */
SCENARIO(test_another_process)
{
    struct scenario *s = *state;
    struct job job = begin(s);

    job.engine = scenario_thread(s, 600, 631, "pt_autograd_0");
    for (int i = 0; i < STEPS; i++) {
        int64_t t = forward(s, &job, i);

        engine_launches(s, &job, t);
        scenario_os(s, job.main, "pthread_cond_wait", t + US(100), t + MS(3));
    }
    expect(s, 0, STEPS * US(1500));
}
