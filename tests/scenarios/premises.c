/* Premises of next steps and shares, each with its near miss. */
#include "scenarios/flow.h"
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

static const char *next_of(struct scenario *s, const char *rule)
{
    char where[100];

    snprintf(where, sizeof where, "rule = '%s'", rule);
    return scenario_text(s, "findings", where, "next_step");
}

static void advises(struct scenario *s, const char *rule, const char *words)
{
    const char *next = next_of(s, rule);

    if (!strstr(next, words))
        fail_msg("%s does not advise \"%s\": %s", rule, words, next);
}

static void does_not_advise(struct scenario *s, const char *rule, const char *words)
{
    const char *next = next_of(s, rule);

    if (strstr(next, words))
        fail_msg("%s advises \"%s\": %s", rule, words, next);
}

/* ---- the longest kernel ---- */

/* 30 steps of 10 ms: a kernel of 2 ms, then an all-reduce until the end, for which the host waits. */
static void wait_for_others(struct scenario *s, const char *long_kernel)
{
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 30; i++) {
        int64_t t = MS(1) + i * MS(10);

        scenario_range(s, thread, "train_step", t, t + MS(10) - US(1));
        scenario_launch(s, thread, t + US(1), 0, 7, "nvjet_tst_128x256_64x4_1x2_h_bz_TNT",
                        t + US(10), t + MS(2));
        scenario_launch(s, thread, t + US(10), 0, 20, long_kernel, t + MS(2), t + MS(10));
    }
    scenario_findings(s);
}

/* There is no advice to use Nsight Compute on a kernel that waits for other ranks. */
SCENARIO(test_longest_is_a_collective)
{
    wait_for_others(*state, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage)");
    advises(*state, "top-kernel", "nsyscope ranks");
    does_not_advise(*state, "top-kernel", "ncu-plan");
}

SCENARIO(test_longest_computes)
{
    wait_for_others(*state, "flash_fwd_kernel");
    advises(*state, "top-kernel", "ncu-plan");
    does_not_advise(*state, "top-kernel", "nsyscope ranks");
}

/* 60 tokens: a graph recorded whole, then a kernel that samples. */
static void decode(struct scenario *s, int64_t graph, int64_t sampling)
{
    int64_t thread = scenario_thread(s, 200, 200, "VLLM::EngineCore");
    int64_t t = MS(1);

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 60; i++) {
        int64_t call = scenario_call(s, thread, "cudaGraphLaunch_v10000", t, t + US(8));

        scenario_graph(s, call, 0, 7, 3, t + US(9), t + US(9) + graph);
        scenario_launch(s, thread, t + US(12), 0, 7, "void vllm::topk_softmax<8>",
                        t + US(10) + graph, t + US(10) + graph + sampling);
        scenario_call(s, thread, "cudaStreamSynchronize_v3020", t + US(20),
                      t + US(13) + graph + sampling);
        t += graph + sampling + US(20);
    }
    scenario_findings(s);
}

/* The sampling takes 0.3 % of the GPU's time, although it is the only named kernel. */
SCENARIO(test_kernel_between_graphs)
{
    struct scenario *s = *state;

    decode(s, MS(9), US(30));
    loop_is_quiet(s, "top-kernel");
    loop_fires(s, "opaque-graphs");
    loop_is_healthy(s);
    assert_int_equal(scenario_count(s, "findings", "rule = 'healthy' AND next_step LIKE '%ncu%'"),
                     0);
}

/* Here the kernel takes half. */
SCENARIO(test_kernel_as_long_as_the_graphs)
{
    decode(*state, MS(5), MS(5));
    loop_fires(*state, "top-kernel");
    assert_non_null(strstr(scenario_text(*state, "findings", "rule = 'top-kernel'", "finding"),
                           "time of kernels and graphs"));
}

/* ---- the CPU ---- */

/* 20 steps of 10 ms of compute; then the host is in a call, or works after it, for 3 ms. */
static void hold_up(struct scenario *s, const char *call, const char *wait)
{
    int64_t thread = scenario_thread(s, 100, 100, "python");
    const struct loop loop = {.thread = thread, .period = MS(13), .idle = MS(3)};

    scenario_gpu(s, 0, "NVIDIA A100-SXM4-80GB");
    loop_run(s, &loop);
    for (int i = 0; i < 20; i++) {
        int64_t t = loop_step(&loop, i + 1);

        if (wait)
            scenario_call(s, thread, wait, t - MS(4), t - MS(3) + US(5));
        if (call)
            scenario_call(s, thread, call, t - MS(3) + US(6), t - US(40));
    }
    scenario_findings(s);
}

