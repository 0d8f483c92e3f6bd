/*
 * The two halves of a PithTrain question: which ranks there are with which windows, and what the
 * kernels in them are.
 */
#ifndef NSC_ANALYSIS_PITH_PARTS_H
#define NSC_ANALYSIS_PITH_PARTS_H

#include "analysis/pith/pith.h"

/* Fills ranks and setup. */
void nsc_pith_find_ranks(struct nsc_pith *pith, const struct nsc_pith_query *query);
/* Gives the ranks their windows. */
void nsc_pith_find_windows(struct nsc_pith *pith, const struct nsc_pith_query *query);
/* Adds the streams and stages of one rank that is ready. */
void nsc_pith_add_kernels(struct nsc_pith *pith, const struct nsc_pith_query *query, uint32_t rank);

#endif
