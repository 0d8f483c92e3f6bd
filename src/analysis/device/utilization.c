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

static void deal_out(void *own, const struct nsc_sweep *sweep)
{
    struct dealing *dealing = own;

    for (nsc_time at = sweep->t0; at < sweep->t1;) {
        nsc_time *busy, *sum, length, work;

        for (; dealing->end <= at; dealing->end = end_of(dealing))
            dealing->chunk++;
        busy = &dealing->out->busy[dealing->chunk];
        sum = &dealing->out->sum[dealing->chunk];
        length = nsc_span(at, nsc_earlier(sweep->t1, dealing->end));
        *busy = nsc_sum(*busy, sweep->n_ops > 0 ? length : 0);
        if (__builtin_mul_overflow(length, sweep->n_ops, &work))
            work = INT64_MAX;
        *sum = nsc_sum(*sum, work);
        at = nsc_earlier(sweep->t1, dealing->end);
    }
}

const struct nsc_rider nsc_utilization_rider = {.kind = {.bytes = sizeof(struct nsc_utilization)},
                                                .own_bytes = sizeof(struct dealing),
                                                .begin = begin,
                                                .stretch = deal_out};

bool nsc_utilization_build(struct nsc_utilization *out, const struct nsc_scope *scope,
                           uint32_t device)
{
    return nsc_sweep_ask(out, NULL, &nsc_utilization_rider, NULL, scope, device);
}
