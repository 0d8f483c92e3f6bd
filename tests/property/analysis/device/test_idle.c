/*
 * Property tests of idle time: every ns of the window is painted busy or laid to a cause, and the
 * totals, the gaps and the ranges come out the same.
 */
#include "nsyscope/calltree.h"

#include "analysis/device/idle.h"
#include "analysis/names/call_class.h"
#include "support/cm.h"
#include "support/gpu_world.h"

#include <string.h>

struct naive {
    nsc_time busy, idle;
    nsc_time part[NSC_N_GAP_PARTS];
    uint32_t n_gaps;
};

static bool is_busy(const struct gpu_world *world, uint32_t device, nsc_time t)
{
    for (nsc_event e = 0; e < nsc_trace_events(world->trace)->n; e++)
        if (gpu_world_device(world, e) == device && gpu_world_fills(world, e, t))
            return true;
    return false;
}

/* The op that ends the gap around t. */
static nsc_event find_next(const struct gpu_world *world, uint32_t device, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event next = NSC_NONE;

    for (nsc_event e = 0; e < events->n; e++)
        if (gpu_world_device(world, e) == device && events->start[e] > t &&
            nsc_event_duration(events, e) > 0 &&
            (next == NSC_NONE || events->start[e] < events->start[next]))
            next = e;
    return next;
}

static enum nsc_gap_part host_part(const struct gpu_world *world, nsc_event call, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint32_t group = nsc_trace_group_of(world->trace, gpu_world_track(world, call));
    enum nsc_gap_part part = NSC_GAP_IN_UNTRACED;

    for (nsc_event e = 0; e < events->n; e++) {
        char scratch[NSC_NAME_BYTES];
        struct nsc_text name = nsc_trace_event_text(world->trace, e, false, scratch);
        enum nsc_gap_part here = NSC_GAP_IN_UNTRACED;

        if (t < events->start[e] || t >= nsc_event_end(events, e) ||
            nsc_trace_group_of(world->trace, gpu_world_track(world, e)) != group)
            continue;
        if (nsc_kind_is_api(events->kind[e]))
            here = nsc_call_class_api(name) == NSC_CALL_SYNC            ? NSC_GAP_IN_SYNC
                   : nsc_call_class_api(name) == NSC_CALL_BLOCKING_COPY ? NSC_GAP_IN_COPY
                                                                        : NSC_GAP_IN_CUDA;
        else if (events->kind[e] == NSC_KIND_OSRT && nsc_call_class_os(name) == NSC_CALL_OS_WAIT)
            here = NSC_GAP_IN_OS_WAIT;
        part = here < part ? here : part;
    }
    return part;
}

static enum nsc_gap_part part_at(const struct gpu_world *world, uint32_t device, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event next = find_next(world, device, t);

    if (next == NSC_NONE || events->link[next] == NSC_NONE)
        return NSC_GAP_UNKNOWN;
    return t >= events->start[events->link[next]] ? NSC_GAP_QUEUED
                                                  : host_part(world, events->link[next], t);
}

static struct naive paint(const struct gpu_world *world, uint32_t device, struct nsc_window w)
{
    struct naive naive = {0};
    bool idle_before = false;

    for (nsc_time t = w.t0; t < w.t1; t++) {
        bool idle = !is_busy(world, device, t);

        naive.busy += !idle;
        naive.idle += idle;
        naive.n_gaps += idle && !idle_before;
        idle_before = idle;
        if (idle)
            naive.part[part_at(world, device, t)]++;
    }
    return naive;
}

static nsc_event innermost_at(const struct gpu_world *world, nsc_event call, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    const struct nsc_track *tracks = nsc_trace_tracks(world->trace, NULL);
    const struct nsc_track *of = &tracks[gpu_world_track(world, call)];
    nsc_event path[64];
    uint32_t n = nsc_nvtx_path(world->trace, of->process, of->tid, t, path, 64);
    nsc_event best = NSC_NONE;

    assert_true(n <= 64);
    for (uint32_t i = 0; i < n; i++) { /* deepest of each domain */
        bool deepest = true;

        for (uint32_t k = 0; k < n; k++)
            deepest =
                deepest && !(gpu_world_track(world, path[k]) == gpu_world_track(world, path[i]) &&
                             nsc_trace_lane_of(world->trace, path[k]) >
                                 nsc_trace_lane_of(world->trace, path[i]));
        if (deepest && (best == NSC_NONE || events->start[path[i]] > events->start[best]))
            best = path[i];
    }
    return best;
}

