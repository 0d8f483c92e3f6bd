/*
 * Iterations with different paces of host and GPU, with occasional activities, and with different
 * launches.
 */
#include "scenarios/flow.h"
#include "scenarios/loop.h"
#include "scenarios/scenario.h"

#include <stdio.h>
#include <string.h>

#define AHEAD  "because the host runs ahead"
#define GATHER "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)"

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
SCENARIO(test_loss_of_every_tenth_step)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++)
        step_ahead(&f, MS(14), i % 10 == 9);
    assert_int_equal(loop_iterations(s), 60);
    assert_true(loop_notes(s, AHEAD));
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    scenario_near(scenario_int(s, "iteration_stats", "figure = 'period'", "median_ns"), MS(14), 1);
    scenario_findings(s);
    loop_is_healthy(s);
}

/* Steps of 14 ms that the host launches ahead. After every 8th, the last one included, it waits for the
 * GPU and then works for 80 ms if it is to. */
static struct flow run_ahead(struct scenario *s, bool saves)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 24; i++) {
        step_ahead(&f, MS(14), i % 8 == 7);
        f.host += saves && i % 8 == 7 ? MS(80) : 0;
    }
    return f;
}

/* Truth: two steps take 94 ms instead of 14 ms on the GPU; the host's ranges last 0.4 ms or 112 ms. */
SCENARIO(test_save_after_every_eighth_step)
{
    struct scenario *s = *state;

    (void)run_ahead(s, true);
    assert_int_equal(loop_iterations(s), 24);
    assert_true(loop_notes(s, AHEAD));
    assert_int_equal(scenario_count(s, TIMING, "slow"), 2);
    scenario_near(scenario_int(s, "iteration_stats", "figure = 'period'", "median_ns"), MS(14), 1);
    scenario_findings(s);
    loop_same_time(s, "slow-iterations", "gpu-idle");
}

/* The near miss: it only waits. */
SCENARIO(test_wait_after_every_eighth_step)
{
    struct scenario *s = *state;

    (void)run_ahead(s, false);
    assert_int_equal(loop_iterations(s), 24);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* 21 steps, of which every third is longer: the host works before it, or its kernels take twice as
 * long. */
static void run_thirds(struct scenario *s, int64_t pause, int64_t factor)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 21; i++) {
        f.host += i % 3 == 2 ? pause : 0;
        step_ahead(&f, MS(14) * (i % 3 == 2 ? factor : 1), true);
    }
    assert_int_equal(loop_iterations(s), 21);
}

/* Truth: the same work, later: a third of the steps is slow, not of another kind. */
SCENARIO(test_pause_before_every_third_step)
{
    run_thirds(*state, MS(30), 1);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 7);
}

/* The near miss: more work is another kind. */
SCENARIO(test_more_work_in_every_third_step)
{
    run_thirds(*state, 0, 3);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
}

/* Steps with two copies from the host, a kernel between them or not, and 28 kernels. */
static void run_inputs(struct scenario *s, bool between)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 20; i++) {
        flow_copy(&f, HOST_TO_DEVICE, 100 << 20, MS(4));
        if (between)
            flow_run(&f, "encode", MS(12));
        flow_copy(&f, HOST_TO_DEVICE, 2 << 20, US(80));
        for (int k = 0; k < 28; k++)
            flow_run(&f, "sm90_gemm", US(400));
        flow_copy(&f, DEVICE_TO_HOST, 100 << 20, MS(4));
        flow_synchronize(&f);
        f.host += MS(9);
    }
}

/* Truth: weights come back from the optimizer on the CPU, then the next input: one step. */
SCENARIO(test_two_inputs_in_a_row)
{
    run_inputs(*state, false);
    scenario_near(loop_iterations(*state), 20, 1);
}

/* The near miss: work between them is a part with an input of its own. */
SCENARIO(test_two_inputs_with_work_between)
{
    run_inputs(*state, true);
    assert_true(loop_iterations(*state) >= 19);
}

/* 4 times a prefill of 12 ms and 20 tokens of 2.5 ms. The host does not wait for the prefill. In token
 * 50 it works for `more`. */
static void run_tokens(struct scenario *s, int64_t more)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 84; i++) {
        int64_t start = f.host;
        bool is_prefill = i % 21 == 0;

        for (int k = 0; k < (is_prefill ? 70 : 30); k++)
            flow_run(&f, is_prefill ? "flash_fwd_kernel" : "gemv", US(is_prefill ? 170 : 60));
        f.host += i == 50 ? more : 0;
        if (!is_prefill)
            flow_synchronize(&f);
        f.host += US(100);
        scenario_range(s, f.thread, is_prefill ? "prefill" : "decode_step", start, f.host);
    }
    assert_int_equal(loop_iterations(s), 84);
}

/* Truth: the first token after a prefill waits for it, and is not slow. */
SCENARIO(test_token_behind_a_prefill)
{
    run_tokens(*state, 0);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
}

/* The near miss: one token waits for the host. */
SCENARIO(test_slow_token)
{
    run_tokens(*state, MS(12));
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 1);
}

/* Steps under ranges; the kernels of six are not recorded, or only six steps of the middle take long. */
static void run_hole(struct scenario *s, bool lost)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 24; i++) {
        int64_t start = f.host;
        bool odd = i >= 9 && i < 15;

        for (int k = 0; k < 60; k++)
            if (odd && lost) {
                scenario_call(s, f.thread, "cudaLaunchKernel_v7000", f.host, f.host + US(5));
                f.host += US(140);
            } else {
                flow_run(&f, "sm90_gemm", US(odd && i == 9 ? 900 : 140));
            }
        flow_synchronize(&f);
        scenario_range(s, f.thread, "step", start, f.host);
    }
    if (lost)
        scenario_sql(s, "CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER NOT NULL, timestampType "
                        "INTEGER NOT NULL, source INTEGER NOT NULL, severity INTEGER NOT NULL, "
                        "text TEXT NOT NULL, globalPid INTEGER); INSERT INTO DIAGNOSTIC_EVENT "
                        "VALUES (1, 1, 1, 2, 'Not all CUDA events might have been collected.', "
                        "NULL)");
    scenario_findings(s);
}

