/*
 * Property tests of dependencies: loops over all events and recursion give the same cause for each
 * ns without compute, and the same critical path.
 */
#include "analysis/device/compute_absent.h"
#include "analysis/device/critical.h"
#include "analysis/device/gaps.h"
#include "analysis/names/call_class.h"
#include "support/cm.h"
#include "support/gpu_world.h"

#include <stdlib.h>
#include <string.h>

/* ---- naive dependencies ---- */

/* The op before op on its stream. */
static nsc_event find_before(const struct gpu_world *world, nsc_event op)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event best = NSC_NONE;

    for (nsc_event e = 0; e < events->n; e++)
        if (nsc_kind_is_gpu(events->kind[e]) &&
            gpu_world_track(world, e) == gpu_world_track(world, op) &&
            (events->start[e] < events->start[op] ||
             (events->start[e] == events->start[op] && e < op)) &&
            (best == NSC_NONE || events->start[e] >= events->start[best]))
            best = e;
    return best;
}

struct ready {
    nsc_event dep;
    nsc_time issued, freed;
};

static struct ready find_ready(const struct gpu_world *world, nsc_event op)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event call = events->link[op];
    struct ready ready = {find_before(world, op), INT64_MIN, INT64_MIN};

    if (ready.dep != NSC_NONE)
        ready.freed = nsc_event_end(events, ready.dep);
    if (call == NSC_NONE)
        return ready;
    ready.issued = nsc_event_end(events, call);
    if (ready.issued <= events->start[op])
        return ready;
    ready.issued = events->start[op];
    if (ready.dep != NSC_NONE && ready.freed <= events->start[op] &&
        events->start[op] - ready.freed <= NSC_ISSUE_NEXT_NS)
        ready.issued = ready.freed - 1;
    if (ready.issued > events->start[call] && ready.issued == ready.freed - 1)
        ready.issued = events->start[call];
    return ready;
}

/* ---- time without compute ---- */

static bool is_kind(const struct gpu_world *world, nsc_event op, uint32_t kinds)
{
    enum nsc_op_kind kind;

    return nsc_op_kind_of(world->trace, op, &kind) && (NSC_OP_KIND_BIT(kind) & kinds);
}

static bool runs(const struct gpu_world *world, uint32_t device, uint32_t kinds, nsc_time t)
{
    for (nsc_event e = 0; e < nsc_trace_events(world->trace)->n; e++)
        if (gpu_world_device(world, e) == device && gpu_world_fills(world, e, t) &&
            is_kind(world, e, kinds))
            return true;
    return false;
}

static nsc_event starting_at(const struct gpu_world *world, uint32_t device, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event next = NSC_NONE;

    for (nsc_event e = 0; e < events->n; e++)
        if (gpu_world_device(world, e) == device && events->start[e] > t &&
            nsc_event_duration(events, e) > 0 && is_kind(world, e, NSC_COMPUTE_KINDS) &&
            (next == NSC_NONE || events->start[e] < events->start[next]))
            next = e;
    return next;
}

/* Whether the thread of a call is in a call of this act at t. */
static bool is_waiting(const struct gpu_world *world, struct nsc_host_walk *host, nsc_event call,
                       enum nsc_host_act act, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint32_t group = nsc_trace_group_of(world->trace, gpu_world_track(world, call));

    for (nsc_event e = 0; e < events->n; e++)
        if (nsc_kind_is_api(events->kind[e]) && events->start[e] <= t &&
            t < nsc_event_end(events, e) && nsc_host_walk_act(host, e) == act &&
            nsc_trace_group_of(world->trace, gpu_world_track(world, e)) == group)
            return true;
    return false;
}

