/*
 * Matches the collectives that no k-th partner has, one by one: sends between stages, communicators that share a stream,
 * recordings that began later.
 *
 * Collectives of one name on one clock meet if their ends are within the residual of the clocks, or NSC_LIMIT_RANK_TOGETHER,
 * and their ranks differ. The same ranks must meet NSC_LIMIT_FEW times, and in one of NSC_LIMIT_RANK_CHANCE of
 * the collectives of each of their series; fewer meet by chance.
 */
#ifndef NSC_ANALYSIS_MEET_REST_H
#define NSC_ANALYSIS_MEET_REST_H

#include "analysis/job/meet.h"

/* Sets the clocks of the exports from the meetings so far, and adds those of the rest. O(rest log rest). */
void nsc_meet_rest(struct nsc_meetings *meetings);

#endif
