/*
 * Property tests of the GPU work of NVTX ranges: inside, own and projected work equal counts by
 * range and by ns, and no work is lost.
 */
#include "analysis/base/limit.h"
#include "analysis/names/host_act.h"
#include "analysis/ranges/range_work.h"
#include "core/die.h"
#include "support/cm.h"
#include "support/gpu_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t thread_of(const struct gpu_world *world, nsc_event e)
{
    return nsc_trace_group_of(world->trace, gpu_world_track(world, e));
}

/* ---- the naive meaning of lent work (helper_launches.h) ---- */

#define HANDOVER (1000 * NSC_LIMIT_HANDOVER)

static bool is_range(const struct gpu_world *world, nsc_event e, uint32_t thread)
{
    return nsc_trace_events(world->trace)->kind[e] == NSC_KIND_NVTX_RANGE &&
           thread_of(world, e) == thread;
}

static bool holds(const struct gpu_world *world, nsc_event range, nsc_time t0, nsc_time t1)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);

    return events->start[range] <= t0 && t0 < nsc_event_touch_end(events, range) &&
           nsc_event_end(events, range) >= t1;
}

static uint32_t main_of(const struct gpu_world *world, uint32_t thread)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(world->trace, &n);

    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_THREAD && tracks[t].process == tracks[thread].process &&
            tracks[t].tid == tracks[t].pid)
            return t;
    return NSC_NONE;
}

static long seq_of(const struct gpu_world *world, nsc_event range)
{
    char scratch[NSC_NAME_BYTES];
    char text[64] = "";
    struct nsc_text name = nsc_trace_event_text(world->trace, range, false, scratch);
    const char *at;

    memcpy(text, name.bytes, name.n < 63 ? name.n : 63);
    at = strstr(text, "seq = ");
    return at ? strtol(at + 6, NULL, 10) : -1;
}

static bool is_sleep(const struct gpu_world *world, nsc_event e, uint32_t thread)
{
    char scratch[NSC_NAME_BYTES];

    return nsc_trace_events(world->trace)->kind[e] == NSC_KIND_OSRT &&
           thread_of(world, e) == thread &&
           nsc_host_act_parks(nsc_trace_event_text(world->trace, e, false, scratch));
}

static bool is_near(nsc_time a, nsc_time b)
{
    return a - b <= HANDOVER && b - a <= HANDOVER;
}

/* Whether the thread hands over at t; checks all of its calls, ranges and sleeps. */
static bool hands_over(const struct gpu_world *world, uint32_t thread, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);

    for (nsc_event e = 0; e < events->n; e++)
        if (thread_of(world, e) == thread &&
            ((nsc_kind_is_api(events->kind[e]) && is_near(nsc_event_end(events, e), t)) ||
             (events->kind[e] == NSC_KIND_NVTX_RANGE && is_near(nsc_event_end(events, e), t)) ||
             (is_sleep(world, e, thread) && is_near(events->start[e], t))))
            return true;
    return false;
}

/* Whether a range of the thread around t and an earlier one of the main thread have the same
 * number. */
static bool has_seq(const struct gpu_world *world, uint32_t thread, uint32_t main, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);

    for (nsc_event r = 0; r < events->n; r++)
        for (nsc_event q = 0; q < events->n; q++)
            if (is_range(world, r, thread) && holds(world, r, t, t) && seq_of(world, r) >= 0 &&
                is_range(world, q, main) && events->start[q] < t &&
                seq_of(world, q) == seq_of(world, r))
                return true;
    return false;
}

/* The main thread's range that an op is lent to; NSC_NONE: none. */
static nsc_event lent_to(const struct gpu_world *world, nsc_event op)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event call = events->link[op];
    uint32_t thread = thread_of(world, call);
    uint32_t main = main_of(world, thread);
    nsc_time t0 = events->start[call];
    nsc_time t1 = nsc_event_end(events, call);
    nsc_event outer = NSC_NONE;
    nsc_event sleep = NSC_NONE;
    nsc_event best = NSC_NONE;

    if (main == NSC_NONE || main == thread)
        return NSC_NONE;
    for (nsc_event e = 0; e < events->n; e++) {
        if (is_range(world, e, thread) && holds(world, e, t0, t0) &&
            (outer == NSC_NONE || events->start[e] < events->start[outer] ||
             (events->start[e] == events->start[outer] &&
              nsc_event_end(events, e) > nsc_event_end(events, outer))))
            outer = e;
        if (sleep == NSC_NONE && is_sleep(world, e, main) && holds(world, e, t0, t1))
            sleep = e;
    }
    if (outer != NSC_NONE) {
        t0 = events->start[outer];
        t1 = nsc_event_end(events, outer);
    }
    if (!has_seq(world, thread, main, events->start[call])) {
        if (sleep == NSC_NONE || !hands_over(world, thread, nsc_event_end(events, sleep)))
            return NSC_NONE;
        t0 = events->start[sleep] < t0 ? events->start[sleep] : t0;
        t1 = nsc_event_end(events, sleep) > t1 ? nsc_event_end(events, sleep) : t1;
    }
    for (nsc_event e = 0; e < events->n; e++)
        if (is_range(world, e, main) && holds(world, e, t0, t1) &&
            (best == NSC_NONE || events->start[e] > events->start[best] ||
             (events->start[e] == events->start[best] &&
              (nsc_event_end(events, e) < nsc_event_end(events, best) ||
               (nsc_event_end(events, e) == nsc_event_end(events, best) && e > best)))))
            best = e;
    return best;
}

