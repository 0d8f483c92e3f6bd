/*
 * Phases in scenarios: prefill and decode, forward, backward and optimizer, each with its own
 * verdict.
 */
#include "scenarios/flow.h"
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

#define PHASES "phases"

static const char *verdict_of(struct scenario *s, const char *phase)
{
    char where[100];

    (void)snprintf(where, sizeof where, "phase LIKE '%s%%'", phase);
    assert_int_equal(scenario_count(s, PHASES, where), 1);
    return scenario_text(s, PHASES, where, "verdict");
}

static void has_no_phases(struct scenario *s)
{
    scenario_ask(s, "skill run bound @");
    if (strstr(scenario_output(s), "\"" PHASES "\""))
        fail_msg("phases in: %.1500s", scenario_output(s));
}

/* n kernels in a range; the host continues when they are done, after `outside`. */
static void part(struct flow *f, const char *range, int n, int64_t ns, int64_t outside)
{
    int64_t start = f->host;

    for (int i = 0; i < n; i++)
        flow_run(f, i % 2 ? "sm90_gemm_bf16" : "fused_norm_kernel", ns);
    flow_synchronize(f);
    if (range)
        scenario_range(f->s, f->thread, range, start, f->host);
    f->host += outside;
}

/* Truth: prefill is 60 ms of long kernels; a token is 100 kernels of 3 us that take 10 us each to
 * launch. The GPU waits for the CPU in decode and not in prefill. */
SCENARIO(test_decode_is_host_bound)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 80; i++) {
        if (i % 20 == 0)
            part(&f, "prefill", 60, MS(1), US(30));
        part(&f, "decode", 100, US(3), US(30));
    }
    scenario_ask(s, "skill run bound @");
    assert_string_equal(verdict_of(s, "prefill"), "GPU-bound");
    assert_string_equal(verdict_of(s, "decode"), "CPU-bound");
    assert_int_equal(scenario_int(s, PHASES, "phase = 'decode'", "spans"), 80);
    scenario_findings(s);
    loop_fires(s, "cpu-bottleneck");
}

/* Truth: a third of prefill is copies within the GPU, its own work. */
SCENARIO(test_copies_within_the_gpu_in_a_phase)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 80; i++) {
        if (i % 20 == 0) {
            int64_t start = f.host;

            for (int k = 0; k < 30; k++) {
                flow_run(&f, "sm90_gemm_bf16", MS(2));
                flow_copy(&f, DEVICE_TO_DEVICE, 1 << 28, MS(1));
            }
            flow_synchronize(&f);
            scenario_range(s, f.thread, "prefill", start, f.host);
            f.host += US(30);
        }
        part(&f, "decode", 100, US(3), US(30));
    }
    scenario_ask(s, "skill run bound @");
    assert_string_equal(verdict_of(s, "prefill"), "GPU-bound");
}

/* The same without ranges: two kinds of iterations, one of them CPU-bound. */
SCENARIO(test_kinds_are_phases)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++) {
        int n = i % 15 == 0 ? 24 : 60;

        flow_copy(&f, HOST_TO_DEVICE, 4096, US(2));
        for (int k = 0; k < n; k++)
            flow_run(&f,
                     n == 24 ? k % 2 ? "sm90_gemm_large" : "flash_fwd_kernel"
                     : k % 2 ? "gemv_kernel"
                             : "flash_fwd_splitkv_kernel",
                     n == 24 ? MS(2) : US(2.5));
        flow_run(&f, "sampling_kernel", US(10));
        flow_copy(&f, DEVICE_TO_HOST, 64, US(2));
        flow_synchronize(&f);
    }
    scenario_ask(s, "skill run bound @");
    assert_string_equal(verdict_of(s, "kind 0"), "CPU-bound");
    assert_string_equal(verdict_of(s, "kind 1"), "GPU-bound");
}

