/*
 * Unit tests of the timeline's lines: order, folding, caps, and finding a lane's line.
 */
#include "core/bits.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "view/model/rows.h"

enum { MAX_ROWS = NSC_ROWS_MAX_LANES + NSC_ROWS_MAX_GROUPS + 8 };

struct world {
    struct nsc_test_row rows[MAX_ROWS];
    uint32_t n;
    struct nsc_trace *trace;
    struct nsc_rows lines;
    uint64_t folds[8];
};

static struct nsc_test_row *add(struct world *world, uint8_t kind, nsc_time start, nsc_time end)
{
    struct nsc_test_row *row = &world->rows[world->n++];

    *row = (struct nsc_test_row){.kind = kind,
                                 .process = 1,
                                 .tid = 1,
                                 .stream = 7,
                                 .start = start,
                                 .end = end,
                                 .name = "name"};
    return row;
}

static void build(struct world *world)
{
    world->trace = nsc_test_trace_build(world->rows, world->n);
    nsc_rows_fold_default(world->folds, world->trace);
    nsc_rows_build(&world->lines, world->trace, world->folds);
}

static void end(struct world *world)
{
    nsc_rows_fini(&world->lines);
    nsc_trace_free(world->trace);
}

static uint8_t track_kind(const struct world *world, size_t line)
{
    return nsc_trace_track(world->trace, world->lines.at[line].track)->kind;
}

/* Without GPU work, API calls or NVTX the first thread is open; otherwise the screen would be
 * empty. */
TEST(one_group_is_open_at_least)
{
    struct world world = {0};

    for (uint32_t tid = 1; tid < 4; tid++)
        add(&world, NSC_KIND_OSRT, 10 * tid, 100)->tid = tid;
    build(&world);
    assert_int_equal(world.lines.n, 4);
    assert_int_equal(track_kind(&world, 0), NSC_TRACK_THREAD);
    assert_int_equal(track_kind(&world, 1), NSC_TRACK_OSRT);
    assert_int_equal(track_kind(&world, 2), NSC_TRACK_THREAD);
    end(&world);
}

/* A device with communication and a thread with NVTX. */
static void build_both(struct world *world)
{
    add(world, NSC_KIND_KERNEL, 0, 100);
    add(world, NSC_KIND_KERNEL, 50, 150)->name = "ncclDevKernel_AllReduce";
    world->rows[1].stream = 8;
    add(world, NSC_KIND_NVTX_RANGE, 0, 100);
    add(world, NSC_KIND_NVTX_RANGE, 10, 50);
    add(world, NSC_KIND_API_RUNTIME, 0, 10);
    build(world);
}

TEST(devices_come_first_with_their_overlap)
{
    struct world world = {0};

    build_both(&world);
    assert_int_equal(world.lines.at[0].kind, NSC_LINE_GROUP);
    assert_int_equal(track_kind(&world, 0), NSC_TRACK_DEVICE);
    assert_int_equal(world.lines.at[1].kind, NSC_LINE_OVERLAP);
    assert_int_equal(world.lines.at[2].kind, NSC_LINE_LANE);
    assert_int_equal(track_kind(&world, 4), NSC_TRACK_THREAD);
    assert_int_equal(world.lines.n, 8);
    end(&world);
}

TEST(folding_hides_a_group)
{
    struct world world = {0};

    build_both(&world);
    nsc_bits_set(world.folds, world.lines.at[0].track);
    nsc_rows_build(&world.lines, world.trace, world.folds);
    assert_int_equal(world.lines.n, 5);
    assert_int_equal(track_kind(&world, 1), NSC_TRACK_THREAD);
    /* Its lanes are found at its header. */
    assert_int_equal(nsc_rows_find(&world.lines, world.trace, 0), 0);
    end(&world);
}

TEST(every_lane_is_found)
{
    struct world world = {0};
    uint32_t n = 0;

    build_both(&world);
    (void)nsc_trace_lanes(world.trace, &n);
    for (uint32_t lane = 0; lane < n; lane++)
        assert_int_equal(world.lines.at[nsc_rows_find(&world.lines, world.trace, lane)].lane, lane);
    end(&world);
}

TEST(deep_ranges_are_capped)
{
    struct world world = {0};
    uint32_t n = 0;

    for (int i = 0; i < NSC_ROWS_MAX_LANES + 5; i++)
        add(&world, NSC_KIND_NVTX_RANGE, i, 1000 - i);
    build(&world);
    (void)nsc_trace_lanes(world.trace, &n);
    assert_int_equal(n, NSC_ROWS_MAX_LANES + 5);
    assert_int_equal(world.lines.n, NSC_ROWS_MAX_LANES + 1);
    assert_int_equal(world.lines.at[NSC_ROWS_MAX_LANES].more, 5);
    assert_int_equal(world.lines.at[NSC_ROWS_MAX_LANES - 1].more, 0);
    /* What is left out is found at the last line. */
    assert_int_equal(nsc_rows_find(&world.lines, world.trace, n - 1), NSC_ROWS_MAX_LANES);
    end(&world);
}

TEST(threads_without_gpu_or_nvtx_are_folded)
{
    struct world world = {0};

    add(&world, NSC_KIND_API_RUNTIME, 0, 10);
    add(&world, NSC_KIND_OSRT, 0, 10)->tid = 2;
    build(&world);
    assert_int_equal(world.lines.n, 3);
    assert_int_equal(world.lines.at[2].kind, NSC_LINE_GROUP);
    end(&world);
}

TEST(a_lone_thread_is_open)
{
    struct world world = {0};

    add(&world, NSC_KIND_OSRT, 0, 10);
    build(&world);
    assert_int_equal(world.lines.n, 2);
    end(&world);
}

TEST(too_many_groups_are_folded)
{
    struct world world = {0};

    for (uint32_t i = 0; i < NSC_ROWS_MAX_GROUPS + 3; i++)
        add(&world, NSC_KIND_API_RUNTIME, 0, 10)->tid = i + 1;
    build(&world);
    assert_int_equal(world.lines.n, 2 * NSC_ROWS_MAX_GROUPS + 3);
    end(&world);
}
