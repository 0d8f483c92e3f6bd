/*
 * The string pool: equal bytes share an id, bytes are kept verbatim, through growth and freezing.
 */
#include "core/strpool.h"
#include "support/cm.h"

#include <stdio.h>
#include <string.h>

enum { STRINGS = 5000 };

TEST(equal_bytes_share_an_id)
{
    struct nsc_strpool pool;
    char text[32];

    nsc_strpool_init(&pool);
    for (int round = 0; round < 2; round++)
        for (unsigned i = 0; i < STRINGS; i++) {
            int n = snprintf(text, sizeof text, "kernel_%u", i);

            assert_int_equal(nsc_strpool_add(&pool, text, (size_t)n), i + 1);
        }
    assert_int_equal(pool.n, STRINGS + 1);
    assert_int_equal(nsc_strpool_find(&pool, "kernel_77", 9), 78);
    assert_int_equal(nsc_strpool_find(&pool, "kernel_x", 8), NSC_NONE);
    nsc_strpool_end(&pool);
    assert_null(pool.slots);
    for (unsigned i = 0; i < STRINGS; i++) {
        int n = snprintf(text, sizeof text, "kernel_%u", i);

        assert_int_equal(nsc_strpool_text(&pool, i + 1).n, n);
        assert_string_equal(nsc_strpool_text(&pool, i + 1).bytes, text);
    }
    nsc_strpool_fini(&pool);
}

TEST(bytes_are_kept_verbatim)
{
    static const char *const odd[] = {"a\0b", "a\0c", "a\0\0", "\xff\xfe\x1b"};
    struct nsc_strpool pool;

    nsc_strpool_init(&pool);
    assert_int_equal(nsc_strpool_add(&pool, "", 0), 0);
    assert_int_equal(nsc_strpool_add(&pool, NULL, 0), 0);
    for (nsc_str i = 0; i < 4; i++)
        assert_int_equal(nsc_strpool_add(&pool, odd[i], 3), i + 1);
    assert_int_equal(nsc_strpool_add(&pool, "a", 1), 5);
    assert_int_equal(nsc_strpool_add(&pool, "a\0", 2), 6);
    for (nsc_str i = 0; i < 4; i++)
        assert_memory_equal(nsc_strpool_text(&pool, i + 1).bytes, odd[i], 4);
    nsc_strpool_fini(&pool);
}

/* Keys that differ in any one bit must spread over the low bits, which select the slot. */
TEST(the_hash_spreads)
{
    char key[40] = {0};
    unsigned hits[64] = {0};

    for (unsigned bit = 0; bit < 320; bit++)
        for (unsigned other = bit; other < 320; other++) {
            memset(key, 0, sizeof key);
            key[bit / 8] = (char)(key[bit / 8] | 1 << bit % 8);
            key[other / 8] = (char)(key[other / 8] | 1 << other % 8);
            hits[nsc_hash_bytes(key, sizeof key) & 63]++;
        }
    for (int i = 0; i < 64; i++)
        assert_in_range(hits[i], 802 - 200, 802 + 200);
    for (size_t n = 0; n < 40; n++)
        for (size_t m = 0; m < n; m++)
            assert_true(nsc_hash_bytes(key, n) != nsc_hash_bytes(key, m));
}

TEST(a_copy_stands_alone)
{
    struct nsc_strpool pool;
    struct nsc_strpool copy;
    char text[16];

    nsc_strpool_init(&pool);
    for (uint32_t i = 1; i < 500; i++)
        assert_int_equal(nsc_strpool_add(&pool, text, (size_t)sprintf(text, "name %u", i)), i);
    nsc_strpool_copy(&copy, &pool);
    assert_int_equal(nsc_strpool_add(&pool, "one", 3), 500);
    assert_int_equal(nsc_strpool_find(&copy, "one", 3), NSC_NONE);
    assert_int_equal(nsc_strpool_add(&copy, "two", 3), 500);
    assert_int_equal(nsc_strpool_find(&pool, "two", 3), NSC_NONE);
    nsc_strpool_fini(&pool);
    for (uint32_t i = 1; i < 500; i++)
        assert_int_equal(nsc_strpool_find(&copy, text, (size_t)sprintf(text, "name %u", i)), i);
    nsc_strpool_end(&copy);
    assert_int_equal(nsc_strpool_text(&copy, 500).n, 3);
    nsc_strpool_fini(&copy);
}
