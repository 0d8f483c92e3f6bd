/*
 * Implements the sweep: merges ops by start, and keeps the running ops sorted by end. A narrower part
 * gets the blocks of the widest one, cut to its window.
 */
#include "analysis/device/sweep.h"

#include "core/die.h"
#include "core/vec.h"

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

struct part { /* a scope and its riders */
    struct nsc_sweep of;
    struct nsc_window touched; /* the window of its ops, also if none has a length */
    struct nsc_ride *rides;
    uint32_t n;
    void **own;                        /* states of the riders */
    NSC_VEC(struct nsc_device_op) ops; /* of a block that is cut */
    NSC_VEC(struct nsc_stretch) stretches;
};

struct sweeping {
    struct part *parts; /* the first is the widest */
    uint32_t n_parts;
    struct now now;
    uint32_t room; /* for ops in running; for twice as many stretches */
    struct nsc_sweep_block block;
    nsc_time end;             /* of the op of the block that ends last */
    struct nsc_window window; /* contains those of all parts */
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

    sweeping->block = (struct nsc_sweep_block){0};
    reserve(sweeping, 0);
    now->n = 0;
    end_ops(now, sweeping->window.t1, 0);
    end_stretch(now, sweeping->window.t1, 0);
}

/* ---- parts ---- */

static bool touches(const struct nsc_device_op *op, struct nsc_window w)
{
    return op->start < w.t1 && (op->end > w.t0 || op->start >= w.t0);
}

/* Adds an op of the block to the part, clipped, if it touches the window. */
static void cut_op(struct part *part, const struct nsc_device_op *op)
{
    struct nsc_window w = part->touched;
    struct nsc_device_op *cut;

    if (!touches(op, w))
        return;
    cut = NSC_VEC_ADD(&part->ops);
    *cut = *op;
    cut->start = nsc_later(op->start, w.t0);
    cut->end = nsc_earlier(op->end, w.t1);
    cut->is_clipped = op->is_clipped || cut->start != op->start || cut->end != op->end;
}

static void cut_stretch(struct part *part, const struct nsc_stretch *stretch)
{
    struct nsc_stretch cut = *stretch;

    cut.t0 = nsc_later(cut.t0, part->of.window.t0);
    cut.t1 = nsc_earlier(cut.t1, part->of.window.t1);
    cut.before = (uint32_t)part->ops.n;
    if (cut.t0 < cut.t1)
        *NSC_VEC_ADD(&part->stretches) = cut;
}

/* The block, cut to the window of a part. */
static struct nsc_sweep_block cut_block(struct part *part, const struct nsc_sweep_block *block)
{
    struct nsc_sweep_block cut = {0};
    uint32_t k = 0;

    NSC_VEC_CLEAR(&part->ops);
    NSC_VEC_CLEAR(&part->stretches);
    for (uint32_t i = 0; i < block->n; i++) {
        for (; k < block->stretches[i].before; k++)
            cut_op(part, &block->ops[k]);
        cut_stretch(part, &block->stretches[i]);
    }
    for (; k < block->n_ops; k++)
        cut_op(part, &block->ops[k]);
    cut.ops = part->ops.at;
    cut.n_ops = (uint32_t)part->ops.n;
    for (k = 0; k < cut.n_ops; k++)
        cut.kinds |= NSC_OP_KIND_BIT(cut.ops[k].kind);
    cut.stretches = part->stretches.at;
    cut.n = (uint32_t)part->stretches.n;
    return cut;
}

/* Whether ops and stretches of the block lie in the window of a part, which needs no cuts then. */
static bool lies_inside(const struct sweeping *sweeping, const struct part *part)
{
    const struct nsc_sweep_block *block = &sweeping->block;
    struct nsc_window w = part->of.window, touched = part->touched;

    return (block->n_ops == 0 ||
            (block->ops[0].start >= touched.t0 && sweeping->end <= touched.t1 &&
             block->ops[block->n_ops - 1].start < touched.t1)) &&
           (block->n == 0 ||
            (block->stretches[0].t0 >= w.t0 && block->stretches[block->n - 1].t1 <= w.t1));
}

static void pass_block(struct sweeping *sweeping)
{
    sweeping->block.stretches = sweeping->now.stretches;
    sweeping->block.n = sweeping->now.n;
    for (uint32_t p = 0; p < sweeping->n_parts; p++) {
        struct part *part = &sweeping->parts[p];
        struct nsc_sweep_block block =
            lies_inside(sweeping, part) ? sweeping->block : cut_block(part, &sweeping->block);

        if (block.n_ops == 0 && block.n == 0)
            continue;
        for (uint32_t i = 0; i < part->n; i++)
            part->rides[i].rider->pass(part->own[i], &part->of, &block);
    }
}

static bool need_stretches(const struct sweeping *sweeping)
{
    for (uint32_t p = 0; p < sweeping->n_parts; p++)
        for (uint32_t i = 0; i < sweeping->parts[p].n; i++)
            if (sweeping->parts[p].rides[i].rider->needs_stretches)
                return true;
    return false;
}

static void begin_block(struct sweeping *sweeping, const struct nsc_device_ops *ops)
{
    struct nsc_sweep_block *block = &sweeping->block;

    *block = (struct nsc_sweep_block){.ops = ops->block, .n_ops = ops->n};
    sweeping->end = INT64_MIN;
    for (uint32_t i = 0; i < ops->n; i++) {
        block->kinds |= NSC_OP_KIND_BIT(ops->block[i].kind);
        sweeping->end = nsc_later(sweeping->end, ops->block[i].end);
    }
}

