/*
 * The clocks of a job's exports, from the ends of matched collectives.
 *
 * Participants of a collective end together, whatever their clocks say. For two strands of equal
 * length the k-th ends are paired and a line is fitted through their differences: the offset of the
 * clocks, and their drift. The line is the one that most pairs lie on: each counts from 1 on the line
 * to 0 at NSC_RANK_INLIER from it (tried through pairs of points, then least squares of those within).
 * The exports are then joined by the
 * pairs that fit best; clocks count from the first export of each part that is joined.
 */
#ifndef NSC_ANALYSIS_RANK_CLOCKS_H
#define NSC_ANALYSIS_RANK_CLOCKS_H

#include "analysis/base/limit.h"
#include "analysis/job/rank_ops.h"

#define NSC_RANK_INLIER (1000 * NSC_LIMIT_CLOCK_INLIER) /* ns: ends this near a line belong to it */

struct nsc_rank_clock {
    double ahead;  /* ns at the origin; subtracted */
    double drift;  /* ns a ns; 1e-6 is 1 ppm */
    uint32_t part; /* exports of one part have clocks that are fitted to each other */
};

struct nsc_rank_clocks {
    nsc_time origin;
    uint32_t n;
    struct nsc_rank_clock *of; /* one an export; owned */
};

/* O(exports^2) fits. The owner calls fini. */
void nsc_rank_clocks_build(struct nsc_rank_clocks *out, const struct nsc_rank_ops *ops);
void nsc_rank_clocks_fini(struct nsc_rank_clocks *clocks);
/* How far the clock of an export is ahead at t, ns. */
nsc_time nsc_rank_clock_ahead(const struct nsc_rank_clocks *clocks, uint32_t export_no, nsc_time t);
static inline bool nsc_rank_clocks_are_joined(const struct nsc_rank_clocks *clocks, uint32_t a,
                                              uint32_t b)
{
    return clocks->of[a].part == clocks->of[b].part;
}

#endif
