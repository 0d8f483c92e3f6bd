/*
 * Rolls calls with the work they launch, work without calls, waits and ranges.
 */
#include "support/gpu_world.h"

#include "analysis/device/host_walk.h"
#include "support/cm.h"

#include <string.h>

enum { TIE = 80 }; /* between starts that are equal */

static nsc_time roll(struct gpu_world *world, uint64_t n)
{
    return (nsc_time)dice_below(&world->dice, n);
}

static struct nsc_test_row *add_row(struct gpu_world *world, uint8_t kind, const char *name,
                                    nsc_time start, nsc_time length)
{
    struct nsc_test_row *row = &world->rows[world->n++];

    *row = (struct nsc_test_row){.kind = kind,
                                 .process = 1 + (uint64_t)(roll(world, 5) == 0),
                                 .tid = 1 + (uint32_t)roll(world, 2),
                                 .context = 1,
                                 .name = name,
                                 .start = start,
                                 .end = start + length,
                                 .capture_no = world->capture_no};
    return row;
}

static void add_work(struct gpu_world *world, nsc_time start, uint64_t process,
                     uint32_t correlation)
{
    static const struct {
        uint8_t kind;
        const char *name;
    } works[] = {{NSC_KIND_KERNEL, "gemm"},
                 {NSC_KIND_KERNEL, "relu"},
                 {NSC_KIND_KERNEL, "ncclDevKernel_AllReduce"},
                 {NSC_KIND_KERNEL, "gemm"},
                 {NSC_KIND_COPY_HTOD, NULL},
                 {NSC_KIND_COPY_DTOH, NULL},
                 {NSC_KIND_COPY_DTOD, NULL},
                 {NSC_KIND_COPY_PTOP, NULL},
                 {NSC_KIND_MEMSET, NULL},
                 {NSC_KIND_GRAPH, NULL}};
    size_t which = (size_t)roll(world, sizeof works / sizeof *works);
    nsc_time length = roll(world, 6) == 0 ? roll(world, 60) : roll(world, 12);
    struct nsc_test_row *row;

    if (world->has_ties) {
        start -= start % TIE;
        length = roll(world, 3) ? 0 : length;
    }
    row = add_row(world, works[which].kind, works[which].name, start, length);
    row->process = process;
    row->device =
        roll(world, 5) == 0 || world->n_gpus > 2 ? (uint32_t)roll(world, world->n_gpus) : 0;
    row->stream = 7 + roll(world, 3);
    row->correlation = correlation;
}

static void add_launches(struct gpu_world *world, uint64_t n, nsc_time span)
{
    static const char *const calls[] = {"cudaLaunchKernel_v7000", "cudaMemcpy",
                                        "cudaMemcpyAsync",        "cudaGraphLaunch",
                                        "cuLaunchKernel",         "cudaStreamSynchronize"};

    for (; n > 0; n--) {
        nsc_time t = roll(world, (uint64_t)span);
        struct nsc_test_row *call;
        uint32_t correlation;

        t -= world->has_ties ? t % TIE : 0;
        call = add_row(world, NSC_KIND_API_RUNTIME, calls[roll(world, 6)], t, roll(world, 15));
        correlation = world->n;

        call->correlation = correlation;
        for (nsc_time k = roll(world, 8) == 0 && world->has_batches ? 3 : 1; k > 0; k--)
            add_work(world, t + roll(world, 4) * roll(world, 25), call->process,
                     roll(world, 9) ? correlation : 0);
    }
}

/* Shortens a new range until it crosses no other range of its thread and domain. */
static void nest_range(struct gpu_world *world, struct nsc_test_row *range)
{
    for (uint32_t i = 0; i + 1 < world->n; i++) {
        const struct nsc_test_row *other = &world->rows[i];

        if (other->kind != range->kind || other->process != range->process ||
            other->tid != range->tid || other->domain != range->domain ||
            other->capture_no != range->capture_no)
            continue;
        if (other->start < range->start && range->start < other->end && other->end < range->end)
            range->end = other->end;
        if (range->start < other->start && other->start < range->end && range->end < other->end)
            range->end = other->start;
    }
}

static void add_range(struct gpu_world *world, const char *name, nsc_time start, nsc_time length)
{
    struct nsc_test_row *range = add_row(world, NSC_KIND_NVTX_RANGE, name, start, length);
    nsc_time end;

    range->domain = roll(world, 6) == 0;
    do {
        end = range->end;
        if (!world->may_cross)
            nest_range(world, range);
    } while (range->end != end);
}

