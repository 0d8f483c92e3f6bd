/*
 * Preorder: a node lies behind its parent by the sizes of the siblings before it.
 */
#include "index/preorder.h"

#include "core/die.h"

#include <stdlib.h>

void nsc_preorder_build(struct nsc_preorder *out, const uint32_t *parents,
                        struct nsc_sort_pair *pairs, uint32_t n)
{
    uint32_t *position = nsc_xcalloc((size_t)n + 1, sizeof *position);
    uint32_t *size = nsc_xcalloc((size_t)n + 1, sizeof *size);
    uint32_t *taken = nsc_xcalloc((size_t)n + 1, sizeof *taken); /* by parent; roots at n */

    for (uint32_t i = n; i-- > 0;) {
        size[i]++;
        if (parents[i] != NSC_NONE)
            size[parents[i]] += size[i];
    }
    nsc_sort_pairs(pairs, pairs + n, n);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = pairs[k].value;
        uint32_t *before = &taken[parents[i] == NSC_NONE ? n : parents[i]];

        position[i] = *before;
        *before += size[i];
    }
    for (uint32_t i = 0; i < n; i++)
        if (parents[i] != NSC_NONE)
            position[i] += position[parents[i]] + 1;
    free(taken);
    *out = (struct nsc_preorder){position, size};
}

void nsc_preorder_fini(struct nsc_preorder *order)
{
    free(order->position);
    free(order->size);
}
