/*
 * Iterations where host and GPU go at different paces, where something is done now and then, and
 * where iterations differ in what they launch.
 */
#include "scenarios/flow.h"
#include "scenarios/loop.h"
#include "scenarios/scenario.h"

#include <stdio.h>
#include <string.h>

#define TIMING "iteration_timing"
#define AHEAD  "because the host runs ahead"
#define GATHER "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)"

static int found(struct scenario *s)
{
    scenario_ask(s, "iters @");
    return scenario_count(s, TIMING, NULL);
}

static bool has_note(struct scenario *s, const char *words)
{
    return strstr(scenario_output(s), words) != NULL;
}

/* A step of 28 kernels of `ns` in all, launched in 0.4 ms under a range. */
static void step_ahead(struct flow *f, int64_t ns, bool waits)
{
    int64_t start = f->host;

    for (int k = 0; k < 28; k++)
        flow_run(f, "sm90_gemm", ns / 28);
    if (waits) {
        flow_copy(f, DEVICE_TO_HOST, 4, US(2));
        flow_synchronize(f);
    }
    scenario_range(f->s, f->thread, "step", start, f->host);
    f->host += US(20);
}

/* ---- on whose clock a period is measured ---- */

/* Truth: 14 ms a step. The host reads the loss of every 10th step, so that nine of its ranges last 0.3
 * ms and one 137 ms: the GPU's periods are even, and no step is slow. */
static void test_loss_of_every_tenth_step(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++)
        step_ahead(&f, MS(14), i % 10 == 9);
    assert_int_equal(found(s), 60);
    assert_true(has_note(s, AHEAD));
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    scenario_near(scenario_int(s, "iteration_stats", "figure = 'period'", "median_ns"), MS(14), 1);
    scenario_findings(s);
    loop_is_healthy(s);
}

/* Truth: the same with every third step, of which one takes 40 ms on the GPU: that one is slow. */
static void test_loss_of_every_third_step(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++)
        step_ahead(&f, i == 31 ? MS(40) : MS(14), i % 3 == 2);
    assert_int_equal(found(s), 60);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 1);
    assert_int_equal(scenario_int(s, TIMING, "slow", "iteration"), 31);
}

/* The near miss: the host waits for each step, but for three. Its clock is as good. */
static void test_loss_of_nearly_every_step(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++)
        step_ahead(&f, MS(14), i % 12 != 5);
    assert_int_equal(found(s), 40);
    assert_false(has_note(s, AHEAD));
}

/* The near miss: the host works for 40 ms after every 10th loss, and the GPU has nothing to do. On both
 * clocks these steps are long. */
static void test_work_after_every_tenth_loss(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++) {
        step_ahead(&f, MS(14), i % 10 == 9);
        f.host += i % 10 == 9 ? MS(40) : 0;
    }
    assert_int_equal(found(s), 60);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 5);
    assert_true(has_note(s, "every 10th iteration is slow"));
}

/* ahead: gathers of the weights on a stream of their own, which wait for nothing; else on that of the
 * kernels. */
