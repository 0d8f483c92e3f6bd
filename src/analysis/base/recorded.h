/* The recorded time of an export: outside it, nothing is known of its GPUs. */
#ifndef NSC_ANALYSIS_RECORDED_H
#define NSC_ANALYSIS_RECORDED_H

#include "analysis/base/scope.h"

/* From the first start to the last end of any event of the export of a device, ns: half-open. Of several
 * exports it is kept with the answers of the scope: O(lanes) the first time, or without a store. */
struct nsc_window nsc_recorded_time(const struct nsc_scope *scope, uint32_t device);

#endif
