/* Adds up the time of each set of op kinds that run at once, stretch by stretch. */
#include "analysis/device/device_times.h"

#include "analysis/device/sweep.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

#define N_SETS (1u << NSC_N_OP_KINDS)

struct timing {
    struct nsc_device_times *out;
    NSC_VEC(struct nsc_kinds_time) sets;
    nsc_time busy;         /* busy time after the start of the first kernel */
    nsc_time after;        /* busy time after the end of the last one so far */
    uint16_t slot[N_SETS]; /* by set: index in sets + 1 */
};

_Static_assert(N_SETS <= UINT16_MAX, "numbers of sets fit into slots");

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct timing *timing = own;

    (void)param;
    timing->out = answer;
    timing->out->has_window = sweep->has_window;
    timing->out->window = sweep->window;
}

static void add_figures(struct nsc_op_kind_sum *of, nsc_time duration)
{
    of->min = of->count == 0 ? duration : nsc_earlier(of->min, duration);
    of->max = nsc_later(of->max, duration);
    of->work = nsc_sum(of->work, duration);
    of->count++;
}

static void add_op(struct nsc_device_times *out, const struct nsc_sweep *sweep,
                   const struct nsc_device_op *op)
{
    nsc_time duration = nsc_device_op_duration(op, sweep->events);

    add_figures(&out->of[op->kind], duration);
    if (op->is_graph) {
        out->n_graphs++;
        out->graph_work = nsc_sum(out->graph_work, duration);
    }
    if (!(NSC_OP_KIND_BIT(op->kind) & NSC_KERNEL_KINDS))
        return;
    if (!out->has_kernels)
        out->span = (struct nsc_window){op->start, op->start};
    out->has_kernels = true;
    out->span.t1 = nsc_later(out->span.t1, op->end);
}

static void add_stretch(struct timing *timing, const struct nsc_stretch *stretch)
{
    struct nsc_device_times *out = timing->out;
    nsc_time length = nsc_span(stretch->t0, stretch->t1);
    uint16_t *slot = &timing->slot[stretch->kinds];
    uint32_t level = stretch->n_ops < NSC_LEVELS ? stretch->n_ops : NSC_LEVELS - 1;

    if (*slot == 0) {
        *NSC_VEC_ADD(&timing->sets) = (struct nsc_kinds_time){stretch->kinds, 0};
        *slot = (uint16_t)timing->sets.n;
    }
    timing->sets.at[*slot - 1].length = nsc_sum(timing->sets.at[*slot - 1].length, length);
    out->level[level] = nsc_sum(out->level[level], length);
    out->streams = nsc_sum(out->streams, stretch->n_streams > 1 ? length : 0);
    out->most = stretch->n_ops > out->most ? stretch->n_ops : out->most;
    out->op_ns += (double)stretch->n_ops * (double)length;
    if (stretch->n_ops > 0 && out->has_kernels) {
        timing->busy =
            nsc_sum(timing->busy, nsc_span(nsc_later(stretch->t0, out->span.t0), stretch->t1));
        timing->after =
            nsc_sum(timing->after, nsc_span(nsc_later(stretch->t0, out->span.t1), stretch->t1));
    }
}

/* Ops first: stretches of the block reach no further than its last op, and kernels of later blocks
 * end after them. */
static void pass(void *own, const struct nsc_sweep *sweep, const struct nsc_sweep_block *block)
{
    struct timing *timing = own;
    struct nsc_device_times *out = timing->out;
    nsc_time reach = out->span.t1;

    for (uint32_t i = 0; i < block->n_ops; i++)
        add_op(out, sweep, &block->ops[i]);
    if (out->span.t1 > reach)
        timing->after = 0;
    for (uint32_t i = 0; i < block->n; i++)
        add_stretch(timing, &block->stretches[i]);
}

static bool end(void *own, const struct nsc_sweep *sweep)
{
    struct timing *timing = own;

    timing->out->busy_in_span = timing->busy - timing->after;
    timing->out->n = (uint32_t)timing->sets.n;
    timing->out->at = timing->sets.at; /* out owns it from here on */
    return sweep->has_window;
}

static void fini(void *answer)
{
    struct nsc_device_times *times = answer;

    free(times->at);
}

const struct nsc_rider nsc_device_times_rider = {
    .kind = {.bytes = sizeof(struct nsc_device_times), .fini = fini},
    .own_bytes = sizeof(struct timing),
    .begin = begin,
    .needs_stretches = true,
    .pass = pass,
    .end = end};

bool nsc_device_times_build(struct nsc_device_times *out, const struct nsc_scope *scope,
                            uint32_t device)
{
    bool is_kept;
    bool result = nsc_sweep_ask(out, &is_kept, &nsc_device_times_rider, NULL, scope, device);

    out->is_kept = is_kept;
    return result;
}

void nsc_device_times_fini(struct nsc_device_times *times)
{
    if (!times->is_kept)
        fini(times);
}

nsc_time nsc_device_times_without(const struct nsc_device_times *times, uint32_t kinds,
                                  uint32_t others)
{
    nsc_time sum = 0;

    for (uint32_t i = 0; i < times->n; i++)
        if (times->at[i].kinds & kinds && !(times->at[i].kinds & others))
            sum = nsc_sum(sum, times->at[i].length);
    return sum;
}

nsc_time nsc_device_times_both(const struct nsc_device_times *times, uint32_t a, uint32_t b)
{
    nsc_time sum = 0;

    for (uint32_t i = 0; i < times->n; i++)
        if (times->at[i].kinds & a && times->at[i].kinds & b)
            sum = nsc_sum(sum, times->at[i].length);
    return sum;
}

/* ---- ops at once ---- */

bool nsc_concurrency_build(struct nsc_concurrency *out, const struct nsc_scope *scope,
                           uint32_t device)
{
    struct nsc_device_times times;
    bool result = nsc_device_times_build(&times, scope, device);

    *out = (struct nsc_concurrency){
        .window = times.window, .streams = times.streams, .most = times.most};
    if (result) {
        memcpy(out->level, times.level, sizeof out->level);
        out->busy = nsc_window_length(out->window) - out->level[0];
        out->mean = times.op_ns / (double)nsc_window_length(out->window);
        out->mean_of_busy = out->busy > 0 ? times.op_ns / (double)out->busy : 0;
    }
    nsc_device_times_fini(&times);
    return result;
}
