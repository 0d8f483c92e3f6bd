/*
 * The tree of ranges for the questions of a run, and its figures: the ops of each node, the median
 * duration of its calls, and the ranges around a selection.
 */
#ifndef NSC_ANALYSIS_TREE_GPU_H
#define NSC_ANALYSIS_TREE_GPU_H

#include "nsyscope/calltree.h"

#include "analysis/ranges/lent_figures.h"

/*
 * The tree of the ranges that mask selects (NULL: all), equal but for their numbers. That of all ranges
 * is built once for a run: then *is_kept, and the store frees it (base/shared.h); else the caller
 * does. NULL if out of memory.
 */
struct nsc_calltree *nsc_range_tree_ask(const struct nsc_scope *scope, const uint64_t *mask,
                                        bool *is_kept);

struct nsc_tree_gpu { /* by node, including the nodes below */
    uint32_t *launches;
    uint32_t *ops;
    nsc_time *work; /* summed durations, saturating: never wall time */
    nsc_time
        *idle; /* NULL until asked for; summed over the calls: time of the range in which the GPU
                       that it launches to first does nothing; 0 for calls that launch nothing */
    uint32_t
        twice_ops; /* under two roots: of the launching thread and of the one they are lent to */
    nsc_time twice_work;
};

/* Reads the launches of the ops that a scope has (NULL: all) and the ranges once. An op belongs to the range that launched it on its
 * thread, and to the nodes above; one that is lent to a range of the main thread (lend.h) to that and the
 * nodes above as well. The ops of a range that ends after its parent count for the
 * parent's node too. */
void nsc_tree_gpu_build(struct nsc_tree_gpu *out, const struct nsc_calltree *tree,
                        const struct nsc_trace *trace, const struct nsc_launches *launches,
                        const struct nsc_scope *scope);
/* Measures idle for each call. */
void nsc_tree_gpu_add_idle(struct nsc_tree_gpu *out, const struct nsc_calltree *tree,
                           const struct nsc_trace *trace, const struct nsc_launches *launches);
void nsc_tree_gpu_fini(struct nsc_tree_gpu *gpu);

/*
 * One bit per row: the rows of mask, the push/pop ranges that launched selected ops or that these are
 * lent to, and all ranges around these. launches, lent: those of the mask. Free it with nsc_pages_free and *bytes; NULL if out of
 * memory.
 */
uint64_t *nsc_tree_keep(size_t *bytes, const struct nsc_trace *trace,
                        const struct nsc_launches *launches, const struct nsc_lent_figures *lent,
                        const uint64_t *mask);

/* The median duration of the calls of a node; for an even count the lower of the two in the middle.
 * Reads all ranges once. */
nsc_time nsc_tree_median(const struct nsc_trace *trace, const struct nsc_calltree *tree,
                         uint32_t node);

#endif
