/*
 * The cost of launching the kernels of a device, and how long they queue.
 *
 * For a kernel k and the call r that launched it (same process and correlation id): API time r.end
 * - r.start; queue time k.start - r.end, only where that is 0 or more; total max(r.end, k.end) -
 * r.start; delay k.start - r.end of either sign. Short: k lasts less than r. Starved: k begins less
 * than 10 us after r ends. Queueing is not bad by itself: a GPU whose queue is always empty may be
 * starving. All durations are whole. Quantiles: analysis/base/quantile.h.
 */
#ifndef NSC_ANALYSIS_LAUNCH_TIMES_H
#define NSC_ANALYSIS_LAUNCH_TIMES_H

#include "analysis/base/device_ops.h"
#include "analysis/base/limit.h"

#define NSC_STARVED_NS (1000 * NSC_LIMIT_STARVED_AFTER)

struct nsc_launch_figures { /* of n values */
    uint64_t n;
    nsc_time sum; /* saturating */
    nsc_time median, p95, max;
};

struct nsc_launch_times {
    struct nsc_window window;
    uint64_t n;                         /* number of kernels */
    uint64_t known;                     /* kernels with a known call */
    struct nsc_launch_figures duration; /* of all kernels; sum is their work */
    struct nsc_launch_figures api;      /* of calls; each counts once, with its first op */
    struct nsc_launch_figures queue;    /* of kernels that queued */
    struct nsc_launch_figures total;    /* of known kernels */
    nsc_time delay_median;              /* of known kernels; 0 without any */
    nsc_time api_inside;                /* summed parts of these calls inside the window,
                                         * saturating */
    uint64_t starved, is_short;         /* numbers of kernels */
    nsc_time short_work;                /* summed durations of short kernels */
    uint64_t below_5us, below_10us, below_20us;
    uint64_t replayed; /* kernels of CUDA graphs recorded node by node; one call launches many */
};

/* False when the device has no work in the scope. */
bool nsc_launch_times_build(struct nsc_launch_times *out, const struct nsc_scope *scope,
                            uint32_t device);
/* The same in one pass and half the memory, without queue, total and delays; of api only n and sum
 * are sure to be there. */
bool nsc_launch_counts_build(struct nsc_launch_times *out, const struct nsc_scope *scope,
                             uint32_t device);

/* Only api_inside, without memory of its own: for short windows. 0 when the device has no work in the
 * scope. */
nsc_time nsc_launch_inside(const struct nsc_scope *scope, uint32_t device);

#endif