/* Truth: the work of a quarter of the steps is lost, so the step before seems to last: not judged. */
SCENARIO(test_steps_in_a_hole)
{
    run_hole(*state, true);
    loop_abstains(*state, "slow-iterations", 0);
}

/* The near miss: one step takes long, and nothing is lost. */
SCENARIO(test_step_without_a_hole)
{
    run_hole(*state, false);
    loop_fires(*state, "slow-iterations");
}

/* Truth: the same with every third step, of which one takes 40 ms on the GPU: that one is slow. */
SCENARIO(test_loss_of_every_third_step)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++)
        step_ahead(&f, i == 31 ? MS(40) : MS(14), i % 3 == 2);
    assert_int_equal(loop_iterations(s), 60);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 1);
    assert_int_equal(scenario_int(s, TIMING, "slow", "iteration"), 31);
}

/* The near miss: the host waits for each step except three. Its clock is as good. */
SCENARIO(test_loss_of_nearly_every_step)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++)
        step_ahead(&f, MS(14), i % 12 != 5);
    assert_int_equal(loop_iterations(s), 40);
    assert_false(loop_notes(s, AHEAD));
}

/* The near miss: the host works for 40 ms after every 10th loss, while the GPU is idle. On both
 * clocks these steps are long. */
SCENARIO(test_work_after_every_tenth_loss)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++) {
        step_ahead(&f, MS(14), i % 10 == 9);
        f.host += i % 10 == 9 ? MS(40) : 0;
    }
    assert_int_equal(loop_iterations(s), 60);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 5);
    assert_true(loop_notes(s, "every 10th iteration is slow"));
}

/* ahead: gathers of the weights on a separate stream, which wait for nothing; else on that of the
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
    assert_int_equal(loop_iterations(s), 16);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* Truth: 13.6 ms per step on the stream that computes. Gathers run 100 ms ahead; the step does not
 * begin with them. */
SCENARIO(test_gathers_run_ahead)
{
    struct scenario *s = *state;

    run_gathers(s, true);
    assert_true(loop_notes(s, AHEAD));
    scenario_near(scenario_int(s, "iteration_stats", "figure = 'period'", "median_ns"), MS(13.6),
                  1);
}

/* The near miss: on the same stream they are part of the step. */
SCENARIO(test_gathers_in_the_stream)
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
SCENARIO(test_checkpoints_that_copy_much)
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
    assert_int_equal(loop_iterations(s), 24);
    assert_int_equal(scenario_count(s, "interludes", NULL), 2);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* Truth: 24 steps; a validation after each 6th computes twice as long as they do. */
SCENARIO(test_long_validations)
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
    assert_int_equal(loop_iterations(s), 24);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* The near miss: a program that does nothing but evaluate. */
SCENARIO(test_evaluations_alone)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 14; i++) {
        int64_t start = f.host;

        flow_train_step(&f, MS(8));
        scenario_range(s, f.thread, "evaluate batch", start, f.host);
    }
    assert_int_equal(loop_iterations(s), 14);
}

/* 40 steps of 5 ms, and after step 19 an evaluation of 40 ms. The host waits for each step and for the
 * evaluation, or only for the result of the evaluation. */
static void evaluate_after_step_19(struct scenario *s, bool waits)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        step_ahead(&f, MS(5), waits);
        if (i == 19) {
            int64_t start = f.host;

            for (int k = 0; k < 20; k++)
                flow_run(&f, "sm90_gemm", MS(2));
            if (waits)
                flow_synchronize(&f);
            scenario_range(s, f.thread, "evaluate", start, f.host);
            if (!waits) {
                flow_copy(&f, DEVICE_TO_HOST, 4, US(2));
                flow_synchronize(&f);
            }
        }
    }
    assert_int_equal(loop_iterations(s), 40);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 19", "kernels"), 28);
}

/* Truth: the evaluation is launched ahead like the steps, and belongs to no step on the GPU. */
SCENARIO(test_evaluation_that_is_launched_ahead)
{
    struct scenario *s = *state;

    evaluate_after_step_19(s, false);
    assert_true(loop_notes(s, AHEAD));
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    scenario_near(scenario_int(s, TIMING, "iteration = 19", "duration_ns"), MS(5), 1);
    scenario_near(scenario_int(s, "iterations", "iteration = 19", "busy_ns"), MS(5), 1);
}

/* Truth: the host waits for each step. The evaluation's work does not belong to step 19. */
SCENARIO(test_evaluation_that_is_waited_for)
{
    struct scenario *s = *state;

    evaluate_after_step_19(s, true);
    scenario_near(scenario_int(s, TIMING, "iteration = 19", "gpu_ns"), MS(5), 1);
    scenario_near(scenario_int(s, TIMING, "iteration = 19", "duration_ns"), MS(5), 2);
}

/* Truth: the same kernels under no range are told apart as well, since no other step launches any there. */
SCENARIO(test_work_under_no_range)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        step_ahead(&f, MS(5), false);
        for (int k = 0; k < 20 && i == 19; k++)
            flow_run(&f, "sm90_gemm", MS(2));
    }
    assert_int_equal(loop_iterations(s), 40);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    assert_int_equal(scenario_int(s, "interludes", NULL, "after_iteration"), 19);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 19", "kernels"), 28);
}

/* A time step of molecular dynamics; `more` kernels of 20 us prune a list of neighbours. */
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

/* Truth: 100 time steps; every 10th prunes a list, with one kernel or two. */
SCENARIO(test_pruning_every_tenth_step)
{
    for (int more = 1; more <= 2; more++) {
        struct scenario *s = more == 1 ? *state : scenario_new();
        struct flow f = flow_begin(s, 100, 0);

        for (int i = 0; i < 100; i++)
            dynamics_step(&f, i % 10 == 5 ? more : 0);
        assert_int_equal(loop_iterations(s), 100);
        assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
        if (more == 2)
            scenario_free(s);
    }
}

