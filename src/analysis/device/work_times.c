/* Derives the times of kinds of work from the time of each set of kinds that run at once. */
#include "analysis/device/work_times.h"

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
