/* Why iterations take longer and longer, or longer from one on. */
#include "scenarios/flow.h"
#include "scenarios/loop.h"

#include <string.h>

/* ---- the steps ---- */

struct growing {
    double gemm, kernels; /* late GEMMs, all late kernels: times as long */
    int64_t host;         /* that late steps take longer in the range "update_history" */
    int64_t wait;         /* that they take longer in no range */
    int layers;           /* more in late steps */
    bool drifts;          /* from step to step, instead of at step 24 */
};

/* 48 steps of 2 layers of 4 ms, and 1 ms of the host. */
static struct flow steps(struct scenario *s, struct growing by)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 48; i++) {
        double late = by.drifts ? i / 47.0 : i < 24 ? 0 : 1;
        double longer = 1 + late * (by.kernels - 1);
        int64_t start = f.host;
        int64_t update;

        for (int k = 0; k < 2 + (int)(late * by.layers); k++) {
            flow_run(&f, "layer_norm_kernel", (int64_t)(longer * MS(1)));
            flow_run(&f, "sm90_gemm", (int64_t)(longer * (1 + late * (by.gemm - 1)) * MS(3)));
        }
        flow_synchronize(&f);
        update = f.host;
        f.host += MS(1) + (int64_t)(late * (double)by.host);
        scenario_range(s, f.thread, "update_history", update, f.host);
        f.host += US(20) + (int64_t)(late * (double)by.wait);
        scenario_range(s, f.thread, "train_step", start, f.host);
    }
    return f;
}

/* The clock of GPU 0 every 500 us: `late` MHz from half of the time on. */
static void record_clock(const struct flow *f, int late)
{
    scenario_sql(f->s,
                 "CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER NOT NULL, "
                 "metricId INTEGER NOT NULL, value INTEGER NOT NULL);"
                 "CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER NOT NULL, sourceId INTEGER "
                 "NOT NULL, typeName TEXT NOT NULL, metricId INTEGER NOT NULL, metricName TEXT NOT "
                 "NULL); INSERT INTO TARGET_INFO_GPU_METRICS VALUES (256, 0, 'GPU Metrics', 0, "
                 "'GPC Clock Frequency [MHz]')");
    for (int64_t t = 0; t < f->host; t += US(500))
        scenario_sql(f->s, "INSERT INTO GPU_METRICS VALUES (%lld, 256, 0, %d)", (long long)t,
                     t < 24 * MS(9.06) ? 1980 : late);
}

/* Whether the answer to why the steps get slower has these words. */
static bool says(struct scenario *s, const char *words)
{
    assert_int_equal(scenario_run(s, "ask @ 'why do my steps get slower over time?'"), 0);
    return strstr(scenario_output(s), words) != NULL;
}

/* ---- kernels ---- */

/* Truth: from step 24 on the clock falls by a quarter, and all kernels take a third longer. */
SCENARIO(test_lower_clocks)
{
    struct scenario *s = *state;
    struct flow f = steps(s, (struct growing){.gemm = 1, .kernels = 1.32});

    record_clock(&f, 1500);
    assert_true(says(s, "compute, from 8."));
    assert_true(says(s, "the same kernels take 32 % longer, nearly all of them"));
    assert_true(says(s, "the clock of the GPU: -24 %"));
    assert_false(says(s, "not recorded"));
    scenario_findings(s);
    loop_fires(s, "level-change");
}

/* The near miss: the clock stays, so something else makes the kernels longer. */
SCENARIO(test_the_same_clocks)
{
    struct scenario *s = *state;
    struct flow f = steps(s, (struct growing){.gemm = 1, .kernels = 1.32});

    record_clock(&f, 1980);
    assert_true(says(s, "the same kernels take 32 % longer"));
    assert_true(says(s, "the clock of the GPU: +0 %"));
}

/* Truth: the kernels take longer from step to step. Nothing tells why. */
SCENARIO(test_kernels_that_get_longer)
{
    struct scenario *s = *state;

    (void)steps(s, (struct growing){.gemm = 1, .kernels = 1.4, .drifts = true});
    assert_true(says(s, "the same kernels take 2"));
    assert_true(says(s, "% longer, nearly all of them"));
    assert_true(says(s, "is not recorded"));
    scenario_findings(s);
    loop_fires(s, "drift");
}

/* The near miss: of the kernels only the GEMMs take longer, so it is not the clock. */
SCENARIO(test_one_kernel_gets_longer)
{
    struct scenario *s = *state;

    (void)steps(s, (struct growing){.gemm = 1.6, .kernels = 1});
    assert_true(
        says(s, "compute, from 8.00 ms to 11.6 ms an iteration: sm90_gemm takes 60 % longer"));
    assert_false(says(s, "clock"));
}

/* The near miss: the kernels are as long as before, there are more of them. */
SCENARIO(test_more_kernels)
{
    struct scenario *s = *state;

    (void)steps(s, (struct growing){.gemm = 1, .kernels = 1, .layers = 2, .drifts = true});
    (void)says(s, "");
    assert_false(says(s, "the same kernels"));
    assert_false(says(s, "nearly all"));
}

/* The near miss: the grids grow with them, which is more work. */
SCENARIO(test_larger_grids)
{
    struct scenario *s = *state;

    (void)steps(s, (struct growing){.gemm = 1, .kernels = 1.4, .drifts = true});
    scenario_sql(s, "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 1000 + start / 1000000, "
                    "gridY = 1, gridZ = 1");
    assert_true(says(s, "because their work grows: the grids of the kernels grow"));
    assert_false(says(s, "the same kernels"));
}

/* ---- the host ---- */

/* Truth: a list that is copied in each step grows. */
SCENARIO(test_a_range_of_the_host_grows)
{
    struct scenario *s = *state;

    (void)steps(s, (struct growing){.gemm = 1, .kernels = 1, .host = MS(6), .drifts = true});
    assert_true(says(s, "what grows: idle time, from "));
    assert_true(says(s, "most in the NVTX range update_history"));
    assert_false(says(s, "the same kernels"));
}

/* The near miss: the host takes longer in no range of its own. */
SCENARIO(test_no_range_of_the_host_grows)
{
    struct scenario *s = *state;

    (void)steps(s, (struct growing){.gemm = 1, .kernels = 1, .wait = MS(6), .drifts = true});
    assert_true(says(s, "what grows: idle time, from "));
    assert_false(says(s, "most in the NVTX range"));
}

/* Withheld: the host and the GPU take longer alike, communication and copies as well. */
SCENARIO(test_no_growth)
{
    struct scenario *s = *state;

    (void)steps(s, (struct growing){.gemm = 1, .kernels = 1});
    assert_true(says(s, "neither drift nor change their level"));
    assert_false(says(s, "what grows"));
}
