/*
 * Maps ids of the export to the feed's name numbers, so that a worker hashes a name once and not
 * per row.
 */
#ifndef NSC_NSYS_NAMEMAP_H
#define NSC_NSYS_NAMEMAP_H

#include <stdbool.h>
#include <stdint.h>

/* The meaning of a key's ids. */
enum nsc_name_use {
    NSC_NAME_FREE, /* an empty slot */
    NSC_NAME_KERNEL,
    NSC_NAME_CALL,
    NSC_NAME_PLAIN,
    NSC_NAME_FIXED,
    NSC_NAME_GRAPH,
    NSC_NAME_CPU,
    NSC_NAME_METRIC,
    NSC_NAME_MEMORY
};

struct nsc_named {
    int64_t a, b;
    uint32_t number; /* in the feed */
    uint8_t use;     /* enum nsc_name_use */
    bool missing;    /* the export lacks the string */
    bool wraps;      /* its metric stores large values as negative ones */
    bool repeats;    /* a type of generic events: GPU_METRICS has their values, too */
    bool known;      /* number is set */
};

struct nsc_namemap {
    struct nsc_named *slots;
    uint32_t n, capacity; /* capacity: a power of two, or 0 */
};

static inline uint32_t nsc_namemap_slot(uint32_t capacity, enum nsc_name_use use, int64_t a,
                                        int64_t b)
{
    uint64_t h = (uint64_t)a + ((uint64_t)b << 32 | (uint64_t)b >> 32) + ((uint64_t)use << 56);

    return (uint32_t)(h * 0x9e3779b97f4a7c15u >> 32) & (capacity - 1);
}

/* As nsc_namemap_find, for a key that is not in its first slot. */
struct nsc_named *nsc_namemap_find_far(struct nsc_namemap *map, enum nsc_name_use use, int64_t a,
                                       int64_t b);

/* The entry of the key; a new one has known == false. Valid until the next call. */
static inline struct nsc_named *nsc_namemap_find(struct nsc_namemap *map, enum nsc_name_use use,
                                                 int64_t a, int64_t b)
{
    if (map->capacity) {
        struct nsc_named *slot = &map->slots[nsc_namemap_slot(map->capacity, use, a, b)];

        if (slot->use == use && slot->a == a && slot->b == b)
            return slot;
    }
    return nsc_namemap_find_far(map, use, a, b);
}

void nsc_namemap_fini(struct nsc_namemap *map);

#endif
