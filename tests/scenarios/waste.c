/*
 * Work that leaves most of a GPU unused: kernels of few blocks, and memory that is set.
 */
#include "scenarios/loop.h"

#include <stdio.h>

static const struct loop busy = {.ahead = MS(3), .start = MS(20)};

/* ---- small grids ---- */

/* A GPU of 132 SMs. Each tenth of a busy second is one kernel of some blocks for `ms` ms, and then a
 * large one; beside: another stream is busy meanwhile. */
static void run_blocks(struct scenario *s, int blocks, double ms, int large, bool beside)
{
    int64_t thread = scenario_thread(s, 100, 100, "solver");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    scenario_sql(s, "UPDATE TARGET_INFO_GPU SET smCount = 132");
    for (int i = 0; i < 100; i++) {
        int64_t t = MS(20) + i * MS(10);
        int64_t end = t + MS(ms);

        scenario_launch(s, thread, t - MS(3), 0, 7, "gram_schmidt_kernel", t, end - US(1));
        scenario_launch(s, thread, t - MS(2.9), 0, 7, "gemm", end, t + MS(10) - US(1));
        if (beside)
            scenario_launch(s, thread, t - MS(2.8), 0, 8, "other_kernel", t, end - US(1));
    }
    scenario_sql(s,
                 "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = CASE shortName WHEN %lld THEN %d "
                 "ELSE %d END",
                 (long long)scenario_string(s, "gram_schmidt_kernel"), blocks, large);
    scenario_findings(s);
}

/* Truth: 4 blocks on 132 SMs for 65 % of the time. */
SCENARIO(test_few_blocks)
{
    run_blocks(*state, 4, 6.5, 2048, false);
    loop_fires(*state, "small-grid");
    loop_severity(*state, "small-grid", "high");
    loop_is_quiet(*state, "healthy");
}

SCENARIO(test_half_of_the_blocks)
{
    run_blocks(*state, 60, 5, 2048, false);
    loop_fires(*state, "small-grid");
}

/* The near misses: a block for most SMs, little time, work beside it, and an export that says one block
 * for every kernel. */
SCENARIO(test_enough_blocks)
{
    run_blocks(*state, 96, 6.5, 2048, false);
    loop_is_quiet(*state, "small-grid");
    loop_is_healthy(*state);
}

SCENARIO(test_few_blocks_for_a_short_time)
{
    run_blocks(*state, 4, 1.5, 2048, false);
    loop_is_quiet(*state, "small-grid");
    loop_is_healthy(*state);
}

SCENARIO(test_few_blocks_beside_others)
{
    run_blocks(*state, 4, 6.5, 2048, true);
    loop_is_quiet(*state, "small-grid");
}

SCENARIO(test_grids_that_are_not_told)
{
    run_blocks(*state, 1, 6.5, 1, false);
    loop_abstains(*state, "small-grid", 0);
    loop_is_healthy(*state);
}

/* ---- memsets ---- */

/* In each step of 10 ms memory is set for ns, alone or on another stream beside kernels. */
static void set_memory(struct scenario *s, int64_t ns, bool beside)
{
    struct loop loop = busy;
    int64_t thread;

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    loop.idle = beside ? 0 : ns + US(20);
    thread = loop_run(s, &loop);
    for (int i = 0; i < 20; i++) {
        int64_t at = beside ? loop_step(&loop, i) + US(100) : loop_step(&loop, i + 1) - ns - US(10);
        int64_t call =
            scenario_call(s, thread, "cudaMemsetAsync_v3020", at - MS(2), at - MS(2) + US(5));

        scenario_memset(s, call, 0, beside ? 9 : 7, INT64_C(2) << 30, at, at + ns);
    }
    scenario_findings(s);
}

/* Truth: memsets take 30 % of the time. */
SCENARIO(test_large_memsets)
{
    set_memory(*state, MS(3), false);
    loop_fires(*state, "memsets");
    loop_severity(*state, "memsets", "high");
    scenario_ask(*state, "ask @ 'how much time do the memsets take?'");
    assert_true(loop_notes(*state, "60.0 ms in all"));
}

SCENARIO(test_memsets)
{
    set_memory(*state, MS(1), false);
    loop_fires(*state, "memsets");
}

/* The near misses: short ones, and some beside kernels. */
SCENARIO(test_short_memsets)
{
    set_memory(*state, US(200), false);
    loop_is_quiet(*state, "memsets");
    loop_is_healthy(*state);
}

SCENARIO(test_memsets_beside_kernels)
{
    set_memory(*state, MS(3), true);
    loop_is_quiet(*state, "memsets");
}

/* ---- copies within a GPU or between GPUs ---- */

/* In each step of 10 ms a copy of this kind runs for ns, alone or on another stream beside kernels. */
static void copy_memory(struct scenario *s, enum scenario_copy kind, int64_t ns, bool beside)
{
    struct loop loop = busy;
    int64_t thread;

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    loop.idle = beside ? 0 : ns + US(20);
    thread = loop_run(s, &loop);
    for (int i = 0; i < 20; i++) {
        int64_t at = beside ? loop_step(&loop, i) + US(100) : loop_step(&loop, i + 1) - ns - US(10);
        int64_t call =
            scenario_call(s, thread, "cudaMemcpyAsync_v3020", at - MS(2), at - MS(2) + US(5));

        scenario_copy(s, call, 0, beside ? 9 : 7, kind, false, 1 << 30, at, at + ns);
    }
    scenario_findings(s);
    assert_int_equal(scenario_count(s, "findings", "rule = 'memsets'"), 0);
}

/* Truth: copies within the GPU take 28 % of the time. */
SCENARIO(test_copies_within)
{
    copy_memory(*state, DEVICE_TO_DEVICE, MS(2.8), false);
    loop_fires(*state, "device-copies");
    loop_severity(*state, "device-copies", "high");
    loop_abstains(*state, "memsets", 0);
}

/* Truth: the GPU exchanges its edges with another one for a tenth of the time. */
SCENARIO(test_copies_between)
{
    copy_memory(*state, PEER, MS(1.2), false);
    loop_fires(*state, "device-copies");
    loop_severity(*state, "device-copies", "medium");
}

SCENARIO(test_short_copies)
{
    copy_memory(*state, DEVICE_TO_DEVICE, US(300), false);
    loop_is_quiet(*state, "device-copies");
    loop_is_healthy(*state);
}

SCENARIO(test_copies_beside_kernels)
{
    copy_memory(*state, PEER, MS(3), true);
    loop_is_quiet(*state, "device-copies");
}

/* Of copies of unknown direction it is not assessable what they are for: neither that nor "healthy" is said. */
SCENARIO(test_copies_of_unknown_direction)
{
    copy_memory(*state, (enum scenario_copy)0, MS(2.8), false);
    loop_abstains(*state, "device-copies", 0);
    assert_int_equal(scenario_count(*state, "findings", "rule = 'healthy'"), 0);
}
