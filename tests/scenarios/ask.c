/*
 * Questions in people's words: each goes to the skill that answers it, with the right figures.
 */
#include "scenarios/scenario.h"

#include <stdio.h>
#include <string.h>

/* 20 steps of 10 ms: two layers with a large and a small kernel, a copy of 1 MB, an all-reduce, and
 * 1 ms of nothing. */
static void make_training(struct scenario *s)
{
    int64_t thread = scenario_thread(s, 4100, 4100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 20; i++) {
        int64_t t = MS(10) * i + MS(1);
        int64_t copy = scenario_call(s, thread, "cudaMemcpyAsync_v3020", t, t + US(10));

        scenario_range(s, thread, "train step", t, t + MS(10));
        scenario_range(s, thread, "self attention", t + US(20), t + US(120));
        scenario_copy(s, copy, 0, 7, HOST_TO_DEVICE, false, 1 << 20, t + US(20), t + US(70));
        scenario_launch(s, thread, t + US(30), 0, 7,
                        "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64", t + US(80),
                        t + MS(6));
        scenario_launch(s, thread, t + US(150), 0, 7, "vectorized_elementwise_kernel", t + MS(6),
                        t + MS(7));
        scenario_launch(s, thread, t + US(200), 0, 20, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL",
                        t + MS(7), t + MS(9));
        scenario_call(s, thread, "cudaStreamSynchronize_v3020", t + US(300), t + MS(9));
    }
}

struct asked {
    const char *question, *skill, *says; /* skill NULL: declined */
};

static const struct asked asked[] = {
    {"why is step 12 slow", "iteration_detail -p iteration=12", "Iteration 12 is not slow"},
    {"how long is iteration #4?", "iteration_detail -p iteration=4", "it lasts 10.0 ms"},
    {"what happens in iteration 3?", "iteration_detail -p iteration=3", "sm90_xmma_gemm"},
    {"what happens in the last step", "iteration_detail -p iteration=19", "Iteration 19"},
    {"is it memory-bound?", "kernel_metrics", "Timing cannot tell"},
    {"which thread launches most kernels", "cpu_gpu_pipeline", "Thread 4100"},
    {"which kernel dominates step 3", "iteration_detail -p iteration=3", "5.92 ms in 1"},
    {"which steps are slow?", "iteration_stats", "median"},
    {"how long is an iteration", "iteration_stats", "10.0 ms"},
    {"why is my GPU idle?", "idle", "GPU 0 is idle"},
    {"where do the bubbles come from", "idle", "idle"},
    {"is it cpu-bound or gpu-bound?", "bound", "GPU 0"},
    {"what is the bottleneck", "bound", "GPU 0"},
    {"which kernel is the hottest?", "top_kernels", "sm90_xmma_gemm"},
    {"what are the most expensive kernels", "top_kernels", "20 launches"},
    {"how much communication is exposed", "exposed", "40.0 ms"},
    {"does communication overlap with compute?", "exposed", "40.0 ms"},
    {"which collectives take longest", "nccl_breakdown", "AllReduce"},
    {"how expensive is the allreduce", "nccl_breakdown", "AllReduce"},
    {"how fast are the copies?", "copies", "host to device"},
    {"which memcpy calls are pageable", "copies", "pinned"},
    {"how much memory is used", "gc_impact", "Neither memory in use"},
    {"do we use tensor cores?", "tensor_core_usage", "100.0 %"},
    {"what MFU do we reach", "mfu", "No MFU"},
    {"are CUDA graphs used", "graphs", "GPU 0"},
    {"what is the launch overhead?", "launch", "launch calls take"},
    {"how long do we block in synchronize", "sync", "synchronizing calls"},
    {"which layer takes longest?", "layers", "self attention"},
    {"attention", "name_totals -p name=attention", "self attention (NVTX range): 20 in all"},
    {"which stream is busiest?", "stream_concurrency", "stream 7 of GPU 0"},
    {"how many kernels are there", "gpu_summary", "60 kernels"},
    {"what is the longest gap", "idle", "The longest gap of GPU 0 takes 1.0"},
    {"which single kernel is the longest", "kernel_instances", "5.92 ms"},
    {"how long does the gemm take", "name_totals -p name=gemm", "20 in all, 5.92 ms on average"},
    {"how much time goes to 'vectorized_elementwise'?",
     "name_totals -p name=vectorized_elementwise", "20.0 ms of GPU work"},
    {"vectorized_elementwise_kernel", "name_totals -p name=vectorized_elementwise_kernel",
     "20 in all"},
    {"how long does cudaMemcpyAsync take", "name_totals -p name=cudaMemcpyAsync -p type=api",
     "10.0 µs on average"},
    {"how many streams are used", "gpu_summary", "(streams: 2)"},
    {"how long is the recording?", "gpu_summary", "(200 ms)"},
    {"which GPU is the busiest", "gpu_summary", "GPU 0 runs kernels longest"},
    {"why is the GPU waiting", "idle", "GPU 0 is idle"},
    {"is the launch late on the CPU", "launch", "launch calls take"},
    {"how many streams run in parallel", "concurrency", "at once"},
    {"what is the potential speedup?", "ceiling", "at most"},
    {"can I trust this recording", "quality", "launch"},
    {"what should I fix first?", "findings", ""},
    {"how do I make this faster", "findings", ""},
    {"give me an overview", "gpu_summary", "60 kernels"},
    {"how long does module loading take", "module_loading", "No loading"},
    {"does the garbage collector run", "gc_impact", "No allocations"},
    {"Why is my GPU not fully used?", "idle", "GPU 0 is idle"},
    {"where do we lose the most time", "findings", ""},
    {"what does the CPU do while the GPU waits", "idle", "Most idle time of GPU 0"},
    {"do we wait for the data loader", "idle", "Most idle time of GPU 0"},
    {"is the input pipeline slow", "idle", "Most idle time of GPU 0"},
    {"what do my threads wait for", "idle", "Most idle time of GPU 0"},
    {"how many kernels are launched per step", "iteration_timing", "3 kernels"},
    {"what is the critical path of an iteration", "critical_path", "of the critical path"},
    {"which NVTX range launches the most GPU work", "nvtx_tree", "train step"},
    {"does the optimizer take long", "name_totals -p name=optimizer", "No kernel or range"},
    {"is the GIL a problem", "name_totals -p name=GIL", "Python's lock"},
    {"does python's garbage collector hurt", "gc_impact", "No allocations"},
    {"is the GPU throttling", "iteration_stats", "not recorded"},
    {"how fast is decode", "iteration_stats", "decoding step"},
    {"is there unified memory migration", "copies", "host to device"},
    {"is this recording any good", "quality", "launch"},
    {"what is the weather", NULL, "no question"},
    {"sing me a song", NULL, "no question"},
    {"what is the capital of France", NULL, "no question"},
    {"who won the world cup", NULL, "no question"},
    {"tell me a joke", NULL, "no question"},
};

