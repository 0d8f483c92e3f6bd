/*
 * Property test of what a thread does: loops over all events find the call and the range that count
 * in each unit of time; the pieces say the same. Threads have calls, OS calls, MPI calls, overhead of
 * their own and of their process, ranges that nest or cross, start/end ranges and instants.
 */
#include "analysis/base/shared.h"
#include "analysis/device/host_walk.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

enum { UNIT = NSC_LONG_LAUNCH_NS / 40, SPAN = 240, ROWS = 160, LONG = 70 }; /* UNIT: in ns */

struct world {
    struct dice dice;
    struct nsc_test_row rows[ROWS];
    uint32_t n, n_exports;
    bool has_calls; /* else ranges alone, so that the outermost is the only one awake */
    struct nsc_trace *trace;
    const struct nsc_events *events;
    struct nsc_scope scope;
};

struct naive {
    nsc_event call, inside, range, before;
};

/* ---- a world ---- */

static uint64_t roll(struct world *world, uint64_t n)
{
    return dice_below(&world->dice, n);
}

static void add_row(struct world *world)
{
    static const struct {
        uint8_t kind;
        const char *name;
    } any[] = {
        {NSC_KIND_NVTX_RANGE, "step"},
        {NSC_KIND_NVTX_RANGE, "forward"},
        {NSC_KIND_NVTX_RANGE, "backward"},
        {NSC_KIND_NVTX_RANGE, "Holding GIL"},
        {NSC_KIND_NVTX_RANGE, "Waiting for GIL"},
        {NSC_KIND_NVTX_RANGE, "MPI_Send"},
        {NSC_KIND_NVTX_SPAN, "GC"},
        {NSC_KIND_NVTX_SPAN, "request"},
        {NSC_KIND_API_RUNTIME, "cudaLaunchKernel_v7000"},
        {NSC_KIND_API_RUNTIME, "cudaLaunchKernel_v7000"},
        {NSC_KIND_API_RUNTIME, "cudaLaunchKernel_v7000"},
        {NSC_KIND_API_RUNTIME, "cudaGraphLaunch_v10000"},
        {NSC_KIND_API_RUNTIME, "cudaDeviceSynchronize"},
        {NSC_KIND_API_DRIVER, "cuMemAlloc"},
        {NSC_KIND_API_RUNTIME, "cudaMemcpyAsync"},
        {NSC_KIND_OSRT, "poll"},
        {NSC_KIND_OSRT, "pthread_mutex_lock"},
        {NSC_KIND_OSRT, "read"},
        {NSC_KIND_MPI_P2P, "MPI_Recv"},
        {NSC_KIND_OVERHEAD, "Buffer flush"},
        {NSC_KIND_CUPTI_OVERHEAD, "Module loading"},
    };
    uint64_t which = roll(world, world->has_calls ? sizeof any / sizeof *any : 4);
    nsc_time start = (nsc_time)roll(world, SPAN) * UNIT;
    nsc_time length = (nsc_time)roll(world, roll(world, 4) ? 8 : LONG) * UNIT;
    struct nsc_test_row *row = &world->rows[world->n++];

    *row = (struct nsc_test_row){.kind = any[which].kind,
                                 .name = any[which].name,
                                 .process = 1 + roll(world, 2),
                                 .tid = roll(world, 9) ? 1 + (uint32_t)roll(world, 2) : 0,
                                 .capture_no = world->n_exports > 1 ? (uint32_t)roll(world, 2) : 0,
                                 .domain = roll(world, 4) == 0,
                                 .start = start,
                                 .end = start + length};
    if ((row->kind == NSC_KIND_OVERHEAD || row->kind == NSC_KIND_CUPTI_OVERHEAD) && roll(world, 2))
        row->tid = 0; /* of the process */
    if (any[which].kind == NSC_KIND_API_RUNTIME && world->n < ROWS && roll(world, 3) == 0) {
        row->correlation = world->n;
        world->rows[world->n++] =
            (struct nsc_test_row){.kind = roll(world, 2) ? NSC_KIND_KERNEL : NSC_KIND_COPY_HTOD,
                                  .name = "gemm",
                                  .process = row->process,
                                  .capture_no = row->capture_no,
                                  .context = 1,
                                  .stream = 7,
                                  .correlation = row->correlation,
                                  .start = start,
                                  .end = start + (nsc_time)roll(world, 12) * UNIT};
    }
}

