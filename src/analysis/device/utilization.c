/*
 * Splits the stretches of a sweep by the chunks they touch.
 */
#include "analysis/device/utilization.h"

#include "core/sum.h"

struct dealing {
    struct nsc_utilization *out;
    uint32_t chunk; /* current chunk */
    nsc_time end;   /* its end, in ns */
};

static nsc_time end_of(const struct dealing *dealing)
{
    return nsc_window_cut(dealing->out->window, dealing->chunk + 1, NSC_UTILIZATION_CHUNKS);
}

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct dealing *dealing = own;

    (void)param;
    dealing->out = answer;
    dealing->out->window = sweep->window;
    dealing->end = end_of(dealing);
}

static inline void add_time(struct dealing *dealing, nsc_time length, uint32_t n_ops)
{
    nsc_time *busy = &dealing->out->busy[dealing->chunk];
    nsc_time *sum = &dealing->out->sum[dealing->chunk];
    nsc_time work;

    if (n_ops == 0)
        return;
    if (__builtin_mul_overflow(length, n_ops, &work))
        work = INT64_MAX;
    *busy = nsc_sum(*busy, length);
    *sum = nsc_sum(*sum, work);
}

static void pass_stretch(void *own, const struct nsc_sweep *sweep,
                         const struct nsc_stretch *stretch)
{
    struct dealing *dealing = own;

    (void)sweep;
    for (nsc_time at = stretch->t0; at < stretch->t1;) {
        for (; dealing->end <= at; dealing->end = end_of(dealing))
            dealing->chunk++;
        add_time(dealing, nsc_span(at, nsc_earlier(stretch->t1, dealing->end)), stretch->n_ops);
        at = nsc_earlier(stretch->t1, dealing->end);
    }
}

const struct nsc_rider nsc_utilization_rider = {.kind = {.bytes = sizeof(struct nsc_utilization)},
                                                .own_bytes = sizeof(struct dealing),
                                                .begin = begin,
                                                .stretch = pass_stretch};

bool nsc_utilization_build(struct nsc_utilization *out, const struct nsc_scope *scope,
                           uint32_t device)
{
    return nsc_sweep_ask(out, NULL, &nsc_utilization_rider, NULL, scope, device);
}