static void add_host(struct gpu_world *world, nsc_time span)
{
    static const char *const waits[] = {"poll", "pthread_cond_wait", "read", "futex"};
    static const char *const ranges[][5] = {{"step", "forward", "layer_1", "layer_2", "backward"},
                                            {"step", "forward, seq = 1", "mm, op_id = 3, seq = 2",
                                             "AddBackward, seq = 2", "Mm, seq = 1"}};

    for (nsc_time k = roll(world, 12); k > 0; k--)
        (void)add_row(world, NSC_KIND_API_RUNTIME,
                      roll(world, 2) ? "cudaDeviceSynchronize" : "cudaMalloc",
                      roll(world, (uint64_t)span), roll(world, 50));
    for (nsc_time k = roll(world, 12); k > 0; k--)
        (void)add_row(world, NSC_KIND_OSRT, waits[roll(world, 4)], roll(world, (uint64_t)span),
                      roll(world, 60) << (2 * world->has_seqs));
    for (nsc_time k = world->may_cross ? 10 + roll(world, 8) : 0; k > 0; k--) { /* alike */
        nsc_time t = roll(world, (uint64_t)span);

        add_range(world, ranges[0][0], t, 20);
        add_range(world, ranges[0][1], t + 10, 90);
    }
    for (nsc_time k = roll(world, world->may_cross ? 4 : 24); k > 0; k--)
        add_range(world, ranges[world->has_seqs][roll(world, 5)], roll(world, (uint64_t)span),
                  roll(world, 200) << (2 * world->has_seqs));
}

static void roll_scope(struct gpu_world *world)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);

    world->scope = nsc_scope_all(world->trace);
    if (dice_below(&world->dice, 2)) {
        world->scope.has_window = true;
        world->scope.window.t0 = roll(world, 300) - 10;
        world->scope.window.t1 = world->scope.window.t0 + 1 + roll(world, 400);
        world->scope.window.t0 *= world->unit > 1 ? world->unit : 1;
        world->scope.window.t1 *= world->unit > 1 ? world->unit : 1;
    }
    if (dice_below(&world->dice, 3) > 0)
        return;
    memset(world->mask, 0, sizeof world->mask);
    for (nsc_event e = 0; e < events->n; e++)
        if (dice_below(&world->dice, 5))
            nsc_bits_set(world->mask, e);
    world->summary = nsc_summary_build(world->trace, world->mask);
    assert_non_null(world->summary);
    world->scope.mask = world->mask;
    world->scope.summary = world->summary;
}

void gpu_world_roll(struct gpu_world *world)
{
    nsc_time span = 40 + roll(world, 460);
    uint32_t exports = dice_below(&world->dice, 3) || world->is_alone ? 1 : 2;

    world->n = 0;
    world->n_gpus = dice_below(&world->dice, 10) == 0 ? 4 * NSC_HOST_GPUS
                                                      : 1 + (dice_below(&world->dice, 3) > 0);
    world->has_batches = dice_below(&world->dice, 3);
    world->has_ties = dice_below(&world->dice, 4) == 0;
    for (world->capture_no = 0; world->capture_no < exports; world->capture_no++) {
        add_launches(world, dice_below(&world->dice, 40 / exports), span);
        add_host(world, span);
    }
    for (uint32_t i = 0; world->unit > 1 && i < world->n; i++) {
        world->rows[i].start *= world->unit;
        world->rows[i].end *= world->unit;
    }
    world->trace = nsc_test_trace_build(world->rows, world->n);
    roll_scope(world);
}

void gpu_world_clear(struct gpu_world *world)
{
    nsc_summary_free(world->summary);
    world->summary = NULL;
    nsc_trace_free(world->trace);
}

uint32_t gpu_world_track(const struct gpu_world *world, nsc_event event)
{
    return nsc_trace_lanes(world->trace, NULL)[nsc_trace_lane_of(world->trace, event)].track;
}

uint32_t gpu_world_device(const struct gpu_world *world, nsc_event event)
{
    if (!nsc_kind_is_gpu(nsc_trace_events(world->trace)->kind[event]) ||
        !nsc_scope_has(&world->scope, event))
        return NSC_NONE;
    return nsc_trace_group_of(world->trace, gpu_world_track(world, event));
}

uint32_t gpu_world_next_device(const struct gpu_world *world, uint32_t track)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(world->trace, &n);

    for (uint32_t t = track == NSC_NONE ? 0 : track + 1; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_DEVICE)
            return t;
    return NSC_NONE;
}

bool gpu_world_is_barred(const struct gpu_world *world)
{
    uint32_t n_exports = 0;
    uint32_t n_gpus = 0;

    for (uint32_t d = NSC_NONE; (d = gpu_world_next_device(world, d)) != NSC_NONE;)
        n_gpus++;
    (void)nsc_trace_captures(world->trace, &n_exports);
    return n_gpus > n_exports * NSC_HOST_GPUS;
}

bool gpu_world_fills(const struct gpu_world *world, nsc_event event, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);

    return nsc_scope_has(&world->scope, event) && t >= world->scope.window.t0 &&
           t < world->scope.window.t1 && events->start[event] <= t &&
           t < nsc_event_end(events, event);
}
