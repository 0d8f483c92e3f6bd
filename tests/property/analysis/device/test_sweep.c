/*
 * Property tests of the sweep: its stretches equal a painting by ns, it shows every op once, and
 * shared answers equal those of a separate run.
 */
#include "analysis/base/correlate.h"
#include "analysis/device/sweep.h"
#include "support/cm.h"
#include "support/gpu_world.h"

#include <string.h>

struct watching { /* a rider that checks what it is shown */
    const struct gpu_world *world;
    nsc_time at, start;
    uint64_t last[(GPU_WORLD_ROWS + 63) / 64], shown[(GPU_WORLD_ROWS + 63) / 64];
    uint32_t n_stretches;
    uint32_t *answer;
};

/* The ops of a device that run at t, and their figures. */
static void paint(uint64_t set[], struct nsc_stretch *want, const struct gpu_world *world,
                  uint32_t device, nsc_time t)
{
    bool has_stream[GPU_WORLD_ROWS] = {false};

    *want = (struct nsc_stretch){0};
    memset(set, 0, sizeof world->mask);
    for (nsc_event e = 0; e < nsc_trace_events(world->trace)->n; e++) {
        enum nsc_op_kind kind;
        bool *has;

        if (gpu_world_device(world, e) != device || !gpu_world_fills(world, e, t))
            continue;
        has = &has_stream[gpu_world_track(world, e) - device];
        assert_true(nsc_op_kind_of(world->trace, e, &kind));
        nsc_bits_set(set, e);
        want->n_ops++;
        want->kinds |= NSC_OP_KIND_BIT(kind);
        want->n_streams += !*has;
        *has = true;
    }
}

static void watch_begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct watching *watching = own;

    watching->world = param;
    watching->answer = answer;
    watching->at = sweep->window.t0;
}

static void watch_op(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op)
{
    struct watching *watching = own;
    const struct nsc_events *events = sweep->events;
    enum nsc_op_kind kind;

    assert_false(nsc_bits_get(watching->shown, op->event));
    nsc_bits_set(watching->shown, op->event);
    assert_int_equal(gpu_world_device(watching->world, op->event), sweep->device);
    assert_int_equal(gpu_world_track(watching->world, op->event), op->stream);
    assert_true(nsc_op_kind_of(watching->world->trace, op->event, &kind));
    assert_int_equal(op->kind, kind);
    assert_int_equal(op->is_graph, events->kind[op->event] == NSC_KIND_GRAPH);
    assert_int_equal(nsc_device_op_duration(op, events), nsc_event_duration(events, op->event));
    assert_true(op->start >= watching->start && watching->at <= op->start);
    assert_true(op->start == op->end || watching->at == op->start);
    watching->start = op->start;
    ++*watching->answer;
}

static void watch_stretch(void *own, const struct nsc_sweep *sweep,
                          const struct nsc_stretch *stretch)
{
    struct watching *watching = own;
    const struct gpu_world *world = watching->world;
    struct nsc_stretch want;
    uint64_t set[(GPU_WORLD_ROWS + 63) / 64], same[(GPU_WORLD_ROWS + 63) / 64];

    assert_int_equal(stretch->t0, watching->at);
    assert_true(stretch->t0 < stretch->t1 && stretch->t1 <= sweep->window.t1);
    paint(set, &want, world, sweep->device, stretch->t0);
    if (watching->n_stretches++ > 0)
        assert_memory_not_equal(set, watching->last, sizeof set);
    assert_int_equal(stretch->n_ops, want.n_ops);
    assert_int_equal(stretch->kinds, want.kinds);
    assert_int_equal(stretch->n_streams, want.n_streams);
    for (nsc_time t = stretch->t0 + 1; t < stretch->t1; t++) {
        paint(same, &want, world, sweep->device, t);
        assert_memory_equal(set, same, sizeof set);
    }
    memcpy(watching->last, set, sizeof set);
    watching->at = stretch->t1;
}

static bool watch_end(void *own, const struct nsc_sweep *sweep)
{
    struct watching *watching = own;

    assert_int_equal(watching->at, sweep->window.t1);
    for (nsc_event e = 0; e < nsc_trace_events(watching->world->trace)->n; e++)
        assert_int_equal(gpu_world_device(watching->world, e) == sweep->device,
                         nsc_bits_get(watching->shown, e));
    return sweep->has_window;
}

static const struct nsc_rider watcher = {.kind = {.bytes = sizeof(uint32_t)},
                                         .own_bytes = sizeof(struct watching),
                                         .begin = watch_begin,
                                         .op = watch_op,
                                         .stretch = watch_stretch,
                                         .end = watch_end};

TEST(stretches_are_what_is_painted)
{
    struct gpu_world world = {.dice = dice_new(507)};

    for (int i = 0; i < 150; i++) {
        struct nsc_scope kept;
        struct nsc_ride ride = {.rider = &watcher, .param = &world};

        gpu_world_roll(&world);
        kept = world.scope;
        nsc_shared_open(&kept);
        for (uint32_t d = gpu_world_next_device(&world, NSC_NONE); d != NSC_NONE;
             d = gpu_world_next_device(&world, d)) {
            uint32_t alone, shared;
            bool is_kept, result;

            nsc_sweep_share(&kept, d, &ride, 1);
            result = nsc_sweep_ask(&alone, &is_kept, &watcher, &world, &world.scope, d);
            assert_false(is_kept);
            assert_true(nsc_shared_find(&shared, &is_kept, &watcher.kind, &world, &kept, d));
            assert_int_equal(is_kept, result);
            assert_int_equal(shared, alone);
            assert_int_equal(nsc_sweep_ask(&shared, &is_kept, &watcher, &world, &kept, d), result);
            assert_true(is_kept);
        }
        nsc_shared_close(&kept);
        gpu_world_clear(&world);
    }
}

/* Ops come by start, then by row. */
static void check_ops(const struct nsc_scope *scope, uint32_t device)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    struct nsc_device_ops ops;
    struct nsc_device_op op;
    nsc_event before = NSC_NONE;

    nsc_device_ops_init(&ops, scope, device);
    while (nsc_device_ops_next(&ops, &op)) {
        assert_true(before == NSC_NONE || events->start[before] < events->start[op.event] ||
                    (events->start[before] == events->start[op.event] && before < op.event));
        before = op.event;
        assert_int_equal(op.call, nsc_event_launch(scope->trace, op.event));
        assert_int_equal(op.start, nsc_later(events->start[op.event], scope->window.t0));
        assert_int_equal(op.end, nsc_later(op.start, nsc_earlier(nsc_event_end(events, op.event),
                                                                 scope->window.t1)));
    }
    nsc_device_ops_fini(&ops);
}

TEST(ops_come_by_start_and_row)
{
    struct gpu_world world = {.dice = dice_new(508)};

    for (int i = 0; i < 300; i++) {
        gpu_world_roll(&world);
        for (uint32_t d = gpu_world_next_device(&world, NSC_NONE); d != NSC_NONE;
             d = gpu_world_next_device(&world, d))
            check_ops(&world.scope, d);
        gpu_world_clear(&world);
    }
}
