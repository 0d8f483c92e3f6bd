/*
 * Property tests of the launches picked for Nsight Compute: totals, the median launch and its index
 * in launch order equal plain loops over the rows.
 */
#include "analysis/base/correlate.h"
#include "analysis/base/limit.h"
#include "analysis/ncu/ncu_plan.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LAUNCHES = 40, ROUNDS = 300, N_NAMES = 3, N_SHAPES = 4 };

struct world {
    struct dice dice;
    struct nsc_test_row rows[3 * MAX_LAUNCHES];
    uint32_t n;
    struct nsc_trace *trace;
    struct nsc_scope scope;
    const struct nsc_named_ranges *ranges;   /* NULL: none */
    const struct nsc_named_ranges *excluded; /* NULL: none */
    uint32_t index;
    bool has_shapes;
    struct nsc_ncu_shapes shapes;
};

static const char *const names[N_NAMES] = {"gemm", "add", "copy_kernel"};

static void add_row(struct world *world, struct nsc_test_row row)
{
    world->rows[world->n++] = row;
}

static void roll_world(struct world *world)
{
    uint32_t launches = 1 + (uint32_t)dice_below(&world->dice, MAX_LAUNCHES);

    world->n = 0;
    for (uint32_t i = 0; i < launches; i++) {
        uint64_t process = 1 + dice_below(&world->dice, 2);
        uint32_t tid = 1 + (uint32_t)dice_below(&world->dice, 2);
        nsc_time at = (nsc_time)dice_below(&world->dice, 300);
        nsc_time start = at + (nsc_time)dice_below(&world->dice, 100);

        if (dice_below(&world->dice, 5))
            add_row(world, (struct nsc_test_row){.kind = NSC_KIND_API_RUNTIME,
                                                 .process = process,
                                                 .tid = tid,
                                                 .name = "launch",
                                                 .start = at,
                                                 .end = at + 2,
                                                 .correlation = i + 1});
        add_row(world, (struct nsc_test_row){.kind = NSC_KIND_KERNEL,
                                             .process = process,
                                             .device = (int64_t)process,
                                             .stream = (int64_t)dice_below(&world->dice, 2),
                                             .name = names[dice_below(&world->dice, N_NAMES)],
                                             .start = start,
                                             .end = start + (nsc_time)dice_below(&world->dice, 20),
                                             .correlation = i + 1});
        if (dice_below(&world->dice, 3) == 0)
            add_row(world,
                    (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                          .process = process,
                                          .tid = tid,
                                          .name = dice_below(&world->dice, 3) ? "step" : "warm",
                                          .start = at,
                                          .end = at + (nsc_time)dice_below(&world->dice, 60)});
    }
    world->trace = nsc_test_trace_build(world->rows, world->n);
    world->scope = nsc_scope_all(world->trace);
    if (dice_below(&world->dice, 2)) {
        world->scope.window.t0 = (nsc_time)dice_below(&world->dice, 300);
        world->scope.window.t1 =
            world->scope.window.t0 + 1 + (nsc_time)dice_below(&world->dice, 200);
    }
}

/* Random shapes: each name has as many as its kernels get. */
static void roll_shapes(struct world *world)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    const struct nsc_names *all = nsc_trace_names(world->trace);

    world->shapes = (struct nsc_ncu_shapes){0};
    world->has_shapes = dice_below(&world->dice, 3) > 0;
    for (uint32_t name = 0; name < all->n; name++)
        for (uint32_t i = 0; i < N_SHAPES; i++)
            *NSC_VEC_ADD(&world->shapes.list) =
                (struct nsc_ncu_shape){.brief = all->brief[name], .size = {i}};
    world->shapes.of = nsc_xcalloc((size_t)events->n + 1, sizeof *world->shapes.of);
    for (nsc_event event = 0; event < events->n; event++)
        world->shapes.of[event] =
            events->kind[event] == NSC_KIND_KERNEL
                ? events->name[event] * N_SHAPES + (uint32_t)dice_below(&world->dice, N_SHAPES)
                : NSC_NONE;
}

/* ---- the plain meaning ---- */

static const struct nsc_track *track_of(const struct world *world, nsc_event event)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(world->trace, NULL);

    return nsc_trace_track(world->trace, lanes[nsc_trace_lane_of(world->trace, event)].track);
}

static bool is_named(const struct world *world, nsc_event event, nsc_name name)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);

    return events->kind[event] == NSC_KIND_KERNEL && events->name[event] == name;
}

static bool is_launched_in(const struct world *world, nsc_event event, nsc_event range)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event call = nsc_event_launch(world->trace, event);

    return call != NSC_NONE && events->start[call] >= events->start[range] &&
           events->start[call] < nsc_event_end(events, range) &&
           track_of(world, call)->tid == track_of(world, range)->tid &&
           track_of(world, call)->process == track_of(world, range)->process;
}

static bool is_launched_in_any(const struct world *world, nsc_event event,
                               const struct nsc_named_ranges *ranges)
{
    for (uint32_t i = 0; i < ranges->n; i++)
        if (is_launched_in(world, event, ranges->event[i]))
            return true;
    return false;
}

static bool is_profiled(const struct world *world, nsc_event event)
{
    return (!world->ranges || is_launched_in_any(world, event, world->ranges)) &&
           (!world->excluded || !is_launched_in_any(world, event, world->excluded));
}

