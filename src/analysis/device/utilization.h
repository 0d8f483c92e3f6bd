/*
 * How busy a device is along the window, in equal chunks, as we count and as nsys counts.
 *
 * Ours is the union of the ops in the chunk; nsys' gpu_time_util adds all ops up, so that it
 * exceeds 100 % where ops run at once.
 */
#ifndef NSC_ANALYSIS_UTILIZATION_H
#define NSC_ANALYSIS_UTILIZATION_H

#include "analysis/device/sweep.h"

#define NSC_UTILIZATION_CHUNKS 30

struct nsc_utilization {
    struct nsc_window window;
    nsc_time busy[NSC_UTILIZATION_CHUNKS]; /* union; chunk i is nsc_window_cut(window, i, n) on */
    nsc_time sum[NSC_UTILIZATION_CHUNKS];  /* of all ops, clipped to the chunk */
};

/* False when the device has no work in the scope. */
bool nsc_utilization_build(struct nsc_utilization *out, const struct nsc_scope *scope,
                           uint32_t device);

extern const struct nsc_rider nsc_utilization_rider;

#endif
