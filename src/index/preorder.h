/*
 * The preorder of nodes that are numbered parents first.
 */
#ifndef NSC_INDEX_PREORDER_H
#define NSC_INDEX_PREORDER_H

#include "core/sort.h"

struct nsc_preorder {
    uint32_t *position; /* by node */
    uint32_t *size;     /* by node: the nodes of its subtree, with itself */
};

/* parents: by node; NSC_NONE at roots. pairs: n, of a key and its node in order of the nodes, with
 * room for n more; sorted. Siblings lie by key, then by node. To fini. */
void nsc_preorder_build(struct nsc_preorder *out, const uint32_t *parents,
                        struct nsc_sort_pair *pairs, uint32_t n);
void nsc_preorder_fini(struct nsc_preorder *order);

#endif