static void check(struct scenario *s, const struct asked *of)
{
    char line[300];

    snprintf(line, sizeof line, "ask @ \"%s\"", of->question);
    scenario_ask(s, line);
    if (!strstr(scenario_text(s, "answer", "part = 'Answer'", "text"), of->says))
        fail_msg("%s: %s", of->question, scenario_text(s, "answer", "part = 'Answer'", "text"));
    if (of->skill) {
        snprintf(line, sizeof line, "nsyscope skill run %s FILE", of->skill);
        assert_string_equal(scenario_text(s, "answer", "part = 'Check with'", "text"), line);
        assert_int_equal(scenario_count(s, "answer", "part IN ('Confidence', 'Do')"), 2);
    } else {
        assert_true(scenario_count(s, "answer", "part = 'Nearest'") > 0);
        assert_int_equal(scenario_count(s, "answer", "part = 'Evidence'"), 0);
    }
    assert_true(strlen(scenario_output(s)) < 8000);
}

static void test_questions(void **state)
{
    struct scenario *s = *state;

    make_training(s);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        check(s, &asked[i]);
}

/* ---- a time, a GPU, a stream, iterations ---- */

struct narrowed {
    const char *question, *says;
    int64_t t0, t1; /* the window of the answer */
};

/* 20 steps of 10 ms from 1 ms on; the first event of the recording is the first step. */
static const struct narrowed narrowed[] = {
    {"what happens between 21 ms and 41 ms?", "Between 0.021", MS(21), MS(41)},
    {"why is the GPU idle from 0.021 s to 0.041 s", "GPU 0 is idle for 2.", MS(21), MS(41)},
    {"how many kernels run between 21 and 41 ms", "6 kernels", MS(21), MS(41)},
    {"top kernels in 21ms-41ms", "2 launches", MS(21), MS(41)},
    {"which kernels take longest between 0.021 and 0.041", "2 launches", MS(21), MS(41)},
    {"first 10 ms", "In the first 10.0 ms of the recording", MS(1), MS(11)},
    {"what happens in the last 20000 us?", "In the last 20.0 ms", MS(181), MS(201)},
    {"how idle is the gpu in the last second", "In the last 1.00 s", MS(1), MS(201)},
    {"what happens after 0.181 s", "Between 0.181", MS(181), MS(201)},
    {"which kernels run before 21 ms?", "2 launches", MS(1), MS(21)},
    {"what happens at 35 ms", "In iteration 3, which holds 0.035", MS(31), MS(41)},
    {"iterations 3 to 5", "In iterations 3 to 5", MS(31), MS(61)},
    {"why is the gpu idle in steps 3-5?", "In iterations 3 to 5: GPU 0 is idle for 3.", MS(31),
     MS(61)},
    {"how much communication is exposed in iteration 3", "2.00 ms of it exposed", MS(31), MS(41)},
    {"what happens in the first 2 steps", "In iterations 0 to 1", MS(1), MS(21)},
    {"why is the gpu idle in the last step", "In iteration 19: GPU 0", MS(191), MS(201)},
    {"which kernel is the hottest on stream 20", "AllReduce", MS(1), MS(201)},
    {"what runs on GPU 0", "GPU 0", MS(1), MS(201)},
    {"kernels longer than 1 ms", "sm90_xmma_gemm", MS(1), MS(201)}, /* a duration is no time */
};

