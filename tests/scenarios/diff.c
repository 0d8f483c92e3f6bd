/* Comparisons of two recordings: regressions, unchanged ones, and withheld verdicts. */
#include "scenarios/scenario.h"

#include <stdio.h>
#include <string.h>

/* One side: a loop of steps on one GPU. */
struct side {
    struct scenario *s;
    int64_t thread, host, gpu;
    const char *range; /* NULL: no range around a step */
};

static struct side begin(struct scenario *s, const char *model, const char *range)
{
    struct side side = {s, scenario_thread(s, 100, 100, "python"), MS(1), 0, range};

    scenario_gpu(s, 0, model);
    return side;
}

static void run(struct side *side, const char *kernel, int64_t ns)
{
    int64_t start = side->gpu > side->host + US(8) ? side->gpu : side->host + US(8);

    scenario_launch(side->s, side->thread, side->host, 0, 7, kernel, start, start + ns);
    side->host += US(10);
    side->gpu = start + ns;
}

/* ns of GPU time in 8 kernels, then a wait; the next step begins `outside` later. */
static void step(struct side *side, int64_t ns, int64_t outside)
{
    int64_t start = side->host;
    int64_t end;

    for (int i = 0; i < 3; i++) {
        run(side, "sm90_xmma_gemm_bf16_256x128", ns / 4);
        run(side, "flash_fwd_kernel", ns / 12);
    }
    run(side, "multi_tensor_apply_kernel", 0);
    end = side->gpu + US(5);
    (void)scenario_call(side->s, side->thread, "cudaStreamSynchronize_v3020", side->host, end);
    if (side->range)
        scenario_range(side->s, side->thread, side->range, start, end);
    side->host = end + outside;
}

static const char *const h100 = "NVIDIA H100 80GB HBM3";

/* ---- the question ---- */

/* Runs `diff A B` with more arguments. Returns the exit status; b keeps the answer. */
static int compare(struct scenario *a, struct scenario *b, const char *more)
{
    char command[1024];

    (void)snprintf(command, sizeof command, "diff %s @ --format json %s", scenario_path(a), more);
    return scenario_run(b, command);
}

static void has(struct scenario *b, const char *words)
{
    if (!strstr(scenario_output(b), words))
        fail_msg("no \"%s\" in: %.1500s", words, scenario_output(b));
}

static void says(struct scenario *a, struct scenario *b, const char *verdict)
{
    char words[64];

    (void)snprintf(words, sizeof words, "\"verdict\": \"%s\"", verdict);
    (void)compare(a, b, "");
    has(b, words);
}

/* Steps whose GPU time is `usual`, but for every n-th from the third on, which takes `rare`. */
static struct scenario *loop(struct scenario *s, int steps, int64_t usual, int n, int64_t rare,
                             int64_t outside)
{
    struct side side = begin(s, h100, "train_step");

    for (int i = 0; i < steps; i++)
        step(&side, n > 0 && i % n == n - 1 ? rare : usual, outside);
    return s;
}

/* Periods of 100 and 140 ms with ranges of 80 ms in both: a regression of 40 %. */
SCENARIO(test_time_between_ranges_counts)
{
    struct scenario *b = *state;
    struct scenario *a = loop(scenario_new(), 20, MS(80), 0, 0, MS(20));

    (void)loop(b, 20, MS(80), 0, 0, MS(60));
    says(a, b, "regression");
    assert_int_equal(compare(a, b, "--gate 5%"), 1);
    scenario_free(a);
}

/* Kernels that grew by 9 and 3 ms, then 4 ms more between the steps: the waterfall names each. */
SCENARIO(test_the_waterfall_names_what_grew)
{
    struct scenario *b = *state;
    struct scenario *a = loop(scenario_new(), 20, MS(12), 0, 0, MS(1));
    struct scenario *c = loop(scenario_new(), 20, MS(12), 0, 0, MS(5));

    (void)loop(b, 20, MS(24), 0, 0, MS(1));
    (void)compare(a, b, "--limit 3");
    has(b, "\"change_ns\": 9000000");
    has(b, "\"name\": \"sm90_xmma_gemm_bf16_256x128\"");
    has(b, "\"change_ns\": 3000000");
    (void)compare(a, c, "--limit 3");
    has(c, "\"change_ns\": 4000000");
    has(c, "\"class\": \"idle\"");
    (void)compare(a, a, "--limit 3");
    has(a, "\"name\": \"not explained\"");
    assert_null(strstr(scenario_output(a), "\"change_pct\": -"));
    scenario_free(a);
    scenario_free(c);
}

