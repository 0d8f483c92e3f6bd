/*
 * How busy a device is in equal chunks of the window, by our count and by that of nsys.
 *
 * Ours is the union of the ops in the chunk. gpu_time_util of nsys sums the ops, so it exceeds 100
 * % if ops run at once.
 */
#ifndef NSC_ANALYSIS_UTILIZATION_H
#define NSC_ANALYSIS_UTILIZATION_H

#include "analysis/device/sweep.h"

#define NSC_UTILIZATION_CHUNKS 30

struct nsc_utilization {
    struct nsc_window window;
    nsc_time busy[NSC_UTILIZATION_CHUNKS]; /* union; chunk i starts at nsc_window_cut(window, i,
                                            * n) */
    nsc_time sum[NSC_UTILIZATION_CHUNKS];  /* sum of all ops, clipped to the chunk */
};

/* False when the device has no work in the scope. */
bool nsc_utilization_build(struct nsc_utilization *out, const struct nsc_scope *scope,
                           uint32_t device);

extern const struct nsc_rider nsc_utilization_rider;

#endif