static void test_places(void **state)
{
    struct scenario *s = *state;

    make_training(s);
    for (size_t i = 0; i < sizeof narrowed / sizeof *narrowed; i++) {
        const struct narrowed *of = &narrowed[i];
        char line[300];
        const char *window;

        snprintf(line, sizeof line, "ask @ \"%s\"", of->question);
        scenario_ask(s, line);
        if (!strstr(scenario_text(s, "answer", "part = 'Answer'", "text"), of->says))
            fail_msg("%s: %s", of->question, scenario_text(s, "answer", "part = 'Answer'", "text"));
        window = strstr(scenario_output(s), "\"window\"");
        snprintf(line, sizeof line, "%lld", (long long)of->t0);
        if (!window || !strstr(window, line))
            fail_msg("%s: does not begin at %s", of->question, line);
        snprintf(line, sizeof line, "%lld", (long long)of->t1);
        if (!strstr(window, line))
            fail_msg("%s: does not end at %s", of->question, line);
    }
}

/* What is not there is told so, and nothing is measured. */
static void test_places_that_are_not_there(void **state)
{
    static const char *const questions[][2] = {
        {"what happens between 5 s and 6 s", "Nothing is recorded then"},
        {"why is the gpu idle at 3.5 s", "Nothing is recorded then"},
        {"why is step 99 slow", "There are 20 iterations, from 0 to 19"},
        {"what happens in iterations 18 to 25", "There are 20 iterations"},
        {"why is GPU 3 idle", "GPU 3 has no part"},
        {"how busy is stream 8", "No work on a stream 8 is recorded"},
        {"how long does backprop take?", "has backprop in its name"},
        {"how long does 'no_such_kernel' take", "has no_such_kernel in its name"}};
    struct scenario *s = *state;

    make_training(s);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        char line[300];

        snprintf(line, sizeof line, "ask @ \"%s\"", questions[i][0]);
        scenario_ask(s, line);
        if (!strstr(scenario_text(s, "answer", "part = 'Answer'", "text"), questions[i][1]))
            fail_msg("%s: %s", questions[i][0],
                     scenario_text(s, "answer", "part = 'Answer'", "text"));
        assert_int_equal(scenario_count(s, "answer", "part = 'Evidence'"), 0);
    }
}

/* A step that idles 6 ms longer than its like is slow, and its idle time is named; its twin is not. */
static void test_a_slow_step(void **state)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 4100, 4100, "python");
    int64_t t = MS(1);

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 20; i++) {
        int64_t period = i == 12 ? MS(16) : MS(10);

        scenario_range(s, thread, "train step", t, t + period);
        scenario_launch(s, thread, t + US(30), 0, 7, "gemm_kernel", t + US(80), t + MS(9));
        scenario_call(s, thread, "cudaStreamSynchronize_v3020", t + US(300), t + MS(9));
        t += period;
    }
    scenario_ask(s, "ask @ 'why is step 12 slow?'");
    assert_string_equal(scenario_text(s, "answer", "part = 'Answer'", "text"),
                        "Iteration 12 is slow: it lasts 16.0 ms, the median of its kind is 10.0 "
                        "ms. What differs most is idle time: 7.08 ms here, 1.08 ms usually.");
    scenario_ask(s, "ask @ 'why is step 11 slow?'");
    assert_non_null(
        strstr(scenario_text(s, "answer", "part = 'Answer'", "text"), "Iteration 11 is not slow"));
}

