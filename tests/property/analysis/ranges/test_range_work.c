/*
 * Property tests of the GPU work of NVTX ranges: inside, of its own and projected equal what is
 * found range by range and ns by ns, and nothing is lost.
 */
#include "analysis/ranges/range_work.h"
#include "support/cm.h"
#include "support/gpu_world.h"

#include <math.h>
#include <string.h>

static uint32_t thread_of(const struct gpu_world *world, nsc_event e)
{
    return nsc_trace_group_of(world->trace, gpu_world_track(world, e));
}

/* Whether the op, of the scope, is launched inside the range on its thread. */
static bool is_inside(const struct gpu_world *world, nsc_event op, nsc_event range)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event call = events->link[op];

    return gpu_world_device(world, op) != NSC_NONE && call != NSC_NONE &&
           thread_of(world, call) == thread_of(world, range) &&
           events->start[call] >= events->start[range] &&
           events->start[call] < nsc_event_touch_end(events, range);
}

static uint32_t node_of(const struct nsc_range_work *work, nsc_event e)
{
    return e < work->tree->first_row || e - work->tree->first_row >= work->tree->n_rows
               ? NSC_NONE
               : work->tree->node_of[e - work->tree->first_row];
}

/* The range that an op is of: the latest start among the deepest with a node of each domain. */
static uint32_t own_node(const struct gpu_world *world, const struct nsc_range_work *work,
                         nsc_event op)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event best = NSC_NONE;

    for (nsc_event r = 0; r < events->n; r++) {
        bool deepest = true;

        if (events->kind[r] != NSC_KIND_NVTX_RANGE || node_of(work, r) == NSC_NONE ||
            !is_inside(world, op, r))
            continue;
        for (nsc_event q = 0; q < events->n; q++)
            deepest = deepest &&
                      !(events->kind[q] == NSC_KIND_NVTX_RANGE && node_of(work, q) != NSC_NONE &&
                        is_inside(world, op, q) &&
                        gpu_world_track(world, q) == gpu_world_track(world, r) &&
                        nsc_trace_lane_of(world->trace, q) > nsc_trace_lane_of(world->trace, r));
        if (deepest && (best == NSC_NONE || events->start[r] > events->start[best] ||
                        (events->start[r] == events->start[best] &&
                         gpu_world_track(world, r) < gpu_world_track(world, best))))
            best = r;
    }
    return best == NSC_NONE ? work->tree->n : node_of(work, best);
}

static void check_instances(const struct gpu_world *world, const struct nsc_range_work *work,
                            uint32_t node)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    const struct nsc_range_node *got = &work->at[node];
    struct nsc_range_node want = {0};
    double sum = 0;
    double squares = 0;

    for (nsc_event r = 0; r < events->n; r++) {
        struct nsc_window span = {INT64_MAX, INT64_MIN};
        nsc_time instance = 0;

        if (events->kind[r] != NSC_KIND_NVTX_RANGE || node_of(work, r) != node)
            continue;
        for (nsc_event op = 0; op < events->n; op++) {
            if (!is_inside(world, op, r))
                continue;
            want.inside.ops++;
            want.inside.launches += events->link[events->link[op]] == op;
            instance += nsc_event_duration(events, op);
            span.t0 = events->start[op] < span.t0 ? events->start[op] : span.t0;
            span.t1 = nsc_event_end(events, op) > span.t1 ? nsc_event_end(events, op) : span.t1;
        }
        want.inside.work += instance;
        want.projected += span.t0 <= span.t1;
        want.span += span.t0 <= span.t1 ? span.t1 - span.t0 : 0;
        sum += (double)instance;
        squares += (double)instance * (double)instance;
    }
    assert_int_equal(got->inside.ops, want.inside.ops);
    assert_int_equal(got->inside.launches, want.inside.launches);
    assert_int_equal(got->inside.work, want.inside.work);
    assert_int_equal(got->projected, want.projected);
    assert_int_equal(got->span, want.span);
    if (want.projected > 1 && sum > 0) {
        double mean = sum / want.projected;
        double variance = (squares - sum * mean) / (want.projected - 1);

        assert_true(fabs(nsc_range_node_cv(got) - sqrt(variance > 0 ? variance : 0) / mean) < 1e-5);
    }
}

