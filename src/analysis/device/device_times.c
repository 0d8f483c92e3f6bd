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
    nsc_time before;       /* busy time before the first kernel */
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

static void add_op(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op)
{
    struct timing *timing = own;
    struct nsc_device_times *out = timing->out;
    nsc_time duration = nsc_event_duration(sweep->events, op->event);
    nsc_time busy = sweep->busy; /* before the op */

    add_figures(&out->of[op->kind], duration);
    if (sweep->events->kind[op->event] == NSC_KIND_GRAPH) {
        out->n_graphs++;
        out->graph_work = nsc_sum(out->graph_work, duration);
    }
    if (!(NSC_OP_KIND_BIT(op->kind) & NSC_KERNEL_KINDS))
        return;
    if (sweep->n_ops > 0)
        busy = nsc_sum(busy, nsc_span(sweep->t0, op->start));
    if (!out->has_kernels) {
        out->has_kernels = true;
        out->span = (struct nsc_window){op->start, op->start};
        timing->before = busy;
    }
    out->busy_in_span = busy - timing->before;
    out->span.t1 = nsc_later(out->span.t1, op->end);
}

static void add_stretch(void *own, const struct nsc_sweep *sweep)
{
    struct timing *timing = own;
    struct nsc_device_times *out = timing->out;
    nsc_time length = nsc_span(sweep->t0, sweep->t1);
    uint16_t *slot = &timing->slot[sweep->kinds];
    uint32_t level = sweep->n_ops < NSC_LEVELS ? sweep->n_ops : NSC_LEVELS - 1;

    if (*slot == 0) {
        *NSC_VEC_ADD(&timing->sets) = (struct nsc_kinds_time){sweep->kinds, 0};
        *slot = (uint16_t)timing->sets.n;
    }
    timing->sets.at[*slot - 1].length = nsc_sum(timing->sets.at[*slot - 1].length, length);
    out->level[level] = nsc_sum(out->level[level], length);
    out->streams = nsc_sum(out->streams, sweep->n_streams > 1 ? length : 0);
    out->most = sweep->n_ops > out->most ? sweep->n_ops : out->most;
    out->op_ns += (double)sweep->n_ops * (double)length;
    if (sweep->kinds & NSC_KERNEL_KINDS)
        out->busy_in_span = nsc_sum(sweep->busy, length) - timing->before;
}

static bool end(void *own, const struct nsc_sweep *sweep)
{
    struct timing *timing = own;

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
    .op = add_op,
    .stretch = add_stretch,
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
