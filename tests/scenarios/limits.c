/*
 * Limits of threshold.def: for each a recording that depends on one figure, with the figure just
 * below the limit and just above it.
 */
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

static int64_t begin(struct scenario *s)
{
    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    return scenario_thread(s, 100, 100, "python");
}

/* ---- STREAM_WAIT: 30 ns ---- */

/* The time in waits for the kernel before, of 10 gaps of so many ns between issued kernels. */
static int64_t kernel_wait(int64_t gap)
{
    struct scenario *s = scenario_new();
    int64_t thread = begin(s);
    int64_t found;

    for (int i = 0; i < 11; i++)
        scenario_launch(s, thread, MS(1) + i * US(10), 0, 7, "gemm", MS(2) + i * (MS(1) + gap),
                        MS(3) + i * (MS(1) + gap));
    scenario_ask(s, "skill run stream_waits @");
    found = scenario_int(s, "stream_waits", NULL, "kernel_wait_ns");
    scenario_free(s);
    return found;
}

TEST(test_a_gap_of_the_stream_itself)
{
    assert_int_equal(kernel_wait(29), 290);
    assert_int_equal(kernel_wait(30), 0);
}

/* ---- QUEUE_FULL: 1024 ops ---- */

/* How long a stream is full on which so many ops are issued before the first one ends. */
static int64_t full_time(int ops)
{
    struct scenario *s = scenario_new();
    int64_t thread = begin(s);
    int64_t found;

    for (int i = 0; i < ops; i++)
        scenario_launch(s, thread, MS(1) + i * US(10), 0, 7, "gemm", MS(20) + i * US(20),
                        MS(20) + i * US(20) + US(19));
    scenario_ask(s, "skill run launch @");
    found = scenario_int(s, "queue_depth", NULL, "full_ns");
    scenario_free(s);
    return found;
}

TEST(test_a_full_queue)
{
    assert_int_equal(full_time(1023), 0);
    assert_true(full_time(1024) > 0);
}

/* ---- SMALL_COPY: 64 KiB ---- */

static double small_share(int64_t bytes)
{
    struct scenario *s = scenario_new();
    int64_t thread = begin(s);
    double found;

    for (int i = 0; i < 10; i++) {
        int64_t t = MS(1) + i * MS(1);
        int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", t, t + US(5));

        scenario_copy(s, call, 0, 7, HOST_TO_DEVICE, false, bytes, t + US(9), t + US(20));
    }
    scenario_ask(s, "skill run copies @");
    found = scenario_real(s, "copies", "count = 10", "small_share");
    scenario_free(s);
    return found;
}

TEST(test_a_small_copy)
{
    assert_float_equal(small_share((64 << 10) - 8), 100, 0.01);
    assert_float_equal(small_share((64 << 10) + 8), 0, 0.01);
}

/* ---- idle time: PROMPT 15 us, LONG_LAUNCH_MEDIANS 10 ---- */

static int64_t idle_by(struct scenario *s, const char *cause)
{
    char where[100];

    (void)snprintf(where, sizeof where, "cause = '%s'", cause);
    scenario_ask(s, "skill run idle @");
    return scenario_sum(s, "idle_causes", where, "idle_ns");
}

/* Idle time without a known reason, if kernels begin so long after their calls returned. */
static int64_t unexplained(int64_t delay)
{
    struct scenario *s = scenario_new();
    int64_t thread = begin(s);
    int64_t found;

    for (int i = 0; i < 20; i++) {
        int64_t t = MS(1) + i * MS(1);

        scenario_launch(s, thread, t, 0, 7, "gemm", t + US(5) + delay, t + US(900));
    }
    found = idle_by(s, "why is not known");
    scenario_free(s);
    return found;
}

TEST(test_a_prompt_kernel)
{
    assert_int_equal(unexplained(US(14.5)), 0);
    assert_true(unexplained(US(15.5)) > 0);
}

/* Idle time in long launch calls: every 8th of calls of 20 us takes so long. */
static int64_t in_long_launches(int64_t ns)
{
    struct scenario *s = scenario_new();
    int64_t thread = begin(s);
    int64_t found;

    for (int i = 0; i < 40; i++) {
        int64_t t = MS(1) + i * MS(1), end = t + (i % 8 == 7 ? ns : US(20));
        int64_t call = scenario_call(s, thread, "cudaLaunchKernel_v7000", t, end);

        scenario_kernel(s, call, 0, 7, "gemm", end + US(3), t + MS(1) - US(1));
    }
    found = idle_by(s, "long launch call");
    scenario_free(s);
    return found;
}

TEST(test_a_long_launch)
{
    assert_int_equal(in_long_launches(US(190)), 0);
    assert_true(in_long_launches(US(210)) > 0);
}

/* ---- STORM_RATE: 50000 calls a second ---- */

static int storms(int64_t period)
{
    struct scenario *s = scenario_new();
    int64_t thread = begin(s);
    int found;

    for (int i = 0; i < 2000; i++) {
        int64_t t = MS(10) + i * period;

        scenario_launch(s, thread, t, 0, 7, "stencil", t + US(8), t + US(12));
    }
    scenario_ask(s, "report --json @");
    found = scenario_count(s, "storm_by_gpu", "is_launch_storm");
    scenario_free(s);
    return found;
}

TEST(test_a_storm)
{
    assert_int_equal(storms(US(20.5)), 0);
    assert_int_equal(storms(US(19.5)), 1);
}
