/* Healthy recordings: no rule finds a fault, and one line says that they are healthy. */
#include "scenarios/loop.h"

#include <string.h>

static struct scenario *begin(void **state)
{
    scenario_gpu(*state, 0, "NVIDIA H100 80GB HBM3");
    return *state;
}

/* A bf16 loop whose kernels follow each other: idle for 1.2 % of the time. */
SCENARIO(test_busy_loop)
{
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){0});
    scenario_findings(s);
    loop_is_healthy(s);
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'healthy'", "finding"), "1.2 %"));
}

/* One kernel takes all of the time: a fact, no fault. */
SCENARIO(test_one_kernel)
{
    static const char *const one[] = {"triton_poi_fused_add_mul_0", NULL};
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.names = one});
    scenario_findings(s);
    loop_is_healthy(s);
    loop_severity(s, "top-kernel", "info");
}

/* Kernels of 3 us from a deep queue, 250 000 per second: a busy GPU, not a storm. */
SCENARIO(test_tiny_kernels_of_a_deep_queue)
{
    struct scenario *s = begin(state);
    int64_t thread = scenario_thread(s, 100, 100, "python");

    for (int i = 0; i < 2000; i++)
        scenario_launch(s, thread, MS(1) + i * US(2), 0, 7, "void at::native::elementwise_kernel",
                        MS(3) + i * US(4) + i * 50, MS(3) + i * US(4) + i * 50 + US(4));
    scenario_findings(s);
    loop_is_healthy(s);
}

/* loss.item() each step: a pageable copy of 4 bytes and a wait of 100 us, with the GPU idle for 2 %.
 * The copies' share is small, and not 0. */
SCENARIO(test_item_each_step)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.idle = US(150)};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++) {
        int64_t at = loop_step(&loop, i + 1) - US(140);
        int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", at - US(300), at + US(4));

        scenario_copy(s, call, 0, 7, DEVICE_TO_HOST, true, 4, at, at + US(2));
        scenario_call(s, thread, "cudaStreamSynchronize_v3020", at + US(5), at + US(60));
    }
    scenario_findings(s);
    loop_is_healthy(s);
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'healthy'", "finding"),
                           "blocking copies for <0.1 %"));
}

/* All-reduces on their own stream under the backward pass: hidden, so nothing is exposed. */
SCENARIO(test_hidden_communication)
{
    struct scenario *s = begin(state);
    const struct loop loop = {0};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++)
        for (int bucket = 0; bucket < 3; bucket++) {
            int64_t at = loop_step(&loop, i) + MS(3) + bucket * MS(2);

            scenario_launch(s, thread, at - US(20), 0, 20,
                            "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage)",
                            at, at + MS(1.5));
        }
    scenario_findings(s);
    loop_is_healthy(s);
    loop_is_quiet(s, "exposed-communication");
}

/* The next batch is copied from pinned memory on a stream of its own, under the kernels. */
SCENARIO(test_prefetched_batches)
{
    struct scenario *s = begin(state);
    const struct loop loop = {0};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++) {
        int64_t at = loop_step(&loop, i) + MS(2);
        int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", at - US(20), at - US(15));

        scenario_copy(s, call, 0, 13, HOST_TO_DEVICE, false, 50 << 20, at, at + MS(2));
    }
    scenario_findings(s);
    loop_is_healthy(s);
    loop_is_quiet(s, "transfers");
    loop_is_quiet(s, "cpu-utilisation");
}

/* A host that waits at the end of each step for a busy GPU: the wait costs nothing. */
SCENARIO(test_wait_for_a_busy_gpu)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.ahead = MS(8), .start = MS(20)};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 19; i++)
        scenario_call(s, thread, "cudaDeviceSynchronize_v3020", loop_step(&loop, i) + MS(2.1),
                      loop_step(&loop, i) + MS(9.9));
    scenario_findings(s);
    assert_int_equal(loop_faults(s, NULL), 0);
}

/* Decoding by CUDA graphs recorded whole, back to back: opaque, busy, healthy. */
SCENARIO(test_graphs_back_to_back)
{
    struct scenario *s = begin(state);
    int64_t thread = scenario_thread(s, 100, 100, "VLLM::EngineCore");

    for (int i = 0; i < 200; i++) {
        int64_t at = MS(5) + i * MS(5);
        int64_t call =
            scenario_call(s, thread, "cudaGraphLaunch_v10000", at - US(400), at - US(360));

        scenario_graph(s, call, 0, 7, 3, at, at + MS(4.95));
    }
    scenario_findings(s);
    loop_is_healthy(s);
}

