/*
 * The median duration of the calls of one node of the merged tree.
 */
#ifndef NSC_ANALYSIS_TREE_MEDIAN_H
#define NSC_ANALYSIS_TREE_MEDIAN_H

#include "nsyscope/calltree.h"

/* Of an even count the lower of the two in the middle. One pass over all ranges, made on demand. */
nsc_time nsc_tree_median(const struct nsc_trace *trace, const struct nsc_calltree *tree,
                         uint32_t node);

#endif
