/* The rows of one device, lane by lane, for questions that do not depend on the order of ops. */
#ifndef NSC_ANALYSIS_DEVICE_ROWS_H
#define NSC_ANALYSIS_DEVICE_ROWS_H

#include "analysis/base/device_ops.h"

/*
 * Passes the rows of a device's streams that touch the window, some rows [first, end) of each lane
 * in turn: ops that run at about the same time have calls close together, which stay in the cache.
 * own is the scope narrowed to the window of the device; pass must check the mask and the window
 * (nsc_scope_has_row). O(rows).
 */
void nsc_device_rows_walk(const struct nsc_scope *scope, uint32_t device,
                          void (*pass)(void *context, const struct nsc_scope *own, nsc_event first,
                                       nsc_event end),
                          void *context);

#endif