/* The host synchronizes and copies nothing: no advice about copies. */
SCENARIO(test_waits_without_copies)
{
    hold_up(*state, NULL, "cudaDeviceSynchronize_v3020");
    advises(*state, "sync-while-idle", "wait less often");
    does_not_advise(*state, "sync-while-idle", "copies");
}

SCENARIO(test_waits_in_a_copy)
{
    hold_up(*state, NULL, "cudaMemcpy_v3020");
    assert_non_null(strstr(scenario_text(*state, "findings", "rule = 'sync-while-idle'", "finding"),
                           "cudaMemcpy"));
}

/* The advice is about the calls that take the time. */
SCENARIO(test_instantiates_graphs)
{
    hold_up(*state, "cudaGraphInstantiateWithFlags_v11040", NULL);
    advises(*state, "graph-instantiation", "Instantiate each graph once");
    does_not_advise(*state, "graph-instantiation", "allocator");
}

SCENARIO(test_allocates)
{
    hold_up(*state, "cudaMalloc_v3020", NULL);
    advises(*state, "allocation", "allocator");
    does_not_advise(*state, "allocation", "graph");
}

/* Small copies stand between the gaps of a stream. */
SCENARIO(test_gaps_between_copies)
{
    struct scenario *s = *state;
    const struct loop loop = {.idle = MS(1.3), .ahead = MS(1)};
    int64_t thread;

    scenario_gpu(s, 0, "NVIDIA A100-SXM4-80GB");
    thread = loop_run(s, &loop);
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 500; k++) {
            int64_t at = loop_step(&loop, i + 1) - loop.idle + k * US(2.5);
            int64_t call =
                scenario_call(s, thread, "cudaMemcpyAsync_v3020", at - MS(1), at - MS(1) + US(1));

            scenario_copy(s, call, 0, 7, HOST_TO_DEVICE, false, 4096, at + US(1), at + US(2.4));
        }
    scenario_findings(s);
    advises(s, "gpu-idle", "kernels and copies of a stream");
}

/* 40 steps of 1.1 ms: 14 launches of 9 us with short kernels; then the host sleeps for the rest, or
 * works between the launches. */
static void launch_and_wait(struct scenario *s, bool sleeps)
{
    int64_t thread = scenario_thread(s, 100, 100, "trtllm-bench");

    scenario_gpu(s, 0, "NVIDIA A100-SXM4-80GB");
    for (int i = 0; i < 40; i++) {
        int64_t t = MS(1) + i * US(1100);
        int64_t step = sleeps ? US(14) : US(27);

        scenario_range(s, thread, "timestep", t, t + US(1099));
        for (int k = 0; k < (sleeps ? 14 : 40); k++) {
            int64_t at = t + US(1) + k * step;
            int64_t call = scenario_call(s, thread, "cudaLaunchKernel_v7000", at, at + US(9));

            scenario_kernel(s, call, 0, 7, "axpy_kernel", at + US(10), at + US(14));
        }
        if (sleeps)
            scenario_os(s, thread, "usleep", t + US(200), t + US(1098));
    }
    scenario_findings(s);
}

/* Launch calls take 11 % of the time, and the host sleeps for 80 %: fewer launches would save
 * little. */
SCENARIO(test_launches_beside_a_sleep)
{
    launch_and_wait(*state, true);
    does_not_advise(*state, "sleeps", "CUDA graphs");
    loop_is_quiet(*state, "cpu-bottleneck");
}

SCENARIO(test_launches_alone)
{
    launch_and_wait(*state, false);
    advises(*state, "cpu-bottleneck", "CUDA graphs");
}

/* 40 steps in which one thread launches 20 kernels of 5 us on each of 4 GPUs in turn, with `between`
 * of its own work before each call of 5 us. */