static bool counts(const struct world *world, nsc_event event)
{
    return is_profiled(world, event) &&
           (world->ranges ? is_launched_in(world, event, world->ranges->event[world->index])
                          : nsc_scope_has(&world->scope, event));
}

static nsc_time launched(const struct world *world, nsc_event event)
{
    nsc_event call = nsc_event_launch(world->trace, event);

    return nsc_trace_events(world->trace)->start[call == NSC_NONE ? event : call];
}

static void check_pick(const struct world *world, const struct nsc_ncu_pick *pick)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_time like = nsc_event_duration(events, pick->like);
    nsc_time kernel = 0;
    nsc_time total = 0;
    uint32_t calls = 0;
    uint32_t shorter = 0;
    uint32_t skip = 0;

    assert_true(is_named(world, pick->like, pick->name) && counts(world, pick->like));
    assert_int_equal(pick->process, track_of(world, pick->like)->process);
    for (nsc_event event = 0; event < events->n; event++) {
        nsc_time duration = nsc_event_duration(events, event);

        if (!is_named(world, event, pick->name))
            continue;
        if (counts(world, event))
            kernel += duration;
        if (counts(world, event) &&
            (pick->shape == NSC_NONE || world->shapes.of[event] == pick->shape)) {
            calls++;
            total += duration;
            shorter += duration < like || (duration == like && event < pick->like);
        }
        skip += track_of(world, event)->process == pick->process && is_profiled(world, event) &&
                (launched(world, event) < launched(world, pick->like) ||
                 (launched(world, event) == launched(world, pick->like) && event < pick->like));
    }
    assert_int_equal(pick->calls, calls);
    assert_int_equal(pick->total, total);
    assert_int_equal(pick->kernel, kernel);
    assert_int_equal(shorter, (calls - 1) / 2);
    assert_int_equal(pick->skip, skip);
}

/* The picks of a kernel are consecutive, the longest shape first. All of them cover enough time;
 * without the last one they do not. Returns the next kernel's first pick. */
static size_t check_kernel(const struct world *world, const struct nsc_ncu_picks *picks,
                           size_t first)
{
    const struct nsc_ncu_pick *pick = &picks->list.at[first];
    double wanted = NSC_LIMIT_NEARLY_ALL / 100.0 * (double)pick->kernel;
    double covered = 0;
    size_t i = first;

    for (; i < picks->list.n && picks->list.at[i].kernel == pick->kernel &&
           (i == first || is_named(world, picks->list.at[i].like,
                                   nsc_trace_events(world->trace)->name[pick->like]));
         i++) {
        check_pick(world, &picks->list.at[i]);
        assert_true(i == first || covered < wanted);
        assert_true(i == first || picks->list.at[i - 1].total >= picks->list.at[i].total);
        covered += (double)picks->list.at[i].total;
    }
    assert_true(covered >= wanted);
    return i;
}

static uint32_t count_kernels(const struct world *world)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint32_t n = 0;

    for (nsc_name name = 0; name < nsc_trace_names(world->trace)->n; name++) {
        bool any = false;

        for (nsc_event event = 0; event < events->n; event++)
            any |= is_named(world, event, name) && counts(world, event);
        n += any;
    }
    return n;
}

static void check_picks(const struct world *world, uint32_t top)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint32_t there = count_kernels(world), n = 0;
    struct nsc_ncu_picks picks;
    nsc_time all = 0;
    size_t next;

    nsc_ncu_picks_build(&picks, &world->scope,
                        &(struct nsc_ncu_ask){.top = top,
                                              .shapes = world->has_shapes ? &world->shapes : NULL,
                                              .include = world->ranges,
                                              .index = world->index,
                                              .exclude = world->excluded});
    for (nsc_event event = 0; event < events->n; event++)
        if (events->kind[event] == NSC_KIND_KERNEL && counts(world, event))
            all += nsc_event_duration(events, event);
    assert_int_equal(picks.all, all);
    for (size_t i = 0; i < picks.list.n; i = next, n++) {
        next = check_kernel(world, &picks, i);
        assert_true(next == i + 1 || world->has_shapes);
        assert_true(i == 0 || picks.list.at[i - 1].kernel >= picks.list.at[i].kernel);
        all -= picks.list.at[i].kernel;
    }
    assert_int_equal(n, top < there ? top : there);
    assert_true(all == 0 || n == top);
    nsc_ncu_picks_fini(&picks);
}

TEST(test_picks_are_what_loops_find)
{
    struct world world = {.dice = dice_new(81)};

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_range_name name = {.name = {"step", 4}, .domain = {"", 0}};
        struct nsc_range_name warm = {.name = {"warm", 4}, .domain = {"", 0}};
        struct nsc_named_ranges ranges;
        struct nsc_named_ranges excluded;

        roll_world(&world);
        roll_shapes(&world);
        nsc_named_ranges_find(&excluded, world.trace, &warm);
        world.excluded = dice_below(&world.dice, 2) ? &excluded : NULL;
        world.ranges = NULL;
        check_picks(&world, 1 + (uint32_t)dice_below(&world.dice, N_NAMES));
        nsc_named_ranges_find(&ranges, world.trace, &name);
        if (ranges.n) {
            world.ranges = &ranges;
            world.index = (uint32_t)dice_below(&world.dice, ranges.n);
            check_picks(&world, N_NAMES);
        }
        nsc_named_ranges_fini(&ranges);
        nsc_named_ranges_fini(&excluded);
        nsc_ncu_shapes_fini(&world.shapes);
        nsc_trace_free(world.trace);
    }
}