/* Whether communication of a device that runs when an op is issued ends well after that and before the op begins. */
static bool is_held(const struct gpu_world *world, uint32_t device, nsc_event op, nsc_time issued)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);

    for (nsc_event e = 0; e < events->n; e++)
        if (gpu_world_device(world, e) == device && is_kind(world, e, NSC_COMM_KINDS) &&
            events->start[e] < issued && nsc_event_end(events, e) <= events->start[op] &&
            nsc_event_end(events, e) - issued > NSC_LAUNCH_LATENCY_NS)
            return true;
    return false;
}

static enum nsc_absent_part ask(const struct gpu_world *world, struct nsc_host_walk *host,
                                uint32_t device, nsc_event op, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct ready ready = find_ready(world, op);
    nsc_event call = events->link[op];

    if (call == NSC_NONE)
        return NSC_ABSENT_UNKNOWN;
    if (t >= ready.issued && t >= ready.freed) {
        if (ready.issued >= ready.freed &&
            events->start[op] - ready.issued <= NSC_LAUNCH_LATENCY_NS)
            return NSC_ABSENT_LATE;
        return events->kind[op] == NSC_KIND_KERNEL &&
                       strcmp(
                           nsc_trace_string(world->trace,
                                            nsc_trace_names(world->trace)->full[events->name[call]])
                               .bytes,
                           "cudaGraphLaunch") == 0
                   ? NSC_ABSENT_GRAPH
                   : NSC_ABSENT_RESIDUAL;
    }
    if (ready.issued >= ready.freed) {
        bool is_sync = is_waiting(world, host, call, NSC_HOST_SYNC, t);
        bool has_comm = runs(world, device, NSC_COMM_KINDS, t);
        bool has_copy = runs(world, device, NSC_ALL_KINDS & ~NSC_KERNEL_KINDS, t);

        if (is_held(world, device, op, ready.issued))
            return NSC_ABSENT_RESIDUAL;
        if (gpu_world_is_barred(world) && (has_comm || has_copy))
            return NSC_ABSENT_UNKNOWN;
        if (is_sync && has_comm)
            return NSC_ABSENT_COMM;
        if ((is_sync || is_waiting(world, host, call, NSC_HOST_COPY, t)) && has_copy)
            return NSC_ABSENT_COPY;
        return has_comm ? NSC_ABSENT_BEHIND : NSC_ABSENT_LATE;
    }
    if (t < events->start[ready.dep])
        return ask(world, host, device, ready.dep, t);
    return is_kind(world, ready.dep, NSC_COMPUTE_KINDS) ? NSC_ABSENT_ELSEWHERE
           : is_kind(world, ready.dep, NSC_COMM_KINDS)  ? NSC_ABSENT_COMM
                                                        : NSC_ABSENT_COPY;
}

static void check_absent(const struct gpu_world *world, const struct nsc_depends *depends,
                         uint32_t device)
{
    struct nsc_absent got;
    nsc_time part[NSC_N_ABSENT_PARTS] = {0};
    nsc_time absent = 0;
    struct nsc_host_walk host;

    if (!nsc_absent_build(&got, &world->scope, depends, device))
        return;
    nsc_host_walk_init(&host, &world->scope);
    for (nsc_time t = got.window.t0; t < got.window.t1; t++) {
        nsc_event next = starting_at(world, device, t);

        if (runs(world, device, NSC_COMPUTE_KINDS, t))
            continue;
        absent++;
        part[next == NSC_NONE ? NSC_ABSENT_UNKNOWN : ask(world, &host, device, next, t)]++;
    }
    for (int i = 0; i < NSC_N_ABSENT_PARTS; i++)
        assert_int_equal(got.part[i], part[i]);
    assert_int_equal(got.absent, absent);
    assert_int_equal(got.absent + got.compute, got.window.t1 - got.window.t0);
    nsc_host_walk_fini(&host);
}

/* ---- the critical path ---- */

struct painting {
    const struct gpu_world *world;
    struct nsc_host_walk host;
    struct nsc_window window;
    nsc_time at;
    uint8_t kind[2 * GPU_WORLD_SPAN]; /* by ns from the window's start */
};

