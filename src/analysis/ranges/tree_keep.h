/*
 * What a tree of ranges shows of a selection of events: what is selected, and every range around
 * it.
 */
#ifndef NSC_ANALYSIS_TREE_KEEP_H
#define NSC_ANALYSIS_TREE_KEEP_H

#include "analysis/ranges/launches.h"

/*
 * A bit a row: those of mask, the push/pop ranges in which selected work was launched, and the
 * ranges around any of these. launches: those of the mask. Given back with nsc_pages_free and
 * *bytes; NULL when the memory is refused.
 */
uint64_t *nsc_tree_keep(size_t *bytes, const struct nsc_trace *trace,
                        const struct nsc_launches *launches, const uint64_t *mask);

#endif
