/*
 * Implements the sweep: merges ops by start, and keeps the running ops sorted by end.
 */
#include "analysis/device/sweep.h"

#include "core/die.h"

#include <stdlib.h>
#include <string.h>

struct running {
    nsc_time end;
    uint32_t stream; /* track minus device track */
    uint8_t kind;
};

struct now {                       /* what runs, copied to a local for each block */
    nsc_time t0;                   /* of the current stretch */
    uint32_t kinds;                /* running kinds, one bit per enum nsc_op_kind */
    uint32_t n_ops, n_streams;     /* running ops, and streams with one */
    struct running *running;       /* the earliest end last; the list is short */
    uint32_t *of_kind;             /* running ops by kind */
    uint32_t *on_stream;           /* running ops by track minus device track */
    uint32_t device;               /* its track */
    struct nsc_stretch *stretches; /* of the block */
    uint32_t n;
};

/* The next ops by start, and the stretches that end at or before the last of them. After the last op, a
 * block without ops has the last stretches. */
struct sweep_block {
    const struct nsc_device_op *ops;
    uint32_t n_ops;
    const struct nsc_stretch *stretches;
    uint32_t n; /* 0 if all riders have nothing but op */
};

struct sweeping {
    struct nsc_sweep of;
    struct nsc_ride *rides;
    uint32_t n;
    void **own; /* states of the riders */
    struct now now;
    uint32_t room; /* for ops in running; for twice as many stretches */
    struct sweep_block block;
};

/* ---- what runs ---- */

static inline void add_running(struct now *now, const struct nsc_device_op *op)
{
    struct running *running = now->running;
    struct running added = {op->end, op->stream - now->device, op->kind};
    uint32_t i = now->n_ops++;

    for (; i > 0 && running[i - 1].end < added.end; i--)
        running[i] = running[i - 1];
    running[i] = added;
    now->n_streams += now->on_stream[added.stream]++ == 0;
    now->of_kind[added.kind]++;
    now->kinds |= NSC_OP_KIND_BIT(added.kind);
}

static inline void end_earliest(struct now *now)
{
    struct running ended = now->running[--now->n_ops];

    now->n_streams -= --now->on_stream[ended.stream] == 0;
    now->kinds &= ~((uint32_t)(--now->of_kind[ended.kind] == 0) << ended.kind);
}

/* Adds the stretch up to t1, unless it is empty; before: the ops of the block so far. */
static inline void end_stretch(struct now *now, nsc_time t1, uint32_t before)
{
    now->stretches[now->n] = (struct nsc_stretch){.t0 = now->t0,
                                                  .t1 = t1,
                                                  .kinds = now->kinds,
                                                  .n_ops = now->n_ops,
                                                  .n_streams = now->n_streams,
                                                  .before = before};
    now->n += now->t0 < t1;
    now->t0 = t1;
}

/* Ends the ops with an end at or before t. */
static inline void end_ops(struct now *now, nsc_time t, uint32_t before)
{
    while (now->n_ops > 0 && now->running[now->n_ops - 1].end <= t) {
        end_stretch(now, now->running[now->n_ops - 1].end, before);
        end_earliest(now);
    }
}

/* ---- a run ---- */

/* Makes room for the next block: its ops may all run, and each op ends a stretch twice. */
static void reserve(struct sweeping *sweeping, uint32_t n_ops)
{
    struct now *now = &sweeping->now;

    if (now->n_ops + n_ops < sweeping->room)
        return;
    sweeping->room = 2 * (now->n_ops + n_ops + 1);
    now->running = nsc_xrealloc(now->running, sweeping->room, sizeof *now->running);
    now->stretches =
        nsc_xrealloc(now->stretches, 2 * (size_t)sweeping->room, sizeof *now->stretches);
}

/* Finds the stretches up to the last op of the block. */
static void find_stretches(struct sweeping *sweeping)
{
    const struct nsc_device_op *ops = sweeping->block.ops;
    uint32_t n = sweeping->block.n_ops;
    struct now now;

    reserve(sweeping, n);
    now = sweeping->now;
    now.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        end_ops(&now, ops[i].start, i);
        if (ops[i].start < ops[i].end) {
            end_stretch(&now, ops[i].start, i);
            add_running(&now, &ops[i]);
        }
    }
    sweeping->now = now;
}

/* Finds the stretches after the last op. */
static void find_last_stretches(struct sweeping *sweeping)
{
    struct now *now = &sweeping->now;
    nsc_time end = sweeping->of.window.t1;

    sweeping->block = (struct sweep_block){0};
    reserve(sweeping, 0);
    now->n = 0;
    end_ops(now, end, 0);
    end_stretch(now, end, 0);
}

static void pass_to(const struct nsc_rider *rider, void *own, const struct nsc_sweep *of,
                    const struct sweep_block *block)
{
    uint32_t k = 0;

    for (uint32_t i = 0; rider->stretch && i < block->n; i++) {
        for (; rider->op && k < block->stretches[i].before; k++)
            rider->op(own, of, &block->ops[k]);
        rider->stretch(own, of, &block->stretches[i]);
    }
    for (; rider->op && k < block->n_ops; k++)
        rider->op(own, of, &block->ops[k]);
}