/* The near miss: 8 forward passes of 32 layers, with a tiny embedding, norm and head. */
SCENARIO(test_layers_with_a_tiny_head)
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
    assert_true(loop_iterations(s) <= 8);
}

/* The near miss: ten passes, then an optimizer of one short kernel: 8 iterations. */
SCENARIO(test_passes_with_a_short_update)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 80; i++) {
        dynamics_step(&f, 0);
        if (i % 10 == 9)
            flow_run(&f, "multi_tensor_apply_adam", US(20));
    }
    assert_int_equal(loop_iterations(s), 8);
}

/* Steps with batches of four shapes in random order, each with its own kernels; some: one shape
 * launches more than the others. */
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
SCENARIO(test_batches_of_four_shapes)
{
    run_shapes(*state, false);
    assert_int_equal(loop_iterations(*state), 40);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
}

/* The near miss: nothing shows that stretches of several lengths and names are steps. */
SCENARIO(test_batches_of_four_lengths)
{
    int n;

    run_shapes(*state, true);
    n = loop_iterations(*state);
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
SCENARIO(test_rollouts_and_training)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    int n;

    for (int i = 0; i < 8; i++)
        reinforce(&f, 60);
    n = loop_iterations(s);
    assert_true(n == 8 || n == 0);
    assert_int_equal(n ? scenario_count(s, TIMING, "slow") : 0, 0);
    scenario_findings(s);
    loop_is_quiet(s, "slow-iterations");
}

/* n steps of eight layers, their gradients and the optimizer; no kernel occurs once a step. After every
 * m-th step the host reads the loss. optimizer: every o-th step has it. */
static void same_layers(struct scenario *s, int n, int m, int o)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 8; k++)
            flow_layer(&f, MS(1));
        for (int k = 0; k < 16; k++)
            flow_run(&f, k % 2 ? "sm90_gemm_wgrad" : "flash_bwd_kernel", US(400));
        for (int k = 0; k < 6 && i % o == o - 1; k++)
            flow_run(&f, "multi_tensor_apply_kernel_adam", US(100));
        if (i % m == m - 1) {
            flow_copy(&f, DEVICE_TO_HOST, 4, US(2));
            flow_synchronize(&f);
        }
    }
}

/* Truth: 60 or 80 steps, each with its optimizer; the loss of every tenth, or of every fourth, makes no
 * step of ten or four. */
SCENARIO(test_loss_of_some_steps_without_ranges)
{
    struct scenario *s = *state;

    same_layers(s, 60, 10, 1);
    assert_int_equal(loop_iterations(s), 60);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    s = scenario_new();
    same_layers(s, 80, 4, 1);
    assert_int_equal(loop_iterations(s), 80);
    scenario_free(s);
}

/* The near misses: an optimizer after every fourth pass, which reads the loss: 15 steps. Passes without any
 * optimizer whose fourth reads a result may be blocks of a network: not one by one. */
SCENARIO(test_passes_without_an_optimizer_each)
{
    struct scenario *s = *state;

    same_layers(s, 60, 4, 4);
    assert_int_equal(loop_iterations(s), 15);
    s = scenario_new();
    same_layers(s, 60, 4, 1000);
    assert_in_range(loop_iterations(s), 0, 15);
    scenario_free(s);
}

/* Truth: 60 time steps with copies of the borders; every 10th also reduces a residual and copies it
 * to the host, which does not make it a second iteration. */
SCENARIO(test_residual_every_tenth_step)
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
    assert_int_equal(loop_iterations(s), 60);
}

/* Truth: 30 steps of flux, update, result to the host, exchange, borders to the GPU. The first step has
 * no borders to fetch, and counts too. */
SCENARIO(test_first_step_without_input)
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
    assert_int_equal(loop_iterations(s), 30);
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

/* Truth: 90 steps from input to result; 10 of them contain a part of a prompt: two kinds, none
 * slow. */
SCENARIO(test_chunked_prefill)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 90; i++)
        serve(&f, i % 9 == 4);
    assert_int_equal(loop_iterations(s), 90);
    assert_int_equal(scenario_count(s, TIMING, "kind = 1"), 10);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 4", "kind"), 1);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 4", "kernels"), 26);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 3", "kernels"), 3);
}

/* 8 passes of 20 ms among 80 of 2 ms, of the same kernels, under ranges of these names. */
static void run_passes(struct scenario *s, const char *prefill, const char *decode)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 88; i++) {
        int64_t start = f.host;

        flow_layer(&f, i % 11 ? MS(2) : MS(20));
        flow_synchronize(&f);
        scenario_range(s, f.thread, i % 11 ? decode : prefill, start, f.host);
        f.host += US(20);
    }
    assert_int_equal(loop_iterations(s), 88);
}

/* Truth: ranges of two names are two kinds, none slow. */
SCENARIO(test_prefill_and_decode_of_the_same_kernels)
{
    run_passes(*state, "prefill", "decode");
    assert_int_equal(scenario_count(*state, TIMING, "kind = 1"), 8);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
}

/* The near miss: under one name they are slow steps, reported as recurring. */
SCENARIO(test_long_steps_of_one_name)
{
    run_passes(*state, "forward", "forward");
    assert_true(loop_notes(*state, "every 11th iteration is slow"));
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
    return loop_iterations(s);
}

/* Truth: three requests are served in parallel: the iterations are the 240 tokens, not the
 * requests. */
SCENARIO(test_requests_that_overlap)
{
    assert_int_equal(serve_requests(*state, 10), 240);
}

/* The near miss: requests one after the other mark iterations. */
SCENARIO(test_requests_in_turn)
{
    assert_int_equal(serve_requests(*state, 30), 7);
}

