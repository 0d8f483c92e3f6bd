/*
 * Serving in scenarios: the bounds of unnamed iterations, prefill and decode, drafts and their
 * target.
 */
#include "scenarios/flow.h"
#include "scenarios/loop.h"
#include "scenarios/scenario.h"

#include <string.h>

static void has_no_note(struct scenario *s, const char *words)
{
    if (strstr(scenario_output(s), words))
        fail_msg("\"%s\" in: %.2000s", words, scenario_output(s));
}

/* n tokens by a graph, of which every m-th, from the k-th on, is a prefill of 24 layers instead. */
static int serve_prefills(struct scenario *s, int n, int m, int k)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < n; i++) {
        flow_copy(&f, HOST_TO_DEVICE, 2048, US(2));
        flow_copy(&f, HOST_TO_DEVICE, 1024, US(2));
        for (int layer = 0; layer < 24 && i % m == k; layer++)
            flow_layer(&f, MS(1));
        if (i % m != k)
            flow_run_graph(&f, 7, MS(4));
        flow_run(&f, "topk_topp_sampling_kernel", US(20));
        flow_copy(&f, DEVICE_TO_HOST, 512, US(2));
        flow_synchronize(&f);
        f.host += US(100);
    }
    return loop_iterations(s);
}

/* Truth: 100 iterations, of which 4 are prefills. Their layers recur 96 times in all, as often as the
 * graph, and are no iterations. */
SCENARIO(test_as_many_layers_as_tokens)
{
    assert_int_equal(serve_prefills(*state, 100, 25, 0), 100);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
}

SCENARIO(test_as_many_layers_as_tokens_later)
{
    assert_int_equal(serve_prefills(*state, 100, 25, 7), 100);
    assert_int_equal(scenario_count(*state, TIMING, "kind = 1"), 4);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
}

/* Truth: one prefill among the tokens launches no graph. It is of another kind, and not slow. */
SCENARIO(test_one_prefill_is_not_slow)
{
    assert_int_equal(serve_prefills(*state, 100, 50, 0), 100);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
    scenario_findings(*state);
    loop_is_quiet(*state, "slow-iterations");
}

/* 50 passes under a range; every ten the batch has another size. */
static void serve_sizes(struct scenario *s, bool has_graphs_of_its_own)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 50; i++) {
        int size = i / 10 % 3;
        int64_t start = f.host;

        flow_copy(&f, HOST_TO_DEVICE, 4096, US(2));
        flow_run_graph(&f, has_graphs_of_its_own ? 3 + size : 3, MS(6 + size));
        flow_copy(&f, DEVICE_TO_HOST, 512, US(2));
        flow_synchronize(&f);
        scenario_range(s, f.thread, "execute_model", start, f.host);
    }
    assert_int_equal(loop_iterations(s), 50);
}

/* Truth: each size has a graph: none is slow, and no level changes. */
SCENARIO(test_a_graph_for_each_size)
{
    serve_sizes(*state, true);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
    scenario_findings(*state);
    loop_is_quiet(*state, "level-change");
    loop_is_quiet(*state, "slow-iterations");
}

/* The near miss: one graph takes longer and shorter. Nothing in the export says why. */
SCENARIO(test_one_graph_of_several_lengths)
{
    serve_sizes(*state, false);
    assert_int_equal(scenario_count(*state, TIMING, "kind > 0"), 0);
}

static void inputs(struct flow *f)
{
    for (int i = 0; i < 3; i++)
        flow_copy(f, HOST_TO_DEVICE, 512, US(2));
}

static void sample(struct flow *f)
{
    flow_run(f, "sm90_gemm_lm_head", US(200));
    flow_run(f, "topk_topp_sampling_kernel", US(30));
    flow_copy(f, DEVICE_TO_HOST, 64, US(2));
    flow_synchronize(f);
    f->host += US(400);
}

static void prefill(struct flow *f)
{
    inputs(f);
    for (int i = 0; i < 16; i++)
        flow_layer(f, US(300));
    sample(f);
}

static void decode(struct flow *f, int graph, int64_t ns)
{
    inputs(f);
    flow_run_graph(f, graph, ns);
    sample(f);
}