/* Two GPUs, both busy: the line gives the share of the worse one. */
SCENARIO(test_two_gpus)
{
    struct scenario *s = begin(state);

    scenario_gpu(s, 1, "NVIDIA H100 80GB HBM3");
    loop_run(s, &(struct loop){0});
    loop_run(s, &(struct loop){.device = 1,
                               .thread = scenario_thread(s, 101, 101, "python"),
                               .idle = US(300)});
    scenario_findings(s);
    loop_is_healthy(s);
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'healthy'", "finding"), "each GPU is at most"));
    loop_is_quiet(s, "cpu-utilisation");
    loop_is_quiet(s, "transfers");
}

/* Two seconds of loading with an idle GPU and slow first steps, then a busy loop: healthy in the
 * steady state. */
SCENARIO(test_slow_start)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.start = MS(2000), .steps = 40};
    int64_t thread = scenario_thread(s, 100, 100, "python");

    for (int i = 0; i < 3; i++)
        scenario_launch(s, thread, MS(10) + i * MS(500), 0, 7, "void at::native::fill_kernel",
                        MS(10.1) + i * MS(500), MS(10.2) + i * MS(500));
    loop_run(s, &(struct loop){.thread = thread, .start = loop.start, .steps = loop.steps});
    scenario_findings(s);
    loop_is_healthy(s);
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'healthy'", "finding"), "the steady state"));
}

/* The sick twin: the same loop with a fifth of each step idle is not healthy. */
SCENARIO(test_idle_loop_is_not_healthy)
{
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.idle = MS(2)});
    scenario_findings(s);
    loop_is_quiet(s, "healthy");
    loop_severity(s, "gpu-idle", "medium");
}

/* The sick twin of hidden communication: after the compute it is exposed for 15 % of the time. */
SCENARIO(test_exposed_is_not_healthy)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.idle = MS(1.6)};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++)
        scenario_launch(s, thread, loop_step(&loop, i) + MS(5), 0, 20,
                        "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage)",
                        loop_step(&loop, i + 1) - MS(1.55), loop_step(&loop, i + 1) - US(20));
    scenario_findings(s);
    loop_is_quiet(s, "healthy");
    loop_severity(s, "exposed-communication", "medium");
    loop_is_quiet(s, "gpu-idle");
}

/* No GPU work at all: nobody can say that it is healthy. */
SCENARIO(test_without_gpu_work)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_range(s, thread, "main", MS(1), MS(90));
    scenario_findings(s);
    loop_is_quiet(s, "healthy");
}

/* 30 kernels of 30 ms, 1 s of the host's work, then 40 steps of a graph of 9 ms. */
static void begin_and_serve(struct scenario *s, const char *kernel)
{
    int64_t thread = scenario_thread(s, 100, 100, "python");
    int64_t t = MS(1);

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 30; i++, t += MS(31))
        scenario_launch(s, thread, t, 0, 20, kernel, t + US(10), t + MS(30));
    t += MS(1000);
    for (int i = 0; i < 40; i++) {
        int64_t call = scenario_call(s, thread, "cudaGraphLaunch_v10000", t, t + US(8));

        scenario_graph(s, call, 0, 7, 1, t + US(12), t + MS(9));
        (void)scenario_call(s, thread, "cudaStreamSynchronize_v3020", t + US(20), t + MS(9.01));
        t += MS(9.06);
    }
    scenario_findings(s);
}

/* Truth: NCCL broadcasts the weights for longer than the graphs run. That is the start, not the
 * loop. */
SCENARIO(test_weights_are_broadcast)
{
    struct scenario *s = *state;

    begin_and_serve(s, "ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
    loop_is_healthy(s);
    assert_int_equal(loop_iterations(s), 40);
}

/* The near miss: kernels compute before the loop, for longer than the loop. The loop does not stand
 * for the recording. */
SCENARIO(test_most_work_before_the_loop)
{
    begin_and_serve(*state, "histogram_kernel");
    loop_severity(*state, "gpu-idle", "high");
}

/* A process with 20 steps, and one on another GPU that joins it after the first 5; `idle` of each of its
 * steps its GPU is idle. */
static void join_later(struct scenario *s, int64_t idle)
{
    const struct loop first = {.steps = 20};
    struct loop second = {.device = 1, .steps = 15, .start = MS(60), .idle = idle};

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    scenario_gpu(s, 1, "NVIDIA H100 80GB HBM3");
    loop_run(s, &first);
    second.thread = scenario_thread(s, 200, 200, "python");
    loop_run(s, &second);
    scenario_findings(s);
}

/* Truth: before it joins, its GPU has no work to wait for. */
SCENARIO(test_process_that_joins_later)
{
    join_later(*state, 0);
    loop_is_healthy(*state);
}

/* The sick twin: it is idle for 20 % of its own steps. */
SCENARIO(test_idle_process_that_joins_later)
{
    join_later(*state, MS(2));
    loop_is_quiet(*state, "healthy");
    loop_severity(*state, "gpu-idle", "medium");
}
