/*
 * Copies: which of them hold the host, and which migrations of unified memory hold up kernels.
 */
#include "scenarios/loop.h"

#include <string.h>

/* Ten copies of 1 ms by a call of `call_ns`, pageable or pinned. */
static void make_copies(struct scenario *s, const char *call_name, int64_t call_ns, bool pageable)
{
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 10; i++) {
        int64_t t = MS(5) * i + MS(1);
        int64_t call = scenario_call(s, thread, call_name, t, t + call_ns);

        scenario_copy(s, call, 0, 7, HOST_TO_DEVICE, pageable, 8 << 20, t + US(10),
                      t + US(10) + MS(1));
    }
    scenario_ask(s, "skill run copies @");
}

static void check_share(struct scenario *s, double share)
{
    assert_float_equal(scenario_real(s, "copies", "count = 10", "blocking_share"), share, 0.01);
}

/* Pageable memory through cudaMemcpyAsync, which returns when the copy is done: blocking. */
SCENARIO(test_pageable_async_blocks)
{
    make_copies(*state, "cudaMemcpyAsync_v3020", MS(1.01), true);
    check_share(*state, 100);
}

/* Pinned memory: the call returns at once. */
SCENARIO(test_pinned_async_does_not)
{
    make_copies(*state, "cudaMemcpyAsync_v3020", US(8), false);
    check_share(*state, 0);
}

/* Pageable memory that was staged: the call returns long before the copy ends. */
SCENARIO(test_staged_pageable_does_not)
{
    make_copies(*state, "cudaMemcpyAsync_v3020", US(60), true);
    check_share(*state, 0);
}

/* cudaMemcpy blocks by its name, pinned or not. */
SCENARIO(test_memcpy_blocks)
{
    make_copies(*state, "cudaMemcpy_v3020", MS(1.01), false);
    check_share(*state, 100);
}

/* A pinned copy whose call waited for room in the queue is not blocking for its memory. */
SCENARIO(test_long_call_of_pinned_does_not)
{
    make_copies(*state, "cudaMemcpyAsync_v3020", MS(2), false);
    check_share(*state, 0);
}

/* The cost of waits says which window it is of. */
SCENARIO(test_sync_says_its_window)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    scenario_launch(s, thread, MS(1), 0, 7, "gemm", MS(1.1), MS(3));
    scenario_call(s, thread, "cudaStreamSynchronize_v3020", MS(1.2), MS(5));
    scenario_launch(s, thread, MS(6), 0, 7, "gemm", MS(6.1), MS(8));
    scenario_ask(s, "skill run sync @");
    assert_non_null(strstr(scenario_output(s), "from the first GPU work of the process"));
    assert_int_equal(scenario_int(s, "sync", "count = 1", "idle_ns"), MS(2));
    scenario_ask(s, "skill run sync --trim 0ms 4ms @");
    assert_non_null(strstr(scenario_output(s), "clipped to the window"));
}

/* ---- unified memory ---- */

/* ENUM_CUDA_UNIF_MEM_MIGRATION; NONE: the export lacks the column. */
enum cause { PREFETCH = 1, FAULT, SPECULATIVE, EVICTION, NONE };
enum direction { MOVES_IN = 11, MOVES_OUT };

/* A loop whose GPU computes all the time; under each of its steps of 10 ms, migrations run for 3.4 ms. */
static void migrate_on(struct scenario *s, int device, enum direction direction, enum cause cause)
{
    static const char *const names[] = {"stencil", NULL};
    const struct loop loop = {.thread = scenario_thread(s, 100, 100 + device, "python"),
                              .device = device,
                              .kernel = MS(2.499),
                              .names = names};

    scenario_gpu(s, device, "NVIDIA H100 80GB HBM3");
    loop_run(s, &loop);
    if (cause != NONE && device == 0)
        scenario_sql(s, "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD COLUMN migrationCause INTEGER");
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 34; k++) {
            int64_t at = loop_step(&loop, i) + US(20) + k * US(110);

            scenario_sql(s,
                         "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, "
                         "streamId, globalPid, bytes, copyKind, srcKind, dstKind%s) VALUES (%lld, "
                         "%lld, %d, %d, 0, %lld, 65536, %d, 4, 4%s)",
                         cause == NONE ? "" : ", migrationCause", (long long)at,
                         (long long)at + US(100), device, device + 1, 100LL << 24, (int)direction,
                         cause == PREFETCH      ? ", 1"
                         : cause == FAULT       ? ", 2"
                         : cause == SPECULATIVE ? ", 3"
                         : cause == EVICTION    ? ", 4"
                                                : "");
        }
}