static void run_gathers(struct scenario *s, bool ahead)
{
    struct flow f = flow_begin(s, 100, 0);
    int64_t gathered = 0;

    for (int i = 0; i < 16; i++)
        for (int layer = 0; layer < 6; layer++) {
            if (ahead) {
                int64_t start = gathered > f.host + US(8) ? gathered : f.host + US(8);

                scenario_launch(s, f.thread, f.host, 0, 24, GATHER, start, start + US(200));
                gathered = start + US(200);
                f.host += US(10);
            } else {
                flow_run(&f, GATHER, US(200));
            }
            flow_layer(&f, MS(2));
            if (layer == 5) {
                flow_run(&f, "cross_entropy_kernel", US(500));
                flow_run(&f, "layer_norm_backward", US(500));
                flow_run(&f, "multi_tensor_apply_adam", US(600));
            }
        }
    assert_int_equal(found(s), 16);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* Truth: 13.6 ms a step on the stream that computes. Gathers run 100 ms ahead of it; the step does not
 * begin where they do. */
static void test_gathers_run_ahead(void **state)
{
    struct scenario *s = *state;

    run_gathers(s, true);
    assert_true(has_note(s, AHEAD));
    scenario_near(scenario_int(s, "iteration_stats", "figure = 'period'", "median_ns"), MS(13.6),
                  1);
}

/* The near miss: on the same stream they are a part of the step. */
static void test_gathers_in_the_stream(void **state)
{
    struct scenario *s = *state;

    run_gathers(s, false);
    scenario_near(scenario_int(s, "iteration_stats", "figure = 'period'", "median_ns"), MS(14.8),
                  1);
}

/* ---- now and then ---- */

/* A step of 5 ms under its range. */
static void short_step(struct flow *f)
{
    int64_t start = f->host;

    flow_train_step(f, MS(5));
    scenario_range(f->s, f->thread, "train_step", start, f->host);
    f->host += US(20);
}

/* Truth: 24 steps. Each 8th is followed by a checkpoint, whose copies take five times as long as the
 * steps before it. */
static void test_checkpoints_that_copy_much(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 24; i++) {
        short_step(&f);
        if (i % 8 == 7) {
            int64_t start = f.host;

            for (int k = 0; k < 20; k++)
                flow_copy(&f, DEVICE_TO_HOST, 32 << 20, MS(10));
            flow_synchronize(&f);
            scenario_range(s, f.thread, "save_checkpoint", start, f.host);
        }
    }
    assert_int_equal(found(s), 24);
    assert_int_equal(scenario_count(s, "interludes", NULL), 2);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* Truth: 24 steps; a validation after each 6th computes twice as long as they do. */
static void test_long_validations(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 24; i++) {
        short_step(&f);
        if (i % 6 == 5) {
            int64_t start = f.host;

            for (int k = 0; k < 30; k++)
                flow_layer(&f, MS(2));
            flow_synchronize(&f);
            scenario_range(s, f.thread, "validation", start, f.host);
        }
    }
    assert_int_equal(found(s), 24);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* The near miss: a program that does nothing but evaluate. */
static void test_evaluations_alone(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 14; i++) {
        int64_t start = f.host;

        flow_train_step(&f, MS(8));
        scenario_range(s, f.thread, "evaluate batch", start, f.host);
    }
    assert_int_equal(found(s), 14);
}

/* Truth: 40 steps of 5 ms, which the host launches far ahead; an evaluation of 40 ms after step 19 is
 * launched ahead, too. It belongs to no step on the GPU either. */
static void test_evaluation_that_is_launched_ahead(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        step_ahead(&f, MS(5), false);
        if (i == 19) {
            int64_t start = f.host;

            for (int k = 0; k < 20; k++)
                flow_run(&f, "sm90_gemm", MS(2));
            scenario_range(s, f.thread, "evaluate", start, f.host);
            flow_copy(&f, DEVICE_TO_HOST, 4, US(2)); /* its result, which is waited for */
            flow_synchronize(&f);
        }
    }
    assert_int_equal(found(s), 40);
    assert_true(has_note(s, AHEAD));
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 19", "kernels"), 28);
    scenario_near(scenario_int(s, TIMING, "iteration = 19", "duration_ns"), MS(5), 1);
    scenario_near(scenario_int(s, "iterations", "iteration = 19", "busy_ns"), MS(5), 1);
}

/* Truth: the same with a host that waits for each step: the work of the evaluation is not that of step
 * 19. */
static void test_evaluation_that_is_waited_for(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        step_ahead(&f, MS(5), true);
        if (i == 19) {
            int64_t start = f.host;

            for (int k = 0; k < 20; k++)
                flow_run(&f, "sm90_gemm", MS(2));
            flow_synchronize(&f);
            scenario_range(s, f.thread, "evaluate", start, f.host);
        }
    }
    assert_int_equal(found(s), 40);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 19", "kernels"), 28);
    scenario_near(scenario_int(s, TIMING, "iteration = 19", "gpu_ns"), MS(5), 1);
    scenario_near(scenario_int(s, TIMING, "iteration = 19", "duration_ns"), MS(5), 2);
}

/* The near miss: the same kernels under no range are work of step 19, which is slow. */
static void test_work_under_no_range(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        step_ahead(&f, MS(5), false);
        for (int k = 0; k < 20 && i == 19; k++)
            flow_run(&f, "sm90_gemm", MS(2));
    }
    assert_int_equal(found(s), 40);
    assert_int_equal(scenario_int(s, TIMING, "slow", "iteration"), 19);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 19", "kernels"), 48);
}