/* The near miss: decoding only has one kind. The graph counts as work on the GPU. */
SCENARIO(test_decoding_alone)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++)
        serve(&f, false);
    assert_int_equal(loop_iterations(s), 60);
    assert_int_equal(scenario_count(s, TIMING, "kind = 1"), 0);
    scenario_near(scenario_int(s, TIMING, "iteration = 7", "gpu_ns"), MS(4.03), 1);
    scenario_near(scenario_int(s, TIMING, "iteration = 7", "work_ns"), MS(4.03), 1);
}

/* ---- loops without ranges ---- */

/* n steps of a solver in two kernels, after which the host waits if it `waits`; every fifth result is
 * copied out. */
static void solve(struct scenario *s, int n, bool waits, const char *kernel)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < n; i++) {
        flow_run(&f, kernel, US(500));
        flow_run(&f, "heat_swap_44_gpu", US(300));
        if (waits)
            flow_synchronize(&f);
        if (i % 5 == 4) {
            flow_copy(&f, DEVICE_TO_HOST, 1 << 24, MS(1));
            flow_synchronize(&f);
        }
    }
}

/* n stages of a solver with borders, in which the host waits; before every m-th it reads the length of the
 * time step, or a residual. */
static void integrate(struct scenario *s, int n, int m, const char *reduction)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < n; i++) {
        if (i % m == 0) {
            flow_run(&f, reduction, US(200));
            flow_copy(&f, DEVICE_TO_HOST, 8, US(2));
            flow_synchronize(&f);
        }
        flow_run(&f, "pack_halo", US(60));
        flow_synchronize(&f);
        f.host += US(i * 7 % 50);
        flow_run(&f, "unpack_halo", US(60));
        flow_run(&f, "flux_x", US(900));
        flow_run(&f, "flux_y", US(900));
        flow_run(&f, "rk_update", US(400));
    }
}

/* Truth: 60 time steps of three stages; not 180. */
SCENARIO(test_stages_are_one_step)
{
    struct scenario *s = *state;

    integrate(s, 180, 3, "reduce_dt");
    assert_int_equal(loop_iterations(s), 60);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* The near miss: 120 steps, and a check of the residual before every third. */
SCENARIO(test_checks_of_every_third_step)
{
    struct scenario *s = *state;

    integrate(s, 120, 3, "reduce_residual");
    assert_in_range(loop_iterations(s), 119, 120);
}

/* The near miss: 120 steps, and a check of the residual before every tenth. From one wait in a step to the
 * next there are 119. */
SCENARIO(test_checks_are_no_stages)
{
    struct scenario *s = *state;

    integrate(s, 120, 10, "reduce_residual");
    assert_in_range(loop_iterations(s), 119, 120);
}

/* Truth: 50 steps of an OpenACC loop, which waits several times in each; not 10. */
SCENARIO(test_waits_make_a_loop)
{
    struct scenario *s = *state;

    solve(s, 50, true, "heat_31_gpu");
    assert_int_equal(loop_iterations(s), 50);
}

/* Truth: five layers without a wait and then their result form one iteration. */
SCENARIO(test_layers_without_waits)
{
    struct scenario *s = *state;

    solve(s, 50, false, "heat_31_gpu");
    assert_int_equal(loop_iterations(s), 10);
}

/* Truth: the layers of a PyTorch network may wait for the number of tokens of each expert. */
SCENARIO(test_layers_with_waits_in_pytorch)
{
    struct scenario *s = *state;

    solve(s, 50, true, "void at::native::vectorized_elementwise_kernel<4>");
    assert_int_equal(loop_iterations(s), 10);
}

static void read_sum(struct flow *f)
{
    flow_copy(f, DEVICE_TO_HOST, 8, US(2));
    flow_synchronize(f);
}

/* Truth: a solver that takes two sums a step, and reads and waits for each: 50 iterations, not 100. Every
 * tenth may take a norm as well. */
SCENARIO(test_two_sums_a_step)
{
    static const char *const kernels[] = {"axpy_62_gpu", "xpay_80_gpu"};

    for (int norm = 0; norm < 2; norm++) {
        struct scenario *s = norm == 0 ? *state : scenario_new();
        struct flow f = flow_begin(s, 100, 0);

        for (int i = 0; i < 50; i++) {
            for (int half = 0; half < 2; half++) {
                flow_run(&f, kernels[half], US(400));
                flow_run(&f, "dot_51_gpu", US(90));
                flow_run(&f, "dot_51_gpu__red", US(8));
                read_sum(&f);
            }
            if (norm && i % 10 == 9) {
                flow_run(&f, "norm_90_gpu", US(100));
                read_sum(&f);
            }
        }
        assert_int_equal(loop_iterations(s), 50);
        if (norm)
            scenario_free(s);
    }
}

/* 20 tokens of 8 layers; each layer reads the number of tokens of its experts; one input per token,
 * or per layer. */
static void route(struct scenario *s, bool input_each)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 160; i++) {
        if (input_each || i % 8 == 0)
            flow_copy(&f, HOST_TO_DEVICE, 2048, US(2));
        flow_layer(&f, US(300));
        read_sum(&f);
        for (int expert = 0; expert < 4; expert++)
            flow_run(&f, "fused_moe_kernel", US(60));
        if (input_each || i % 8 == 7) {
            flow_run(&f, "argmax_kernel", US(9));
            read_sum(&f);
        }
    }
}

/* Truth: 20 iterations, not 160. */
SCENARIO(test_layers_that_read_a_result)
{
    struct scenario *s = *state;

    route(s, false);
    assert_int_equal(loop_iterations(s), 20);
}

/* Truth: with an input each they are 160. */
SCENARIO(test_layers_with_an_input_each)
{
    struct scenario *s = *state;

    route(s, true);
    assert_int_equal(loop_iterations(s), 160);
}

/* ---- serving without ranges ---- */

