/*
 * Property tests of graphs, covers of a scope, coverage, and the sums of the diagnosis of
 * transfers: each equals a count by op and by ns.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/copies.h"
#include "analysis/device/device_times.h"
#include "analysis/device/graphs.h"
#include "analysis/device/quality.h"
#include "analysis/names/call_class.h"
#include "support/cm.h"
#include "support/gpu_world.h"

static bool is_node(const struct gpu_world *world, nsc_event e)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    char scratch[NSC_NAME_BYTES];

    return events->kind[e] != NSC_KIND_GRAPH && events->link[e] != NSC_NONE &&
           nsc_call_class_api(nsc_trace_event_text(world->trace, events->link[e], false,
                                                   scratch)) == NSC_CALL_GRAPH;
}

static void check_graphs(const struct gpu_world *world, uint32_t device)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_graph_use got;
    struct nsc_graph_use want = {0};

    if (!nsc_graph_use_build(&got, &world->scope, device))
        return;
    for (nsc_event e = 0; e < events->n; e++) {
        bool whole = events->kind[e] == NSC_KIND_GRAPH;

        if (gpu_world_device(world, e) != device)
            continue;
        want.n_whole += whole;
        want.whole_work += whole ? nsc_event_duration(events, e) : 0;
        want.n_nodes += is_node(world, e);
        want.n_calls += is_node(world, e) && events->link[events->link[e]] == e;
        want.node_work += is_node(world, e) ? nsc_event_duration(events, e) : 0;
    }
    for (nsc_time t = got.window.t0; t < got.window.t1; t++) {
        bool whole = false;
        bool node = false;
        bool busy = false;

        for (nsc_event e = 0; e < events->n; e++) {
            if (gpu_world_device(world, e) != device || !gpu_world_fills(world, e, t))
                continue;
            busy = true;
            whole = whole || events->kind[e] == NSC_KIND_GRAPH;
            node = node || is_node(world, e);
        }
        want.busy += busy;
        want.whole_busy += whole;
        want.node_busy += node;
    }
    assert_int_equal(got.n_whole, want.n_whole);
    assert_int_equal(got.whole_work, want.whole_work);
    assert_int_equal(got.whole_busy, want.whole_busy);
    assert_int_equal(got.n_nodes, want.n_nodes);
    assert_int_equal(got.n_calls, want.n_calls);
    assert_int_equal(got.node_work, want.node_work);
    assert_int_equal(got.node_busy, want.node_busy);
    assert_int_equal(got.busy, want.busy);
}

/* Covers and the sweep give the same device times. */
static void check_covers(struct gpu_world *world, uint32_t device)
{
    enum { X = NSC_COMPUTE_KINDS, C = NSC_COMM_KINDS, ALL = NSC_ALL_KINDS };
    struct nsc_device_times swept;
    struct nsc_breakdown measured;

    if (nsc_device_times_build(&swept, &world->scope, device)) {
        assert_true(nsc_breakdown_build(&measured, &world->scope, device));
        assert_int_equal(measured.busy, nsc_device_times_without(&swept, ALL, 0));
        assert_int_equal(measured.idle, nsc_window_length(swept.window) - measured.busy);
        assert_int_equal(measured.compute, nsc_device_times_without(&swept, X, 0));
        assert_int_equal(measured.comm, nsc_device_times_without(&swept, C, 0));
        assert_int_equal(measured.overlap, nsc_device_times_both(&swept, X, C));
        assert_int_equal(measured.exposed, nsc_device_times_without(&swept, C, ALL & ~C));
    }
    nsc_device_times_fini(&swept);
}

static void check_transfers(const struct gpu_world *world, uint32_t device)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_transfers got;
    uint64_t count = 0;

    if (!nsc_transfers_build(&got, &world->scope, NULL, device))
        return;
    for (nsc_event e = 0; e < events->n; e++)
        count += gpu_world_device(world, e) == device &&
                 (events->kind[e] == NSC_KIND_COPY_HTOD || events->kind[e] == NSC_KIND_COPY_DTOH);
    assert_int_equal(got.count, count);
    assert_false(got.has_bytes);
    assert_true(got.time.transfer_exposed <= got.time.transfer);
}

static void check_quality(const struct gpu_world *world)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_range_work ranges;
    struct nsc_quality got;
    uint64_t rows = 0;
    uint64_t ops = 0;
    uint64_t known = 0;
    nsc_time work = 0;

    assert_true(nsc_range_work_build(&ranges, &world->scope, NSC_PATHS_BY_DIGITS));
    nsc_quality_build(&got, &world->scope, NULL, &ranges);
    for (nsc_event e = 0; e < events->n; e++) {
        bool is_op = gpu_world_device(world, e) != NSC_NONE;

        rows += nsc_scope_has(&world->scope, e);
        ops += is_op;
        known += is_op && events->link[e] != NSC_NONE;
        work += is_op ? nsc_event_duration(events, e) : 0;
    }
    for (int i = 0; i < NSC_N_KINDS; i++)
        rows -= got.kinds[i];
    assert_int_equal(rows, 0);
    assert_int_equal(got.ops, ops);
    assert_int_equal(got.known_ops, known);
    assert_int_equal(got.work, work);
    assert_true(got.range_work <= got.work);
    assert_false(got.has_messages);
    nsc_range_work_fini(&ranges);
}

TEST(figures_equal_those_counted)
{
    struct gpu_world world = {.dice = dice_new(509)};

    for (int i = 0; i < 150; i++) {
        gpu_world_roll(&world);
        for (uint32_t d = gpu_world_next_device(&world, NSC_NONE); d != NSC_NONE;
             d = gpu_world_next_device(&world, d)) {
            check_graphs(&world, d);
            check_covers(&world, d);
            check_transfers(&world, d);
        }
        check_quality(&world);
        gpu_world_clear(&world);
    }
}