static void launch_for_four(struct scenario *s, int64_t between)
{
    int64_t thread = scenario_thread(s, 100, 100, "trtllm-serve");
    int64_t t = MS(1);

    for (int d = 0; d < 4; d++)
        scenario_gpu(s, d, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 40; i++) {
        int64_t start = t;

        for (int k = 0; k < 80; k++, t += US(5) + between)
            scenario_launch(s, thread, t, k % 4, 7, "elementwise_kernel", t + US(7), t + US(12));
        scenario_range(s, thread, "train_step", start, t - US(1));
    }
    scenario_findings(s);
}

/* Truth: the calls for one GPU take 9 % of the time, but those for all four keep each waiting. */
SCENARIO(test_launches_for_four_gpus)
{
    launch_for_four(*state, US(9));
    assert_int_equal(loop_faults(*state, "cpu-bottleneck"), 1);
    assert_int_equal(
        scenario_count(*state, "findings",
                       "rule = 'cpu-bottleneck' AND next_step LIKE 'Launch less often%' "
                       "AND finding LIKE '%likewise GPUs%'"),
        1);
}

/* The near miss: the thread works for 200 us between two launches, which no graph saves. */
SCENARIO(test_work_for_four_gpus)
{
    launch_for_four(*state, US(200));
    assert_int_equal(loop_faults(*state, "cpu-bottleneck"), 1);
    does_not_advise(*state, "cpu-bottleneck", "Launch less");
}

/* ---- the profiler ---- */

static void tells(struct scenario *s, const char *rule, const char *words)
{
    char where[100];
    const char *evidence;

    snprintf(where, sizeof where, "rule = '%s'", rule);
    evidence = scenario_text(s, "findings", where, "evidence");
    if (!strstr(evidence, words))
        fail_msg("%s does not tell \"%s\": %s", rule, words, evidence);
}

/* Of the 3 ms before each step the profiler flushes for length. */
static void flush_each_step(struct scenario *s, int64_t length)
{
    const struct loop loop = {.period = MS(13), .idle = MS(3)};
    int64_t thread;

    scenario_gpu(s, 0, "NVIDIA A100-SXM4-80GB");
    scenario_sql(s, "CREATE TABLE PROFILER_OVERHEAD (start INTEGER NOT NULL, end INTEGER NOT NULL, "
                    "globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, "
                    "returnValue INTEGER NOT NULL)");
    thread = loop_run(s, &loop);
    for (int i = 0; length && i < 20; i++) {
        int64_t t = loop_step(&loop, i + 1);

        scenario_sql(s, "INSERT INTO PROFILER_OVERHEAD VALUES (%lld, %lld, %lld, NULL, %lld, 0)",
                     (long long)(t - MS(3)), (long long)(t - MS(3) + length), (long long)thread,
                     (long long)scenario_string(s, "CUDA profiling data flush overhead"));
    }
    scenario_findings(s);
}

/* The profiler holds the CPU up: nothing to save, and not a fault of the program. */
SCENARIO(test_profiler_holds_up)
{
    struct scenario *s = *state;

    flush_each_step(s, MS(2.96));
    assert_int_equal(loop_faults(s, NULL), 0);
    advises(s, "gpu-idle", "the profiler itself");
    scenario_ask(s, "skill run bound @");
    assert_string_equal(scenario_text(s, "bound", NULL, "verdict"), "held up by the profiler");
    assert_true(scenario_real(s, "bound", NULL, "starved_share") < 1);
    assert_true(scenario_real(s, "bound", NULL, "idle_share") > 20);
}

/* It does so for a third of the idle time: the finding names what it leaves out. */
SCENARIO(test_profiler_holds_up_for_a_part)
{
    struct scenario *s = *state;

    flush_each_step(s, MS(1));
    tells(s, "gpu-idle", "of the idle time: 95.9 % CPU late");
    tells(s, "cpu-bottleneck", "CPU late for 63.8 % of the idle time");
    tells(s, "cpu-bottleneck", "32.1 % of the idle time, by the profiler itself");
}

SCENARIO(test_the_program_holds_up)
{
    struct scenario *s = *state;

    flush_each_step(s, 0);
    assert_null(
        strstr(scenario_text(s, "findings", "rule = 'cpu-bottleneck'", "evidence"), "not counted"));
    loop_severity(s, "gpu-idle", "medium");
    scenario_ask(s, "skill run bound @");
    assert_string_equal(scenario_text(s, "bound", NULL, "verdict"), "CPU-bound");
}

