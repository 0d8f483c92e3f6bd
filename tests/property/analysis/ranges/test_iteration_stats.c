/*
 * Property tests of iteration statistics: each figure equals a painting of the iteration's window,
 * each statistic that of the sorted values.
 */
#include "analysis/ranges/iteration_stats.h"
#include "core/text.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_STEPS = 14, MAX_OPS = 90, MAX_ROWS = MAX_STEPS + MAX_OPS };

struct world {
    struct dice dice;
    struct nsc_test_row rows[MAX_ROWS];
    uint32_t n;
    struct nsc_trace *trace;
    struct nsc_scope scope;
};

static void roll_world(struct world *world)
{
    uint64_t steps = 3 + dice_below(&world->dice, MAX_STEPS - 2);
    nsc_time t = 10;

    world->n = 0;
    for (uint64_t i = 0; i < steps; i++) {
        nsc_time length =
            30 + (nsc_time)dice_below(&world->dice, dice_below(&world->dice, 9) ? 4 : 50);

        world->rows[world->n++] = (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                                        .process = 1,
                                                        .tid = 1,
                                                        .name = "step",
                                                        .start = t,
                                                        .end = t + length};
        t += length + (nsc_time)dice_below(&world->dice, 3);
    }
    for (uint64_t i = dice_below(&world->dice, MAX_OPS); i > 0; i--) {
        nsc_time start = (nsc_time)dice_below(&world->dice, (uint64_t)t);

        world->rows[world->n++] = (struct nsc_test_row){
            .kind = dice_below(&world->dice, 4) ? NSC_KIND_KERNEL : NSC_KIND_COPY_HTOD,
            .process = 1 + (uint64_t)(dice_below(&world->dice, 9) == 0),
            .context = 1,
            .device = dice_below(&world->dice, 3) == 0,
            .stream = (int64_t)dice_below(&world->dice, 3),
            .name = dice_below(&world->dice, 3) ? "gemm" : "ncclDevKernel_AllReduce",
            .start = start,
            .end = start + (nsc_time)dice_below(&world->dice, 25)};
    }
    world->trace = nsc_test_trace_build(world->rows, world->n);
    world->scope = nsc_scope_all(world->trace);
    if (dice_below(&world->dice, 2)) {
        world->scope.has_window = true;
        world->scope.window.t0 = (nsc_time)dice_below(&world->dice, 200);
        world->scope.window.t1 =
            world->scope.window.t0 + 1 + (nsc_time)dice_below(&world->dice, 400);
    }
}

static uint32_t device_of(const struct world *world, nsc_event e)
{
    uint32_t lane = nsc_trace_lane_of(world->trace, e);

    return nsc_trace_group_of(world->trace, nsc_trace_lanes(world->trace, NULL)[lane].track);
}

/* Adds what the devices of process 1 do at t. */
static void paint(const struct world *world, nsc_time t, nsc_time row[])
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(world->trace, &n);

    for (uint32_t d = 0; d < n; d = tracks[d].skip) {
        bool ours = false;
        bool compute = false;
        bool comm = false;
        bool other = false;

        if (tracks[d].kind != NSC_TRACK_DEVICE)
            continue;
        for (uint32_t s = d; s < tracks[d].skip; s++)
            ours = ours || (tracks[s].kind == NSC_TRACK_STREAM && tracks[s].process == 1);
        for (nsc_event e = 0; e < events->n && ours; e++) {
            enum nsc_op_class work;

            if (!nsc_trace_work_of(world->trace, e, &work) || device_of(world, e) != d ||
                t < events->start[e] || t >= nsc_event_end(events, e))
                continue;
            compute = compute || work == NSC_OP_COMPUTE;
            comm = comm || work == NSC_OP_COMM;
            other = other || work != NSC_OP_COMM;
        }
        row[NSC_ITERATION_BUSY] += comm || other;
        row[NSC_ITERATION_IDLE] += ours && !comm && !other;
        row[NSC_ITERATION_COMPUTE] += compute;
        row[NSC_ITERATION_COMM] += comm;
        row[NSC_ITERATION_OVERLAP] += comm && compute;
        row[NSC_ITERATION_EXPOSED] += comm && !other;
    }
}

static int compare_times(const void *a, const void *b)
{
    nsc_time x = *(const nsc_time *)a;
    nsc_time y = *(const nsc_time *)b;

    return x < y ? -1 : x > y;
}

static void check_spread(const struct nsc_iteration_stats *stats, size_t figure)
{
    const struct nsc_iteration_spread *got = &stats->spread[figure];
    uint32_t first = stats->n - stats->n_counted;
    uint32_t n = stats->n_counted;
    nsc_time values[MAX_STEPS];
    double sum = 0;
    double squares = 0;

    for (uint32_t i = 0; i < n; i++) {
        values[i] = stats->values[(first + i) * NSC_N_ITERATION_FIGURES + figure];
        sum += (double)values[i];
    }
    for (uint32_t i = 0; i < n; i++)
        squares += ((double)values[i] - sum / n) * ((double)values[i] - sum / n);
    qsort(values, n, sizeof *values, compare_times);
    assert_int_equal(got->min, values[0]);
    assert_int_equal(got->max, values[n - 1]);
    assert_int_equal(got->median,
                     n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2] + 1) / 2);
    assert_true(fabs(got->mean - sum / n) < 1e-6);
    assert_true(fabs(got->deviation - (n > 1 ? sqrt(squares / (n - 1)) : 0)) < 1e-6);
    for (uint32_t i = 0; i < n; i++)
        values[i] = values[i] > got->median ? values[i] - got->median : got->median - values[i];
    qsort(values, n, sizeof *values, compare_times);
    assert_int_equal(got->mad, n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2] + 1) / 2);
}

static void check_world(const struct world *world)
{
    struct nsc_iteration_stats stats;
    uint32_t slow = 0;

    assert_true(nsc_iteration_stats_build(&stats, &world->scope, nsc_text_from("step")));
    for (uint32_t i = 0; i < stats.n; i++) {
        const nsc_time *got = &stats.values[(size_t)i * NSC_N_ITERATION_FIGURES];
        struct nsc_window w = nsc_iterations_window(&stats.iterations, stats.first + i);
        nsc_time want[NSC_N_ITERATION_FIGURES] = {[NSC_ITERATION_DURATION] = w.t1 - w.t0};

        assert_true(!world->scope.has_window ||
                    (w.t0 >= world->scope.window.t0 && w.t1 <= world->scope.window.t1));
        for (nsc_time t = w.t0; t < w.t1; t++)
            paint(world, t, want);
        for (int k = 0; k < NSC_N_ITERATION_FIGURES; k++)
            assert_int_equal(got[k], want[k]);
        slow += nsc_iteration_is_slow(&stats, i);
    }
    assert_int_equal(stats.n_slow, slow);
    for (size_t k = 0; k < NSC_N_ITERATION_FIGURES && stats.n_counted > 0; k++)
        check_spread(&stats, k);
    nsc_iteration_stats_fini(&stats);
}

TEST(iterations_are_what_is_painted)
{
    struct world world = {.dice = dice_new(510)};

    for (int i = 0; i < 150; i++) {
        roll_world(&world);
        check_world(&world);
        nsc_trace_free(world.trace);
    }
}