/* Truth: 90 tokens; the graph is that of the batch's size, and six are prefills of 40 kernels. */
SCENARIO(test_sizes_and_prefills)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 90; i++) {
        flow_copy(&f, HOST_TO_DEVICE, 2048, US(2));
        for (int k = 0; k < 10 && (i < 3 || i == 30 || i == 31 || i == 55); k++)
            flow_layer(&f, MS(1));
        if (i >= 3 && i != 30 && i != 31 && i != 55)
            flow_run_graph(&f, 3 + i / 15 % 3, MS(4 + i / 15 % 3));
        flow_run(&f, "topk_topp_sampling_kernel", US(30));
        read_sum(&f);
        f.host += US(400);
    }
    assert_int_equal(loop_iterations(s), 90);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* Truth: an encoder of 5 ms and 30 tokens, six times. The encoder belongs to the next token, which
 * is of another kind and not slow. */
SCENARIO(test_encoder_before_tokens)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 180; i++) {
        for (int k = 0; k < 10 && i % 30 == 0; k++)
            flow_layer(&f, US(500));
        flow_run_graph(&f, 3, MS(2));
        read_sum(&f);
    }
    assert_int_equal(loop_iterations(s), 180);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    scenario_near(scenario_int(s, TIMING, "iteration = 60", "duration_ns"), MS(7), 5);
    scenario_near(scenario_int(s, TIMING, "iteration = 59", "duration_ns"), MS(2), 5);
}

/* ---- the steady state ---- */

/* Truth: 2 GiB are copied once, before the first step on the GPU and in its range: no fault of the steady
 * state, which begins with the steps. */
SCENARIO(test_a_long_copy_before_the_steps)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        int64_t start = f.host;

        if (i == 0)
            flow_copy(&f, HOST_TO_DEVICE, INT64_C(2) << 30, MS(330));
        for (int k = 0; k < 28; k++)
            flow_run(&f, "sm90_gemm", US(200));
        scenario_range(s, f.thread, "train_step", start, f.host);
    }
    scenario_findings(s);
    loop_is_healthy(s);
}

/* Truth: 50 steps; every tenth logs: a few small kernels and a separate copy, not an iteration. */
SCENARIO(test_log_is_no_iteration)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 50; i++) {
        flow_train_step(&f, MS(12));
        for (int k = 0; k < 6 && i % 10 == 0; k++)
            flow_run(&f, "layer_norm_kernel", US(8));
        if (i % 10 == 0) {
            flow_copy(&f, DEVICE_TO_HOST, 4, US(2));
            flow_synchronize(&f);
        }
    }
    assert_int_equal(loop_iterations(s), 50);
    assert_int_equal(scenario_count(s, TIMING, "kind > 0 OR slow"), 0);
}

/* ---- requests ---- */

/* 120 requests of equal work; the server waits for the next one for 0.1 ms to 14 ms, mostly short. */
static void requests(struct scenario *s, bool regular)
{
    struct flow f = flow_begin(s, 100, 0);
    uint32_t dice = 4711;

    for (int i = 0; i < 120; i++) {
        int64_t start = f.host;
        double u;

        dice = dice * 1664525u + 1013904223u;
        u = (double)(dice >> 8) / (1 << 24);
        f.host += regular ? MS(3) : US(100) + (int64_t)(u * u * u * 14e6);
        if (regular && i == 70)
            f.host += MS(9);
        scenario_os(s, f.thread, "pthread_cond_wait", start, f.host);
        start = f.host;
        flow_train_step(&f, MS(2));
        scenario_range(s, f.thread, "enqueue", start, f.host);
    }
}

/* Truth: requests come at any time: none is slow, and no level changes. */
SCENARIO(test_requests_are_not_slow)
{
    struct scenario *s = *state;

    requests(s, false);
    assert_int_equal(loop_iterations(s), 120);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    scenario_findings(s);
    assert_int_equal(loop_faults(s, "slow-iterations"), 0);
    assert_int_equal(loop_faults(s, "level-change"), 0);
}

/* Truth: if requests come evenly, one that comes 9 ms late is slow. */
SCENARIO(test_an_even_loop_has_a_slow_one)
{
    struct scenario *s = *state;

    requests(s, true);
    assert_int_equal(loop_iterations(s), 120);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 1);
}

/* ---- names of kernels ---- */

/* n time steps with a result for the host. Every m-th sweeps in the other direction, with a kernel of its
 * own, the second. */
static void sweep_in_turn(struct scenario *s, int n, int m, const char *const kernels[2])
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < n; i++) {
        flow_run(&f, "calc_dt_kernel", US(200));
        flow_copy(&f, DEVICE_TO_HOST, 8, US(2));
        flow_synchronize(&f);
        for (int k = 0; k < 20; k++)
            flow_run(&f, k % 2 ? "pdv_kernel" : "flux_calc_kernel", US(500));
        flow_run(&f, kernels[i % m == m - 1], US(400));
        flow_run(&f, "reset_field_kernel", US(300));
    }
}

/* Truth: 30 time steps. "lambda" is no LAMB: C++ names many kernels so. */
SCENARIO(test_lambda_is_no_optimizer)
{
    static const char *const kernels[] = {
        "advec_cell_kernel<sweep_x::[lambda(int, int) (instance 1)]>",
        "advec_cell_kernel<sweep_y::[lambda(int, int) (instance 2)]>"};

    sweep_in_turn(*state, 30, 2, kernels);
    assert_in_range(loop_iterations(*state), 29, 30);
}

/* The near miss: LAMB after every third pass. */
SCENARIO(test_lamb_is_an_optimizer)
{
    static const char *const kernels[] = {"clip_kernel", "LAMBStage2Functor"};

    sweep_in_turn(*state, 60, 3, kernels);
    assert_in_range(loop_iterations(*state), 19, 20);
}

/* 45 steps without ranges; after every 15th come 20 passes of the same network without gradients and,
 * unless tuned, without the optimizer. */
