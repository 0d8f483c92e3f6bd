/* Severities follow the share of the time that could be saved, never an absolute time. */
#include "scenarios/loop.h"

#include <string.h>

static struct scenario *begin(void **state)
{
    scenario_gpu(*state, 0, "NVIDIA A100-SXM4-80GB");
    return *state;
}

/* A wait of 3 ms without work, once in 10 s of work: 0.03 % is never medium. */
SCENARIO(test_long_wait_of_a_long_run)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.steps = 100, .period = MS(100), .kernel = MS(1.9)};
    int64_t thread = loop_run(s, &loop);
    int64_t end = loop_step(&loop, 100);

    scenario_call(s, thread, "cudaDeviceSynchronize_v3020", end, end + MS(3));
    scenario_launch(s, thread, end + MS(3.1), 0, 7, "gemm", end + MS(3.2), end + MS(5));
    scenario_findings(s);
    loop_is_healthy(s);
}

/* The same wait of 3 ms in 30 ms of work: 9 % is reported, and is the idle time's cause. */
SCENARIO(test_the_same_wait_of_a_short_run)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.steps = 3};
    int64_t thread = loop_run(s, &loop);
    int64_t end = loop_step(&loop, 3);

    scenario_call(s, thread, "cudaDeviceSynchronize_v3020", end, end + MS(3));
    scenario_launch(s, thread, end + MS(3.1), 0, 7, "gemm", end + MS(3.2), end + MS(5));
    scenario_findings(s);
    loop_severity(s, "gpu-idle", "medium");
    loop_severity(s, "sync-while-idle", "low");
    loop_same_time(s, "sync-while-idle", "gpu-idle");
    loop_leads(s, "sync-while-idle");
}

/* Idle for 7 % is low, for 20 % medium, for 40 % high. */
static void check_idle(void **state, int64_t idle, const char *severity)
{
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.idle = idle});
    scenario_findings(s);
    loop_severity(s, "gpu-idle", severity);
    loop_severity(s, "cpu-bottleneck", severity);
    assert_int_equal(scenario_int(s, "findings", "rule = 'gpu-idle'", "under"), 1);
    loop_leads(s, "cpu-bottleneck");
}

/* Idle for 7 %: low. */
SCENARIO(test_idle_7_percent)
{
    check_idle(state, US(650), "low");
}

/* Idle for 20 %: medium. */
SCENARIO(test_idle_20_percent)
{
    check_idle(state, MS(1.9), "medium");
}

/* Idle for 40 %: high. */
SCENARIO(test_idle_40_percent)
{
    check_idle(state, MS(3.9), "high");
}

/* Graphs are work: a kernel between graphs takes 100 % of the kernel time but 1 % of the GPU's. */
SCENARIO(test_graphs_are_in_the_denominator)
{
    struct scenario *s = begin(state);
    int64_t thread = scenario_thread(s, 100, 100, "python");

    for (int i = 0; i < 100; i++) {
        int64_t at = MS(5) + i * MS(10);
        int64_t call =
            scenario_call(s, thread, "cudaGraphLaunch_v10000", at - US(400), at - US(360));

        scenario_graph(s, call, 0, 7, 3, at, at + MS(9.8));
        scenario_launch(s, thread, at - US(300), 0, 7, "void sampling_kernel", at + MS(9.81),
                        at + MS(9.95));
    }
    scenario_findings(s);
    loop_is_healthy(s);
    loop_fires(s, "opaque-graphs");
}

/* Two kernels have equal shares: neither is said to be most. */
SCENARIO(test_two_alike)
{
    static const char *const two[] = {"ampere_bf16_s16816gemm_bf16_128x128_tn", "flash_fwd_kernel",
                                      NULL};
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.names = two});
    scenario_findings(s);
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'top-kernel'", "finding"),
                           "The longest kernel takes 50.0 %"));
    loop_fires(s, "top-kernel");
}

/* 60 to 40. */
SCENARIO(test_most_of_two)
{
    static const char *const five[] = {"a", "a", "a", "b", "b", NULL};
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.names = five});
    scenario_findings(s);
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'top-kernel'", "finding"),
                           "One kernel takes 60.0 %"));
    loop_severity(s, "top-kernel", "info");
}

/* Exposed copies for 30 % and idle for 12 %: sorted by the time that could be saved, with facts
 * last. */
SCENARIO(test_order)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.idle = MS(4.1)};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++) {
        int64_t at = loop_step(&loop, i + 1) - MS(4);
        int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", at - US(20), at + MS(3));

        scenario_copy(s, call, 0, 7, HOST_TO_DEVICE, true, 20 << 20, at, at + MS(3));
    }
    scenario_findings(s);
    loop_severity(s, "transfers", "high");
    loop_severity(s, "gpu-idle", "medium");
    assert_int_equal(scenario_int(s, "findings", "rule = 'transfers'", "number"), 1);
    assert_int_equal(scenario_int(s, "findings", "rule = 'gpu-idle'", "under"), 2);
    assert_int_equal(scenario_count(s, "findings", "severity = 'info' AND number <= 2"), 0);
}

/* The table of thresholds is printed, and each fault cites its row. */
SCENARIO(test_thresholds_are_cited)
{
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.idle = MS(2)});
    scenario_findings(s);
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'gpu-idle'", "evidence"),
                           "medium from 10 %, high from 25 %"));
    assert_int_equal(scenario_run(s, "docs findings"), 0);
    assert_non_null(strstr(scenario_output(s), "| 5 % | 10 % | 25 % |"));
}
