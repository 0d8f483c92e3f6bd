/* Implements the sweep: merges ops by start, and keeps the running ops sorted by end. */
#include "analysis/device/sweep.h"

#include "core/die.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

struct running {
    nsc_time end;
    uint32_t stream; /* track minus device track */
    uint8_t kind;
};

struct sweeping {
    struct nsc_sweep at;
    NSC_VEC(struct running) running; /* the earliest end last; the list is short */
    uint32_t n_op, n_stretch;        /* riders that get ops, and stretches */
    struct ops_rider {
        void *own;
        void (*op)(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op);
    } * of_op;
    struct stretch_rider {
        void *own;
        void (*stretch)(void *own, const struct nsc_sweep *sweep);
    } * of_stretch;
};

/* ---- what runs ---- */

static void add_running(struct sweeping *sweeping, const struct nsc_device_op *op)
{
    struct nsc_sweep *at = &sweeping->at;
    struct running added = {op->end, op->stream - at->device, (uint8_t)op->kind};
    size_t i = sweeping->running.n;
    struct running *running;

    (void)NSC_VEC_ADD(&sweeping->running);
    running = sweeping->running.at;
    for (; i > 0 && running[i - 1].end < added.end; i--)
        running[i] = running[i - 1];
    running[i] = added;
    at->n_ops++;
    at->n_streams += at->on_stream[added.stream]++ == 0;
    at->of_kind[added.kind]++;
    at->kinds |= NSC_OP_KIND_BIT(added.kind);
}

static void end_earliest(struct sweeping *sweeping)
{
    struct nsc_sweep *at = &sweeping->at;
    struct running ended = sweeping->running.at[--sweeping->running.n];

    at->n_ops--;
    at->n_streams -= --at->on_stream[ended.stream] == 0;
    if (--at->of_kind[ended.kind] == 0)
        at->kinds &= ~NSC_OP_KIND_BIT(ended.kind);
}

/* At least one op must run. */
static nsc_time earliest_end(const struct sweeping *sweeping)
{
    return sweeping->running.at[sweeping->running.n - 1].end;
}

/* Passes the stretch that ends at t1 to the riders. */
static void end_stretch(struct sweeping *sweeping, nsc_time t1)
{
    struct nsc_sweep *at = &sweeping->at;

    at->t1 = t1;
    for (uint32_t i = 0; i < sweeping->n_stretch; i++)
        sweeping->of_stretch[i].stretch(sweeping->of_stretch[i].own, at);
    if (at->n_ops > 0)
        at->busy = nsc_sum(at->busy, nsc_span(at->t0, t1));
    at->t0 = t1;
    while (at->n_ops > 0 && earliest_end(sweeping) <= t1)
        end_earliest(sweeping);
}

/* Ends the ops with an end at or before t. */
static void end_ops(struct sweeping *sweeping, nsc_time t)
{
    while (sweeping->at.n_ops > 0 && earliest_end(sweeping) <= t)
        end_stretch(sweeping, earliest_end(sweeping));
}

/* Passes all stretches up to t to the riders. */
static void advance(struct sweeping *sweeping, nsc_time t)
{
    end_ops(sweeping, t);
    if (sweeping->at.t0 < t)
        end_stretch(sweeping, t);
}

/* ---- a run ---- */

static void sweep_ops(struct sweeping *sweeping)
{
    struct nsc_device_ops ops;
    struct nsc_device_op op;
    bool has_stretches = sweeping->n_stretch > 0;

    nsc_device_ops_init(&ops, sweeping->at.scope, sweeping->at.device);
    while (nsc_device_ops_next(&ops, &op)) {
        if (has_stretches && op.start < op.end) {
            advance(sweeping, op.start);
            add_running(sweeping, &op);
        } else if (has_stretches) {
            end_ops(sweeping, op.start);
        }
        for (uint32_t i = 0; i < sweeping->n_op; i++)
            sweeping->of_op[i].op(sweeping->of_op[i].own, &sweeping->at, &op);
    }
    nsc_device_ops_fini(&ops);
    if (has_stretches && sweeping->at.has_window)
        advance(sweeping, sweeping->at.window.t1);
}