struct checking {
    const struct gpu_world *world;
    uint32_t device;
    nsc_time *sum;
    struct nsc_host_walk host;
};

static void check_gap(struct checking *checking, const struct nsc_gap *gap)
{
    const struct nsc_events *events = nsc_trace_events(checking->world->trace);
    nsc_time sum = 0;

    for (int i = 0; i < NSC_N_GAP_PARTS; i++)
        sum += gap->part[i];
    assert_int_equal(sum, gap->end - gap->start);
    *checking->sum += sum;
    assert_false(is_busy(checking->world, checking->device, gap->start));
    assert_int_equal(gap->next, find_next(checking->world, checking->device, gap->start));
    if (nsc_gap_late(gap) > 0) {
        nsc_time launch = events->start[gap->call];
        nsc_event want =
            innermost_at(checking->world, gap->call, launch < gap->end ? launch : gap->end);

        if (want == NSC_NONE || gap->range == NSC_NONE)
            assert_int_equal(gap->range, want);
        else
            assert_int_equal(events->start[gap->range], events->start[want]);
    }
}

static void begin_check(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct checking *checking = own;

    checking->world = param;
    checking->device = sweep->device;
    checking->sum = answer;
    nsc_host_walk_init(&checking->host, sweep->scope->trace);
}

static void check_stretch(void *own, const struct nsc_sweep *sweep)
{
    struct checking *checking = own;

    if (sweep->n_ops == 0) {
        struct nsc_gap gap = nsc_gap_of(sweep, &checking->host);

        check_gap(checking, &gap);
    }
}

static bool end_check(void *own, const struct nsc_sweep *sweep)
{
    nsc_host_walk_fini(&((struct checking *)own)->host);
    return sweep->has_window;
}

static void check_device(const struct gpu_world *world, uint32_t device)
{
    static const struct nsc_rider checker = {{sizeof(nsc_time), NULL, NULL},
                                             sizeof(struct checking),
                                             begin_check,
                                             NULL,
                                             check_stretch,
                                             end_check};
    nsc_time sum;
    struct nsc_window w;
    struct nsc_idle idle;
    struct naive naive;
    nsc_time ranges = 0;
    uint32_t sizes = 0;

    if (!nsc_idle_build(&idle, &world->scope, device)) {
        assert_false(nsc_device_window(&w, &world->scope, device));
        return;
    }
    naive = paint(world, device, idle.window);
    assert_int_equal(idle.busy, naive.busy);
    assert_int_equal(idle.idle, naive.idle);
    assert_int_equal(idle.busy + idle.idle, nsc_window_length(idle.window));
    assert_int_equal(idle.n_gaps, naive.n_gaps);
    for (int i = 0; i < NSC_N_GAP_PARTS; i++)
        assert_int_equal(idle.part[i], naive.part[i]);
    for (int i = 0; i < NSC_IDLE_SIZES; i++)
        sizes += idle.sizes[i];
    assert_int_equal(sizes, idle.n_gaps);
    for (uint32_t i = 0; i < idle.n_ranges; i++)
        ranges += idle.ranges[i].late;
    assert_int_equal(ranges, nsc_idle_late(&idle));
    for (uint32_t i = 1; i < idle.n_longest; i++)
        assert_true(idle.longest[i - 1].end - idle.longest[i - 1].start >=
                    idle.longest[i].end - idle.longest[i].start);
    assert_true(nsc_sweep_ask(&sum, NULL, &checker, world, &world->scope, device));
    assert_int_equal(sum, idle.idle);
    nsc_idle_fini(&idle);
}

static void idle_time_is_what_is_not_painted(void **state)
{
    struct gpu_world world = {.dice = dice_new(502)};

    (void)state;
    for (int i = 0; i < 150; i++) {
        gpu_world_roll(&world);
        for (uint32_t d = gpu_world_next_device(&world, NSC_NONE); d != NSC_NONE;
             d = gpu_world_next_device(&world, d))
            check_device(&world, d);
        gpu_world_clear(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(idle_time_is_what_is_not_painted)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