static void migrate_under_kernels(struct scenario *s, enum direction direction, enum cause cause)
{
    migrate_on(s, 0, direction, cause);
    scenario_findings(s);
}

static void holds_up(struct scenario *s)
{
    loop_severity(s, "transfers", "high");
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'transfers'", "finding"), "for 34.0 %"));
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'transfers'", "evidence"), "stencil"));
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'transfers'", "next_step"),
                           "cudaMemPrefetchAsync"));
}

/* A kernel waits for the pages that it asks for, and for the driver to move others out. */
SCENARIO(test_page_faults_hold_up_kernels)
{
    migrate_under_kernels(*state, MOVES_IN, FAULT);
    holds_up(*state);
}

SCENARIO(test_evictions_hold_up_kernels)
{
    migrate_under_kernels(*state, MOVES_OUT, EVICTION);
    holds_up(*state);
}

/* The near misses: the program prefetches the next pages, and the CPU asks for earlier ones. */
SCENARIO(test_prefetches_run_beside_kernels)
{
    migrate_under_kernels(*state, MOVES_IN, PREFETCH);
    loop_is_healthy(*state);
}

SCENARIO(test_the_host_reads_results)
{
    migrate_under_kernels(*state, MOVES_OUT, FAULT);
    loop_is_healthy(*state);
}

/* An export without causes: neither cost nor health is known. */
SCENARIO(test_migrations_of_unknown_cause)
{
    migrate_under_kernels(*state, MOVES_IN, NONE);
    loop_abstains(*state, "transfers", 1);
    assert_int_equal(scenario_count(*state, "findings", "rule = 'healthy'"), 0);
}

/* The GPU handles a page fault around each of n migrations of a step, which itself has no cause. */
static void fault_on(struct scenario *s, int device, int steps)
{
    scenario_sql(s, "CREATE TABLE IF NOT EXISTS CUDA_UM_GPU_PAGE_FAULT_EVENTS (start INTEGER, end "
                    "INTEGER, globalPid INTEGER, deviceId INTEGER, address INTEGER, "
                    "numberOfPageFaults INTEGER, faultAccessType INTEGER)");
    for (int i = 0; i < steps; i++)
        for (int k = 0; k < 34; k++) {
            int64_t at = MS(10) + i * MS(10) + US(20) + k * US(110);

            scenario_sql(
                s,
                "INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES (%lld, %lld, %lld, %d, 0, 1, 1)",
                (long long)at - US(5), (long long)at + US(102), 100LL << 24, device);
        }
}

/* An old export has no causes, but the page faults of the GPU. */
SCENARIO(test_page_faults_of_an_old_export)
{
    fault_on(*state, 0, 20);
    migrate_under_kernels(*state, MOVES_IN, NONE);
    holds_up(*state);
}

/* The near misses: kernels ask for few of the pages, and the faults are another GPU's. */
SCENARIO(test_prefetches_beside_a_few_faults)
{
    fault_on(*state, 0, 1);
    migrate_under_kernels(*state, MOVES_IN, NONE);
    loop_is_healthy(*state);
}

SCENARIO(test_page_faults_of_the_other_gpu)
{
    migrate_on(*state, 0, MOVES_IN, NONE);
    migrate_on(*state, 1, MOVES_IN, NONE);
    fault_on(*state, 1, 20);
    scenario_findings(*state);
    loop_fires(*state, "transfers");
    assert_non_null(strstr(
        scenario_text(*state, "findings", "rule = 'transfers' AND severity = 'high'", "finding"),
        "GPU 1 hold it up"));
    assert_int_equal(scenario_count(*state, "findings", "rule = 'transfers'"), 2);
}