/* The same program twice, with 1 % of jitter: no change, and the gate passes. */
SCENARIO(test_the_same_program_is_no_change)
{
    struct scenario *b = *state;
    struct scenario *a = loop(scenario_new(), 20, MS(20), 3, MS(20.2), MS(1));

    (void)loop(b, 20, MS(20.1), 4, MS(20), MS(1));
    says(a, b, "no change");
    assert_int_equal(compare(a, b, "--gate 5%"), 0);
    scenario_free(a);
}

/* Limits: a change below 2 % is noise, one of 5 % or more is a regression. */
static void check_change(double percent, const char *verdict)
{
    struct scenario *a = loop(scenario_new(), 20, MS(100), 0, 0, 0);
    struct scenario *b = loop(scenario_new(), 20, MS(100 + percent), 0, 0, 0);

    says(a, b, verdict);
    scenario_free(b);
    scenario_free(a);
}

TEST(test_limits_of_a_change)
{
    check_change(1.8, "no change");
    check_change(2.2, "slower");
    check_change(4.8, "slower");
    check_change(5.2, "regression");
}

/* 3 of 60 steps take 5 times as long, the median stays: the throughput fell by a fifth. */
SCENARIO(test_rare_long_steps_count)
{
    struct scenario *b = *state;
    struct scenario *a = loop(scenario_new(), 60, MS(10), 0, 0, 0);

    (void)loop(b, 60, MS(10), 20, MS(50), 0);
    says(a, b, "regression");
    scenario_free(a);
}

/* Both have the same rare long steps: no change. */
SCENARIO(test_rare_long_steps_of_both_are_no_change)
{
    struct scenario *b = *state;
    struct scenario *a = loop(scenario_new(), 60, MS(10), 20, MS(50), 0);

    (void)loop(b, 60, MS(10), 20, MS(50), 0);
    says(a, b, "no change");
    scenario_free(a);
}

/* Every second step takes twice as long although its work is the same: a regression. */
SCENARIO(test_half_of_the_steps_doubled)
{
    struct scenario *b = *state;
    struct scenario *a = loop(scenario_new(), 24, MS(10), 0, 0, US(100));

    (void)loop(b, 24, MS(10), 2, MS(20), US(100));
    says(a, b, "regression");
    scenario_free(a);
}

/* B has one more step, and it is a short one (the last batch): no change. */
SCENARIO(test_one_more_short_step_is_none)
{
    struct scenario *b = *state;
    struct scenario *a = loop(scenario_new(), 20, MS(20), 0, 0, 0);
    struct side side = begin(b, h100, "train_step");

    for (int i = 0; i < 21; i++)
        step(&side, i == 18 ? MS(6) : MS(20), 0);
    says(a, b, "no change");
    scenario_free(a);
}

/* Faster by a quarter: an improvement. */
SCENARIO(test_faster_is_an_improvement)
{
    struct scenario *b = *state;
    struct scenario *a = loop(scenario_new(), 20, MS(20), 0, 0, 0);

    (void)loop(b, 20, MS(15), 0, 0, 0);
    says(a, b, "improvement");
    assert_int_equal(compare(a, b, "--gate 5%"), 0);
    scenario_free(a);
}

/* Prefill and decode, each as long as before, but B serves twice as many prefills: no change. */
SCENARIO(test_another_mix_of_kinds_is_no_change)
{
    struct scenario *b = *state;
    struct scenario *sides[2] = {scenario_new(), b};

    for (int i = 0; i < 2; i++) {
        struct side side = begin(sides[i], h100, NULL);

        for (int k = 0; k < 60; k++) {
            bool prefill = k % (i ? 5 : 10) == 0;
            int64_t start = side.host;

            for (int j = 0; j < (prefill ? 12 : 4); j++)
                run(&side,
                    prefill ? (j % 2 ? "flash_fwd_kernel" : "gemm_prefill")
                            : (j % 2 ? "paged_attention_kernel" : "gemv_kernel"),
                    prefill ? MS(4) : MS(1));
            (void)scenario_call(side.s, side.thread, "cudaStreamSynchronize_v3020", side.host,
                                side.gpu + US(5));
            side.host = side.gpu + US(5);
            scenario_range(side.s, side.thread, "execute_model", start, side.host);
            side.host += US(50);
        }
    }
    says(sides[0], b, "no change");
    scenario_free(sides[0]);
}

