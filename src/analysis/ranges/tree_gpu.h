/*
 * What the ranges of each node of the merged tree launched: calls, operations and their durations.
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

#endif