/* Truth: two ranks on GPUs of their own are in forward for 40 kernels of 0.1 ms a step, in backward for
 * 40 of 0.12 ms. The window of a GPU bounds its phases and does not replace them. */
SCENARIO(test_phases_of_two_ranks)
{
    struct scenario *s = *state;

    for (int rank = 0; rank < 2; rank++) {
        struct flow f = flow_begin(s, 100 + rank, rank);

        for (int i = 0; i < 20; i++) {
            part(&f, "forward", 40, US(100), 0);
            part(&f, "backward", 40, US(120), 0);
        }
    }
    scenario_ask(s, "skill run bound @");
    for (int rank = 0; rank < 2; rank++) {
        char where[40];

        (void)snprintf(where, sizeof where, "phase = 'forward' AND gpu = %d", rank);
        scenario_near(scenario_int(s, PHASES, where, "window_ns"), 20 * MS(4.02), 3);
        (void)snprintf(where, sizeof where, "phase = 'backward' AND gpu = %d", rank);
        scenario_near(scenario_int(s, PHASES, where, "window_ns"), 20 * MS(4.82), 3);
    }
    assert_int_equal(scenario_count(s, PHASES, NULL), 4);
    scenario_findings(s);
    loop_is_quiet(s, "cpu-bottleneck");
}

/* Truth: forward and backward keep the GPU busy; the optimizer launches a kernel of 4 us for each of 300
 * parameters, a quarter of the step. */
SCENARIO(test_optimizer_is_host_bound)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 20; i++) {
        part(&f, "forward", 40, US(100), 0);
        part(&f, "backward", 40, US(120), 0);
        part(&f, "optimizer", 300, US(4), US(10));
    }
    scenario_ask(s, "skill run bound @");
    assert_string_equal(verdict_of(s, "forward"), "GPU-bound");
    assert_string_equal(verdict_of(s, "backward"), "GPU-bound");
    assert_string_equal(verdict_of(s, "optimizer"), "CPU-bound");
    scenario_near(scenario_int(s, PHASES, "phase = 'backward'", "window_ns"), 20 * MS(4.82), 3);
    scenario_findings(s);
    loop_fires(s, "cpu-bottleneck");
}

/* The healthy twin: the optimizer is a few fused kernels. All phases are GPU-bound, and there is no
 * finding. */
SCENARIO(test_healthy_phases)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 20; i++) {
        part(&f, "forward", 40, US(100), 0);
        part(&f, "backward", 40, US(120), 0);
        part(&f, "optimizer", 4, US(150), US(10));
    }
    scenario_ask(s, "skill run bound @");
    assert_int_equal(scenario_count(s, PHASES, "verdict = 'GPU-bound'"), 3);
    scenario_findings(s);
    loop_is_healthy(s);
    assert_int_equal(scenario_count(s, "findings", "finding LIKE '%phase%'"), 0);
}

/* The near miss: decode is host-bound but takes 2 % of the time. */
SCENARIO(test_a_short_phase_is_no_finding)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 20; i++) {
        part(&f, "prefill", 60, MS(1), US(10));
        part(&f, "decode", 80, US(3), US(10));
    }
    scenario_ask(s, "skill run bound @");
    assert_string_equal(verdict_of(s, "decode"), "CPU-bound");
    scenario_findings(s);
    loop_is_quiet(s, "cpu-bottleneck");
}

/* If the host runs ahead, a phase is where the GPU runs it: the forward pass takes half of the
 * time. */
SCENARIO(test_phases_of_a_host_that_runs_ahead)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 16; i++) {
        int64_t start = f.host;

        for (int k = 0; k < 20; k++)
            flow_run(&f, "sm90_gemm_fprop", US(500));
        scenario_range(s, f.thread, "forward", start, f.host);
        start = f.host;
        for (int k = 0; k < 20; k++)
            flow_run(&f, "sm90_gemm_dgrad", US(500));
        scenario_range(s, f.thread, "backward", start, f.host);
    }
    flow_synchronize(&f);
    scenario_ask(s, "skill run bound @");
    scenario_near(scenario_int(s, PHASES, "phase = 'forward'", "window_ns"), 16 * MS(10), 2);
    scenario_near(scenario_int(s, PHASES, "phase = 'backward'", "window_ns"), 16 * MS(10), 2);
}

