/*
 * Bit sets of event rows: 64 rows a word, bit i of word i / 64.
 */
#ifndef NSC_CORE_BITS_H
#define NSC_CORE_BITS_H

#include "nsyscope/types.h"

#include "core/die.h"

#include <string.h>

static inline bool nsc_bits_get(const uint64_t *bits, uint32_t i)
{
    return bits[i >> 6] >> (i & 63) & 1;
}

static inline void nsc_bits_set(uint64_t *bits, uint32_t i)
{
    bits[i >> 6] |= (uint64_t)1 << (i & 63);
}

static inline void nsc_bits_unset(uint64_t *bits, uint32_t i)
{
    bits[i >> 6] &= ~((uint64_t)1 << (i & 63));
}

static inline void nsc_bits_put(uint64_t *bits, uint32_t i, bool value)
{
    nsc_bits_unset(bits, i);
    bits[i >> 6] |= (uint64_t)value << (i & 63);
}

/* Words needed for n bits. */
static inline size_t nsc_bits_words(uint32_t n)
{
    return ((size_t)n + 63) / 64;
}

/* A copy of n bits; NULL of NULL. Free it with free(). */
static inline uint64_t *nsc_bits_copy(const uint64_t *bits, uint32_t n)
{
    size_t bytes = nsc_bits_words(n) * sizeof *bits;

    return bits ? memcpy(nsc_xmalloc(bytes + 1), bits, bytes) : NULL;
}

static inline uint32_t nsc_bits_count_word(uint64_t word)
{
    return (uint32_t)__builtin_popcountll(word);
}

#endif