static void add_rider(struct sweeping *sweeping, const struct nsc_rider *rider, void *own)
{
    if (rider->op)
        sweeping->of_op[sweeping->n_op++] = (struct ops_rider){own, rider->op};
    if (rider->stretch)
        sweeping->of_stretch[sweeping->n_stretch++] = (struct stretch_rider){own, rider->stretch};
}

void nsc_sweep_run(const struct nsc_scope *scope, uint32_t device, struct nsc_ride rides[],
                   uint32_t n)
{
    struct sweeping sweeping = {0};
    struct nsc_sweep *at = &sweeping.at;
    void **own = nsc_xcalloc((size_t)n + 1, sizeof *own);

    *at = (struct nsc_sweep){.scope = scope,
                             .events = nsc_trace_events(scope->trace),
                             .device = device,
                             .n_tracks = nsc_trace_track(scope->trace, device)->skip - device};
    at->has_window = nsc_device_window(&at->window, scope, device);
    if (!at->has_window)
        at->window = (struct nsc_window){scope->window.t0, scope->window.t0};
    at->t0 = at->t1 = at->window.t0;
    at->on_stream = nsc_xcalloc(at->n_tracks, sizeof *at->on_stream);
    sweeping.of_op = nsc_xcalloc((size_t)n + 1, sizeof *sweeping.of_op);
    sweeping.of_stretch = nsc_xcalloc((size_t)n + 1, sizeof *sweeping.of_stretch);
    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_rider *rider = rides[i].rider;

        own[i] = nsc_xcalloc(1, rider->own_bytes);
        if (rider->kind.bytes > 0) /* a rider without an answer has no slot */
            memset(rides[i].answer, 0, rider->kind.bytes);
        rider->begin(own[i], rides[i].answer, at, rides[i].param);
        add_rider(&sweeping, rider, own[i]);
    }
    sweep_ops(&sweeping);
    for (uint32_t i = 0; i < n; i++) {
        rides[i].result = at->has_window;
        if (rides[i].rider->end)
            rides[i].result = rides[i].rider->end(own[i], at);
        free(own[i]);
    }
    free(own);
    free(sweeping.of_op);
    free(sweeping.of_stretch);
    free(at->on_stream);
    NSC_VEC_FINI(&sweeping.running);
}

/* ---- answers ---- */

bool nsc_sweep_ask(void *out, bool *is_kept, const struct nsc_rider *rider, const void *param,
                   const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_ride ride = {rider, param, out, false};
    bool keeps = nsc_shared_keeps(scope, device);

    if (is_kept)
        *is_kept = keeps;
    if (keeps && nsc_shared_find(out, &ride.result, &rider->kind, param, scope, device))
        return ride.result;
    nsc_sweep_run(scope, device, &ride, 1);
    if (keeps)
        nsc_shared_keep(out, ride.result, &rider->kind, param, scope, device);
    return ride.result;
}

void nsc_sweep_share(const struct nsc_scope *scope, uint32_t device, const struct nsc_ride rides[],
                     uint32_t n)
{
    struct nsc_ride *asked = nsc_xcalloc((size_t)n + 1, sizeof *asked);
    uint32_t n_asked = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_ride *ride = &asked[n_asked];

        *ride = rides[i];
        ride->answer = nsc_xmalloc(ride->rider->kind.bytes);
        if (nsc_shared_find(ride->answer, &ride->result, &ride->rider->kind, ride->param, scope,
                            device))
            free(ride->answer);
        else
            n_asked++;
    }
    if (n_asked > 0)
        nsc_sweep_run(scope, device, asked, n_asked);
    for (uint32_t i = 0; i < n_asked; i++) {
        nsc_shared_keep(asked[i].answer, asked[i].result, &asked[i].rider->kind, asked[i].param,
                        scope, device);
        free(asked[i].answer);
    }
    free(asked);
}