static void paint(struct painting *painting, enum nsc_critical_kind kind, nsc_time from)
{
    while (painting->at > from && painting->at > painting->window.t0)
        painting->kind[--painting->at - painting->window.t0] = (uint8_t)kind;
}

/* The op of a process that ends last in [t0, t1]. */
static nsc_event find_last(const struct gpu_world *world, uint64_t process, nsc_time t0,
                           nsc_time t1)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event best = NSC_NONE;

    for (nsc_event e = 0; e < events->n; e++)
        if (nsc_kind_is_gpu(events->kind[e]) &&
            nsc_trace_track(world->trace, gpu_world_track(world, e))->process == process &&
            nsc_event_end(events, e) >= t0 && nsc_event_end(events, e) <= t1 &&
            (best == NSC_NONE || nsc_event_end(events, e) >= nsc_event_end(events, best)))
            best = e;
    return best;
}

/* The op of a device that touches the window and ends last. */
static nsc_event find_end(const struct gpu_world *world, uint32_t device, struct nsc_window w)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event best = NSC_NONE;

    for (nsc_event e = 0; e < events->n; e++)
        if (nsc_kind_is_gpu(events->kind[e]) && events->start[e] < w.t1 &&
            nsc_event_touch_end(events, e) > w.t0 &&
            nsc_trace_group_of(world->trace, gpu_world_track(world, e)) == device &&
            (best == NSC_NONE || nsc_event_end(events, e) >= nsc_event_end(events, best)))
            best = e;
    return best;
}

/* The next compute op of a device at or after t, if it is known what it waited for. */
static nsc_event next_at(const struct gpu_world *world, uint32_t device, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event best = NSC_NONE;

    for (nsc_event e = 0; e < events->n; e++)
        if (nsc_kind_is_gpu(events->kind[e]) && events->start[e] >= t &&
            is_kind(world, e, NSC_COMPUTE_KINDS) &&
            nsc_trace_group_of(world->trace, gpu_world_track(world, e)) == device &&
            (best == NSC_NONE || events->start[e] < events->start[best]))
            best = e;
    if (best != NSC_NONE && events->link[best] == NSC_NONE &&
        find_ready(world, best).dep == NSC_NONE)
        return NSC_NONE;
    return best;
}

static enum nsc_critical_kind kind_of(const struct gpu_world *world, nsc_event op)
{
    return is_kind(world, op, NSC_COMPUTE_KINDS) ? NSC_CRITICAL_COMPUTE
           : is_kind(world, op, NSC_COMM_KINDS)  ? NSC_CRITICAL_COMM
                                                 : NSC_CRITICAL_COPY;
}

/* The op that the last wait of the call's thread before it waited for; paints the host's work. */
static nsc_event pass_host(struct painting *painting, nsc_event call)
{
    const struct gpu_world *world = painting->world;
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint32_t track = gpu_world_track(world, call);
    nsc_event wait = NSC_NONE;
    nsc_event awaited = NSC_NONE;

    for (nsc_event e = 0; e < events->n; e++) {
        enum nsc_host_act act;
        nsc_time end = nsc_event_end(events, e) + NSC_DRAIN_SLACK_NS;
        nsc_event op;

        if (!nsc_kind_is_api(events->kind[e]) || gpu_world_track(world, e) != track ||
            nsc_event_end(events, e) > events->start[call] ||
            nsc_event_end(events, e) <= painting->window.t0 ||
            (wait != NSC_NONE && nsc_event_end(events, e) < nsc_event_end(events, wait)))
            continue;
        act = nsc_host_walk_act(&painting->host, e);
        if (act != NSC_HOST_SYNC && act != NSC_HOST_COPY)
            continue;
        op = act == NSC_HOST_COPY
                 ? events->link[e]
                 : find_last(world, nsc_trace_track(world->trace, track)->process, events->start[e],
                             end < painting->at ? end : painting->at);
        if (op == NSC_NONE || nsc_event_end(events, op) >= painting->at)
            continue;
        wait = e;
        awaited = op;
    }
    paint(painting, NSC_CRITICAL_HOST,
          awaited == NSC_NONE ? INT64_MIN : nsc_event_end(events, awaited));
    return awaited;
}

