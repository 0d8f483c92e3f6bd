/*
 * Property tests of the time of devices: unions, overlaps, levels and chunks equal a painting by
 * ns.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/device_times.h"
#include "analysis/device/exposed_copies.h"
#include "analysis/device/utilization.h"
#include "support/cm.h"
#include "support/gpu_world.h"

#include <math.h>
#include <string.h>

struct instant { /* what runs on a device at one ns */
    uint32_t compute, comm, transfer, within, memory, all;
    uint32_t streams;
};

static struct instant look(const struct gpu_world *world, uint32_t device, nsc_time t)
{
    uint32_t seen[GPU_WORLD_ROWS];
    struct instant at = {0};

    for (nsc_event e = 0; e < nsc_trace_events(world->trace)->n; e++) {
        enum nsc_op_class work;
        uint32_t track = gpu_world_track(world, e);
        bool is_new = true;

        if (gpu_world_device(world, e) != device || !gpu_world_fills(world, e, t))
            continue;
        assert_true(nsc_trace_work_of(world->trace, e, &work));
        at.compute += work == NSC_OP_COMPUTE;
        at.comm += work == NSC_OP_COMM;
        at.transfer += work == NSC_OP_HTOD || work == NSC_OP_DTOH;
        at.memory += work != NSC_OP_COMPUTE && work != NSC_OP_COMM;
        at.within +=
            work == NSC_OP_MEMSET || nsc_trace_events(world->trace)->kind[e] == NSC_KIND_COPY_DTOD;
        at.all++;
        for (uint32_t i = 0; i < at.streams; i++)
            is_new = is_new && seen[i] != track;
        if (is_new)
            seen[at.streams++] = track;
    }
    return at;
}

/* Ops that touch the window count whole. */
static void check_counts(const struct gpu_world *world, uint32_t device,
                         const struct nsc_breakdown *got)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_breakdown want = {0};

    for (nsc_event e = 0; e < events->n; e++) {
        nsc_time duration = nsc_event_duration(events, e);
        enum nsc_op_class work;

        if (gpu_world_device(world, e) != device || !nsc_trace_work_of(world->trace, e, &work))
            continue;
        want.n_ops++;
        want.n_kernels += work == NSC_OP_COMPUTE || work == NSC_OP_COMM;
        want.kernel_work += work == NSC_OP_COMPUTE || work == NSC_OP_COMM ? duration : 0;
        want.n_comm += work == NSC_OP_COMM;
        want.comm_work += work == NSC_OP_COMM ? duration : 0;
        want.n_graphs += events->kind[e] == NSC_KIND_GRAPH;
        want.graph_work += events->kind[e] == NSC_KIND_GRAPH ? duration : 0;
    }
    assert_int_equal(got->n_ops, want.n_ops);
    assert_int_equal(got->n_kernels, want.n_kernels);
    assert_int_equal(got->kernel_work, want.kernel_work);
    assert_int_equal(got->n_comm, want.n_comm);
    assert_int_equal(got->comm_work, want.comm_work);
    assert_int_equal(got->n_graphs, want.n_graphs);
    assert_int_equal(got->graph_work, want.graph_work);
}

static void check_breakdown(const struct gpu_world *world, uint32_t device)
{
    struct nsc_breakdown got;
    struct nsc_breakdown want = {0};

    if (!nsc_breakdown_build(&got, &world->scope, device))
        return;
    for (nsc_time t = got.window.t0; t < got.window.t1; t++) {
        struct instant at = look(world, device, t);

        want.busy += at.all > 0;
        want.compute += at.compute > 0;
        want.comm += at.comm > 0;
        want.memory += at.memory > 0;
        want.overlap += at.compute > 0 && at.comm > 0;
        want.exposed += at.comm > 0 && at.compute == 0 && at.memory == 0;
        want.transfer += at.transfer > 0;
        want.transfer_exposed += at.transfer > 0 && at.compute + at.comm == 0;
        want.transfer_overlap += at.transfer > 0 && at.compute > 0;
        want.comm_alone += at.comm > 0 && at.compute == 0;
        want.memory_alone += at.memory > 0 && at.compute + at.comm == 0;
        want.within_alone += at.within > 0 && at.within == at.all;
    }
    check_counts(world, device, &got);
    assert_int_equal(got.busy, want.busy);
    assert_int_equal(got.busy + got.idle, got.window.t1 - got.window.t0);
    assert_int_equal(got.compute, want.compute);
    assert_int_equal(got.comm, want.comm);
    assert_int_equal(got.memory, want.memory);
    assert_int_equal(got.overlap, want.overlap);
    assert_int_equal(got.exposed, want.exposed);
    assert_int_equal(got.transfer, want.transfer);
    assert_int_equal(got.transfer_exposed, want.transfer_exposed);
    assert_int_equal(got.transfer_overlap, want.transfer_overlap);
    assert_int_equal(got.comm_alone, want.comm_alone);
    assert_int_equal(got.memory_alone, want.memory_alone);
    assert_int_equal(got.within_alone, want.within_alone);
    assert_true(got.exposed <= got.comm && got.overlap <= got.comm && got.busy <= got.whole);
}

