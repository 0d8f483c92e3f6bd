/*
 * Property tests of launches: times, sums, queue depths and stream waits equal counts by kernel and
 * by ns; quantiles equal those of sorted values.
 */
#include "analysis/base/quantile.h"
#include "analysis/device/launch_times.h"
#include "analysis/device/stream_waits.h"
#include "core/die.h"
#include "support/cm.h"
#include "support/gpu_world.h"

#include <math.h>
#include <stdlib.h>

enum { LATE_NS = 3 };

static int compare_times(const void *a, const void *b)
{
    nsc_time x = *(const nsc_time *)a;
    nsc_time y = *(const nsc_time *)b;

    return x < y ? -1 : x > y;
}

static nsc_time sorted_quantile(nsc_time values[], size_t n, uint32_t q)
{
    double place = (double)q * (double)(n - 1) / 1000;
    size_t k = (size_t)floor(place + 1e-9);
    double part = place - (double)k;

    qsort(values, n, sizeof *values, compare_times);
    if (k + 1 >= n || part < 1e-9)
        return values[k];
    return values[k] + (nsc_time)floor((double)(values[k + 1] - values[k]) * part + 0.5 + 1e-9);
}

TEST(quantiles_equal_those_of_sorted_values)
{
    struct dice dice = dice_new(504);

    for (int i = 0; i < 3000; i++) {
        nsc_time a[2000];
        nsc_time b[2000];
        size_t n = 1 + (size_t)dice_below(&dice, i % 30 ? 40 : 2000);
        uint64_t spread = 1 + dice_below(&dice, dice_below(&dice, 2) ? 60 : 1000000);
        uint32_t q = dice_below(&dice, 2) ? 500 : (uint32_t)dice_below(&dice, 1001);

        for (size_t k = 0; k < n; k++)
            a[k] = b[k] = (nsc_time)dice_below(&dice, spread) - 20;
        assert_int_equal(nsc_quantile(a, n, q), sorted_quantile(b, n, q));
    }
}

TEST(several_quantiles_equal_each)
{
    struct dice dice = dice_new(506);

    for (int i = 0; i < 2000; i++) {
        size_t n = 1 + (size_t)dice_below(&dice, 40);
        uint32_t q[3] = {(uint32_t)dice_below(&dice, 400), 400, 0};
        nsc_time a[40], b[40], found[3];

        q[1] += (uint32_t)dice_below(&dice, 300);
        q[2] = q[1] + (uint32_t)dice_below(&dice, 301);
        for (size_t k = 0; k < n; k++)
            a[k] = b[k] = (nsc_time)dice_below(&dice, 30);
        nsc_quantiles(found, a, n, q, 3);
        for (int k = 0; k < 3; k++)
            assert_int_equal(found[k], sorted_quantile(b, n, q[k]));
    }
}

struct naive {
    nsc_time duration[GPU_WORLD_ROWS], api[GPU_WORLD_ROWS], queue[GPU_WORLD_ROWS];
    nsc_time total[GPU_WORLD_ROWS], delay[GPU_WORLD_ROWS];
    size_t n, n_api, n_queue, n_known;
    uint64_t starved, is_short;
};

static void count_kernel(struct naive *naive, const struct nsc_events *events, nsc_event e)
{
    nsc_event call = events->link[e];
    nsc_time start = events->start[e];
    nsc_time end = nsc_event_end(events, e);
    nsc_time call_end;

    naive->duration[naive->n++] = end - start;
    if (call == NSC_NONE)
        return;
    call_end = nsc_event_end(events, call);
    if (events->link[call] == e)
        naive->api[naive->n_api++] = call_end - events->start[call];
    if (start >= call_end)
        naive->queue[naive->n_queue++] = start - call_end;
    naive->total[naive->n_known] = (end > call_end ? end : call_end) - events->start[call];
    naive->delay[naive->n_known++] = start - call_end;
    naive->starved += start - call_end < NSC_STARVED_NS;
    naive->is_short += end - start < call_end - events->start[call];
}

static void check_figures(const struct nsc_launch_figures *got, nsc_time values[], size_t n)
{
    nsc_time sum = 0;

    assert_int_equal(got->n, n);
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    assert_int_equal(got->sum, sum);
    if (n == 0)
        return;
    assert_int_equal(got->median, sorted_quantile(values, n, 500));
    assert_int_equal(got->p95, sorted_quantile(values, n, 950));
    assert_int_equal(got->max, values[n - 1]);
}

