/* Unit tests of sparse arrays: each element is zeroed, keeps its place and its value. */
#include "core/sparse.h"
#include "support/cm.h"

#include <stdint.h>

TEST(elements_are_zeroed_and_stay)
{
    struct nsc_sparse sparse;
    enum { N = 1000 };
    uint32_t *at[N];

    nsc_sparse_init(&sparse, N, sizeof *at[0]);
    for (size_t k = 0; k < N; k++) { /* in an order that goes from block to block */
        size_t i = k * 7919 % N;

        at[i] = nsc_sparse_at(&sparse, i);
        assert_int_equal(*at[i], 0);
        *at[i] = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < N; i++) {
        assert_ptr_equal(nsc_sparse_at(&sparse, i), at[i]);
        assert_int_equal(*at[i], i + 1);
    }
    nsc_sparse_fini(&sparse);
    nsc_sparse_fini(&sparse);
}

TEST(an_empty_array)
{
    struct nsc_sparse sparse;

    nsc_sparse_init(&sparse, 0, 1);
    nsc_sparse_fini(&sparse);
}
