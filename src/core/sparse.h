/*
 * An array of which few elements are used: zeroed blocks of elements, allocated when one of them is
 * first asked for.
 *
 * For what a walk over one device or process keeps by track, lane or name: there may be thousands of
 * such walks. Owned by the caller (init, fini).
 */
#ifndef NSC_CORE_SPARSE_H
#define NSC_CORE_SPARSE_H

#include "core/die.h"

#include <stdlib.h>

#ifdef NSC_SMALL
enum { NSC_SPARSE_BLOCK = 4 };
#else
enum { NSC_SPARSE_BLOCK = 256 };
#endif

struct nsc_sparse {
    void **blocks; /* NULL: not used yet */
    size_t n_blocks, bytes;
};

/* n elements of some bytes each. */
static inline void nsc_sparse_init(struct nsc_sparse *sparse, size_t n, size_t bytes)
{
    sparse->n_blocks = n / NSC_SPARSE_BLOCK + 1;
    sparse->bytes = bytes;
    sparse->blocks = nsc_xcalloc(sparse->n_blocks, sizeof *sparse->blocks);
}

static inline void nsc_sparse_fini(struct nsc_sparse *sparse)
{
    for (size_t i = 0; i < sparse->n_blocks; i++)
        free(sparse->blocks[i]);
    free(sparse->blocks);
    *sparse = (struct nsc_sparse){0};
}

/* Element i: valid until fini, zeroed at first. */
static inline void *nsc_sparse_at(const struct nsc_sparse *sparse, size_t i)
{
    void **block = &sparse->blocks[i / NSC_SPARSE_BLOCK];

    if (!*block)
        *block = nsc_xcalloc(NSC_SPARSE_BLOCK, sparse->bytes);
    return (char *)*block + i % NSC_SPARSE_BLOCK * sparse->bytes;
}

#endif
