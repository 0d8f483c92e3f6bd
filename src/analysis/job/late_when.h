/* In which steps a verdict holds (for late.c). */
#ifndef NSC_ANALYSIS_LATE_WHEN_H
#define NSC_ANALYSIS_LATE_WHEN_H

#include "analysis/job/late.h"

/*
 * Sets when, every, since, at and late_steps by the cost of each step. MOST of the cost lies in the steps after the
 * interludes of the first member's rank; else in every n-th step, for the least n; else it begins at a step, before
 * which there is hardly any. A step is late that costs a quarter of the typical cost or more.
 */
void nsc_verdict_find_when(struct nsc_verdict *verdict, const struct nsc_fleet *fleet,
                           const struct nsc_fleet_rank *rank, const float cost[]);

#endif
