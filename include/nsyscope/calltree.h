/*
 * NVTX push/pop ranges: how they nest, and the tree of all ranges merged by path, in preorder,
 * without pointers.
 *
 * The tree is built on demand from an immutable trace (and a mask), owned by the caller.
 */
#ifndef NSYSCOPE_CALLTREE_H
#define NSYSCOPE_CALLTREE_H

#include "nsyscope/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The range that encloses event directly on the same track: the row of the lane above (depth - 1)
 * that contains its start; NSC_NONE at depth 0. Properly nested ranges only: a range that crosses
 * its parent's end still has it as parent. O(log).
 */
nsc_event nsc_nvtx_parent(const struct nsc_trace *trace, nsc_event event);

/*
 * The push/pop ranges of every domain of the thread (process, tid) that contain t, outermost first
 * (by start, longer first). Writes at most max; returns how many there are.
 */
uint32_t nsc_nvtx_path(const struct nsc_trace *trace, uint64_t process, uint32_t tid, nsc_time t,
                       nsc_event out[], uint32_t max);

struct nsc_calltree {
    uint32_t n;           /* nodes in preorder; roots have parent NSC_NONE */
    const nsc_name *name; /* merged by name (counters folded) */
    const uint32_t *parent;
    const uint32_t *skip; /* subtree of i = [i, skip[i]) */
    const uint32_t *calls;
    const nsc_time *total; /* ns, saturating */
    const nsc_time *self;  /* total less the children's, never below 0 */
    const nsc_time *shortest, *longest;
    const bool *mixed;        /* by digits: its calls have different texts */
    const nsc_event *slowest; /* the call that lasts longest; of several the one met first */
    const uint32_t *node_of;  /* [row - first_row] -> node, or NSC_NONE */
    nsc_event first_row;      /* the NVTX rows lie in [first_row, first_row + n_rows) */
    uint32_t n_rows;
};

/* What makes two paths equal. */
enum nsc_paths {
    NSC_PATHS_BY_NAME,   /* the names of the trace, in which most counters are folded */
    NSC_PATHS_BY_DIGITS, /* texts with every run of digits folded; name: the first of those merged
                          */
    NSC_PATHS_BY_TEXT    /* whole texts */
};
#define NSC_CALLTREE_TEXTS 262144 /* most nodes by whole texts: more are refused with NULL */

/* Over the push/pop ranges that mask selects (NULL: all); an unselected ancestor is left out of the
 * path. NULL if out of memory. */
struct nsc_calltree *nsc_calltree_build(const struct nsc_trace *trace, const uint64_t *mask,
                                        enum nsc_paths paths);
void nsc_calltree_free(struct nsc_calltree *tree);

#ifdef __cplusplus
}
#endif
#endif
