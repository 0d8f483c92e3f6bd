/*
 * What the copies between host and device of a GPU add up to (ANALYSES D2).
 */
#ifndef NSC_ANALYSIS_TRANSFERS_H
#define NSC_ANALYSIS_TRANSFERS_H

#include "analysis/device/breakdown.h"
#include "analysis/device/copies.h"

struct nsc_transfers {
    struct nsc_breakdown time; /* transfer, transfer_exposed, whole */
    uint64_t count, sized, small, blocking;
    int64_t bytes, pageable; /* saturating */
    int64_t to_device, to_host;
    nsc_time to_device_ns, to_host_ns; /* durations of sized ones, added */
    bool has_bytes, has_memory;
};

/* False when the device has no work in the scope. */
bool nsc_transfers_build(struct nsc_transfers *out, const struct nsc_scope *scope,
                         const struct nsc_field_sets *fields, uint32_t device);

#endif