static void evaluate_between(struct scenario *s, bool tuned)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 45 + 40; i++) {
        bool is_step = i < 15 || (i >= 35 && i < 50) || i >= 70;

        flow_copy(&f, HOST_TO_DEVICE, 1 << 20, US(50));
        flow_run(&f, "embedding_kernel", US(100));
        for (int k = 0; k < 4; k++)
            flow_layer(&f, MS(1));
        for (int k = 0; k < 8 && is_step; k++)
            flow_run(&f, k % 2 ? "sm90_gemm_mlp" : "sm90_gemm_wgrad", US(800));
        if (is_step || tuned)
            flow_run(&f, "multi_tensor_apply_kernel_adam", US(300));
        flow_copy(&f, DEVICE_TO_HOST, 4, US(2));
        flow_synchronize(&f);
    }
    scenario_findings(s);
}

/* Truth: passes of an evaluation are iterations of another kind, not steps on a faster level. */
SCENARIO(test_evaluations_without_ranges)
{
    struct scenario *s = *state;

    evaluate_between(s, false);
    loop_is_healthy(s);
    assert_int_equal(loop_iterations(s), 85);
    assert_int_equal(scenario_count(s, TIMING, "kind = 0"), 45);
    assert_int_equal(scenario_count(s, TIMING, "kind = 1"), 40);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* The near miss: shorter steps for a while that train as well are on another level. */
SCENARIO(test_short_steps_are_a_level)
{
    evaluate_between(*state, true);
    loop_fires(*state, "level-change");
}

/* ---- a loss now and then ---- */

/* 200 repetitions of 6 kernels, or of 5 and the optimizer's, ahead of the GPU. The host reads a result
 * of every 10th. */
static int repeat_shortly(struct scenario *s, const char *last)
{
    static const char *const names[] = {"preprocess_kernel", "sort_kernel", "render_kernel",
                                        "loss_kernel", "render_backward_kernel"};
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 5; k++)
            flow_run(&f, names[k], MS(1));
        flow_run(&f, last, US(500));
        if (i % 10 == 9) {
            flow_copy(&f, DEVICE_TO_HOST, 4, US(2));
            flow_synchronize(&f);
        }
    }
    return loop_iterations(s);
}

/* Truth: each repetition has its optimizer, so it is a step: 200 iterations. */
SCENARIO(test_loss_of_short_steps)
{
    assert_int_equal(repeat_shortly(*state, "multi_tensor_apply_adam"), 200);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
}

/* The near miss: without an optimizer they are ten layers before a result: 20 iterations. */
SCENARIO(test_result_of_ten_layers)
{
    assert_int_equal(repeat_shortly(*state, "layer_norm_kernel"), 20);
}

/* ---- warm-up ---- */

/* 40 steps of 10 ms; the first `long_ones` take 60 ms, and every third 13 ms. */
static int collect_every_third(struct scenario *s, int long_ones)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        int64_t start = f.host;

        flow_train_step(&f, MS(10));
        f.host += i < long_ones ? MS(50) : i % 3 == 1 ? MS(3) : 0;
        scenario_range(s, f.thread, "train_step", start, f.host);
        f.host += US(20);
    }
    assert_int_equal(loop_iterations(s), 40);
    return scenario_count(s, TIMING, "mark = 'warm-up'");
}

/* Truth: no three steps in a row are alike, but the first ones are as the others: no warm-up. */
SCENARIO(test_no_warm_up)
{
    assert_int_equal(collect_every_third(*state, 0), 0);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 13);
}

/* The near miss: the first three are long. */
SCENARIO(test_warm_up_before_uneven_steps)
{
    assert_int_equal(collect_every_third(*state, 3), 3);
}

/* ---- the last iteration ---- */

/* 20 steps of 14 ms that the host launches ahead. The gradients of each step are copied to the host
 * for 3 ms on another stream, beside the next step. last: GPU time of the last step. */
static void offload_beside(struct scenario *s, int64_t last)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 20; i++) {
        int64_t call;

        step_ahead(&f, i == 19 ? last : MS(14), false);
        call =
            scenario_call(s, f.thread, "cudaMemcpyAsync_v3020", f.host - US(19), f.host - US(15));
        scenario_copy(s, call, 0, 33, DEVICE_TO_HOST, false, 64 << 20, f.gpu + US(2),
                      f.gpu + MS(3));
        scenario_range(s, f.thread, "offload", f.host - US(19.5), f.host - US(14));
    }
    assert_int_equal(loop_iterations(s), 20);
    assert_true(loop_notes(s, AHEAD));
}

/* Truth: the copy of the last step runs beside no other step, so the period of that step is 3 ms
 * longer. It is not slow. */
SCENARIO(test_last_copy_is_beside_nothing)
{
    struct scenario *s = *state;

    offload_beside(s, MS(14));
    scenario_near(scenario_int(s, TIMING, "iteration = 19", "duration_ns"), MS(17), 1);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* The sick twin: the last step itself takes 3 ms longer. */
SCENARIO(test_last_step_is_slow)
{
    struct scenario *s = *state;

    offload_beside(s, MS(17));
    assert_int_equal(scenario_count(s, TIMING, "slow"), 1);
    assert_int_equal(scenario_int(s, TIMING, "slow", "iteration"), 19);
}

/* ---- polls beside the work ---- */

/* 30 steps: 14 kernels of `ns` in all on stream 7, and then 20 probes on stream 13, each with a copy of 8
 * bytes for which the host waits. */
static void probe(struct scenario *s, int64_t ns)
{
    struct flow main = flow_begin(s, 100, 0);
    int64_t t = main.host;

    for (int step = 0; step < 30; step++) {
        main.host = t;
        for (int k = 0; k < 14; k++)
            flow_run(&main, "gemm_kernel", ns / 14);
        t = main.host;
        for (int k = 0; k < 20; k++, t += US(60)) {
            int64_t call;

            scenario_launch(s, main.thread, t, 0, 13, "probe_kernel", t + US(8), t + US(28));
            call = scenario_call(s, main.thread, "cudaMemcpyAsync_v3020", t + US(9), t + US(12));
            scenario_copy(s, call, 0, 13, DEVICE_TO_HOST, false, 8, t + US(29), t + US(31));
            scenario_call(s, main.thread, "cudaStreamSynchronize_v3020", t + US(13), t + US(33));
        }
    }
}

/* Truth: 30 steps, not 600: the probes are polls beside the work. None is slow. */
SCENARIO(test_polls_are_no_iterations)
{
    struct scenario *s = *state;

    probe(s, MS(14));
    assert_int_equal(loop_iterations(s), 30);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    scenario_findings(s);
    loop_is_healthy(s);
}

/* Truth: the same with little before the probes, which hold most of the work: each is an iteration, as
 * a token after a short prompt. */
SCENARIO(test_probes_with_most_of_the_work)
{
    struct scenario *s = *state;

    probe(s, US(280));
    assert_int_equal(loop_iterations(s), 600);
}

/* ---- the share of slow iterations ---- */

/* A step that compiles for `warm_up`, and then 40 of 10 ms. The CPU takes 8 ms after each fifth. */
static void warm_up_and_log(struct scenario *s, int64_t warm_up)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 41; i++) {
        int64_t start = f.host;

        if (i == 0)
            f.host += warm_up;
        flow_run(&f, "sm90_gemm", MS(5));
        flow_run(&f, "flash_fwd_kernel", MS(4.9));
        flow_synchronize(&f);
        if (i % 5 == 4)
            f.host += MS(8);
        scenario_range(s, f.thread, "train_step", start, f.host);
    }
}