/* vLLM without ranges: 5 prefills of eager kernels among 60 tokens by a graph; the first is a
 * prefill. 65 iterations of two kinds, each from its input to its result, on the host, which waits
 * for each; none is slow. */
SCENARIO(test_prefill_and_decode_without_ranges)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++) {
        if (i % 13 == 0)
            prefill(&f);
        decode(&f, 7, MS(4));
    }
    assert_int_equal(loop_iterations(s), 65);
    assert_int_equal(scenario_count(s, TIMING, "kind = 1"), 5);
    assert_int_equal(scenario_count(s, TIMING, "slow = 'yes'"), 0);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 0", "kind"), 1);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 1", "kind"), 0);
    has_no_note(s, "runs ahead");
}

/* Graphs of three batch sizes, 30 tokens each: 90 iterations, not 89. */
SCENARIO(test_graphs_of_several_sizes)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 90; i++)
        decode(&f, 7 + i / 30, MS(4));
    assert_int_equal(loop_iterations(s), 90);
    has_no_note(s, "runs ahead");
}

/* Four drafts by one graph, then their target by another and the result: 40 iterations, not 160. */
SCENARIO(test_drafts_are_parts)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        flow_copy(&f, HOST_TO_DEVICE, 512, US(2));
        for (int k = 0; k < 4; k++) {
            flow_run_graph(&f, 50, US(300));
            flow_run(&f, "argmax_kernel", US(8));
        }
        flow_run_graph(&f, 60, MS(4));
        sample(&f);
    }
    assert_int_equal(loop_iterations(s), 40);
}

/* The near miss: tokens by one graph are iterations even if the host reads four results at a
 * time. */
SCENARIO(test_tokens_read_by_fours_are_tokens)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 120; i++) {
        flow_run_graph(&f, 50, MS(2));
        flow_run(&f, "argmax_kernel", US(8));
        if (i % 4 == 3) {
            flow_copy(&f, DEVICE_TO_HOST, 64, US(2));
            flow_synchronize(&f);
        }
    }
    assert_int_equal(loop_iterations(s), 120);
}

/* One prefill, then tokens, with ranges that name them: the 60 tokens recur. */
SCENARIO(test_one_prefill_then_tokens)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 61; i++) {
        int64_t start = f.host;

        if (i == 0)
            prefill(&f);
        else
            decode(&f, 3, MS(2));
        scenario_range(s, f.thread, i == 0 ? "prefill" : "decode_token", start, f.host);
    }
    assert_int_equal(loop_iterations(s), 60);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* The near miss: decode_jpeg on the main thread is not a pass of a server; the 12 steps are the
 * iterations. */
SCENARIO(test_decoded_images_are_none)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 12; i++) {
        int64_t start;

        for (int k = 0; k < 4; k++) {
            start = f.host;
            flow_run(&f, "nvjpeg_decode_kernel", US(20));
            scenario_range(s, f.thread, "decode_jpeg", start, f.host);
        }
        start = f.host;
        flow_train_step(&f, MS(5));
        scenario_range(s, f.thread, "train_step", start, f.host);
    }
    assert_int_equal(loop_iterations(s), 12);
}

/* The recording begins and ends in the middle of a step: 10 whole steps from their input on, none
 * slow, none warm-up. */
SCENARIO(test_cut_at_both_ends)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 3; i++)
        flow_layer(&f, MS(1));
    flow_run(&f, "multi_tensor_apply_adam", MS(1));
    flow_copy(&f, DEVICE_TO_HOST, 4, US(2));
    flow_synchronize(&f);
    for (int i = 0; i < 10; i++)
        flow_train_step(&f, MS(5));
    flow_copy(&f, HOST_TO_DEVICE, 1 << 20, US(50));
    flow_layer(&f, MS(1));
    assert_int_equal(loop_iterations(s), 10);
    assert_int_equal(scenario_count(s, TIMING, "slow = 'yes'"), 0);
    has_no_note(s, "warm-up");
    scenario_near(scenario_int(s, TIMING, "iteration = 0", "duration_ns"),
                  scenario_int(s, TIMING, "iteration = 5", "duration_ns"), 2);
}

