/* Sampled counters in scenarios: verdicts on kernels, and withheld ones. */
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

#define METRICS "kernel_metrics"

enum { SM_ACTIVE, SM_ISSUE, TENSOR, DRAM_READ, DRAM_WRITE, N_COUNTERS };

/* Counters of GPU 0 as a version of nsys names them. */
static struct scenario *begin(struct scenario *s, const char *const names[N_COUNTERS])
{
    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    scenario_sql(s, "CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER NOT NULL, "
                    "metricId INTEGER NOT NULL, value INTEGER NOT NULL);"
                    "CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER NOT NULL, sourceId "
                    "INTEGER NOT NULL, typeName TEXT NOT NULL, metricId INTEGER NOT NULL, "
                    "metricName TEXT NOT NULL)");
    for (int i = 0; i < N_COUNTERS; i++)
        scenario_sql(s,
                     "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (256, 0, 'GPU Metrics', %d, '%s')",
                     i, names[i]);
    return s;
}

static const char *const names_2023[] = {"SM Active", "SM Issue", "Tensor Active",
                                         "DRAM Read Throughput", "DRAM Write Throughput"};
static const char *const names_2025[] = {
    "SMs Active [Throughput %]", "SM Issue [Throughput %]", "Tensor Active [Throughput %]",
    "DRAM Read Bandwidth [Throughput %]", "DRAM Write Bandwidth [Throughput %]"};

/* Samples every 100 us in [t0, t1), with values that vary by 1. */
static void sample(struct scenario *s, int64_t t0, int64_t t1, const int values[N_COUNTERS])
{
    for (int64_t t = t0; t < t1; t += US(100))
        for (int i = 0; i < N_COUNTERS; i++)
            scenario_sql(s, "INSERT INTO GPU_METRICS VALUES (%lld, 256, %d, %d)", (long long)t, i,
                         values[i] + (values[i] > 0 ? (int)(t / US(100) % 2) : 0));
}

/* n kernels of a name, each 2 ms, 2.2 ms apart, with samples throughout. */
static int64_t run(struct scenario *s, int64_t thread, int64_t t, const char *name, int n,
                   const int values[N_COUNTERS])
{
    static const int none[N_COUNTERS] = {0};

    for (int i = 0; i < n; i++, t += MS(2.2)) {
        (void)scenario_launch(s, thread, t - US(20), 0, 7, name, t, t + MS(2));
        sample(s, t, t + MS(2), values);
        sample(s, t + MS(2), t + MS(2.2), none);
    }
    return t;
}

static const char *bound_by(struct scenario *s, const char *kernel)
{
    char where[100];

    (void)snprintf(where, sizeof where, "kernel = '%s'", kernel);
    return scenario_text(s, METRICS, where, "bound_by");
}

static const int streaming[] = {98, 12, 0, 48, 36}, multiplying[] = {97, 40, 88, 22, 10},
                 computing[] = {99, 78, 0, 8, 3}, chasing[] = {95, 9, 0, 14, 2},
                 small[] = {12, 6, 0, 3, 1};

static void ask_all(struct scenario *s)
{
    int64_t thread = scenario_thread(s, 100, 100, "python");
    int64_t t = MS(10);

    t = run(s, thread, t, "triad_kernel", 5, streaming);
    t = run(s, thread, t, "sm90_gemm_bf16", 5, multiplying);
    t = run(s, thread, t, "nbody_kernel", 5, computing);
    t = run(s, thread, t, "pointer_chase_kernel", 5, chasing);
    (void)run(s, thread, t, "tiny_grid_kernel", 5, small);
    scenario_ask(s, "skill run kernel_metrics @");
    assert_string_equal(bound_by(s, "triad_kernel"), "memory");
    assert_string_equal(bound_by(s, "sm90_gemm_bf16"), "tensor cores");
    assert_string_equal(bound_by(s, "nbody_kernel"), "issuing instructions");
    assert_string_equal(bound_by(s, "pointer_chase_kernel"), "latency");
    assert_string_equal(bound_by(s, "tiny_grid_kernel"), "few active SMs");
}

/* Five kernels of known kinds, with the counters of nsys 2023. */
SCENARIO(test_kinds_of_kernels)
{
    struct scenario *s = begin(*state, names_2023);

    ask_all(s);
    scenario_near((int64_t)scenario_real(s, METRICS, "kernel = 'triad_kernel'", "dram_read"), 48,
                  3);
    scenario_findings(s);
    loop_fires(s, "kernel-bound");
}

/* The same with those of nsys 2025. */
SCENARIO(test_names_of_2025)
{
    struct scenario *s = begin(*state, names_2025);

    ask_all(s);
    scenario_findings(s);
    loop_fires(s, "kernel-bound");
}

/* Kernels of 60 us, samples every 100 us: no sample is inside a kernel, so no verdict. */
SCENARIO(test_short_kernels)
{
    struct scenario *s = begin(*state, names_2023);
    int64_t thread = scenario_thread(s, 100, 100, "python");

    for (int i = 0; i < 200; i++)
        (void)scenario_launch(s, thread, MS(1) + i * US(80), 0, 7, "softmax_kernel",
                              MS(1.02) + i * US(80), MS(1.08) + i * US(80));
    sample(s, MS(1), MS(17), streaming);
    scenario_ask(s, "skill run kernel_metrics @");
    assert_int_equal(scenario_count(s, METRICS, NULL), 0);
    assert_non_null(strstr(scenario_output(s), "No sample lies inside a kernel"));
    scenario_findings(s);
    loop_abstains(s, "kernel-bound", 1);
}

/* Two kernels at once: whose memory it is cannot be told. */
SCENARIO(test_kernels_at_once)
{
    struct scenario *s = begin(*state, names_2023);
    int64_t thread = scenario_thread(s, 100, 100, "python");

    for (int i = 0; i < 5; i++) {
        int64_t t = MS(10) + i * MS(3);

        (void)scenario_launch(s, thread, t - US(40), 0, 7, "triad_kernel", t, t + MS(2));
        (void)scenario_launch(s, thread, t - US(20), 0, 13, "other_kernel", t + US(50),
                              t + MS(2.1));
        sample(s, t, t + MS(2.1), streaming);
    }
    scenario_ask(s, "skill run kernel_metrics @");
    assert_int_equal(scenario_count(s, METRICS, NULL), 0);
    scenario_findings(s);
    loop_abstains(s, "kernel-bound", 1);
}

/* One short kernel with 4 samples is too little. */
SCENARIO(test_few_samples)
{
    struct scenario *s = begin(*state, names_2023);
    int64_t thread = scenario_thread(s, 100, 100, "python");

    (void)scenario_launch(s, thread, MS(9.9), 0, 7, "triad_kernel", MS(10), MS(10.55));
    sample(s, MS(9), MS(12), streaming);
    scenario_ask(s, "skill run kernel_metrics @");
    assert_string_equal(bound_by(s, "triad_kernel"), "too few samples");
    scenario_findings(s);
    loop_abstains(s, "kernel-bound", 1);
}