static nsc_event lent[GPU_WORLD_ROWS]; /* of the world that is looked at */
static uint32_t n_lent;                /* in all worlds */

static void find_lent(const struct gpu_world *world)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);

    for (nsc_event op = 0; op < events->n; op++) {
        bool counts = gpu_world_device(world, op) != NSC_NONE && events->link[op] != NSC_NONE;

        lent[op] = counts ? lent_to(world, op) : NSC_NONE;
        n_lent += lent[op] != NSC_NONE;
    }
}

/* Whether the op is lent to the range, or to one inside it. */
static bool is_lent(const struct gpu_world *world, nsc_event op, nsc_event range)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);

    return lent[op] != NSC_NONE &&
           gpu_world_track(world, lent[op]) == gpu_world_track(world, range) &&
           nsc_trace_lane_of(world->trace, range) <= nsc_trace_lane_of(world->trace, lent[op]) &&
           holds(world, range, events->start[lent[op]], events->start[lent[op]]);
}

/* Whether the op, of the scope, is launched inside the range on its thread. */
static bool is_launched_inside(const struct gpu_world *world, nsc_event op, nsc_event range)
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

static bool is_inside(const struct gpu_world *world, nsc_event op, nsc_event range)
{
    return is_launched_inside(world, op, range) || is_lent(world, op, range);
}

/* The own range of an op: the latest start among the deepest ranges with a node of each domain; of
 * its own thread, if there is one. */
static uint32_t own_node(const struct gpu_world *world, const struct nsc_range_work *work,
                         nsc_event op)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event best = NSC_NONE;
    bool has_own = false;

    for (nsc_event r = 0; r < events->n; r++)
        has_own = has_own || (events->kind[r] == NSC_KIND_NVTX_RANGE &&
                              node_of(work, r) != NSC_NONE && is_launched_inside(world, op, r));
    for (nsc_event r = 0; r < events->n; r++) {
        bool deepest = true;

        if (events->kind[r] != NSC_KIND_NVTX_RANGE || node_of(work, r) == NSC_NONE ||
            !(has_own ? is_launched_inside(world, op, r) : is_inside(world, op, r)))
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

/* Busy, own and exposed of a node; tree->n: outside of ranges. */
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

    find_lent(world);
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

/* The devices have windows of their own, as in a steady state. */
static void check_devices(struct gpu_world *world)
{
    uint32_t n = 0;
    const struct nsc_scope scope = world->scope;
    struct nsc_window *windows;
    struct nsc_range_work work;
    nsc_time sum = 0;

    (void)nsc_trace_tracks(world->trace, &n);
    windows = nsc_xcalloc(n + 1, sizeof *windows);
    for (uint32_t i = 0; i < n; i++) {
        windows[i].t0 = scope.window.t0 + (nsc_time)dice_below(&world->dice, 20);
        windows[i].t1 = scope.window.t1 - (nsc_time)dice_below(&world->dice, 20);
    }
    world->scope.has_window = true;
    world->scope.of_devices = windows;
    assert_true(nsc_range_work_build(&work, &world->scope, NSC_PATHS_BY_DIGITS));
    for (struct nsc_scope_cursor at =
             nsc_scope_open_devices(&world->scope, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_scope_next(&at);)
        sum += nsc_event_duration(nsc_trace_events(world->trace), at.row);
    if (scope.window.t1 - scope.window.t0 > 40) /* no window is empty */
        assert_int_equal(sum, work.work);
    nsc_range_work_fini(&work);
    world->scope = scope;
    free(windows);
}

TEST(work_of_ranges_is_what_is_found)
{
    struct gpu_world world = {.dice = dice_new(508)};

    n_lent = 0;
    /* Few worlds lend: there are as many as it takes. */
    for (int i = 0; i < 100 || (i < 2000 && n_lent <= 10); i++) {
        world.has_seqs = i >= 40;
        gpu_world_roll(&world);
        check_world(&world);
        check_devices(&world);
        gpu_world_clear(&world);
    }
    assert_true(n_lent > 10);
}

/* Which ranges are around a launch depends on the launches before, but each op has one own range. */
TEST(work_of_ranges_that_cross_is_counted_once)
{
    struct gpu_world world = {.dice = dice_new(509), .may_cross = true};
    uint32_t n_own = 0;

    for (int i = 0; i < 300; i++) {
        struct nsc_range_work work;
        nsc_time sum;
        uint32_t ops;

        gpu_world_roll(&world);
        assert_true(nsc_range_work_build(&work, &world.scope, NSC_PATHS_BY_DIGITS));
        sum = work.none.own.work;
        ops = work.none.own.ops;
        for (uint32_t node = 0; node < work.tree->n; node++) {
            const struct nsc_range_node *at = &work.at[node];

            sum += at->own.work;
            ops += at->own.ops;
            n_own += at->own.ops;
            assert_true(at->own.busy <= at->inside.busy && at->own.busy <= at->own.work);
            assert_true(at->exposed <= at->own.busy);
        }
        assert_int_equal(sum, work.work);
        assert_int_equal(ops, work.ops);
        nsc_range_work_fini(&work);
        gpu_world_clear(&world);
    }
    assert_true(n_own > 1000);
}