/* ---- more sizes than kinds ---- */

/* 240 tokens. Three of four come from a batch of one; the others, in no order, from batches of 2 to 8, each
 * with a graph of its own. graphs: false: one graph for all. */
static void serve_many_sizes(struct scenario *s, bool graphs)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 240; i++) {
        int size = i * i % 4 == 1 && i % 3 ? 2 + i * 5 % 7 : 1;

        inputs(&f);
        flow_run_graph(&f, graphs ? size : 1, MS(3 + size) + US(i % 7 * 5));
        flow_run(&f, "topk_topp_sampling_kernel", US(30));
        flow_copy(&f, DEVICE_TO_HOST, 64, US(2));
        flow_synchronize(&f);
    }
    assert_int_equal(loop_iterations(s), 240);
}

/* Truth: a larger batch is no slow token, though there are more sizes than kinds. */
SCENARIO(test_more_sizes_than_kinds)
{
    serve_many_sizes(*state, true);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
    scenario_findings(*state);
    loop_is_healthy(*state);
}

/* The near miss: one graph takes longer now and then; nothing in the export says why. */
SCENARIO(test_one_graph_that_is_slow_at_times)
{
    serve_many_sizes(*state, false);
    assert_true(scenario_count(*state, TIMING, "slow or kind > 0") > 20);
}

/* 60 tokens of `pieces` graphs, each of its own, with an attention kernel between two of them. */
static int serve_piecewise(struct scenario *s, int pieces)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++) {
        flow_copy(&f, HOST_TO_DEVICE, 2048, US(2));
        for (int piece = 0; piece < pieces; piece++) {
            flow_run_graph(&f, 10 + piece, US(180));
            if (piece + 1 < pieces)
                flow_run(&f, "flash_fwd_splitkv_kernel", US(40));
        }
        flow_run(&f, "topk_topp_sampling_kernel", US(20));
        flow_copy(&f, DEVICE_TO_HOST, 512, US(2));
        flow_synchronize(&f);
        f.host += US(100);
    }
    return loop_iterations(s);
}

/* Truth: vLLM cuts a pass into graphs at each attention: 60 iterations, not 60 x 32 layers. */
SCENARIO(test_piecewise_graphs)
{
    assert_int_equal(serve_piecewise(*state, 33), 60);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
}

/* The near miss: 300 passes of one graph each, of four sizes in no order: each is an iteration. */
SCENARIO(test_graphs_of_four_sizes)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 300; i++) {
        int size = (i * 7 + i / 5) % 4;

        flow_run_graph(&f, 10 + size, MS(2) + size * US(500));
        flow_run(&f, "topk_topp_sampling_kernel", US(20));
        flow_synchronize(&f);
        f.host += US(50);
    }
    assert_int_equal(loop_iterations(s), 300);
}

/* 100 frames, each one call that launches a kernel, or the nodes of a graph. */
static int draw_frames(struct scenario *s, const char *call, int nodes)
{
    int64_t thread = scenario_thread(s, 100, 100, "sim");
    int64_t t = MS(1);

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 100; i++) {
        int64_t id = scenario_call(s, thread, call, t, t + US(15));

        for (int k = 0; k < nodes; k++)
            scenario_kernel(s, id, 0, 7, k % 2 ? "eval_springs" : "integrate_particles",
                            t + US(20) + k * US(31), t + US(50) + k * US(31));
        t += US(20) + nodes * US(31) + US(6);
        (void)scenario_call(s, thread, "cudaStreamSynchronize_v3020", t - US(9), t);
    }
    return loop_iterations(s);
}

/* Truth: a graph recorded node by node is a frame, as one recorded whole is. */
SCENARIO(test_one_graph_of_nodes)
{
    assert_int_equal(draw_frames(*state, "cudaGraphLaunch_v10000", 60), 100);
}

/* The near miss: one kernel over and over is no period. */
SCENARIO(test_one_kernel_over_and_over)
{
    assert_int_equal(draw_frames(*state, "cudaLaunchKernel_v7000", 1), 0);
}
