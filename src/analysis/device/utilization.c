/*
 * Ops dealt out to chunks; each looks at no more chunks than it touches.
 */
#include "analysis/device/utilization.h"

#include "core/sum.h"

static void deal_out(nsc_time chunks[], struct nsc_window w, uint32_t first, nsc_time start,
                     nsc_time end)
{
    for (uint32_t i = first; i < NSC_UTILIZATION_CHUNKS; i++) {
        nsc_time c0 = nsc_window_cut(w, i, NSC_UTILIZATION_CHUNKS);
        nsc_time c1 = nsc_window_cut(w, i + 1, NSC_UTILIZATION_CHUNKS);

        if (c0 >= end)
            return;
        chunks[i] = nsc_sum(chunks[i], nsc_span(nsc_later(start, c0), nsc_earlier(end, c1)));
    }
}

bool nsc_utilization_build(struct nsc_utilization *out, const struct nsc_scope *scope,
                           uint32_t device)
{
    struct nsc_device_ops work;
    struct nsc_device_op op;
    uint32_t first = 0; /* chunks before end before the ops that are left start */
    nsc_time reach;

    *out = (struct nsc_utilization){0};
    if (!nsc_device_window(&out->window, scope, device))
        return false;
    reach = out->window.t0;
    nsc_device_ops_init(&work, scope, device);
    while (nsc_device_ops_next(&work, &op)) {
        while (nsc_window_cut(out->window, first + 1, NSC_UTILIZATION_CHUNKS) <= op.start &&
               first + 1 < NSC_UTILIZATION_CHUNKS)
            first++;
        deal_out(out->sum, out->window, first, op.start, op.end);
        if (op.end > reach)
            deal_out(out->busy, out->window, first, nsc_later(op.start, reach), op.end);
        reach = nsc_later(reach, op.end);
    }
    nsc_device_ops_fini(&work);
    return true;
}