/* Truth: 8 of 40 steps cost 64 ms of 464 ms: medium, however long the first step compiles. */
SCENARIO(test_warm_up_dilutes_nothing)
{
    struct scenario *s = *state;

    warm_up_and_log(s, MS(4000));
    scenario_findings(s);
    loop_severity(s, "slow-iterations", "medium");
}

SCENARIO(test_the_same_without_warm_up)
{
    struct scenario *s = *state;

    warm_up_and_log(s, 0);
    scenario_findings(s);
    loop_severity(s, "slow-iterations", "medium");
}

/* ---- a range that is open when the recording ends ---- */

/* 20 steps under a range each. The last range has no end; with closed: it ends with the recording,
 * `tail` after its work. Another thread sleeps until then. */
static void end_inside(struct scenario *s, int64_t tail, bool closed)
{
    struct flow f = flow_begin(s, 100, 0);
    int64_t other = scenario_thread(s, 100, 101, "watchdog");
    int64_t start = 0;

    for (int i = 0; i < 20; i++) {
        start = f.host;
        flow_train_step(&f, MS(10));
        if (i < 19)
            scenario_range(s, f.thread, "train_step", start, f.host);
    }
    scenario_range(s, f.thread, "train_step", start, f.host + tail);
    scenario_os(s, other, "nanosleep", f.host, f.host + tail);
    if (!closed)
        scenario_sql(s, "UPDATE NVTX_EVENTS SET end = NULL WHERE start = %lld", (long long)start);
    assert_int_equal(loop_iterations(s), 20);
}

/* Truth: the recording goes on for 2 s after the last work. The last step ends with its work; these 2
 * s belong to no step and are no idle time of the steady state. */
SCENARIO(test_open_range_ends_with_its_work)
{
    struct scenario *s = *state;

    end_inside(s, MS(2000), false);
    scenario_near(scenario_int(s, TIMING, "iteration = 19", "duration_ns"), MS(10), 5);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    scenario_findings(s);
    loop_is_healthy(s);
}

SCENARIO(test_open_range_of_a_few_steps)
{
    struct scenario *s = *state;

    end_inside(s, MS(30), false);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    scenario_findings(s);
    loop_is_healthy(s);
}

/* The near miss: a closed range that ends with the recording, 6 ms after its work: that step is
 * slow. */
SCENARIO(test_last_range_ends_with_the_recording)
{
    struct scenario *s = *state;

    end_inside(s, MS(6), true);
    scenario_near(scenario_int(s, TIMING, "iteration = 19", "duration_ns"), MS(16), 5);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 1);
}

/* ---- kinds by the number of launches ---- */

/* A pass of `layers` layers of `ns` each and a result that the host reads; then the host waits `host`. */
static void pass_and_read(struct flow *f, int layers, int64_t ns, int64_t host)
{
    for (int l = 0; l < layers; l++)
        flow_layer(f, ns);
    flow_run(f, "gatherTopK", US(20));
    flow_copy(f, DEVICE_TO_HOST, 64, US(2));
    flow_synchronize(f);
    f->host += host;
}

/* Truth: 12 requests of 16 tokens. Each begins with a prefill of the same kernels, six times as long,
 * that reads nothing: the passes with a prefill are a kind of their own, and none is slow. */
SCENARIO(test_tokens_after_a_prefill)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 12 * 16; i++) {
        if (i % 16 == 0)
            for (int l = 0; l < 8; l++)
                flow_layer(&f, MS(1.2));
        pass_and_read(&f, 8, US(200), US(20));
    }
    assert_int_equal(loop_iterations(s), 12 * 16);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    assert_int_equal(scenario_count(s, TIMING, "kind = 1"), 12);
    scenario_findings(s);
    loop_is_quiet(s, "slow-iterations");
    loop_is_healthy(s);
}

/* 40 steps of 2, 4 and then 8 micro-batches, under ranges. */
static void accumulate_more(struct scenario *s)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        int64_t start = f.host;

        for (int m = 0; m < (i < 12 ? 2 : i < 26 ? 4 : 8); m++)
            for (int l = 0; l < 4; l++)
                flow_layer(&f, MS(0.5));
        flow_run(&f, "multi_tensor_apply_kernel<AdamFunctor>", MS(0.5));
        flow_copy(&f, DEVICE_TO_HOST, 4, US(2));
        flow_synchronize(&f);
        scenario_range(s, f.thread, "train_step", start, f.host);
    }
}

/* Truth: the number of micro-batches grows by a schedule. The steps are of three kinds; none is slow,
 * and no level changes. */