/* ---- FP32 matrix kernels ---- */

static void multiply_on(struct scenario *s, const char *model)
{
    static const char *const names[] = {"ampere_sgemm_128x64_tn", NULL};

    scenario_gpu(s, 0, model);
    loop_run(s, &(struct loop){.names = names});
    scenario_findings(s);
}

/* The peak of TF32 on a GeForce is that of FP32; bf16 is twice as fast. */
SCENARIO(test_tf32_wins_nothing_on_a_3090)
{
    multiply_on(*state, "NVIDIA GeForce RTX 3090");
    tells(*state, "no-tensor-cores", "bf16 on the tensor cores is 2.0 times");
    does_not_advise(*state, "no-tensor-cores", "allow TF32");
}

SCENARIO(test_tf32_wins_on_an_a10)
{
    multiply_on(*state, "NVIDIA A10");
    tells(*state, "no-tensor-cores", "TF32 on the tensor cores is 2.0 times");
    advises(*state, "no-tensor-cores", "allow TF32");
}

/* A laptop GPU is not in the table: the answer only uses facts about every GPU since Ampere. */
SCENARIO(test_peaks_of_a_laptop)
{
    multiply_on(*state, "NVIDIA GeForce RTX 3060 Laptop GPU");
    tells(*state, "no-tensor-cores", "are not known; the peak of bf16");
    tells(*state, "no-tensor-cores", "at least 2.0 times");
}

/* ---- a start ---- */

/* `copies` of 12 ms each in init_model, then 25 steps; both inside `wrapper`. */
static void load_and_train(struct scenario *s, int copies, const char *wrapper)
{
    struct loop loop = {.thread = scenario_thread(s, 100, 100, "python"), .steps = 25};

    scenario_gpu(s, 0, "NVIDIA A100-SXM4-80GB");
    for (int k = 0; k < copies; k++) {
        int64_t at = MS(5) + k * MS(12);
        int64_t call = scenario_call(s, loop.thread, "cudaMemcpyAsync_v3020", at, at + MS(11.9));

        scenario_copy(s, call, 0, 7, HOST_TO_DEVICE, true, 50000000, at + US(5), at + MS(11.9));
    }
    loop.start = MS(6) + copies * MS(12);
    scenario_range(s, loop.thread, wrapper, MS(4),
                   strcmp(wrapper, "main") == 0 ? loop_step(&loop, 26) : loop.start - US(50));
    loop_run(s, &loop);
    scenario_ask(s, "analyze --whole @");
}

/* The weights take three quarters of the recording, but are copied only once. */
SCENARIO(test_a_long_start_comes_once)
{
    load_and_train(*state, 60, "init_model");
    advises(*state, "transfers", "in the range init_model happen once");
}

/* A range around the whole program is ignored: the copies are described by their memory. */
SCENARIO(test_a_wrapper_is_no_start)
{
    load_and_train(*state, 60, "main");
    advises(*state, "transfers", "pinned");
}

/* ---- launches between graphs ---- */

/* Each of 60 tokens takes a graph of 4 ms, or none, and then 40 kernels of 6 us for the sampling, each
 * launched 30 us after the previous one. */
static void sample_eagerly(struct scenario *s, bool has_graph)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int token = 0; token < 60; token++) {
        if (has_graph)
            flow_run_graph(&f, 3, MS(4));
        flow_synchronize(&f);
        for (int k = 0; k < 40; k++) {
            f.host += US(30);
            flow_run(&f, "sampling_kernel", US(6));
        }
        flow_copy(&f, DEVICE_TO_HOST, 64, US(2));
        flow_synchronize(&f);
    }
}

SCENARIO(test_launches_between_graphs)
{
    sample_eagerly(*state, true);
    scenario_findings(*state);
    advises(*state, "small-launches", "put the launches between them into the graphs");
    does_not_advise(*state, "small-launches", "CUDA graphs,");
}

/* The near miss: no graph is in use. */
SCENARIO(test_launches_without_graphs)
{
    sample_eagerly(*state, false);
    scenario_findings(*state);
    advises(*state, "small-launches", "CUDA graphs,");
}