/* The host runs ahead and its ranges last as long as before; the GPU takes 30 % longer. */
SCENARIO(test_the_gpu_counts_where_the_host_runs_ahead)
{
    struct scenario *b = *state;
    struct scenario *sides[2] = {scenario_new(), b};

    for (int i = 0; i < 2; i++) {
        struct side side = begin(sides[i], h100, NULL);

        for (int k = 0; k < 20; k++) {
            int64_t start = side.host;

            for (int j = 0; j < 20; j++)
                run(&side, "sm90_gemm", i ? US(650) : US(500));
            scenario_range(side.s, side.thread, "step", start, start + US(400));
            side.host = start + US(420);
        }
    }
    says(sides[0], b, "regression");
    scenario_free(sides[0]);
}

/* An evaluation in B only: the steps are as long as before. */
SCENARIO(test_an_evaluation_is_no_regression)
{
    struct scenario *b = *state;
    struct scenario *a = loop(scenario_new(), 20, MS(20), 0, 0, 0);
    struct side side = begin(b, h100, "train_step");

    for (int i = 0; i < 20; i++) {
        step(&side, MS(20), 0);
        if (i == 10) {
            int64_t start = side.host;

            side.range = NULL;
            step(&side, MS(90), 0);
            side.range = "train_step";
            scenario_range(b, side.thread, "validate", start, side.host);
        }
    }
    says(a, b, "no change");
    scenario_free(a);
}

/* A loop whose kernels a compiler has fused: half as many, all but attention under other names, in three
 * quarters of the time. */
static const char *const compiled[] = {"nvjet_hsh_256x128", "triton_red_fused_native_layer_norm",
                                       "flash_fwd_kernel"};

static void run_compiled(struct scenario *s, const char *range, const char *const kernels[3])
{
    struct side side = begin(s, h100, range);

    for (int i = 0; i < 20; i++) {
        int64_t start = side.host;

        for (int k = 0; k < 3; k++)
            run(&side, kernels[k], MS(5));
        side.host = side.gpu + US(5);
        (void)scenario_call(s, side.thread, "cudaStreamSynchronize_v3020", side.host - US(20),
                            side.host);
        if (range)
            scenario_range(s, side.thread, range, start, side.host);
    }
}

/* Both mark their steps with "train_step", but B has other kernels: a faster version. */
SCENARIO(test_compiled_kernels_are_compared)
{
    struct scenario *b = *state;
    struct scenario *a = loop(scenario_new(), 20, MS(20), 0, 0, 0);

    run_compiled(b, "train_step", compiled);
    says(a, b, "improvement");
    scenario_free(a);
}

/* And A is slower than B. */
SCENARIO(test_eager_kernels_are_compared)
{
    struct scenario *a = scenario_new();
    struct scenario *b = loop(*state, 20, MS(20), 0, 0, 0);

    run_compiled(a, "train_step", compiled);
    says(a, b, "regression");
    scenario_free(a);
}

/* The near miss: not one kernel is the same. "train_step" alone does not make them the same program, so
 * only --anyway compares them. */
SCENARIO(test_no_common_kernel)
{
    static const char *const other[] = {"PairComputeFunctor", "NPairKokkos_build", "FixNVE"};
    struct scenario *b = *state;
    struct scenario *a = loop(scenario_new(), 20, MS(20), 0, 0, 0);

    run_compiled(b, "train_step", other);
    assert_int_equal(compare(a, b, ""), 7);
    assert_int_equal(compare(a, b, "--anyway"), 0);
    scenario_free(a);
}

/* The near miss: twice as many kernels of the same names are another workload. */
SCENARIO(test_twice_the_layers_are_not_compared)
{
    struct scenario *a = loop(scenario_new(), 20, MS(20), 0, 0, 0);
    struct side side = begin(*state, h100, NULL);

    for (int i = 0; i < 20; i++) {
        int64_t start = side.host;

        step(&side, MS(20), 0);
        step(&side, MS(20), 0);
        scenario_range(*state, side.thread, "train_step", start, side.host);
    }
    assert_int_equal(compare(a, *state, ""), 7);
    scenario_free(a);
}

