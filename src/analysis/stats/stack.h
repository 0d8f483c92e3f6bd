/*
 * The path of a range as row ids.
 */
#ifndef NSC_ANALYSIS_STATS_STACK_H
#define NSC_ANALYSIS_STATS_STACK_H

#include "analysis/stats/ranges.h"

/* ":1:2:3": the row ids of the ranges around it, outermost first, and its own. Replaces what out
 * holds. */
void nsc_stats_stack(struct nsc_buf *out, const struct nsc_stats_ranges *ranges, uint32_t range);

#endif