static void pass_block(struct sweeping *sweeping)
{
    sweeping->block.stretches = sweeping->now.stretches;
    sweeping->block.n = sweeping->now.n;
    for (uint32_t i = 0; i < sweeping->n; i++)
        pass_to(sweeping->rides[i].rider, sweeping->own[i], &sweeping->of, &sweeping->block);
}

static bool need_stretches(const struct sweeping *sweeping)
{
    for (uint32_t i = 0; i < sweeping->n; i++)
        if (sweeping->rides[i].rider->stretch)
            return true;
    return false;
}

static void sweep_ops(struct sweeping *sweeping)
{
    const struct nsc_sweep *of = &sweeping->of;
    struct nsc_device_ops ops;
    bool has_stretches = need_stretches(sweeping);

    sweeping->now = (struct now){.t0 = of->window.t0, .device = of->device};
    sweeping->now.of_kind = nsc_xcalloc(NSC_N_OP_KINDS, sizeof *sweeping->now.of_kind);
    sweeping->now.on_stream = nsc_xcalloc(of->n_tracks, sizeof *sweeping->now.on_stream);
    nsc_device_ops_init(&ops, of->scope, of->device);
    while (nsc_device_ops_step(&ops)) {
        sweeping->block = (struct sweep_block){.ops = ops.block, .n_ops = ops.n};
        if (has_stretches)
            find_stretches(sweeping);
        pass_block(sweeping);
    }
    nsc_device_ops_fini(&ops);
    if (has_stretches) {
        find_last_stretches(sweeping);
        pass_block(sweeping);
    }
    free(sweeping->now.of_kind);
    free(sweeping->now.on_stream);
    free(sweeping->now.running);
    free(sweeping->now.stretches);
}

static void begin_rides(struct sweeping *sweeping, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_sweep *of = &sweeping->of;

    *of = (struct nsc_sweep){
        .scope = scope,
        .events = nsc_trace_events(scope->trace),
        .device = device,
        .n_tracks = nsc_group_end(nsc_trace_tracks(scope->trace, NULL), device) - device};
    of->has_window = nsc_device_window(&of->window, scope, device);
    if (!of->has_window)
        of->window = (struct nsc_window){scope->window.t0, scope->window.t0};
    sweeping->own = nsc_xcalloc((size_t)sweeping->n + 1, sizeof *sweeping->own);
    for (uint32_t i = 0; i < sweeping->n; i++) {
        const struct nsc_ride *ride = &sweeping->rides[i];

        sweeping->own[i] = nsc_xcalloc(1, ride->rider->own_bytes);
        if (ride->rider->kind.bytes > 0) /* a rider without an answer has no slot */
            memset(ride->answer, 0, ride->rider->kind.bytes);
        ride->rider->begin(sweeping->own[i], ride->answer, of, ride->param);
    }
}

void nsc_sweep_run(const struct nsc_scope *scope, uint32_t device, struct nsc_ride rides[],
                   uint32_t n)
{
    struct sweeping sweeping = {.rides = rides, .n = n};

    begin_rides(&sweeping, scope, device);
    sweep_ops(&sweeping);
    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_rider *rider = rides[i].rider;

        rides[i].result =
            rider->end ? rider->end(sweeping.own[i], &sweeping.of) : sweeping.of.has_window;
        free(sweeping.own[i]);
    }
    free(sweeping.own);
}

/* ---- answers ---- */

bool nsc_sweep_ask(void *out, bool *is_kept, const struct nsc_rider *rider, const void *param,
                   const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_ride ride = {rider, param, out, false};
    bool keeps = nsc_shared_keeps(scope, device);

    if (!keeps || !nsc_shared_find(out, &ride.result, &rider->kind, param, scope, device)) {
        nsc_sweep_run(scope, device, &ride, 1);
        if (keeps)
            nsc_shared_keep(out, ride.result, &rider->kind, param, scope, device);
    }
    if (is_kept)
        *is_kept = keeps;
    return ride.result;
}

void nsc_sweep_share(const struct nsc_scope *scope, uint32_t device, const struct nsc_ride rides[],
                     uint32_t n)
{
    struct nsc_ride *missing = nsc_xcalloc((size_t)n + 1, sizeof *missing);
    uint32_t n_missing = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_ride *ride = &missing[n_missing];

        *ride = rides[i];
        ride->answer = nsc_xmalloc(ride->rider->kind.bytes);
        if (nsc_shared_find(ride->answer, &ride->result, &ride->rider->kind, ride->param, scope,
                            device))
            free(ride->answer);
        else
            n_missing++;
    }
    if (n_missing > 0)
        nsc_sweep_run(scope, device, missing, n_missing);
    for (uint32_t i = 0; i < n_missing; i++) {
        nsc_shared_keep(missing[i].answer, missing[i].result, &missing[i].rider->kind,
                        missing[i].param, scope, device);
        free(missing[i].answer);
    }
    free(missing);
}