/* The near misses: without ranges, or under another one, nothing says that both do the same. */
SCENARIO(test_other_kernels_without_a_range)
{
    static const char *const ranges[] = {NULL, "generate"};

    for (int i = 0; i < 2; i++) {
        struct scenario *b = i ? scenario_new() : *state;
        struct scenario *a = loop(scenario_new(), 20, MS(20), 0, 0, 0);

        run_compiled(b, ranges[i], compiled);
        assert_int_equal(compare(a, b, ""), 7);
        scenario_free(a);
        if (i)
            scenario_free(b);
    }
}

/* No iterations, but each kernel runs as often in both: the kernels are compared. */
SCENARIO(test_kernels_at_equal_counts)
{
    static const char *const names[] = {"lu_kernel", "axpy_kernel", "dot_kernel", "spmv_kernel",
                                        "halo_kernel"};
    struct scenario *b = *state;
    struct scenario *sides[2] = {scenario_new(), b};
    char line[1024];

    for (int i = 0; i < 2; i++) {
        struct side side = begin(sides[i], h100, NULL);
        unsigned dice = 7;

        for (int k = 0; k < 200; k++) {
            dice = dice * 1664525u + 1013904223u;
            run(&side, names[dice >> 16 & 3], i ? US(130) : US(100));
        }
    }
    says(sides[0], b, "regression");
    (void)snprintf(line, sizeof line, "diff %s @", scenario_path(sides[0]));
    (void)scenario_run(b, line);
    assert_null(strstr(scenario_output(b), "mean period"));
    assert_null(strstr(scenario_output(b), "A an iteration"));
    assert_non_null(strstr(scenario_output(b), "Change: of A's time in names"));
    scenario_free(sides[0]);
}

/* No iterations, and other counts: nothing is said, status 7. */
SCENARIO(test_kernels_at_other_counts)
{
    struct scenario *b = *state;
    struct scenario *sides[2] = {scenario_new(), b};

    for (int i = 0; i < 2; i++) {
        struct side side = begin(sides[i], h100, NULL);
        unsigned dice = 7;

        for (int k = 0; k < (i ? 300 : 200); k++) {
            dice = dice * 1664525u + 1013904223u;
            run(&side, dice >> 16 & 1 ? "lu_kernel" : "spmv_kernel", US(100));
        }
    }
    assert_int_equal(compare(sides[0], b, ""), 7);
    has(b, "inconclusive");
    scenario_free(sides[0]);
}

/* Another model of GPU: status 7 and no verdict; with --anyway there is one. */
SCENARIO(test_other_gpus)
{
    struct scenario *b = *state;
    struct scenario *a = loop(scenario_new(), 20, MS(20), 0, 0, 0);
    struct side side = begin(b, "NVIDIA A100-SXM4-80GB", "train_step");

    for (int i = 0; i < 20; i++)
        step(&side, MS(40), 0);
    assert_int_equal(compare(a, b, ""), 7);
    has(b, "inconclusive");
    has(b, "--anyway");
    assert_int_equal(compare(a, b, "--anyway"), 0);
    has(b, "\"verdict\": \"regression\"");
    scenario_free(a);
}

/* No GPU at all: the ranges of the steps are compared. */
SCENARIO(test_ranges_of_the_cpu)
{
    struct scenario *b = *state;
    struct scenario *sides[2] = {scenario_new(), b};

    for (int i = 0; i < 2; i++) {
        int64_t thread = scenario_thread(sides[i], 100, 100, "solver");
        int64_t t = MS(1);

        for (int k = 0; k < 20; k++) {
            scenario_range(sides[i], thread, "time step", t, t + (i ? MS(13) : MS(10)));
            t += i ? MS(13.2) : MS(10.2);
        }
    }
    says(sides[0], b, "regression");
    scenario_free(sides[0]);
}

/* ---- another batch ---- */

/* Steps of 20 ms, with grids of `before` blocks, against steps of ms with as many as given. */
static struct scenario *batches(struct scenario *b, double ms, int gemm, int flash, int before)
{
    struct scenario *a = loop(scenario_new(), 20, MS(20), 0, 0, 0);

    (void)loop(b, 20, MS(ms), 0, 0, 0);
    scenario_sql(a, "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = %d, gridY = 1", before);
    scenario_sql(b,
                 "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridY = 1, gridX = CASE shortName WHEN "
                 "%lld THEN %d WHEN %lld THEN %d ELSE 1000 END",
                 (long long)scenario_string(b, "sm90_xmma_gemm_bf16_256x128"), gemm,
                 (long long)scenario_string(b, "flash_fwd_kernel"), flash);
    return a;
}