static void check_concurrency(const struct gpu_world *world, uint32_t device)
{
    struct nsc_concurrency got;
    nsc_time level[NSC_LEVELS] = {0};
    nsc_time streams = 0;
    nsc_time sum = 0;
    uint32_t most = 0;

    if (!nsc_concurrency_build(&got, &world->scope, device))
        return;
    for (nsc_time t = got.window.t0; t < got.window.t1; t++) {
        struct instant at = look(world, device, t);

        level[at.all < NSC_LEVELS ? at.all : NSC_LEVELS - 1]++;
        streams += at.streams > 1;
        most = at.all > most ? at.all : most;
        sum += at.all;
    }
    for (int i = 0; i < NSC_LEVELS; i++)
        assert_int_equal(got.level[i], level[i]);
    assert_int_equal(got.streams, streams);
    assert_int_equal(got.most, most);
    assert_true(fabs(got.mean * (double)(got.window.t1 - got.window.t0) - (double)sum) < 1e-6);
}

static void check_utilization(const struct gpu_world *world, uint32_t device)
{
    struct nsc_utilization got;

    if (!nsc_utilization_build(&got, &world->scope, device))
        return;
    for (uint32_t i = 0; i < NSC_UTILIZATION_CHUNKS; i++) {
        nsc_time busy = 0;
        nsc_time sum = 0;

        for (nsc_time t = nsc_window_cut(got.window, i, NSC_UTILIZATION_CHUNKS);
             t < nsc_window_cut(got.window, i + 1, NSC_UTILIZATION_CHUNKS); t++) {
            busy += look(world, device, t).all > 0;
            sum += look(world, device, t).all;
        }
        assert_int_equal(got.busy[i], busy);
        assert_int_equal(got.sum[i], sum);
    }
}

/* The start of the copy that counts at t: of those that run, the one that started last; -1: none. */
static nsc_time find_copy(const struct gpu_world *world, uint32_t device, nsc_time t, nsc_time t0)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct instant at = look(world, device, t);
    nsc_time last = -1;
    enum nsc_op_class work;

    for (nsc_event e = 0; at.transfer > 0 && at.compute + at.comm == 0 && e < events->n; e++)
        if (gpu_world_device(world, e) == device && gpu_world_fills(world, e, t) &&
            nsc_trace_work_of(world->trace, e, &work) &&
            (work == NSC_OP_HTOD || work == NSC_OP_DTOH) && events->start[e] >= last)
            last = events->start[e] < t0 ? t0 : events->start[e];
    return last;
}

/* Copies of one start share what they expose. */
static void check_exposed(const struct gpu_world *world, uint32_t device)
{
    nsc_time want[GPU_WORLD_SPAN] = {0};
    struct nsc_exposed_copies got;
    struct nsc_breakdown time;

    if (!nsc_exposed_copies_build(&got, &world->scope, device))
        return;
    for (nsc_time t = got.window.t0; t < got.window.t1; t++) {
        nsc_time start = find_copy(world, device, t, got.window.t0);

        if (start >= 0)
            want[start]++;
    }
    assert_true(nsc_breakdown_build(&time, &world->scope, device));
    for (size_t i = 0; i < got.list.n; i++) {
        want[got.list.at[i].start] -= got.list.at[i].exposed;
        time.transfer_exposed -= got.list.at[i].exposed;
    }
    assert_int_equal(time.transfer_exposed, 0);
    for (int t = 0; t < GPU_WORLD_SPAN; t++)
        assert_int_equal(want[t], 0);
    nsc_exposed_copies_fini(&got);
}

TEST(times_are_what_is_painted)
{
    struct gpu_world world = {.dice = dice_new(503)};

    for (int i = 0; i < 120; i++) {
        gpu_world_roll(&world);
        for (uint32_t d = gpu_world_next_device(&world, NSC_NONE); d != NSC_NONE;
             d = gpu_world_next_device(&world, d)) {
            check_breakdown(&world, d);
            check_concurrency(&world, d);
            check_utilization(&world, d);
            check_exposed(&world, d);
        }
        gpu_world_clear(&world);
    }
}

/* A hundred copies begin one after the other, then the first ones end last. */
TEST(copies_that_outlast_many_are_exposed)
{
    struct gpu_world world = {0};

    for (int i = 0; i < 100; i++)
        world.rows[world.n++] = (struct nsc_test_row){.kind = NSC_KIND_COPY_HTOD,
                                                      .process = 1,
                                                      .tid = 1,
                                                      .context = 1,
                                                      .stream = 7 + i,
                                                      .start = i,
                                                      .end = 600 - 3 * i};
    world.trace = nsc_test_trace_build(world.rows, world.n);
    world.scope = nsc_scope_all(world.trace);
    check_exposed(&world, gpu_world_next_device(&world, NSC_NONE));
    gpu_world_clear(&world);
}