/* Ranges of the model lie around and inside those of the phases, as in servers. The innermost one
 * named prefill or decode counts: a range "forward" around or inside them is not a phase. */
SCENARIO(test_the_innermost_range_is_the_phase)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 80; i++) {
        int64_t start = f.host;
        int64_t inner = f.host + US(5);

        if (i % 20 == 0)
            part(&f, "prefill", 60, MS(1), US(30));
        else
            part(&f, "decode", 100, US(3), US(30));
        scenario_range(s, f.thread, "model_forward", inner, f.host - US(35));
        scenario_range(s, f.thread, "forward_batch", start - US(10), f.host);
        f.host += US(30);
    }
    scenario_ask(s, "skill run bound @");
    assert_int_equal(scenario_count(s, PHASES, "phase LIKE 'forward%'"), 0);
    assert_string_equal(verdict_of(s, "prefill"), "GPU-bound");
    assert_string_equal(verdict_of(s, "decode"), "CPU-bound");
    assert_int_equal(scenario_int(s, PHASES, "phase = 'decode'", "spans"), 76);
}

/* A third of backward computes the forward pass again (checkpointing), in its own range: that time
 * is forward, and the rest of the outer range is backward. */
SCENARIO(test_a_phase_inside_another)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 20; i++) {
        int64_t start;

        part(&f, "forward", 40, US(100), 0);
        start = f.host;
        part(&f, NULL, 20, US(100), 0);
        part(&f, "recompute_forward", 20, US(100), 0);
        part(&f, NULL, 20, US(100), 0);
        scenario_range(s, f.thread, "backward", start, f.host);
    }
    scenario_ask(s, "skill run bound @");
    scenario_near(scenario_int(s, PHASES, "phase = 'forward'", "window_ns"), 20 * MS(6), 3);
    scenario_near(scenario_int(s, PHASES, "phase = 'backward'", "window_ns"), 20 * MS(4), 3);
    scenario_findings(s);
    loop_is_healthy(s);
}

/* The split of the report: kernels of layers belong to the decode or prefill around the layers. A
 * sampler inside a decode is sampling; work in other ranges has no phase. */
SCENARIO(test_phases_of_the_report)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 10; i++) {
        int64_t start = f.host;

        part(&f, "mlp", 4, US(100), 0);
        scenario_range(s, f.thread, "prefill", start, f.host);
        start = f.host;
        part(&f, "mlp", 2, US(50), 0);
        part(&f, "sampler", 1, US(20), 0);
        scenario_range(s, f.thread, "decode", start, f.host);
        part(&f, "evict", 1, US(10), 0);
    }
    scenario_ask(s, "report --json @");
    assert_int_equal(scenario_int(s, "phase_split", "phase = 'prefill'", "total_time_ns"), MS(4));
    assert_int_equal(scenario_int(s, "phase_split", "phase = 'decode'", "total_time_ns"), MS(1));
    assert_int_equal(scenario_int(s, "phase_split", "phase = 'sampling'", "total_time_ns"),
                     US(200));
    assert_int_equal(scenario_int(s, "phase_split", "phase = 'unmapped'", "total_time_ns"),
                     US(100));
}

/* Steps of one kind without ranges inside have no phases; nor has work without iterations. */
SCENARIO(test_no_phases)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 12; i++)
        part(&f, "train_step", 40, US(100), US(20));
    has_no_phases(s);
}

SCENARIO(test_no_iterations)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    part(&f, "forward", 40, US(100), 0);
    part(&f, "backward", 30, US(100), 0);
    has_no_phases(s);
}