static void is_another_batch(struct scenario *a, struct scenario *b)
{
    assert_int_equal(compare(a, b, ""), 7);
    has(b, "\"verdict\": \"inconclusive\"");
    has(b, "the batch or the problem may be another");
    (void)compare(a, b, "--anyway");
    assert_null(strstr(scenario_output(b), "inconclusive"));
    scenario_free(a);
}

/* Twice the batch takes twice as long. */
SCENARIO(test_twice_the_batch)
{
    is_another_batch(batches(*state, 40, 2000, 2000, 1000), *state);
}

/* Half the batch is no improvement; its small kernels stay. */
SCENARIO(test_half_the_batch)
{
    is_another_batch(batches(*state, 10, 500, 500, 1000), *state);
}

/* The near misses: one kernel has other grids, of most or of a quarter of the time, and all have a few more blocks. */
SCENARIO(test_grids_of_one_large_kernel)
{
    struct scenario *a = batches(*state, 10, 500, 1000, 1000);

    says(a, *state, "improvement");
    scenario_free(a);
}

SCENARIO(test_grids_of_one_small_kernel)
{
    struct scenario *a = batches(*state, 40, 1000, 2000, 1000);

    says(a, *state, "regression");
    scenario_free(a);
}

SCENARIO(test_slightly_larger_grids)
{
    struct scenario *a = batches(*state, 40, 1100, 1100, 1000);

    says(a, *state, "regression");
    scenario_free(a);
}

/* A's grids are not recorded: nothing is said of the batch. */
SCENARIO(test_grids_that_are_not_known)
{
    struct scenario *a = batches(*state, 40, 2000, 2000, 0);

    says(a, *state, "regression");
    has(*state, "not known");
    scenario_free(a);
}

/* ---- lost events ---- */

/* The profiler says something; a quarter of the calls and kernels may be lost, with the ranges recorded. */
static void lose(struct scenario *s, const char *message, bool does)
{
    scenario_sql(s, "CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER NOT NULL, timestampType "
                    "INTEGER NOT NULL, source INTEGER NOT NULL, severity INTEGER NOT NULL, "
                    "text TEXT NOT NULL, globalPid INTEGER)");
    scenario_sql(s, "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 1, 1, 3, '%s', NULL)", message);
    for (int i = 0; i < 2 && does; i++)
        scenario_sql(s,
                     "DELETE FROM CUPTI_ACTIVITY_KIND_%s WHERE start BETWEEN (SELECT "
                     "(min(start) + max(start)) / 2 FROM NVTX_EVENTS) AND (SELECT (min(start) + "
                     "3 * max(start)) / 4 FROM NVTX_EVENTS)",
                     i ? "KERNEL" : "RUNTIME");
}

/* Whether the verdict is withheld, as one of the two lost events. */
static bool is_torn(struct scenario *b, const char *of_a, const char *of_b, bool does)
{
    struct scenario *a = loop(scenario_new(), 20, MS(80), 0, 0, MS(20));

    (void)loop(b, 20, MS(80), 0, 0, MS(20));
    lose(a, of_a, does && of_a[0]);
    lose(b, of_b, does && of_b[0]);
    (void)compare(a, b, "");
    scenario_free(a);
    return strstr(scenario_output(b), "The profiler lost events of one of the two");
}

SCENARIO(test_a_lost_events)
{
    assert_true(is_torn(*state, "Not all CUDA events might have been collected.", "", true));
    has(*state, "\"verdict\": \"inconclusive\"");
}

SCENARIO(test_b_lost_events)
{
    assert_true(is_torn(*state, "", "Not all CUDA events might have been collected.", true));
    has(*state, "\"verdict\": \"inconclusive\"");
}

/* The near misses: the profiler warns and nothing is lost; and both pause, for all that it says. */
SCENARIO(test_a_warning_without_a_loss)
{
    assert_false(is_torn(*state, "", "Not all CUDA events might have been collected.", false));
    has(*state, "\"verdict\": \"no change\"");
}

SCENARIO(test_a_pause_of_both)
{
    assert_false(is_torn(*state, "Profiling has started.", "Profiling has started.", true));
}
