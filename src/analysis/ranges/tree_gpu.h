/*
 * The tree of ranges and its figures: the ops of each node, the median duration of its calls, and
 * the ranges around a selection.
 */
#ifndef NSC_ANALYSIS_TREE_GPU_H
#define NSC_ANALYSIS_TREE_GPU_H

#include "nsyscope/calltree.h"

#include "analysis/ranges/helper_figures.h"

/*
 * The tree of the ranges that mask selects (NULL: all), merged if their names differ only in
 * numbers. The tree of all ranges is built once for a run: then *is_kept is set and the store frees
 * it (base/shared.h). Otherwise the caller frees it. NULL if out of memory.
 */
struct nsc_calltree *nsc_range_tree_ask(const struct nsc_scope *scope, const uint64_t *mask,
                                        bool *is_kept);

/* The tree of all ranges, or of those that touch the scope's window, whatever its mask; freed
 * likewise. */
struct nsc_calltree *nsc_range_tree_touching(const struct nsc_scope *scope, enum nsc_paths paths,
                                             bool *is_kept);

struct nsc_tree_gpu { /* by node, including its descendants */
    uint32_t *launches;
    uint32_t *ops;
    nsc_time *work; /* summed durations, saturating; not wall time */
    nsc_time
        *idle; /* NULL until measured; summed over the calls: idle time, inside the range, of the
                * GPU that the call launches to first; 0 for calls that launch nothing */
};

/* Reads launches and the ranges once, and of lends the ops that a scope has (NULL: all). An op
 * belongs to the range that launched it on its thread, and to the nodes above. An op lent to a range of the
 * main thread (helper_launches.h) also belongs to that range and the nodes above. If a range ends after its
 * parent, its ops still count for the parent's node. */
void nsc_tree_gpu_build(struct nsc_tree_gpu *out, const struct nsc_calltree *tree,
                        const struct nsc_trace *trace, const struct nsc_launches *launches,
                        const struct nsc_helper_launches *lends, const struct nsc_scope *scope);
/* Counts the ops under two roots, that of the launching thread and that of the thread they are lent
 * to, and sums their time. */
void nsc_tree_gpu_count_twice(uint64_t *ops, nsc_time *work, const struct nsc_calltree *tree,
                              const struct nsc_trace *trace,
                              const struct nsc_helper_launches *lends,
                              const struct nsc_scope *scope);
/* Measures idle for each call. */
void nsc_tree_gpu_add_idle(struct nsc_tree_gpu *out, const struct nsc_calltree *tree,
                           const struct nsc_trace *trace, const struct nsc_launches *launches);
void nsc_tree_gpu_fini(struct nsc_tree_gpu *gpu);

/*
 * One bit per row: the rows of mask, the push/pop ranges that launched selected ops or that such
 * ops are lent to, and all ranges around them. launches, lent: those of the mask. Free it with
 * nsc_pages_free and *bytes; NULL if out of memory.
 */
uint64_t *nsc_tree_keep(size_t *bytes, const struct nsc_trace *trace,
                        const struct nsc_launches *launches, const struct nsc_helper_figures *lent,
                        const uint64_t *mask);

/* The median duration of the calls of a node; for an even count the lower of the middle two. Reads
 * all ranges once. */
nsc_time nsc_tree_median(const struct nsc_trace *trace, const struct nsc_calltree *tree,
                         uint32_t node);

#endif
