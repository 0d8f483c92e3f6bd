/*
 * A hash table from keys stored elsewhere to their 32-bit ids: open addressing, 8 bytes a slot.
 *
 * The caller gives the hash and compares keys; the table owns only its slots (fini).
 */
#ifndef NSC_INDEX_IDTABLE_H
#define NSC_INDEX_IDTABLE_H

#include "nsyscope/types.h"

struct nsc_idslot {
    uint32_t hash;
    uint32_t id; /* id + 1; 0: empty */
};

struct nsc_idtable {
    struct nsc_idslot *slots;
    uint32_t n, n_slots;
};

void nsc_idtable_fini(struct nsc_idtable *table);
/* The id of the key; NSC_NONE if it is not there. */
uint32_t nsc_idtable_find(const struct nsc_idtable *table, uint64_t hash,
                          bool (*equal)(const void *context, uint32_t id, const void *key),
                          const void *context, const void *key);
/* Adds a key, which must be new. */
void nsc_idtable_add(struct nsc_idtable *table, uint64_t hash, uint32_t id);
/* The id of the key; a new one is added with the id `next`. */
uint32_t nsc_idtable_place(struct nsc_idtable *table, uint64_t hash,
                           bool (*equal)(const void *context, uint32_t id, const void *key),
                           const void *context, const void *key, uint32_t next);

/* Adds a word to a hash. Equal arguments must not cancel out, because many names have one text
 * twice. */
static inline uint64_t nsc_hash_mix(uint64_t hash, uint64_t word)
{
    uint64_t z = hash * 0x9E3779B97F4A7C15u + word + 1;

    z = (z ^ z >> 32) * 0xBF58476D1CE4E5B9u;
    return z ^ z >> 29;
}

#endif