/* The kernels of a device with a known call, of one name or of one thread. */
static struct nsc_launch_sums sum_launches(const struct gpu_world *world, uint32_t device,
                                           bool by_name, uint32_t key)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_launch_sums want = {.key = key};

    for (nsc_event e = 0; e < events->n; e++) {
        nsc_event call = events->link[e];
        nsc_time api, queue;

        if (events->kind[e] != NSC_KIND_KERNEL || gpu_world_device(world, e) != device ||
            call == NSC_NONE ||
            key != (by_name ? events->name[e]
                            : nsc_trace_group_of(world->trace, gpu_world_track(world, call))))
            continue;
        api = nsc_event_duration(events, call);
        queue = events->start[e] - nsc_event_end(events, call);
        want.kernels++;
        want.kernel += nsc_event_duration(events, e);
        want.calls += events->link[call] == e;
        want.api += events->link[call] == e ? api : 0;
        want.api_max = events->link[call] == e && api > want.api_max ? api : want.api_max;
        want.queued += queue >= 0;
        want.queue += queue >= 0 ? queue : 0;
        want.queue_max = queue > want.queue_max ? queue : want.queue_max;
        want.late += queue > LATE_NS;
    }
    return want;
}

static void compare_sums(const struct nsc_launch_sums *got, const struct nsc_launch_sums *want)
{
    assert_int_equal(got->kernels, want->kernels);
    assert_int_equal(got->calls, want->calls);
    assert_int_equal(got->queued, want->queued);
    assert_int_equal(got->late, want->late);
    assert_int_equal(got->kernel, want->kernel);
    assert_int_equal(got->api, want->api);
    assert_int_equal(got->api_max, want->api_max);
    assert_int_equal(got->queue, want->queue);
    assert_int_equal(got->queue_max, want->queue_max);
}

static void check_table(const struct gpu_world *world, uint32_t device,
                        const struct nsc_launch_table *got, bool by_name, uint64_t known)
{
    for (size_t i = 0; i < got->n; i++) {
        struct nsc_launch_sums want = sum_launches(world, device, by_name, got->at[i].key);

        compare_sums(&got->at[i], &want);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(got->at[i].key, got->at[k].key);
        known -= want.kernels;
    }
    assert_int_equal(known, 0);
}

static void check_sums(const struct gpu_world *world, uint32_t device, uint64_t known)
{
    struct nsc_launch_detail detail;

    assert_true(nsc_launch_detail_build(&detail, &world->scope, device, LATE_NS));
    check_table(world, device, &detail.by_name, true, known);
    check_table(world, device, &detail.by_thread, false, known);
    nsc_launch_detail_fini(&detail);
}

static void check_launches(const struct gpu_world *world, uint32_t device)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_launch_times got;
    struct naive naive = {0};

    if (!nsc_launch_times_build(&got, &world->scope, device))
        return;
    for (nsc_event e = 0; e < events->n; e++)
        if (events->kind[e] == NSC_KIND_KERNEL && gpu_world_device(world, e) == device)
            count_kernel(&naive, events, e);
    check_figures(&got.duration, naive.duration, naive.n);
    check_figures(&got.api, naive.api, naive.n_api);
    check_figures(&got.queue, naive.queue, naive.n_queue);
    check_figures(&got.total, naive.total, naive.n_known);
    assert_int_equal(got.n, naive.n);
    assert_int_equal(got.known, naive.n_known);
    assert_int_equal(got.starved, naive.starved);
    assert_int_equal(got.is_short, naive.is_short);
    if (naive.n_known > 0)
        assert_int_equal(got.delay_median, sorted_quantile(naive.delay, naive.n_known, 500));
    check_sums(world, device, naive.n_known);
}

/* Gives a device a window of its own, as in a steady state. The caller frees it. */
static struct nsc_window *roll_own_window(struct gpu_world *world, uint32_t device)
{
    struct nsc_window w = world->scope.window;
    struct nsc_window *windows;
    uint32_t n;

    (void)nsc_trace_tracks(world->trace, &n);
    windows = nsc_xcalloc(n, sizeof *windows);
    windows[device].t0 = w.t0 + (nsc_time)dice_below(&world->dice, 20);
    windows[device].t1 = w.t1 - (nsc_time)dice_below(&world->dice, 20);
    world->scope.has_window = true;
    world->scope.of_devices = windows;
    return windows;
}

/* Where a device has a window of its own, as in a steady state, its figures are those of a scope
 * with that window. */
static void check_own_window(struct gpu_world *world, uint32_t device)
{
    const struct nsc_scope scope = world->scope;
    struct nsc_window *windows = roll_own_window(world, device);
    struct nsc_launch_times got, want;

    if (nsc_launch_times_build(&got, &world->scope, device)) {
        world->scope.of_devices = NULL;
        world->scope.window = windows[device];
        if (nsc_launch_times_build(&want, &world->scope, device))
            assert_memory_equal(&got, &want, sizeof got);
        else
            assert_int_equal(got.duration.sum, 0); /* only instants are left */
    }
    world->scope = scope;
    free(windows);
}