/* A time step of molecular dynamics; a list of neighbours is pruned by `more` kernels of 20 us. */
static void dynamics_step(struct flow *f, int more)
{
    flow_run(f, "nbnxn_kernel_ElecEw_VdwLJ_F_cuda", US(330));
    flow_run(f, "pme_spline_and_spread_kernel", US(60));
    flow_run(f, "vector_fft", US(30));
    flow_run(f, "pme_solve_kernel", US(25));
    flow_run(f, "vector_fft_inverse", US(30));
    flow_run(f, "pme_gather_kernel", US(40));
    for (int k = 0; k < more; k++)
        flow_run(f, k ? "nbnxn_kernel_sort" : "nbnxn_kernel_prune_cuda", US(20) / more);
    flow_run(f, "reduceKernel", US(10));
    flow_run(f, "leapfrog_kernel", US(12));
    flow_run(f, "lincs_kernel", US(25));
    flow_run(f, "settle_kernel", US(8));
}

/* Truth: 100 time steps; every 10th prunes a list, by a kernel or by two. */
static void test_pruning_every_tenth_step(void **state)
{
    for (int more = 1; more <= 2; more++) {
        struct scenario *s = more == 1 ? *state : scenario_new();
        struct flow f = flow_begin(s, 100, 0);

        for (int i = 0; i < 100; i++)
            dynamics_step(&f, i % 10 == 5 ? more : 0);
        assert_int_equal(found(s), 100);
        assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
        if (more == 2)
            scenario_free(s);
    }
}

/* The near miss: 8 forward passes of 32 layers, whose embedding, norm and head take next to nothing. */
static void test_layers_with_a_tiny_head(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 8; i++) {
        flow_run(&f, "embedding_kernel", US(4));
        for (int k = 0; k < 32; k++)
            for (int part = 0; part < 3; part++)
                flow_layer(&f, MS(1));
        flow_run(&f, "rms_norm_final", US(5));
        flow_run(&f, "gemv_head", US(20));
    }
    assert_true(found(s) <= 8);
}

/* The near miss: ten passes, then an optimizer of one short kernel: 8 iterations. */
static void test_passes_with_a_short_update(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 80; i++) {
        dynamics_step(&f, 0);
        if (i % 10 == 9)
            flow_run(&f, "multi_tensor_apply_adam", US(20));
    }
    assert_int_equal(found(s), 8);
}

/* Steps of batches of four shapes in no order, each with kernels of its own; some: a shape launches more
 * than the others. */
static void run_shapes(struct scenario *s, bool some)
{
    struct flow f = flow_begin(s, 100, 0);
    uint32_t dice = 99;

    for (int i = 0; i < 40; i++) {
        char names[3][24];
        uint32_t shape = (dice = dice * 1664525u + 1013904223u) >> 30;

        for (int k = 0; k < 3; k++)
            (void)snprintf(names[k], sizeof names[k], "triton_fused_%d_%u", k, (unsigned)shape);
        flow_copy(&f, HOST_TO_DEVICE, 1 << 15, US(6));
        for (int k = 0; k < 24 + (some ? 5 * (int)shape : 0); k++)
            flow_run(&f, names[k % 3], US(150));
        flow_run(&f, "cross_entropy_kernel", US(30));
        flow_run(&f, "multi_tensor_apply_adam", US(200));
        flow_copy(&f, DEVICE_TO_HOST, 4, US(2));
        flow_synchronize(&f);
        f.host += US(30);
    }
}

/* Truth: 40 steps, equally long in launches, whose kernels differ. */
static void test_batches_of_four_shapes(void **state)
{
    run_shapes(*state, false);
    assert_int_equal(found(*state), 40);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
}

/* The near miss: nothing tells that stretches of several lengths and names are steps. */
static void test_batches_of_four_lengths(void **state)
{
    int n;

    run_shapes(*state, true);
    n = found(*state);
    assert_true(n == 40 || n == 0);
}