static void sweep_ops(struct sweeping *sweeping)
{
    const struct nsc_sweep *of = &sweeping->parts->of;
    struct nsc_device_ops ops;
    bool has_stretches = need_stretches(sweeping);

    nsc_device_ops_init(&ops, of->scope, of->device);
    while (nsc_device_ops_step(&ops)) {
        begin_block(sweeping, &ops);
        if (has_stretches)
            find_stretches(sweeping);
        pass_block(sweeping);
    }
    nsc_device_ops_fini(&ops);
    if (has_stretches) {
        find_last_stretches(sweeping);
        pass_block(sweeping);
    }
}

static void begin_part(struct part *part, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_sweep *of = &part->of;

    *of = (struct nsc_sweep){
        .scope = scope,
        .events = nsc_trace_events(scope->trace),
        .device = device,
        .n_tracks = nsc_group_end(nsc_trace_tracks(scope->trace, NULL), device) - device};
    part->touched = nsc_device_scope(scope, device).window;
    of->has_window = nsc_device_window(&of->window, scope, device);
    if (!of->has_window)
        of->window = (struct nsc_window){scope->window.t0, scope->window.t0};
    part->own = nsc_xcalloc((size_t)part->n + 1, sizeof *part->own);
    for (uint32_t i = 0; i < part->n; i++) {
        const struct nsc_ride *ride = &part->rides[i];

        part->own[i] = nsc_xcalloc(1, ride->rider->own_bytes);
        if (ride->rider->kind.bytes > 0) /* a rider without an answer has no slot */
            memset(ride->answer, 0, ride->rider->kind.bytes);
        ride->rider->begin(part->own[i], ride->answer, of, ride->param);
    }
}

static void end_part(struct part *part)
{
    for (uint32_t i = 0; i < part->n; i++) {
        struct nsc_ride *ride = &part->rides[i];

        ride->result =
            ride->rider->end ? ride->rider->end(part->own[i], &part->of) : part->of.has_window;
        free(part->own[i]);
    }
    free(part->own);
    NSC_VEC_FINI(&part->ops);
    NSC_VEC_FINI(&part->stretches);
}

/* Sweeps the ops of the first part, and passes what each part gets of them. */
static void run_parts(struct part parts[], uint32_t n)
{
    const struct nsc_sweep *of = &parts->of;
    struct sweeping sweeping = {.parts = parts, .n_parts = n, .window = of->window};

    for (uint32_t p = 1; p < n; p++) {
        sweeping.window.t0 = nsc_earlier(sweeping.window.t0, parts[p].of.window.t0);
        sweeping.window.t1 = nsc_later(sweeping.window.t1, parts[p].of.window.t1);
    }
    sweeping.now = (struct now){.t0 = sweeping.window.t0, .device = of->device};
    sweeping.now.of_kind = nsc_xcalloc(NSC_N_OP_KINDS, sizeof *sweeping.now.of_kind);
    sweeping.now.on_stream = nsc_xcalloc(of->n_tracks, sizeof *sweeping.now.on_stream);
    sweep_ops(&sweeping);
    free(sweeping.now.of_kind);
    free(sweeping.now.on_stream);
    free(sweeping.now.running);
    free(sweeping.now.stretches);
}

void nsc_sweep_run(const struct nsc_scope *scope, uint32_t device, struct nsc_ride rides[],
                   uint32_t n)
{
    struct part part = {.rides = rides, .n = n};

    begin_part(&part, scope, device);
    run_parts(&part, 1);
    end_part(&part);
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

/* The rides whose answers the store of their scope does not have yet. */
static struct part find_missing(const struct nsc_sweep_question *question, uint32_t device)
{
    struct part part = {
        .rides = nsc_xcalloc((size_t)question->n + 1, sizeof *part.rides),
    };

    for (uint32_t i = 0; i < question->n; i++) {
        struct nsc_ride *ride = &part.rides[part.n];

        *ride = question->rides[i];
        ride->answer = nsc_xmalloc(ride->rider->kind.bytes);
        if (nsc_shared_find(ride->answer, &ride->result, &ride->rider->kind, ride->param,
                            question->scope, device))
            free(ride->answer);
        else
            part.n++;
    }
    return part;
}

static void keep_answers(struct part *part, const struct nsc_scope *scope, uint32_t device)
{
    for (uint32_t i = 0; i < part->n; i++) {
        struct nsc_ride *ride = &part->rides[i];

        nsc_shared_keep(ride->answer, ride->result, &ride->rider->kind, ride->param, scope, device);
        free(ride->answer);
    }
    free(part->rides);
}

void nsc_sweep_share(uint32_t device, const struct nsc_sweep_question questions[], uint32_t n)
{
    struct part parts[NSC_SWEEP_QUESTIONS];
    uint32_t n_rides = 0;

    for (uint32_t p = 0; p < n; p++) {
        parts[p] = find_missing(&questions[p], device);
        begin_part(&parts[p], questions[p].scope, device);
        n_rides += parts[p].n;
    }
    if (n_rides > 0)
        run_parts(parts, n);
    for (uint32_t p = 0; p < n; p++) {
        end_part(&parts[p]);
        keep_answers(&parts[p], questions[p].scope, device);
    }
}
