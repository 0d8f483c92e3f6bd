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
    {"why is step 12 slow", "iteration_detail -p iteration=12", "sm90_xmma_gemm"},
    {"what happens in iteration 3?", "iteration_detail -p iteration=3", "Iteration 3"},
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
    {"attention", "search -p name=attention", "attention"},
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
    {"does the optimizer take long", "search -p name=optimizer", "No kernel or range"},
    {"is the GIL a problem", "search -p name=GIL", "Python's lock"},
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
    static const struct CMUnitTest tests[] = {SCENARIO(test_questions), SCENARIO(test_one_rank)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