static void open_world(struct world *world, uint32_t n)
{
    world->n = 0;
    world->has_calls = roll(world, 4);
    world->n_exports = roll(world, 3) ? 1 : 2;
    while (world->n < n)
        add_row(world);
    world->trace = nsc_test_trace_build(world->rows, world->n);
    world->events = nsc_trace_events(world->trace);
    world->scope = nsc_scope_all(world->trace);
}

/* ---- the naive meaning ---- */

static uint32_t group_of(const struct world *world, nsc_event e)
{
    return nsc_trace_group_of(
        world->trace,
        nsc_trace_lanes(world->trace, NULL)[nsc_trace_lane_of(world->trace, e)].track);
}

static bool is_launch(const struct world *world, nsc_event e)
{
    struct nsc_text name =
        nsc_trace_string(world->trace, nsc_trace_names(world->trace)->full[world->events->name[e]]);

    return nsc_kind_is_api(world->events->kind[e]) && nsc_host_act_api(name) == NSC_HOST_LAUNCH;
}

/* At least half of the calls of the name are so short that this one is long. */
static bool is_long(const struct world *world, nsc_event call)
{
    nsc_time length = nsc_event_duration(world->events, call);
    uint32_t n = 0, n_short = 0;

    for (nsc_event e = 0; e < world->events->n; e++)
        if (nsc_kind_is_api(world->events->kind[e]) &&
            world->events->name[e] == world->events->name[call]) {
            n++;
            n_short +=
                NSC_LIMIT_LONG_LAUNCH_MEDIANS * nsc_event_duration(world->events, e) < length;
        }
    return length > NSC_LONG_LAUNCH_NS && (n < NSC_LIMIT_FEW || 2 * n_short >= n);
}

static enum nsc_host_act act_of(const struct world *world, nsc_event e)
{
    struct nsc_text name =
        nsc_trace_string(world->trace, nsc_trace_names(world->trace)->full[world->events->name[e]]);
    uint8_t kind = world->events->kind[e];
    nsc_event op = world->events->link[e];

    if (kind == NSC_KIND_OVERHEAD || kind == NSC_KIND_CUPTI_OVERHEAD)
        return nsc_host_act_overhead(name);
    if (kind == NSC_KIND_MPI_P2P)
        return NSC_HOST_MPI;
    if (kind == NSC_KIND_OSRT)
        return nsc_host_act_os(name);
    if (nsc_kind_is_nvtx(kind))
        return nsc_host_act_range(name);
    if (is_launch(world, e) && op != NSC_NONE && nsc_kind_is_copy(world->events->kind[op]) &&
        nsc_event_end(world->events, op) <= nsc_event_end(world->events, e))
        return NSC_HOST_COPY;
    if (is_launch(world, e) && is_long(world, e))
        return NSC_HOST_LONG_LAUNCH;
    return nsc_host_act_api(name);
}

static bool is_of_thread(const struct world *world, nsc_event e, uint32_t group)
{
    const struct nsc_track *tracks = nsc_trace_tracks(world->trace, NULL);
    uint32_t of = group_of(world, e);
    uint8_t kind = world->events->kind[e];

    if (nsc_kind_is_gpu(kind))
        return false;
    return of == group || ((kind == NSC_KIND_OVERHEAD || kind == NSC_KIND_CUPTI_OVERHEAD) &&
                           tracks[of].process == tracks[group].process && tracks[of].tid == 0);
}

static bool is_inner(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    if (events->start[a] != events->start[b])
        return events->start[a] > events->start[b];
    if (nsc_event_end(events, a) != nsc_event_end(events, b))
        return nsc_event_end(events, a) < nsc_event_end(events, b);
    return a > b;
}

/* Whether call a counts before call b (NSC_NONE: none). */
static bool is_prior(const struct world *world, nsc_event a, nsc_event b)
{
    if (b == NSC_NONE || act_of(world, a) != act_of(world, b))
        return b == NSC_NONE || act_of(world, a) < act_of(world, b);
    return is_inner(world->events, b, a);
}

static bool is_call(const struct world *world, nsc_event e)
{
    enum nsc_host_act act = act_of(world, e);

    return world->events->kind[e] == NSC_KIND_NVTX_SPAN ? act == NSC_HOST_GC : act < NSC_HOST_CPU;
}

static struct naive naive_at(const struct world *world, uint32_t group, nsc_time t)
{
    const struct nsc_events *events = world->events;
    struct naive naive = {NSC_NONE, NSC_NONE, NSC_NONE, NSC_NONE};
    nsc_event open[ROWS];
    uint32_t n = 0;

