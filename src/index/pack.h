/*
 * Which lane each span of a track goes to: greedy first fit, the fewest lanes.
 */
#ifndef NSC_INDEX_PACK_H
#define NSC_INDEX_PACK_H

#include "nsyscope/types.h"

/*
 * Gives each of n spans, met in order of (start, longer first), the lowest lane that is free at its
 * start, and returns how many lanes that takes: as many as spans overlap at most. Properly nested
 * spans get their depth. span(context, i) is [start, touch end) of the i-th. O(n log lanes).
 */
uint32_t nsc_pack_lanes(uint32_t lane[], uint32_t n,
                        struct nsc_window (*span)(const void *context, uint32_t i),
                        const void *context);

#endif
