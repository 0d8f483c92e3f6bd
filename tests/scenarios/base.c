/* Base figures in scenarios, on which all other subjects build. */
#include "scenarios/scenario.h"

/* Two kernels of 3 and 2 ms with 5 ms between them: busy 5 of 10 ms. */
SCENARIO(test_busy_and_idle)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    scenario_launch(s, thread, MS(0.9), 0, 7, "gemm", MS(1), MS(4));
    scenario_launch(s, thread, MS(8.9), 0, 7, "gemm", MS(9), MS(11));
    scenario_ask(s, "summary @");
    assert_int_equal(scenario_int(s, "gpu_summary", "gpu = 0", "kernels"), 2);
    scenario_near(scenario_int(s, "gpu_summary", "gpu = 0", "kernel_busy_ns"), MS(5), 0);
    scenario_near(scenario_int(s, "gpu_summary", "gpu = 0", "span_ns"), MS(10), 0);
}
