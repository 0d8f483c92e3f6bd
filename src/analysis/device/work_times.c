/*
 * Times of kinds of work, from the times of the sets of kinds that run at once.
 */
#include "analysis/device/work_times.h"

#include "core/sum.h"

#include <string.h>

void nsc_work_times_build(struct nsc_work_times *out, const struct nsc_scope *scope,
                          uint32_t device)
{
    struct nsc_device_times times;

    (void)nsc_device_times_build(&times, scope, device);
    *out = (struct nsc_work_times){
        .device = device,
        .comm = nsc_device_times_without(&times, NSC_COMM_KINDS, 0),
        .kernels = nsc_device_times_without(&times, NSC_KERNEL_KINDS, 0),
        .busy = nsc_device_times_without(&times, NSC_ALL_KINDS, 0),
        .has_kernels = times.has_kernels,
        .span = times.span,
        .busy_in_span = times.busy_in_span,
    };
    memcpy(out->of, times.of, sizeof out->of);
    for (unsigned a = 0; a < NSC_N_OP_KINDS; a++)
        for (unsigned b = 0; b < NSC_N_OP_KINDS; b++)
            out->both[a][b] = nsc_device_times_both(&times, NSC_OP_KIND_BIT(a), NSC_OP_KIND_BIT(b));
    nsc_device_times_fini(&times);
}

struct nsc_work_parts nsc_work_times_parts(const struct nsc_work_times *times,
                                           const struct nsc_scope *scope)
{
    struct nsc_work_parts parts = {.span = scope->has_window ? scope->window : times->span};
    nsc_time compute = times->both[NSC_OP_KIND_COMPUTE][NSC_OP_KIND_COMPUTE];
    nsc_time busy = scope->has_window ? times->busy : times->busy_in_span;

    parts.compute_only = times->kernels - times->comm;
    parts.comm_only = times->kernels - compute;
    parts.both = compute - (times->kernels - times->comm);
    parts.copies_only = busy - times->kernels;
    parts.idle = nsc_span(busy, nsc_span(parts.span.t0, parts.span.t1));
    return parts;
}
