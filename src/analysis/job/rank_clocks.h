/*
 * Aligns the clocks of a job's exports by the ends of matched collectives.
 *
 * Participants of a collective end together, whatever their clocks say. For two series of equal
 * length, the k-th ends are paired and a line is fitted through their differences: the offset of
 * the clocks, and their drift. The chosen line has the highest score: a pair counts from 1 on the
 * line to 0 at NSC_RANK_INLIER from it. Lines are tried through pairs of points, then fitted by
 * least squares to the points near. The exports are then joined by the best-fitting pairs; clocks
 * are relative to the first export of each joined part.
 */
#ifndef NSC_ANALYSIS_RANK_CLOCKS_H
#define NSC_ANALYSIS_RANK_CLOCKS_H

#include "analysis/base/limit.h"
#include "analysis/job/rank_ops.h"

#define NSC_RANK_INLIER \
    (1000 * NSC_LIMIT_CLOCK_INLIER) /* ns: an end at most this far from a line
                                                         * belongs to it */

struct nsc_rank_clock {
    double ahead;  /* ns at the origin; to be subtracted */
    double drift;  /* ns a ns; 1e-6 is 1 ppm */
    uint32_t part; /* clocks are comparable within exports of one part */
};

struct nsc_rank_clocks {
    nsc_time origin;
    uint32_t n;
    struct nsc_rank_clock *of; /* one an export; owned */
};

/* O(exports^2) fits. The owner calls fini. */
void nsc_rank_clocks_build(struct nsc_rank_clocks *out, const struct nsc_rank_ops *ops);
void nsc_rank_clocks_fini(struct nsc_rank_clocks *clocks);
/* How far the clock of an export is ahead at t, in ns. */
nsc_time nsc_rank_clock_ahead(const struct nsc_rank_clocks *clocks, uint32_t export_no, nsc_time t);
static inline bool nsc_rank_clocks_are_joined(const struct nsc_rank_clocks *clocks, uint32_t a,
                                              uint32_t b)
{
    return clocks->of[a].part == clocks->of[b].part;
}

#endif
