/*
 * Which iterations of two recordings stand beside each other.
 *
 * Warm-up pairs with warm-up, the n-th with the n-th. Of the others, the n-th of a kind pairs with
 * the n-th of the same kind where both have the same kinds, at least two: as many, and, ordered by
 * the mean number of ops that they launch, each with about as many (NSC_LIMIT_DIFF_ALIKE %). Else
 * the n-th pairs with the n-th, whatever their kinds. What is left over has no partner.
 */
#ifndef NSC_ANALYSIS_ITERATION_PAIRS_H
#define NSC_ANALYSIS_ITERATION_PAIRS_H

#include "analysis/ranges/iterations.h"

struct nsc_iteration_pairs {
    const struct nsc_iterations *of[2]; /* borrowed */
    uint32_t *partner[2];               /* by iteration; NSC_NONE: it has none */
    uint32_t n;                         /* pairs */
    bool by_kind;
};

void nsc_iteration_pairs_build(struct nsc_iteration_pairs *out, const struct nsc_iterations *a,
                               const struct nsc_iterations *b);
void nsc_iteration_pairs_fini(struct nsc_iteration_pairs *pairs);
/*
 * The pair that holds at time t of a side, as its iteration on that side: the last iteration with a
 * partner that starts at t or before, else the first one with a partner; NSC_NONE without any pair.
 */
uint32_t nsc_iteration_pairs_at(const struct nsc_iteration_pairs *pairs, unsigned side, nsc_time t);

#endif
