/*
 * Summed kernel time: the durations of each kernel on each device, added up.
 *
 * Summed durations are work, never wall time: kernels of several streams run at once, so a sum may
 * exceed the window, and shares are shares of that sum. Durations are not clipped to the window.
 * Naive meaning: group the scope's kernels by (device, name), add end - start, the greatest first
 * (ties: by device, then by the row of the longest). cuda_gpu_kern_sum of nsys counts in the same
 * way. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_KERNEL_WORK_H
#define NSC_ANALYSIS_KERNEL_WORK_H

#include "analysis/base/scope.h"

struct nsc_kernel_share {
    uint32_t device; /* its track */
    nsc_name name;
    uint32_t count;
    nsc_time work; /* summed durations; saturating */
    nsc_time shortest, longest;
    nsc_event slowest; /* the longest; ties: the first row */
    uint32_t next;     /* the next of the device in at; NSC_NONE: none */
};

struct nsc_kernel_work {
    size_t n, capacity;
    struct nsc_kernel_share *at;
    uint32_t *first; /* by track of a device: its first in at; NSC_NONE: none */
    uint64_t count;  /* number of all kernels */
    nsc_time work;   /* of all kernels: the denominator of the shares */
    bool is_kept;    /* kept and freed by the scope's store (analysis/base/shared.h) */
};

void nsc_kernel_work_build(struct nsc_kernel_work *out, const struct nsc_scope *scope);
void nsc_kernel_work_fini(struct nsc_kernel_work *work);

#endif