static bool is_in_node(const struct gpu_world *world, const struct nsc_range_work *work,
                       nsc_event op, uint32_t node)
{
    for (nsc_event r = 0; r < nsc_trace_events(world->trace)->n; r++)
        if (nsc_trace_events(world->trace)->kind[r] == NSC_KIND_NVTX_RANGE &&
            node_of(work, r) == node && is_inside(world, op, r))
            return true;
    return false;
}

/* Busy, own and exposed of a node; tree->n: of no range. */
static void check_unions(const struct gpu_world *world, const struct nsc_range_work *work,
                         const uint32_t own[], uint32_t node)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    bool is_none = node == work->tree->n;
    const struct nsc_range_node *got = is_none ? &work->none : &work->at[node];
    struct nsc_range_node want = {0};
    bool inside[GPU_WORLD_ROWS] = {false};

    for (nsc_event op = 0; op < events->n; op++) {
        inside[op] = !is_none && is_in_node(world, work, op, node);
        if (own[op] != node)
            continue;
        want.own.ops++;
        want.own.work += nsc_event_duration(events, op);
    }
    for (nsc_time t = world->scope.window.t0; t < world->scope.window.t1; t++)
        for (uint32_t d = gpu_world_next_device(world, NSC_NONE); d != NSC_NONE;
             d = gpu_world_next_device(world, d)) {
            bool busy = false;
            bool own_busy = false;
            bool comm = false;
            bool other = false;

            for (nsc_event op = 0; op < events->n; op++) {
                enum nsc_op_class of;

                if (!gpu_world_fills(world, op, t) || gpu_world_device(world, op) != d)
                    continue;
                assert_true(nsc_trace_work_of(world->trace, op, &of));
                busy = busy || inside[op];
                own_busy = own_busy || own[op] == node;
                comm = comm || (own[op] == node && of == NSC_OP_COMM);
                other = other || of != NSC_OP_COMM;
            }
            want.inside.busy += busy;
            want.own.busy += own_busy;
            want.exposed += comm && !other;
        }
    assert_int_equal(got->own.ops, want.own.ops);
    assert_int_equal(got->own.work, want.own.work);
    assert_int_equal(got->own.busy, want.own.busy);
    assert_int_equal(got->inside.busy, want.inside.busy);
    assert_int_equal(got->exposed, want.exposed);
}

static void check_world(const struct gpu_world *world)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_range_work work;
    uint32_t own[GPU_WORLD_ROWS];
    nsc_time sum;
    uint32_t ops;

    assert_true(nsc_range_work_build(&work, &world->scope, NSC_PATHS_BY_DIGITS));
    for (nsc_event op = 0; op < events->n; op++)
        own[op] = gpu_world_device(world, op) == NSC_NONE ? NSC_NONE : own_node(world, &work, op);
    sum = work.none.own.work;
    ops = work.none.own.ops;
    for (uint32_t node = 0; node < work.tree->n; node++) {
        check_instances(world, &work, node);
        check_unions(world, &work, own, node);
        sum += work.at[node].own.work;
        ops += work.at[node].own.ops;
    }
    check_unions(world, &work, own, work.tree->n);
    assert_int_equal(sum, work.work);
    assert_int_equal(ops, work.ops);
    nsc_range_work_fini(&work);
}

static void work_of_ranges_is_what_is_found(void **state)
{
    struct gpu_world world = {.dice = dice_new(508)};

    (void)state;
    for (int i = 0; i < 40; i++) {
        gpu_world_roll(&world);
        check_world(&world);
        gpu_world_clear(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(work_of_ranges_is_what_is_found)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
