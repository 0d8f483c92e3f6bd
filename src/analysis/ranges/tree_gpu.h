/*
 * What a tree of ranges shows beside the ranges: the GPU work of each node, the median duration of
 * its calls, and the ranges around a selection.
 */
#ifndef NSC_ANALYSIS_TREE_GPU_H
#define NSC_ANALYSIS_TREE_GPU_H

#include "nsyscope/calltree.h"

#include "analysis/ranges/launches.h"

struct nsc_tree_gpu { /* by node, with all that lies below it */
    uint32_t *launches;
    uint32_t *ops;
    nsc_time *work; /* durations added, saturating: never wall time */
};

/* One pass over the launches and the ranges. Work belongs to the range whose thread launched it
 * inside, and to the nodes around that; a range that goes on past its parent's end takes its work
 * to the parent's node. */
void nsc_tree_gpu_build(struct nsc_tree_gpu *out, const struct nsc_calltree *tree,
                        const struct nsc_trace *trace, const struct nsc_launches *launches);
void nsc_tree_gpu_fini(struct nsc_tree_gpu *gpu);

/*
 * A bit a row: those of mask, the push/pop ranges in which selected work was launched, and the
 * ranges around any of these. launches: those of the mask. Given back with nsc_pages_free and
 * *bytes; NULL when the memory is refused.
 */
uint64_t *nsc_tree_keep(size_t *bytes, const struct nsc_trace *trace,
                        const struct nsc_launches *launches, const uint64_t *mask);

/* Of an even count the lower of the two in the middle. One pass over all ranges, made on demand. */
nsc_time nsc_tree_median(const struct nsc_trace *trace, const struct nsc_calltree *tree,
                         uint32_t node);

#endif
