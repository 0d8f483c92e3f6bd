/*
 * Calls a function for every event of a scope that lies on tracks of some kinds, by track, lane and
 * start.
 */
#ifndef NSC_ANALYSIS_SCOPE_WALK_H
#define NSC_ANALYSIS_SCOPE_WALK_H

#include "analysis/base/scope.h"

/* kinds: a bit an enum nsc_track_kind, NSC_TRACK_BIT(kind). */
void nsc_scope_walk(const struct nsc_scope *scope, uint32_t kinds,
                    void (*each)(void *context, uint32_t track, nsc_event event), void *context);

#define NSC_TRACK_BIT(kind) ((uint32_t)1 << (kind))
#define NSC_RANGE_TRACKS    (NSC_TRACK_BIT(NSC_TRACK_NVTX) | NSC_TRACK_BIT(NSC_TRACK_SPANS))

#endif
