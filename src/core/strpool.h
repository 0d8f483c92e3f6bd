/*
 * Interned byte strings with 32-bit ids: equal bytes have equal ids; id 0 is "".
 *
 * The pool owns the bytes. The hash table exists only while the pool grows: nsc_strpool_end()
 * drops it. Bytes are stored unchanged (NUL, controls, invalid UTF-8); text.h makes them safe for a
 * screen.
 */
#ifndef NSC_CORE_STRPOOL_H
#define NSC_CORE_STRPOOL_H

#include "nsyscope/types.h"

struct nsc_strpool {
    char *bytes;      /* all strings, each followed by a NUL outside its length */
    uint64_t *offset; /* n + 1 entries: string i is bytes[offset[i], offset[i + 1] - 1) */
    uint32_t n, capacity;
    uint64_t bytes_capacity;
    uint32_t *slots; /* open addressing: id + 1; 0: empty; NULL once frozen */
    uint8_t *tags;   /* per slot: bits of its string's hash; 0: empty; most misses end here */
    uint32_t n_slots;
};

void nsc_strpool_init(struct nsc_strpool *pool);
void nsc_strpool_fini(struct nsc_strpool *pool);
/* The same strings with the same ids, in memory of its own. */
void nsc_strpool_copy(struct nsc_strpool *out, const struct nsc_strpool *pool);
nsc_str nsc_strpool_add(struct nsc_strpool *pool, const char *bytes, size_t n);
/* The id; NSC_NONE if the pool has no such string. Not for a frozen pool. */
nsc_str nsc_strpool_find(const struct nsc_strpool *pool, const char *bytes, size_t n);
struct nsc_text nsc_strpool_text(const struct nsc_strpool *pool, nsc_str id);
void nsc_strpool_end(struct nsc_strpool *pool);

/* The hash of the pool, also for other tables over bytes. */
uint64_t nsc_hash_bytes(const char *bytes, size_t n);

#endif