/* Each GPU has migrations of its own: those of one say nothing about the other. */
SCENARIO(test_page_faults_of_one_gpu)
{
    migrate_on(*state, 0, MOVES_IN, PREFETCH);
    migrate_on(*state, 1, MOVES_IN, FAULT);
    scenario_findings(*state);
    holds_up(*state);
    assert_non_null(strstr(scenario_text(*state, "findings", "rule = 'transfers'", "finding"),
                           "GPU 1 hold it up"));
}

SCENARIO(test_page_faults_of_two_gpus)
{
    migrate_on(*state, 0, MOVES_IN, FAULT);
    migrate_on(*state, 1, MOVES_IN, FAULT);
    scenario_findings(*state);
    holds_up(*state);
}

/* Few ranges of costly events are looked up: those of the kernels that are held up come before those of
 * many cheap copies. */
SCENARIO(test_page_faults_name_their_range)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 200, "logger");

    scenario_range(s, thread, "log", MS(209.9), MS(230));
    migrate_on(s, 0, MOVES_IN, FAULT);
    for (int i = 0; i < 2100; i++) {
        int64_t t = MS(210) + i * US(4);
        int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", t, t + US(1));

        scenario_sql(
            s,
            "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, "
            "correlationId, globalPid, bytes, copyKind, srcKind, dstKind, migrationCause) VALUES "
            "(%lld, %lld, 0, 1, 9, %lld, %lld, 64, 1, 1, 2, 0)",
            (long long)t + US(1), (long long)t + US(2), (long long)call, 100LL << 24);
    }
    scenario_ask(s, "analyze --whole @");
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'transfers'", "next_step"),
                           "in the range train_step"));
}

/* The innermost range is named, however deep it lies. */
SCENARIO(test_copies_of_a_deep_range)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int depth = 0; depth < 70; depth++)
        scenario_range(s, thread, "outer", US(100 + depth), MS(500) - US(depth));
    for (int i = 0; i < 40; i++) {
        int64_t t = MS(10) * i + MS(1);
        int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", t + US(1), t + MS(3));

        scenario_range(s, thread, "read_batch", t, t + MS(4));
        scenario_copy(s, call, 0, 7, HOST_TO_DEVICE, true, 8 << 20, t + US(10), t + MS(3));
        scenario_launch(s, thread, t + MS(5), 0, 7, "gemm", t + MS(5.1), t + MS(9));
    }
    scenario_findings(s);
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'transfers'", "next_step"),
                           "in the range read_batch"));
}

/* Two exports at once: their causes are not read, so nothing is concluded and nothing called healthy. */
SCENARIO(test_page_faults_of_two_exports)
{
    struct scenario *other = scenario_new();

    migrate_on(*state, 0, MOVES_IN, FAULT);
    migrate_on(other, 0, MOVES_IN, FAULT);
    scenario_add(*state, other);
    assert_int_equal(scenario_run(*state, "render @ @2 --size 400x60 -c findings"), 0);
    assert_null(strstr(scenario_output(*state), "hold it up"));
    assert_null(strstr(scenario_output(*state), "healthy"));
    assert_non_null(strstr(scenario_output(*state), "read for one export at a time"));
    scenario_free(other);
}

/* The faults themselves are there for all exports. */
SCENARIO(test_recorded_faults_of_two_exports)
{
    struct scenario *other = scenario_new();

    migrate_on(*state, 0, MOVES_IN, NONE);
    migrate_on(other, 0, MOVES_IN, NONE);
    fault_on(*state, 0, 20);
    fault_on(other, 0, 20);
    scenario_add(*state, other);
    assert_int_equal(scenario_run(*state, "render @ @2 --size 400x60 -c findings"), 0);
    assert_non_null(strstr(scenario_output(*state), "hold it up"));
    scenario_free(other);
}