SCENARIO(test_schedule_of_micro_batches)
{
    struct scenario *s = *state;

    accumulate_more(s);
    assert_int_equal(loop_iterations(s), 40);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    assert_int_equal(scenario_count(s, TIMING, "kind = 2"), 12);
    assert_int_equal(scenario_count(s, TIMING, "mark = 'warm-up'"), 0);
    scenario_findings(s);
    loop_is_quiet(s, "level-change");
    loop_is_healthy(s);
}

/* 60 steps, of which every tenth launches 40 kernels more that take `each`, and logs for `host`. */
static void look_every_tenth(struct scenario *s, int64_t each, int64_t host, bool ranges)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++) {
        int64_t start = f.host;

        flow_train_step(&f, MS(8));
        if (i % 10 == 4) {
            for (int k = 0; k < 40; k++)
                flow_run(&f, "reduce_kernel_norm", each);
            flow_synchronize(&f);
            f.host += host;
        }
        if (ranges)
            scenario_range(s, f.thread, "train_step", start, f.host);
    }
}

/* Truth: every tenth step runs 6 ms of kernels more: a kind of its own. */
SCENARIO(test_norms_are_a_kind)
{
    struct scenario *s = *state;

    look_every_tenth(s, US(150), US(20), false);
    assert_int_equal(loop_iterations(s), 60);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    assert_int_equal(scenario_count(s, TIMING, "kind = 1"), 6);
}

/* The near miss: the program calls all of them steps by a range, and each tenth step is slow. */
SCENARIO(test_norms_in_ranges_are_slow)
{
    struct scenario *s = *state;

    look_every_tenth(s, US(150), US(20), true);
    assert_int_equal(loop_iterations(s), 60);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 6);
}

/* The near miss: these launches are short, and the step is long because the host logs. Every tenth is
 * slow. */
SCENARIO(test_launches_of_a_log_are_slow)
{
    struct scenario *s = *state;

    look_every_tenth(s, US(5), MS(6), false);
    assert_int_equal(loop_iterations(s), 60);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 6);
    scenario_findings(s);
    loop_fires(s, "slow-iterations");
}

/* The near miss: the first 5 of 40 steps run three times the kernels, to choose algorithms. They are
 * warm-up and no kind. */
SCENARIO(test_first_steps_with_more_launches)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        int64_t start = f.host;

        for (int k = 0; k < (i < 5 ? 3 : 1); k++)
            flow_train_step(&f, MS(8));
        scenario_range(s, f.thread, "train_step", start, f.host);
    }
    assert_int_equal(loop_iterations(s), 40);
    assert_int_equal(scenario_count(s, TIMING, "mark = 'warm-up'"), 5);
    assert_int_equal(scenario_count(s, TIMING, "kind = 0"), 40);
}

/* ---- lists that serve several steps ---- */

/* 200 times `usual` kernels that the host launches ahead; before every tenth, two more that are named
 * like this and take 0.7 ms. */
static void ahead_with_more(struct scenario *s, const char *const more[2])
{
    static const char *const names[] = {"nve_initial_integrate", "lj_cut_fast", "bond_harmonic",
                                        "pppm_interp", "nve_final_integrate"};
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 2 && i % 10 == 5; k++)
            flow_run(&f, more[k], MS(0.35));
        for (int k = 0; k < 5; k++)
            flow_run(&f, names[k], US(200));
    }
    flow_synchronize(&f);
}

/* Truth: 200 time steps of molecular dynamics, of which every tenth rebuilds the list of neighbours: two
 * kinds, none slow. */
SCENARIO(test_rebuilt_lists_of_neighbours)
{
    struct scenario *s = *state;

    ahead_with_more(s, (const char *const[2]){"calc_cell_id", "build_neighbor_list"});
    assert_int_equal(loop_iterations(s), 200);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    assert_int_equal(scenario_count(s, TIMING, "kind = 1"), 20);
    scenario_findings(s);
    loop_is_healthy(s);
}

SCENARIO(test_pruned_tile_lists)
{
    struct scenario *s = *state;

    ahead_with_more(s, (const char *const[2]){"buildTileLists<true>", "sortTileLists"});
    assert_int_equal(loop_iterations(s), 200);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* 100 short steps; every tenth launches one kernel more, and the host takes `log` longer. */
static void one_more_every_tenth(struct scenario *s, int64_t ns, int64_t log)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 100; i++) {
        flow_run(&f, "nonbonded_force", US(400));
        flow_run(&f, "bonded_force", US(60));
        flow_run(&f, "integrate", US(40));
        if (i % 10 == 9)
            flow_run(&f, "build_neighbour_list", ns);
        flow_synchronize(&f);
        if (i % 10 == 9)
            f.host += log;
    }
    assert_int_equal(loop_iterations(s), 100);
}

/* Truth: one launch more is a kind as well, if its work is what takes longer. */
SCENARIO(test_one_kernel_more)
{
    one_more_every_tenth(*state, US(600), 0);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
    assert_in_range(scenario_count(*state, TIMING, "kind = 1"), 9, 10);
}

/* The near miss: that kernel is short, and the host logs. */
SCENARIO(test_one_kernel_more_and_a_log)
{
    one_more_every_tenth(*state, US(5), US(600));
    assert_in_range(scenario_count(*state, TIMING, "slow"), 8, 10);
}

/* The near miss: what lies between every ten is no list, but a head or an optimizer may be: these are
 * 20 iterations of ten parts. */
SCENARIO(test_head_after_ten_layers)
{
    struct scenario *s = *state;

    ahead_with_more(s, (const char *const[2]){"sm90_gemm_lm_head", "softmax_kernel"});
    assert_int_equal(loop_iterations(s), 20);
}

/* The near miss: a list, and a matrix product beside it. */
SCENARIO(test_list_beside_a_head)
{
    struct scenario *s = *state;

    ahead_with_more(s, (const char *const[2]){"build_neighbor_list", "sm90_gemm_lm_head"});
    assert_in_range(loop_iterations(s), 20, 21); /* the first one is half */
}
