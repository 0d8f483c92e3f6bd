/* Adds up the time of each set of op kinds that run at once, stretch by stretch. */
#include "analysis/device/device_times.h"

#include "core/die.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

#define N_SETS (1u << NSC_N_OP_KINDS)

struct set_time { /* of a set of kinds, by ops at once, on one stream and on more */
    uint32_t kinds;
    nsc_time length[NSC_LEVELS][2];
};

struct timing {
    struct nsc_device_times *out;
    NSC_VEC(struct set_time) sets;
    double many_ns;        /* integral of ops at once, at the last level */
    nsc_time before;       /* busy time before the start of the first kernel */
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
    timing->out->span = (struct nsc_window){INT64_MAX, INT64_MIN};
}

static void pass_op(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op)
{
    struct timing *timing = own;
    struct nsc_device_times *out = timing->out;
    struct nsc_op_kind_sum *sum = &out->of[op->kind];
    nsc_time duration = nsc_device_op_duration(op, sweep->events);

    sum->min = sum->count++ == 0 ? duration : nsc_earlier(sum->min, duration);
    sum->max = nsc_later(sum->max, duration);
    sum->work = nsc_sum(sum->work, duration);
    if (op->is_graph) {
        out->n_graphs++;
        out->graph_work = nsc_sum(out->graph_work, duration);
    }
    if (!(NSC_OP_KIND_BIT(op->kind) & NSC_KERNEL_KINDS))
        return;
    out->has_kernels = true;
    out->span.t0 = nsc_earlier(out->span.t0, op->start);
    if (op->end > out->span.t1) {
        out->span.t1 = op->end;
        timing->after = 0;
    }
}

/* Adds busy time outside the span of kernels. */
static void add_outside(struct timing *timing, const struct nsc_stretch *stretch)
{
    const struct nsc_window *span = &timing->out->span;

    if (stretch->n_ops == 0)
        return;
    timing->before =
        nsc_sum(timing->before, nsc_span(stretch->t0, nsc_earlier(stretch->t1, span->t0)));
    timing->after = nsc_sum(timing->after, nsc_span(nsc_later(stretch->t0, span->t1), stretch->t1));
}

static struct set_time *find_set(struct timing *timing, uint32_t kinds)
{
    uint16_t *slot = &timing->slot[kinds];

    if (*slot == 0) {
        *NSC_VEC_ADD(&timing->sets) = (struct set_time){.kinds = kinds};
        *slot = (uint16_t)timing->sets.n;
    }
    return &timing->sets.at[*slot - 1];
}

static void pass_stretch(void *own, const struct nsc_sweep *sweep,
                         const struct nsc_stretch *stretch)
{
    struct timing *timing = own;
    struct nsc_device_times *out = timing->out;
    nsc_time length = nsc_span(stretch->t0, stretch->t1);
    uint32_t level = stretch->n_ops < NSC_LEVELS ? stretch->n_ops : NSC_LEVELS - 1;
    nsc_time *sum = &find_set(timing, stretch->kinds)->length[level][stretch->n_streams > 1];

    (void)sweep;
    *sum = nsc_sum(*sum, length);
    if (level == NSC_LEVELS - 1) {
        timing->many_ns += (double)stretch->n_ops * (double)length;
        out->most = stretch->n_ops > out->most ? stretch->n_ops : out->most;
    }
    if (stretch->t0 < out->span.t0 || stretch->t1 > out->span.t1)
        add_outside(timing, stretch);
}

static void add_set(struct nsc_device_times *out, const struct set_time *set)
{
    struct nsc_kinds_time *to = &out->at[out->n++];

    *to = (struct nsc_kinds_time){.kinds = set->kinds};
    for (uint32_t i = 0; i < NSC_LEVELS; i++) {
        nsc_time length = nsc_sum(set->length[i][0], set->length[i][1]);

        to->length = nsc_sum(to->length, length);
        out->level[i] = nsc_sum(out->level[i], length);
        out->streams = nsc_sum(out->streams, set->length[i][1]);
    }
}

static bool end(void *own, const struct nsc_sweep *sweep)
{
    struct timing *timing = own;
    struct nsc_device_times *out = timing->out;

    out->at = nsc_xcalloc(timing->sets.n + 1, sizeof *out->at);
    for (size_t i = 0; i < timing->sets.n; i++)
        add_set(out, &timing->sets.at[i]);
    out->op_ns = timing->many_ns;
    for (uint32_t i = 1; i < NSC_LEVELS - 1; i++) {
        out->op_ns += (double)i * (double)out->level[i];
        out->most = out->level[i] > 0 && i > out->most ? i : out->most;
    }
    if (out->has_kernels)
        out->busy_in_span =
            nsc_device_times_without(out, NSC_ALL_KINDS, 0) - timing->before - timing->after;
    else
        out->span = (struct nsc_window){0};
    NSC_VEC_FINI(&timing->sets);
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
    .op = pass_op,
    .stretch = pass_stretch,
    .end = end};

bool nsc_device_times_build(struct nsc_device_times *out, const struct nsc_scope *scope,
                            uint32_t device)
{
    return nsc_sweep_ask(out, &out->is_kept, &nsc_device_times_rider, NULL, scope, device);
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
