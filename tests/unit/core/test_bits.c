/*
 * Bit sets against an array of bools.
 */
#include "core/bits.h"
#include "support/cm.h"

#include <stdlib.h>

enum { BITS = 200 };

TEST(bits_behave_like_bools)
{
    uint64_t bits[4] = {0};
    bool plain[BITS] = {false};

    assert_int_equal(nsc_bits_words(BITS), 4);
    for (uint32_t step = 0; step < 5000; step++) {
        uint32_t i = step * 7919 % BITS;

        plain[i] = step * 31 % 3 != 0;
        if (plain[i])
            nsc_bits_set(bits, i);
        else
            nsc_bits_unset(bits, i);
        for (uint32_t k = 0; k < BITS; k++)
            assert_int_equal(nsc_bits_get(bits, k), plain[k]);
    }
}

TEST(words_at_the_edges)
{
    assert_int_equal(nsc_bits_words(0), 0);
    assert_int_equal(nsc_bits_words(1), 1);
    assert_int_equal(nsc_bits_words(64), 1);
    assert_int_equal(nsc_bits_words(65), 2);
    assert_true(nsc_bits_words(UINT32_MAX) == (size_t)1 << 26);
    assert_int_equal(nsc_bits_count_word(0), 0);
    assert_int_equal(nsc_bits_count_word(UINT64_MAX), 64);
    assert_int_equal(nsc_bits_count_word(0x8000000000000001u), 2);
}
