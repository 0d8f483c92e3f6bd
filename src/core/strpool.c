/*
 * Interns byte strings: one copy of equal bytes, found by an open-addressing hash table.
 */
#include "core/strpool.h"

#include "core/die.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
enum { SLOTS_MIN = 4, BYTES_MIN = 8, STRINGS_MIN = 2 };
#else
enum { SLOTS_MIN = 1024, BYTES_MIN = 1 << 14, STRINGS_MIN = 256 };
#endif

static uint64_t load_word(const char *bytes, size_t n)
{
    uint64_t word = 0;

    memcpy(&word, bytes, n);
    return word;
}

/* Both halves of the 128-bit product: every bit of the input changes every bit of the output. */
static uint64_t mix(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Eight bytes at a time, multiplied. The length is in the seed, so trailing NULs count. */
uint64_t nsc_hash_bytes(const char *bytes, size_t n)
{
    const uint64_t k0 = 0x9e3779b97f4a7c15u;
    const uint64_t k1 = 0xc2b2ae3d27d4eb4fu;
    uint64_t hash = mix((uint64_t)n ^ k0, k1);
    size_t i = 0;

    for (; n - i >= 16; i += 16)
        hash = mix(load_word(bytes + i, 8) ^ hash ^ k1, load_word(bytes + i + 8, 8) ^ k0);
    if (n - i >= 8) {
        hash = mix(load_word(bytes + i, 8) ^ hash, k1);
        i += 8;
    }
    if (n > i)
        hash = mix(load_word(bytes + i, n - i) ^ hash, k0);
    return mix(hash ^ k0, k1);
}

static uint64_t hash_of(const struct nsc_strpool *pool, nsc_str id)
{
    struct nsc_text text = nsc_strpool_text(pool, id);

    return nsc_hash_bytes(text.bytes, text.n);
}

/* Bits that do not choose the slot; never 0. */
static uint8_t tag_of(uint64_t hash)
{
    return (uint8_t)(hash >> 57 | 0x80);
}

static void fill(struct nsc_strpool *pool, uint32_t at, nsc_str id, uint64_t hash)
{
    pool->slots[at] = id + 1;
    pool->tags[at] = tag_of(hash);
}

static void place(struct nsc_strpool *pool, nsc_str id)
{
    uint64_t hash = hash_of(pool, id);
    uint32_t mask = pool->n_slots - 1;
    uint32_t at = (uint32_t)hash & mask;

    while (pool->tags[at])
        at = (at + 1) & mask;
    fill(pool, at, id, hash);
}

/* At most three quarters full, up to 2^31 slots; with more strings the table only fills up. */
static void grow_slots(struct nsc_strpool *pool)
{
    uint32_t n_slots = pool->n_slots ? pool->n_slots * 2 : SLOTS_MIN;

    free(pool->slots);
    free(pool->tags);
    pool->slots = nsc_xcalloc(n_slots, sizeof *pool->slots);
    pool->tags = nsc_xcalloc(n_slots, sizeof *pool->tags);
    pool->n_slots = n_slots;
    for (nsc_str id = 0; id < pool->n; id++)
        place(pool, id);
}

static void grow_strings(struct nsc_strpool *pool)
{
    uint32_t capacity = pool->capacity ? pool->capacity : STRINGS_MIN;

    if (pool->capacity)
        capacity = capacity > UINT32_MAX / 2 ? UINT32_MAX - 1 : capacity * 2;
    pool->offset = nsc_xrealloc(pool->offset, (size_t)capacity + 1, sizeof *pool->offset);
    pool->capacity = capacity;
}

static void grow_bytes(struct nsc_strpool *pool, uint64_t need)
{
    uint64_t capacity = pool->bytes_capacity ? pool->bytes_capacity : BYTES_MIN;

    while (capacity < need)
        capacity *= 2;
    if (capacity > SIZE_MAX)
        nsc_die_oom();
    if (capacity != pool->bytes_capacity)
        pool->bytes = nsc_xrealloc(pool->bytes, (size_t)capacity, 1);
    pool->bytes_capacity = capacity;
}

static nsc_str append(struct nsc_strpool *pool, const char *bytes, size_t n)
{
    uint64_t at = pool->n ? pool->offset[pool->n] : 0;

    if (pool->n == pool->capacity)
        grow_strings(pool);
    grow_bytes(pool, at + n + 1);
    if (n)
        memcpy(pool->bytes + at, bytes, n);
    pool->bytes[at + n] = '\0';
    pool->offset[pool->n] = at;
    pool->offset[pool->n + 1] = at + n + 1;
    return pool->n++;
}

void nsc_strpool_init(struct nsc_strpool *pool)
{
    *pool = (struct nsc_strpool){0};
    append(pool, "", 0);
    grow_slots(pool);
}

void nsc_strpool_fini(struct nsc_strpool *pool)
{
    free(pool->bytes);
    free(pool->offset);
    free(pool->slots);
    free(pool->tags);
    *pool = (struct nsc_strpool){0};
}

void nsc_strpool_copy(struct nsc_strpool *out, const struct nsc_strpool *pool)
{
    uint64_t bytes = pool->offset[pool->n];

    *out = *pool;
    out->capacity = pool->n;
    out->bytes_capacity = bytes;
    out->bytes = memcpy(nsc_xmalloc((size_t)bytes), pool->bytes, (size_t)bytes);
    out->offset = nsc_xmalloc(((size_t)pool->n + 1) * sizeof *out->offset);
    memcpy(out->offset, pool->offset, ((size_t)pool->n + 1) * sizeof *out->offset);
    if (!pool->slots)
        return;
    out->slots = nsc_xmalloc(pool->n_slots * sizeof *out->slots);
    memcpy(out->slots, pool->slots, pool->n_slots * sizeof *out->slots);
    out->tags = memcpy(nsc_xmalloc(pool->n_slots), pool->tags, pool->n_slots);
}

/* The slot that holds the bytes, or the empty slot for them. */
static uint32_t find_slot(const struct nsc_strpool *pool, const char *bytes, size_t n,
                          uint64_t hash)
{
    uint32_t mask = pool->n_slots - 1;
    uint32_t at = (uint32_t)hash & mask;

    for (; pool->tags[at]; at = (at + 1) & mask) {
        struct nsc_text text;

        if (pool->tags[at] != tag_of(hash))
            continue;
        text = nsc_strpool_text(pool, pool->slots[at] - 1);
        if (text.n == n && (n == 0 || memcmp(text.bytes, bytes, n) == 0))
            break;
    }
    return at;
}

nsc_str nsc_strpool_find(const struct nsc_strpool *pool, const char *bytes, size_t n)
{
    uint32_t at = 0;

    assert(pool->slots);
    at = find_slot(pool, bytes, n, nsc_hash_bytes(bytes, n));
    return pool->slots[at] ? pool->slots[at] - 1 : NSC_NONE;
}

nsc_str nsc_strpool_add(struct nsc_strpool *pool, const char *bytes, size_t n)
{
    uint64_t hash = nsc_hash_bytes(bytes, n);
    uint32_t at = 0;

    assert(pool->slots);
    if (n > UINT32_MAX - 1) /* more than struct nsc_text can hold; SQLite stops at 2^31 */
        nsc_die_oom();
    at = find_slot(pool, bytes, n, hash);
    if (pool->slots[at])
        return pool->slots[at] - 1;
    if (pool->n >= INT32_MAX) /* 2^31 strings need 24 GiB for their offsets and slots alone */
        nsc_die_oom();
    fill(pool, at, append(pool, bytes, n), hash);
    if (pool->n_slots < (uint32_t)1 << 31 && pool->n > pool->n_slots / 4 * 3)
        grow_slots(pool);
    return pool->n - 1;
}

struct nsc_text nsc_strpool_text(const struct nsc_strpool *pool, nsc_str id)
{
    struct nsc_text text = {NULL, 0};

    assert(id < pool->n);
    text.bytes = pool->bytes + pool->offset[id];
    text.n = (uint32_t)(pool->offset[id + 1] - pool->offset[id] - 1);
    return text;
}

void nsc_strpool_end(struct nsc_strpool *pool)
{
    size_t bytes = (size_t)pool->offset[pool->n];

    free(pool->slots);
    free(pool->tags);
    pool->slots = NULL;
    pool->tags = NULL;
    pool->n_slots = 0;
    pool->offset = nsc_xrealloc(pool->offset, (size_t)pool->n + 1, sizeof *pool->offset);
    pool->bytes = nsc_xrealloc(pool->bytes, bytes, 1);
    pool->capacity = pool->n;
    pool->bytes_capacity = bytes;
}