/* A rollout of `tokens` graphs, a pass for the reward, four micro-batches and the optimizer. */
static void reinforce(struct flow *f, int tokens)
{
    for (int i = 0; i < tokens; i++) {
        flow_run_graph(f, 21, US(900));
        flow_run(f, "topk_topp_sampler", US(30));
        flow_copy(f, DEVICE_TO_HOST, 4, US(2));
        flow_synchronize(f);
    }
    for (int m = 0; m < 5; m++) {
        flow_run(f, "embedding_kernel", US(20));
        for (int l = 0; l < 5; l++)
            flow_layer(f, US(300));
        flow_run(f, "cross_entropy_kernel", US(30));
        for (int l = 0; l < 5 && m > 0; l++)
            for (int k = 0; k < 2; k++)
                flow_run(f, k ? "flash_bwd_kernel" : "sm90_gemm_backward", US(300));
    }
    flow_run(f, "multi_tensor_apply_adam", US(600));
    flow_synchronize(f);
}

/* Truth: 8 rounds of a rollout of 60 tokens and of training. The micro-batches recur more often, but take
 * a fifth of the time: 8 iterations, or none; nothing is slow. */
static void test_rollouts_and_training(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    int n;

    for (int i = 0; i < 8; i++)
        reinforce(&f, 60);
    n = found(s);
    assert_true(n == 8 || n == 0);
    assert_int_equal(n ? scenario_count(s, TIMING, "slow") : 0, 0);
    scenario_findings(s);
    assert_int_equal(loop_faults(s, "slow-iterations"), 0);
}

/* Truth: 60 time steps with copies of the borders; every 10th also reduces a residual and copies it to
 * the host, and is no second iteration for it. */
static void test_residual_every_tenth_step(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++) {
        flow_run(&f, "pack_halo", US(12));
        flow_run(&f, "pack_halo", US(12));
        flow_copy(&f, DEVICE_TO_HOST, 1 << 18, US(22));
        flow_synchronize(&f);
        f.host += US(60);
        flow_copy(&f, HOST_TO_DEVICE, 1 << 18, US(22));
        flow_run(&f, "stencil_interior", MS(3));
        if (i % 10 == 9) {
            flow_run(&f, "reduce_residual", US(40));
            flow_copy(&f, DEVICE_TO_HOST, 8, US(2));
            flow_synchronize(&f);
        }
    }
    assert_int_equal(found(s), 60);
}

/* Truth: 30 steps of flux, update, result to the host, exchange, borders to the GPU. The first step has
 * no borders to fetch: it counts all the same. */
static void test_first_step_without_input(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 30; i++) {
        flow_run(&f, "flux_kernel", US(900));
        flow_run(&f, "update_kernel", US(400));
        flow_copy(&f, DEVICE_TO_HOST, 1 << 20, US(50));
        flow_synchronize(&f);
        f.host += US(900);
        flow_copy(&f, HOST_TO_DEVICE, 1 << 20, US(50));
    }
    assert_int_equal(found(s), 30);
}

/* ---- what an iteration launches ---- */

/* A step of a server: two inputs, one graph or a graph and an attention kernel for each of 12 layers,
 * the sampler, the result, and the scheduler. */
static void serve(struct flow *f, bool mixed)
{
    flow_copy(f, HOST_TO_DEVICE, 2048, US(2));
    flow_copy(f, HOST_TO_DEVICE, 1024, US(2));
    if (!mixed)
        flow_run_graph(f, 11, MS(4));
    for (int l = 0; mixed && l < 12; l++) {
        flow_run_graph(f, 40 + 2 * l, US(280));
        flow_run(f, "flash_fwd_splitkv_kernel", US(200));
    }
    flow_run(f, "topk_topp_sampler", US(25));
    flow_run(f, "reduce_kernel", US(5));
    flow_copy(f, DEVICE_TO_HOST, 1024, US(2));
    flow_synchronize(f);
    f->host += US(100);
}

/* Truth: 90 steps from input to result, of which 10 hold a part of a prompt: two kinds, none slow. */
static void test_chunked_prefill(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 90; i++)
        serve(&f, i % 9 == 4);
    assert_int_equal(found(s), 90);
    assert_int_equal(scenario_count(s, TIMING, "kind = 1"), 10);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 4", "kind"), 1);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 4", "kernels"), 26);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 3", "kernels"), 3);
}

/* Truth: 8 prefills of 20 ms among 80 tokens of 2 ms, of the same kernels, under ranges of their own
 * names: two kinds, none slow. */
