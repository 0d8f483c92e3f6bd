/*
 * Property tests of streams that run together: every figure equals that of a bitmap of the window.
 */
#include "analysis/overlap.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum { MAX_ROWS = 160, SPAN = 400, MAX_STREAMS = 16 };

struct world {
    struct dice dice;
    struct nsc_test_row rows[MAX_ROWS];
    uint32_t n;
    struct nsc_trace *trace;
    bool busy[MAX_STREAMS][SPAN]; /* at each ns */
    nsc_time sum[MAX_STREAMS];    /* of the window */
    nsc_time graph;
    uint32_t n_graphs;
};

static void roll_world(struct world *world)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL, NSC_KIND_COPY_HTOD, NSC_KIND_MEMSET,
                                    NSC_KIND_GRAPH, NSC_KIND_KERNEL};
    uint64_t streams = 1 + dice_below(&world->dice, MAX_STREAMS);
    uint64_t longest = 1 + dice_below(&world->dice, 90);

    world->n = (uint32_t)dice_below(&world->dice, MAX_ROWS + 1);
    for (uint32_t i = 0; i < world->n; i++) {
        nsc_time start = (nsc_time)dice_below(&world->dice, SPAN - 100);

        world->rows[i] = (struct nsc_test_row){
            .kind = kinds[dice_below(&world->dice, 5)],
            .process = 1,
            .device = dice_below(&world->dice, 9) == 0,
            .context = 1,
            .stream = (int64_t)dice_below(&world->dice, streams),
            .name = "op",
            .start = start,
            .end = start + (nsc_time)dice_below(&world->dice, longest),
        };
    }
    world->trace = nsc_test_trace_build(world->rows, world->n);
}

static void paint(struct world *world, struct nsc_window w, uint32_t device)
{
    memset(world->busy, 0, sizeof world->busy);
    memset(world->sum, 0, sizeof world->sum);
    world->graph = 0;
    world->n_graphs = 0;
    for (uint32_t i = 0; i < world->n; i++) {
        const struct nsc_test_row *row = &world->rows[i];
        nsc_time t0 = row->start > w.t0 ? row->start : w.t0;
        nsc_time t1 = row->end < w.t1 ? row->end : w.t1;

        if (row->device != device || t0 >= t1)
            continue;
        world->sum[row->stream] += t1 - t0;
        if (row->kind == NSC_KIND_GRAPH) {
            world->graph += t1 - t0;
            world->n_graphs++;
        }
        for (nsc_time t = t0; t < t1; t++)
            world->busy[row->stream][t] = true;
    }
    for (int i = 0; i < MAX_STREAMS; i++)
        world->sum[i] = world->sum[i] < w.t1 - w.t0 ? world->sum[i] : w.t1 - w.t0;
}

static nsc_time both(const struct world *world, int64_t a, int64_t b)
{
    nsc_time n = 0;

    for (int t = 0; t < SPAN; t++)
        n += world->busy[a][t] && world->busy[b][t];
    return n;
}

/* The streams shown are the busiest ones: none that is left out has more. */
static void check_choice(const struct world *world, const struct nsc_overlap *overlap,
                         const struct nsc_track *tracks)
{
    uint32_t working = 0;
    bool shown[MAX_STREAMS] = {false};
    nsc_time least = INT64_MAX;

    for (uint32_t i = 0; i < overlap->n; i++) {
        int64_t stream = tracks[overlap->track[i]].stream;

        assert_false(shown[stream]);
        shown[stream] = true;
        assert_true(world->sum[stream] <= least);
        least = world->sum[stream];
    }
    for (int i = 0; i < MAX_STREAMS; i++) {
        working += world->sum[i] > 0;
        assert_true(shown[i] || world->sum[i] <= least);
    }
    assert_int_equal(overlap->n_working, working);
    assert_int_equal(overlap->n, working < NSC_OVERLAP_STREAMS ? working : NSC_OVERLAP_STREAMS);
}

static void check_device(struct world *world, uint32_t group)
{
    const struct nsc_track *tracks = nsc_trace_tracks(world->trace, &(uint32_t){0});
    struct nsc_window w = {(nsc_time)dice_below(&world->dice, SPAN), 0};
    struct nsc_overlap overlap;
    uint64_t step = 1 + dice_below(&world->dice, 40);

    w.t1 = w.t0 + 1 + (nsc_time)dice_below(&world->dice, SPAN);
    paint(world, w, (uint32_t)tracks[group].device);
    nsc_overlap_begin(&overlap, world->trace, group, w);
    while (!nsc_overlap_step(&overlap, step))
        assert_true(overlap.rows_done <= overlap.rows);
    assert_int_equal(overlap.rows_done, overlap.rows);
    check_choice(world, &overlap, tracks);
    for (uint32_t i = 0; i < overlap.n; i++)
        for (uint32_t k = 0; k < overlap.n; k++)
            assert_int_equal(overlap.together[i][k], both(world, tracks[overlap.track[i]].stream,
                                                          tracks[overlap.track[k]].stream));
    if (overlap.n == overlap.n_working) {
        assert_int_equal(overlap.graph, world->graph);
        assert_int_equal(overlap.n_graphs, world->n_graphs);
    }
    nsc_overlap_end(&overlap);
}

static void overlaps_equal_bitmaps(void **state)
{
    struct world world = {.dice = dice_new(31)};

    (void)state;
    for (int i = 0; i < 3000; i++) {
        uint32_t n = 0;
        const struct nsc_track *tracks = NULL;

        roll_world(&world);
        tracks = nsc_trace_tracks(world.trace, &n);
        for (uint32_t t = 0; t < n; t = tracks[t].skip)
            if (tracks[t].kind == NSC_TRACK_DEVICE)
                check_device(&world, t);
        nsc_trace_free(world.trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(overlaps_equal_bitmaps)};

    return cmocka_run_group_tests_name("overlap", tests, NULL, NULL);
}