    for (nsc_event e = 0; e < events->n; e++) {
        if (!is_of_thread(world, e, group) || events->start[e] > t || nsc_event_end(events, e) <= t)
            continue;
        if (is_call(world, e)) {
            open[n++] = e;
            naive.call = is_prior(world, e, naive.call) ? e : naive.call;
        } else if (events->kind[e] == NSC_KIND_NVTX_RANGE && act_of(world, e) == NSC_HOST_CPU &&
                   (naive.range == NSC_NONE || is_inner(events, e, naive.range)))
            naive.range = e;
    }
    for (uint32_t i = 0; n <= NSC_HOST_INSIDE && i < n; i++)
        if (is_inner(events, open[i], naive.call) && is_prior(world, open[i], naive.inside))
            naive.inside = open[i];
    return naive;
}

/* The last API call that ends by t; ties: the last row. */
static nsc_event naive_before(const struct world *world, uint32_t group, nsc_time t)
{
    const struct nsc_events *events = world->events;
    nsc_event best = NSC_NONE;

    for (nsc_event e = 0; e < events->n; e++)
        if (nsc_kind_is_api(events->kind[e]) && is_of_thread(world, e, group) &&
            nsc_event_end(events, e) <= t &&
            (best == NSC_NONE || nsc_event_end(events, e) >= nsc_event_end(events, best)))
            best = e;
    return best;
}

/* ---- the test ---- */

static void check_piece(const struct world *world, const struct nsc_host_piece *piece,
                        uint32_t group)
{
    for (nsc_time t = piece->start; t < piece->end; t += UNIT) {
        struct naive naive = naive_at(world, group, t);

        assert_int_equal(piece->row, naive.call);
        assert_int_equal(piece->act,
                         naive.call == NSC_NONE ? NSC_HOST_CPU : act_of(world, naive.call));
        assert_int_equal(piece->inside, naive.inside);
        assert_int_equal(piece->range, naive.range);
    }
}

static void check_interval(const struct world *world, struct nsc_host_walk *walk, uint32_t group,
                           struct nsc_window w)
{
    nsc_time reach = w.t0;

    nsc_host_walk_read(walk, group, w.t0, w.t1);
    assert_int_equal(walk->before, naive_before(world, group, w.t0));
    for (size_t i = 0; i < walk->pieces.n; i++) {
        const struct nsc_host_piece *piece = &walk->pieces.at[i];

        assert_int_equal(piece->start, reach);
        assert_true(piece->end > reach);
        reach = piece->end;
        check_piece(world, piece, group);
        if (i > 0)
            assert_true(piece->row != piece[-1].row || piece->range != piece[-1].range ||
                        piece->inside != piece[-1].inside);
    }
    assert_int_equal(reach, w.t1);
}

/* Intervals that touch, overlap or leave parts out, of the threads in turn. */
static void check_threads(struct world *world)
{
    nsc_time from[4 * ROWS] = {0}; /* by track of the group */
    struct nsc_host_walk walk;
    uint32_t n_tracks = 0;

    (void)nsc_trace_tracks(world->trace, &n_tracks);
    assert_true(n_tracks <= sizeof from / sizeof *from);
    nsc_host_walk_init(&walk, &world->scope);
    for (int i = 0; i < 40; i++) {
        nsc_event e = (nsc_event)roll(world, world->events->n);
        uint32_t group = group_of(world, e);
        nsc_time length = 1 + (nsc_time)roll(world, roll(world, 3) ? 6 : 60);

        if (nsc_kind_is_gpu(world->events->kind[e]))
            continue;
        if (nsc_kind_is_api(world->events->kind[e]))
            assert_int_equal(nsc_host_walk_thread(&walk, e), group);
        from[group] += (nsc_time)roll(world, 12) * UNIT;
        check_interval(world, &walk, group,
                       (struct nsc_window){from[group], from[group] + length * UNIT});
    }
    nsc_host_walk_fini(&walk);
}

TEST(pieces_are_the_naive_ones)
{
    struct world world = {.dice = dice_new(615)};

    for (int round = 0; round < 400; round++) {
        open_world(&world, 1 + (uint32_t)roll(&world, ROWS - 1));
        if (round % 2)
            nsc_shared_open(&world.scope);
        check_threads(&world);
        if (round % 2)
            nsc_shared_close(&world.scope);
        nsc_trace_free(world.trace);
    }
}
