/*
 * Finds the NVTX range that makes iterations slow: it runs in nearly all slow ones and in hardly any other, and takes most of
 * the time by which they are longer. Names that differ in numbers are one. Of several, the one with most time.
 */
#ifndef NSC_ANALYSIS_SLOW_RANGE_H
#define NSC_ANALYSIS_SLOW_RANGE_H

#include "analysis/ranges/iteration_stats.h"

struct nsc_slow_range {
    nsc_event like; /* NSC_NONE: none */
    nsc_time ns;    /* in slow iterations */
    uint32_t n[2];  /* other and slow iterations in which the middle of one is, on the host */
};

/* more: the time by which the slow iterations are longer. */
struct nsc_slow_range nsc_slow_range_find(const struct nsc_iteration_stats *stats,
                                          const struct nsc_scope *scope, nsc_time more);

#endif
