/*
 * Finds which communication kernels of different ranks are one collective.
 *
 * Strands (rank_ops.h) of one name are partners if their k-th kernels end together once the clocks
 * are corrected; whether the kernels overlap does not matter. A series joins the partners whose
 * ends are nearest to its own, so that groups of ranks that share a kernel name stay apart. Strands
 * that mix communicators are split, kernel by kernel, by common ends. The remaining point-to-point
 * kernels are matched pair by pair by their ends. All others stay unmatched.
 */
#ifndef NSC_ANALYSIS_RANK_GROUPS_H
#define NSC_ANALYSIS_RANK_GROUPS_H

#include "analysis/job/rank_clocks.h"

/* The same ranks in collectives of the same name. */
struct nsc_rank_group {
    nsc_str name;
    uint32_t n_ranks, n; /* n: instances */
    uint32_t *ranks;     /* n_ranks, ascending; owned */
    uint32_t *ops;       /* n x n_ranks: by instance, then rank; owned */
};

struct nsc_rank_groups {
    NSC_VEC(struct nsc_rank_group) list;
    uint8_t *is_matched; /* of each op; owned */
    uint32_t compared;   /* 0: each series was compared with all of its name; else with so many of
                          * those that end before and after it */
};

/* O(series * COMPARED + ops log ops). The owner calls fini. */
void nsc_rank_groups_build(struct nsc_rank_groups *out, const struct nsc_rank_ops *ops,
                           const struct nsc_rank_clocks *clocks);
void nsc_rank_groups_fini(struct nsc_rank_groups *groups);

#endif
