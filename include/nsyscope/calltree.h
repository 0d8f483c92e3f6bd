/*
 * NVTX push/pop ranges: how they nest, and the tree of all ranges merged by path.
 *
 * The caller owns the tree. It is built on demand from a trace and a mask, in preorder, without
 * pointers.
 */
#ifndef NSYSCOPE_CALLTREE_H
#define NSYSCOPE_CALLTREE_H

#include "nsyscope/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The range that encloses event directly on the same track: the row of the lane above (depth - 1)
 * that contains its start. NSC_NONE at depth 0. A range that ends after its parent keeps that
 * parent. O(log rows).
 */
nsc_event nsc_nvtx_parent(const struct nsc_trace *trace, nsc_event event);

/* The push/pop ranges of all domains of thread (process, tid) that contain t, outermost first (by
 * start, the longer first). Writes at most max rows; returns how many there are. */
uint32_t nsc_nvtx_path(const struct nsc_trace *trace, uint64_t process, uint32_t tid, nsc_time t,
                       nsc_event out[], uint32_t max);

struct nsc_calltree {
    uint32_t n;           /* nodes in preorder; roots have parent NSC_NONE */
    const nsc_name *name; /* merged by name (counters folded) */
    const uint32_t *parent;
    const uint32_t *skip; /* the subtree of i is [i, skip[i]) */
    const uint32_t *calls;
    const nsc_time *total; /* ns, saturating */
    const nsc_time *self;  /* ns: total minus the children's, never below 0 */
    const nsc_time *shortest, *longest;
    const bool *mixed;        /* NSC_PATHS_BY_DIGITS: its calls have different texts */
    const nsc_event *slowest; /* the longest call; the first of equals */
    const uint32_t *node_of;  /* [row - first_row] -> node, or NSC_NONE */
    nsc_event first_row;      /* the NVTX rows are [first_row, first_row + n_rows) */
    uint32_t n_rows;
};

/* When two paths are equal. */
enum nsc_paths {
    NSC_PATHS_BY_NAME,   /* their names are equal; most counters are folded in names */
    NSC_PATHS_BY_DIGITS, /* their texts are equal once each number is one sign; name: the first one
                            merged */
    NSC_PATHS_BY_TEXT    /* their whole texts are equal */
};
#define NSC_CALLTREE_TEXTS 262144 /* NSC_PATHS_BY_TEXT: more nodes give NULL */

/* The tree of the push/pop ranges that mask selects (NULL: all). A path skips unselected ancestors.
 * NULL if out of memory. */
struct nsc_calltree *nsc_calltree_build(const struct nsc_trace *trace, const uint64_t *mask,
                                        enum nsc_paths paths);
void nsc_calltree_free(struct nsc_calltree *tree);

#ifdef __cplusplus
}
#endif
#endif
