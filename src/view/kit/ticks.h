/*
 * Ticks of a time axis: multiples of 1, 2 or 5 times a power of ten.
 *
 * Pure values. Ticks count from an origin, so that an axis may be absolute or relative.
 */
#ifndef NSC_VIEW_KIT_TICKS_H
#define NSC_VIEW_KIT_TICKS_H

#include "nsyscope/types.h"

struct nsc_ticks {
    nsc_time step;  /* ns, 1-2-5 */
    nsc_time first; /* first tick in the window */
    uint32_t n;     /* ticks in the window */
};

/* The smallest 1-2-5 step whose ticks are at least spacing columns apart if w is cols wide. */
struct nsc_ticks nsc_ticks_build(struct nsc_window w, uint32_t cols, uint32_t spacing,
                                 nsc_time origin);
/* The i-th tick, i < n. */
static inline nsc_time nsc_ticks_at(const struct nsc_ticks *ticks, uint32_t i)
{
    return (nsc_time)((uint64_t)ticks->first + (uint64_t)ticks->step * i);
}

#endif
