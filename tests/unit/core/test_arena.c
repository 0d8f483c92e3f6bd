/*
 * The arena: zeroed, aligned, separate allocations, and reuse after a clear.
 */
#include "core/arena.h"
#include "support/cm.h"

#include <string.h>

TEST(allocations_are_zeroed_aligned_and_apart)
{
    struct nsc_arena arena = NSC_ARENA_INIT;
    unsigned char *at[300];

    for (size_t i = 0; i < 300; i++) {
        at[i] = nsc_arena_add(&arena, i);
        assert_int_equal((uintptr_t)at[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < i; k++)
            assert_int_equal(at[i][k], 0);
        memset(at[i], (int)(i & 255), i);
    }
    for (size_t i = 0; i < 300; i++)
        for (size_t k = 0; k < i; k++)
            assert_int_equal(at[i][k], i & 255);
    assert_true(arena.total >= 299 * 300 / 2);
    nsc_arena_fini(&arena);
    assert_null(arena.slabs);
}

TEST(copies_and_arrays)
{
    struct nsc_arena arena = NSC_ARENA_INIT;
    uint64_t *numbers = NSC_ARENA_ARRAY(&arena, uint64_t, 1000);
    char *copy = nsc_arena_copy(&arena, "a\0b", 3);

    for (int i = 0; i < 1000; i++)
        assert_int_equal(numbers[i], 0);
    assert_memory_equal(copy, "a\0b", 4);
    assert_string_equal(nsc_arena_copy(&arena, NULL, 0), "");
    nsc_arena_fini(&arena);
}