static void paint_path(struct painting *painting, nsc_event op, int depth)
{
    const struct nsc_events *events = nsc_trace_events(painting->world->trace);
    struct ready ready = find_ready(painting->world, op);
    nsc_event call = events->link[op];

    paint(painting, kind_of(painting->world, op), events->start[op]);
    if (painting->at <= painting->window.t0 || depth > 500)
        return;
    if (call == NSC_NONE) {
        bool is_freed = ready.dep != NSC_NONE && ready.freed <= painting->at;

        paint(painting, is_freed ? NSC_CRITICAL_DELAY : NSC_CRITICAL_UNKNOWN,
              is_freed ? ready.freed : INT64_MIN);
    } else if (ready.issued >= ready.freed) {
        paint(painting, NSC_CRITICAL_LAUNCH, events->start[call]);
        if (gpu_world_is_barred(painting->world)) {
            paint(painting, NSC_CRITICAL_UNKNOWN, INT64_MIN);
            return;
        }
        ready.dep = pass_host(painting, call);
    } else {
        paint(painting, NSC_CRITICAL_DELAY, ready.freed);
    }
    if (ready.dep != NSC_NONE && painting->at > painting->window.t0)
        paint_path(painting, ready.dep, depth + 1);
}

static void compare_path(const struct nsc_critical *got, const struct painting *painting)
{
    nsc_time sums[NSC_N_CRITICAL_KINDS] = {0};
    nsc_time at = got->window.t0;

    for (uint32_t i = 0; i < got->n; i++) {
        const struct nsc_critical_step *step = &got->steps[i];

        assert_int_equal(step->start, at);
        assert_true(step->end > step->start);
        for (; at < step->end; at++)
            assert_int_equal(painting->kind[at - got->window.t0], step->kind);
        sums[step->kind] += step->end - step->start;
    }
    assert_int_equal(at, got->window.t1);
    for (int i = 0; i < NSC_N_CRITICAL_KINDS; i++)
        assert_int_equal(sums[i], got->part[i]);
}

static void check_path(const struct gpu_world *world, const struct nsc_depends *depends,
                       uint32_t device)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct painting painting = {
        .world = world, .window = world->scope.window, .at = world->scope.window.t1};
    nsc_event op = find_end(world, device, painting.window);
    nsc_event next = next_at(world, device, painting.window.t1);
    struct nsc_critical got;

    if (!nsc_critical_build(&got, &world->scope, depends, device, painting.window)) {
        assert_true(op == NSC_NONE || nsc_event_end(events, op) <= painting.window.t0);
        return;
    }
    nsc_host_walk_init(&painting.host, &world->scope);
    if (next == NSC_NONE)
        paint(&painting, NSC_CRITICAL_HOST, nsc_event_end(events, op));
    paint_path(&painting, next != NSC_NONE ? next : op, 0);
    paint(&painting, NSC_CRITICAL_UNKNOWN, INT64_MIN);
    compare_path(&got, &painting);
    nsc_host_walk_fini(&painting.host);
    nsc_critical_fini(&got);
}

TEST(causes_are_what_recursion_finds)
{
    struct gpu_world world = {.dice = dice_new(771)};

    for (int i = 0; i < 150; i++) {
        struct nsc_depends depends;

        gpu_world_roll(&world);
        nsc_depends_build(&depends, world.trace, NULL);
        for (uint32_t d = gpu_world_next_device(&world, NSC_NONE); d != NSC_NONE;
             d = gpu_world_next_device(&world, d)) {
            check_absent(&world, &depends, d);
            check_path(&world, &depends, d);
        }
        nsc_depends_fini(&depends);
        gpu_world_clear(&world);
    }
}