/* ---- layers ---- */

/* 8 steps of 12 layers; layer 7 takes `slow` times as long as the others. */
static void make_layers(struct scenario *s, double slow)
{
    int64_t thread = scenario_thread(s, 4100, 4100, "python");
    int64_t t = MS(1);

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 8; i++) {
        char text[40];
        int64_t start = t;

        snprintf(text, sizeof text, "step %d", i);
        for (int k = 0; k < 12; k++) {
            int64_t length = k == 7 ? (int64_t)(slow * (double)US(500)) : US(500);
            char layer[40];

            snprintf(layer, sizeof layer, "layer%02d", k);
            scenario_range(s, thread, layer, t, t + US(40));
            scenario_launch(s, thread, t + US(10), 0, 7, "gemm_kernel", t + US(30),
                            t + US(30) + length);
            t += length + US(50);
        }
        scenario_range(s, thread, text, start, t);
    }
}

static void test_the_slowest_layer(void **state)
{
    struct scenario *s = *state;

    make_layers(s, 3);
    scenario_ask(s, "ask @ 'which layer is slowest?'");
    assert_string_equal(scenario_text(s, "answer", "part = 'Answer'", "text"),
                        "Of 12 ranges layer#, layer07 takes most GPU work: 12.0 ms in 8 instances, "
                        "300.0 % of their median; the slowest takes 5 % more than the median, or "
                        "more.");
    scenario_ask(s, "skill run layers @");
    assert_int_equal(scenario_count(s, "layers", "path LIKE '%layer%'"), 1);
    assert_int_equal(scenario_count(s, "numbered_layers", NULL), 12);
    scenario_ask(s, "skill run layers @ -p fold=off -p limit=0");
    assert_int_equal(scenario_count(s, "layers", "path LIKE '%layer%'"), 8 * 12);
    assert_int_equal(scenario_int(s, "layers", "path = 'step 3 / layer07'", "work_ns"), US(1500));
    scenario_ask(s, "skill run projection @ -p fold=off -p limit=0");
    assert_int_equal(scenario_int(s, "projection", "path = 'step 3'", "work_ns"), US(7000));
    scenario_ask(s, "skill run nvtx_tree @ -p fold=off -p limit=0");
    assert_int_equal(scenario_int(s, "nvtx_tree", "range = 'layer07'", "gpu_work_ns"), US(1500));
    scenario_ask(s, "skill run nvtx_tree @");
    assert_int_equal(scenario_count(s, "nvtx_tree", "range LIKE '%layer%'"), 1);
    assert_int_equal(scenario_run(s, "skill run layers @ -p fold=maybe"), 2);
}

/* Layers that are alike: none is blamed. */
static void test_layers_alike(void **state)
{
    struct scenario *s = *state;

    make_layers(s, 1.02);
    scenario_ask(s, "ask @ 'which layer is slowest?'");
    assert_non_null(strstr(scenario_text(s, "answer", "part = 'Answer'", "text"),
                           "none stands out: all are within 5 % of the median"));
}

/* One rank alone: nobody can be late, and it says which exports are needed. */
static void test_one_rank(void **state)
{
    struct scenario *s = *state;

    make_training(s);
    scenario_ask(s, "ask @ 'is rank 1 slower than rank 0?'");
    assert_non_null(
        strstr(scenario_text(s, "answer", "part = 'Answer'", "text"), "Nobody can be called late"));
}

#define SCENARIO(name) cmocka_unit_test_setup_teardown(name, scenario_setup, scenario_teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {SCENARIO(test_questions),
                                              SCENARIO(test_places),
                                              SCENARIO(test_places_that_are_not_there),
                                              SCENARIO(test_a_slow_step),
                                              SCENARIO(test_the_slowest_layer),
                                              SCENARIO(test_layers_alike),
                                              SCENARIO(test_one_rank)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
