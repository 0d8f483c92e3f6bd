/*
 * Summed kernel time: the added durations of each kernel on each device.
 *
 * Summed durations are work, never wall time: kernels of several streams run at once, so a sum may
 * exceed the window, and shares are shares of that sum. Durations are not cut at the window's edge.
 * Naive meaning: group the scope's kernels by (device, name), add end - start, the greatest first
 * (ties: by device, then by the row of the longest). nsys' cuda_gpu_kern_sum counts alike. The owner
 * calls fini.
 */
#ifndef NSC_ANALYSIS_KERNEL_WORK_H
#define NSC_ANALYSIS_KERNEL_WORK_H

#include "analysis/base/scope.h"

struct nsc_kernel_share {
    uint32_t device; /* its track */
    nsc_name name;
    uint32_t count;
    nsc_time work; /* durations added; saturating */
    nsc_time shortest, longest;
    nsc_event slowest; /* of several the first row */
};

struct nsc_kernel_work {
    uint32_t n;
    struct nsc_kernel_share *at;
    uint64_t count; /* kernels in all */
    nsc_time work;  /* of all: the denominator of the shares */
    bool is_kept;   /* by the scope's store (analysis/base/shared.h), which frees it */
};

void nsc_kernel_work_build(struct nsc_kernel_work *out, const struct nsc_scope *scope);
void nsc_kernel_work_fini(struct nsc_kernel_work *work);

#endif
