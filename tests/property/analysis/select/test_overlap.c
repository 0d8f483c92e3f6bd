/*
 * Property tests of overlapping streams and of covers of a mask: each figure equals that of a
 * bitmap of the window.
 */
#include "analysis/select/overlap.h"
#include "core/bits.h"
#include "index/builds.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 160, SPAN = 400, MAX_STREAMS = 16 };

struct world {
    struct dice dice;
    struct nsc_test_row rows[MAX_ROWS];
    uint32_t n;
    bool keep[MAX_ROWS];
    struct nsc_trace *trace;
    uint64_t mask[(MAX_ROWS + 63) / 64];
    struct nsc_summary *summary;       /* of mask */
    bool work[NSC_N_OP_CLASSES][SPAN]; /* at each ns */
    bool busy[MAX_STREAMS][SPAN];      /* at each ns */
    nsc_time sum[MAX_STREAMS];         /* of the window */
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

/* Every row, or some. */
static void roll_mask(struct world *world)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint64_t left_out = dice_below(&world->dice, 3);

    memset(world->mask, 0, sizeof world->mask);
    for (uint32_t i = 0; i < world->n; i++)
        world->keep[i] = dice_below(&world->dice, 4) >= left_out;
    for (nsc_event e = 0; e < events->n; e++)
        if (world->keep[events->source[e]])
            nsc_bits_set(world->mask, e);
    world->summary = nsc_summary_build(world->trace, world->mask);
    assert_non_null(world->summary);
}

static enum nsc_op_class work_of(uint8_t kind)
{
    return kind == NSC_KIND_COPY_HTOD ? NSC_OP_HTOD
           : kind == NSC_KIND_MEMSET  ? NSC_OP_MEMSET
                                      : NSC_OP_COMPUTE;
}

static void paint(struct world *world, struct nsc_window w, uint32_t device)
{
    memset(world->busy, 0, sizeof world->busy);
    memset(world->work, 0, sizeof world->work);
    memset(world->sum, 0, sizeof world->sum);
    world->graph = 0;
    world->n_graphs = 0;
    for (uint32_t i = 0; i < world->n; i++) {
        const struct nsc_test_row *row = &world->rows[i];
        nsc_time t0 = row->start > w.t0 ? row->start : w.t0;
        nsc_time t1 = row->end < w.t1 ? row->end : w.t1;

        if (!world->keep[i] || row->device != device || t0 >= t1)
            continue;
        world->sum[row->stream] += t1 - t0;
        if (row->kind == NSC_KIND_GRAPH) {
            world->graph += t1 - t0;
            world->n_graphs++;
        }
        for (nsc_time t = t0; t < t1; t++)
            world->busy[row->stream][t] = world->work[work_of(row->kind)][t] = true;
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

/* The streams shown are the busiest. */
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

/* How long any of some classes is at work. */
static nsc_time any_work(const struct world *world, int first, int last)
{
    nsc_time n = 0;

    for (int t = 0; t < SPAN; t++) {
        bool any = false;

        for (int work = first; work <= last; work++)
            any = any || world->work[work][t];
        n += any;
    }
    return n;
}

static nsc_time measure(const struct nsc_cover *cover, struct nsc_window w)
{
    return cover ? nsc_cover_measure(cover, w) : 0;
}

static void check_covers(struct world *world, uint32_t group, struct nsc_window w)
{
    struct nsc_device_covers covers;

    assert_true(nsc_device_covers_build(&covers, world->trace, group, world->mask));
    assert_true(measure(covers.busy, w) == any_work(world, 0, NSC_N_OP_CLASSES - 1));
    for (int i = 0; i < NSC_N_OP_CLASSES; i++)
        assert_true(measure(covers.work[i], w) == any_work(world, i, i));
    nsc_device_covers_fini(&covers);
}

static void check_device(struct world *world, uint32_t group)
{
    const struct nsc_track *tracks = nsc_trace_tracks(world->trace, NULL);
    struct nsc_window w = {(nsc_time)dice_below(&world->dice, SPAN), 0};
    struct nsc_overlap overlap;

    w.t1 = w.t0 + 1 + (nsc_time)dice_below(&world->dice, SPAN);
    paint(world, w, (uint32_t)tracks[group].device);
    check_covers(world, group, w);
    overlap = nsc_overlap_measure(world->trace, world->summary, group, w, NULL);
    check_choice(world, &overlap, tracks);
    for (uint32_t i = 0; i < overlap.n; i++)
        for (uint32_t k = 0; k < overlap.n; k++)
            assert_int_equal(overlap.together[i][k], both(world, tracks[overlap.track[i]].stream,
                                                          tracks[overlap.track[k]].stream));
    if (overlap.n == overlap.n_working) {
        assert_int_equal(overlap.graph, world->graph);
        assert_int_equal(overlap.n_graphs, world->n_graphs);
    }
}

TEST(overlaps_equal_bitmaps)
{
    struct world world = {.dice = dice_new(31)};
    int rounds = getenv("NSC_LONG") ? 3000 : 800;

    for (int i = 0; i < rounds; i++) {
        uint32_t n = 0;
        const struct nsc_track *tracks = NULL;

        roll_world(&world);
        roll_mask(&world);
        tracks = nsc_trace_tracks(world.trace, &n);
        for (uint32_t t = 0; t < n; t = tracks[t].skip)
            if (tracks[t].kind == NSC_TRACK_DEVICE)
                check_device(&world, t);
        nsc_summary_free(world.summary);
        nsc_trace_free(world.trace);
    }
}