static void test_prefill_and_decode_of_the_same_kernels(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 88; i++) {
        int64_t start = f.host;

        flow_layer(&f, i % 11 ? MS(2) : MS(20));
        flow_synchronize(&f);
        scenario_range(s, f.thread, i % 11 ? "decode" : "prefill", start, f.host);
        f.host += US(20);
    }
    assert_int_equal(found(s), 88);
    assert_int_equal(scenario_count(s, TIMING, "kind = 1"), 8);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* The near miss: under one name they are slow steps, and said to recur. */
static void test_long_steps_of_one_name(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 88; i++) {
        int64_t start = f.host;

        flow_layer(&f, i % 11 ? MS(2) : MS(20));
        flow_synchronize(&f);
        scenario_range(s, f.thread, "forward", start, f.host);
        f.host += US(20);
    }
    assert_int_equal(found(s), 88);
    assert_true(has_note(s, "every 11th iteration is slow"));
}

/* A start/end range. */
static void start_end(struct scenario *s, int64_t thread, const char *text, int id, int64_t start,
                      int64_t end)
{
    scenario_sql(s,
                 "INSERT INTO NVTX_EVENTS (start, end, eventType, rangeId, text, globalTid, "
                 "endGlobalTid, domainId) VALUES (%lld, %lld, 60, %d, '%s', %lld, %lld, 0)",
                 (long long)start, (long long)end, id, text, (long long)thread, (long long)thread);
}

/* Tokens of a server, with a request every so many that takes 30 of them. */
static int serve_requests(struct scenario *s, int every)
{
    struct flow f = flow_begin(s, 100, 0);
    int64_t begin[240];

    for (int i = 0; i < 240; i++) {
        begin[i] = f.host;
        serve(&f, false);
    }
    for (int i = 0; i + 30 < 240; i += every)
        start_end(s, f.thread, "request", i + 1, begin[i], begin[i + 30] - US(50));
    return found(s);
}

/* Truth: three requests are served at once: they are no iterations, the 240 tokens are. */
static void test_requests_that_overlap(void **state)
{
    assert_int_equal(serve_requests(*state, 10), 240);
}

/* The near miss: requests one after the other mark iterations. */
static void test_requests_in_turn(void **state)
{
    assert_int_equal(serve_requests(*state, 30), 7);
}

/* The near miss: decoding alone is of one kind. The graph counts to what runs on the GPU. */
static void test_decoding_alone(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++)
        serve(&f, false);
    assert_int_equal(found(s), 60);
    assert_int_equal(scenario_count(s, TIMING, "kind = 1"), 0);
    scenario_near(scenario_int(s, TIMING, "iteration = 7", "gpu_ns"), MS(4.03), 1);
    scenario_near(scenario_int(s, TIMING, "iteration = 7", "work_ns"), MS(4.03), 1);
}

#define SCENARIO(name) cmocka_unit_test_setup_teardown(name, scenario_setup, scenario_teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        SCENARIO(test_loss_of_every_tenth_step),
        SCENARIO(test_loss_of_every_third_step),
        SCENARIO(test_loss_of_nearly_every_step),
        SCENARIO(test_work_after_every_tenth_loss),
        SCENARIO(test_gathers_run_ahead),
        SCENARIO(test_gathers_in_the_stream),
        SCENARIO(test_checkpoints_that_copy_much),
        SCENARIO(test_long_validations),
        SCENARIO(test_evaluations_alone),
        SCENARIO(test_evaluation_that_is_launched_ahead),
        SCENARIO(test_evaluation_that_is_waited_for),
        SCENARIO(test_work_under_no_range),
        SCENARIO(test_pruning_every_tenth_step),
        SCENARIO(test_layers_with_a_tiny_head),
        SCENARIO(test_passes_with_a_short_update),
        SCENARIO(test_batches_of_four_shapes),
        SCENARIO(test_batches_of_four_lengths),
        SCENARIO(test_rollouts_and_training),
        SCENARIO(test_residual_every_tenth_step),
        SCENARIO(test_first_step_without_input),
        SCENARIO(test_chunked_prefill),
        SCENARIO(test_prefill_and_decode_of_the_same_kernels),
        SCENARIO(test_long_steps_of_one_name),
        SCENARIO(test_requests_that_overlap),
        SCENARIO(test_requests_in_turn),
        SCENARIO(test_decoding_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
