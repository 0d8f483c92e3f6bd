/*
 * Exposed copies between host and device: the time in which each runs while no kernel and no graph
 * does.
 *
 * If several such copies run at once, the time counts for the one that started last. Times are ns
 * clipped to the device's window; they add up to transfer_exposed of nsc_breakdown. The owner calls
 * fini.
 */
#ifndef NSC_ANALYSIS_EXPOSED_COPIES_H
#define NSC_ANALYSIS_EXPOSED_COPIES_H

#include "analysis/device/sweep.h"
#include "core/vec.h"

struct nsc_exposed_copy {
    nsc_event copy;
    uint32_t stream; /* track */
    nsc_time start, exposed;
};

struct nsc_exposed_copies {
    struct nsc_window window;
    NSC_VEC(struct nsc_exposed_copy) list; /* sorted by start; exposed > 0 */
    bool is_kept; /* kept and freed by the scope's store (analysis/base/shared.h) */
};

/* False when the device has no work in the scope. */
bool nsc_exposed_copies_build(struct nsc_exposed_copies *out, const struct nsc_scope *scope,
                              uint32_t device);
void nsc_exposed_copies_fini(struct nsc_exposed_copies *copies);

extern const struct nsc_rider nsc_exposed_copies_rider;

#endif
