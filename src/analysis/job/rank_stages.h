/*
 * The stages of a job rank by rank: how long each NVTX range takes on each process.
 *
 * A stage is the name of a push/pop range, "#" for its numbers, of the four outermost depths of a
 * thread; its time on a rank is the median of its whole durations there (lower middle). Times are
 * wall time of the CPU that holds the range. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_RANK_STAGES_H
#define NSC_ANALYSIS_RANK_STAGES_H

#include "analysis/base/scope.h"

#define NSC_STAGE_DEPTHS 4

struct nsc_rank_stage {
    nsc_name name;             /* the first that folds to the same text: analysis/folded_name */
    uint32_t n_ranks;          /* that have it */
    nsc_time total;            /* of all instances, added; saturating */
    nsc_time median;           /* of the ranks' medians, lower middle */
    uint32_t fastest, slowest; /* ranks */
    nsc_time *of_rank;         /* median, n_ranks of the whole; -1: the rank has none */
};

struct nsc_rank_stages {
    uint32_t n_ranks;
    uint64_t *process; /* of each rank, ascending: export, then process */
    uint32_t n;
    struct nsc_rank_stage *list; /* the longest in all first */
};

void nsc_rank_stages_build(struct nsc_rank_stages *out, const struct nsc_scope *scope);
void nsc_rank_stages_fini(struct nsc_rank_stages *stages);

#endif