static uint64_t depth_at(const struct gpu_world *world, uint32_t stream, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint64_t depth = 0;

    for (nsc_event e = 0; e < events->n; e++)
        depth += gpu_world_track(world, e) == stream && nsc_scope_has(&world->scope, e) &&
                 events->link[e] != NSC_NONE && events->start[events->link[e]] <= t &&
                 t < nsc_event_end(events, e);
    return depth;
}

static struct nsc_queue_depth measure_depth(const struct nsc_scope *scope, uint32_t device,
                                            uint32_t stream)
{
    struct nsc_launch_detail detail;
    struct nsc_queue_depth depth;

    assert_true(nsc_launch_detail_build(&detail, scope, device, NSC_DEEP_QUEUE_NS));
    depth = detail.depths.at[stream - device];
    nsc_launch_detail_fini(&detail);
    return depth;
}

static void check_depth(const struct gpu_world *world, uint32_t device, uint32_t stream)
{
    struct nsc_queue_depth got;
    struct nsc_window w;
    uint64_t deepest = 0;
    uint64_t sum = 0;
    nsc_time empty = 0;

    if (!nsc_device_window(&w, &world->scope, device))
        return;
    got = measure_depth(&world->scope, device, stream);
    for (nsc_time t = w.t0; t < w.t1; t++) {
        uint64_t depth = depth_at(world, stream, t);

        deepest = depth > deepest ? depth : deepest;
        sum += depth;
        empty += depth == 0;
    }
    assert_int_equal(got.deepest, deepest);
    assert_int_equal(got.empty, empty);
    assert_int_equal(got.full, 0);
    assert_true(fabs(got.mean * (double)(w.t1 - w.t0) - (double)sum) < 1e-6);
}

/* Where a device has a window of its own, as in a steady state, its depths are those of a scope with
 * that window. */
static void check_own_depth(struct gpu_world *world, uint32_t device, uint32_t stream)
{
    const struct nsc_scope scope = world->scope;
    struct nsc_window *windows = roll_own_window(world, device);
    struct nsc_window w;
    struct nsc_queue_depth got, want;

    if (nsc_device_window(&w, &world->scope, device)) {
        got = measure_depth(&world->scope, device, stream);
        world->scope.of_devices = NULL;
        world->scope.window = w;
        if (nsc_device_window(&w, &world->scope, device)) {
            want = measure_depth(&world->scope, device, stream);
            assert_memory_equal(&got, &want, sizeof got);
            check_depth(world, device, stream);
        }
    }
    world->scope = scope;
    free(windows);
}

static void check_waits(const struct gpu_world *world, const struct nsc_stream_wait_sums *got)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_time wait[NSC_N_STREAM_WAITS] = {0};

    for (nsc_event e = 0; e < events->n; e++) {
        nsc_time reach = INT64_MIN;
        nsc_time start;
        nsc_time end;
        nsc_event call = events->link[e];

        if (gpu_world_track(world, e) != got->stream ||
            !nsc_scope_clip(&world->scope, e, &start, &end))
            continue;
        for (nsc_event f = 0; f < events->n; f++) {
            nsc_time f_start;
            nsc_time f_end;

            if (f != e && gpu_world_track(world, f) == got->stream &&
                nsc_scope_clip(&world->scope, f, &f_start, &f_end) &&
                (f_start < start || (f_start == start && f < e)))
                reach = f_end > reach ? f_end : reach;
        }
        if (reach == INT64_MIN || reach >= start)
            continue;
        wait[call == NSC_NONE                        ? NSC_STREAM_UNKNOWN
             : events->start[call] > reach           ? NSC_STREAM_HOST
             : start - reach < NSC_LIMIT_STREAM_WAIT ? NSC_STREAM_KERNEL
                                                     : NSC_STREAM_OTHER] += start - reach;
    }
    for (int i = 0; i < NSC_N_STREAM_WAITS; i++)
        assert_int_equal(got->wait[i], wait[i]);
}

TEST(launches_equal_those_counted)
{
    struct gpu_world world = {.dice = dice_new(505)};

    for (int i = 0; i < 150; i++) {
        gpu_world_roll(&world);
        for (uint32_t d = gpu_world_next_device(&world, NSC_NONE); d != NSC_NONE;
             d = gpu_world_next_device(&world, d)) {
            struct nsc_stream_waits waits;

            nsc_stream_waits_build(&waits, &world.scope, d);
            check_launches(&world, d);
            check_own_window(&world, d);
            for (uint32_t k = 0; k < waits.n; k++) {
                check_waits(&world, &waits.at[k]);
                check_depth(&world, d, waits.at[k].stream);
                check_own_depth(&world, d, waits.at[k].stream);
            }
            nsc_stream_waits_fini(&waits);
        }
        gpu_world_clear(&world);
    }
}
