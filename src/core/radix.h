/*
 * Sorting of rows by 32-bit keys on all cores: a stable radix sort over the bits that the keys
 * need, so that keys close to each other cost less.
 */
#ifndef NSC_CORE_RADIX_H
#define NSC_CORE_RADIX_H

#include <stdbool.h>
#include <stdint.h>

struct nsc_pool;

/* What is sorted: a row with its key. */
static inline uint64_t nsc_radix_pair(uint32_t key, uint32_t row)
{
    return (uint64_t)key << 32 | row;
}

#ifdef NSC_SMALL
enum { NSC_RADIX_BATCH = 3 };
#else
enum { NSC_RADIX_BATCH = 2048 };
#endif

/* Writes the pairs at places [at, at + n), n at most NSC_RADIX_BATCH: the same whenever they are
 * asked for, by several threads at once. */
typedef void nsc_radix_source(const void *context, uint32_t at, uint32_t n, uint64_t pairs[]);

/*
 * Orders the n rows that source tells so that their keys ascend, into out; rows of equal keys stay
 * in the order in which they are told. No key is above most. False when the memory is refused.
 */
bool nsc_radix_sort(uint32_t out[], struct nsc_pool *pool, uint32_t n, uint32_t most,
                    nsc_radix_source *source, const void *context);

#endif
