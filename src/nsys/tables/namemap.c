/*
 * An open-addressing table over (use, a, b); it doubles when half full.
 */
#include "nsys/tables/namemap.h"

#include "core/die.h"

#include <stdlib.h>

static struct nsc_named *probe(const struct nsc_namemap *map, enum nsc_name_use use, int64_t a,
                               int64_t b)
{
    uint32_t i = nsc_namemap_slot(map->capacity, use, a, b);

    for (;; i = (i + 1) & (map->capacity - 1)) {
        struct nsc_named *slot = &map->slots[i];

        if (slot->use == NSC_NAME_FREE || (slot->use == use && slot->a == a && slot->b == b))
            return slot;
    }
}

static void grow(struct nsc_namemap *map)
{
    struct nsc_namemap old = *map;

    map->capacity = old.capacity ? old.capacity * 2 : 64;
    map->slots = nsc_xcalloc(map->capacity, sizeof *map->slots);
    for (uint32_t i = 0; i < old.capacity; i++) {
        const struct nsc_named *slot = &old.slots[i];

        if (slot->use != NSC_NAME_FREE)
            *probe(map, (enum nsc_name_use)slot->use, slot->a, slot->b) = *slot;
    }
    free(old.slots);
}

struct nsc_named *nsc_namemap_find_far(struct nsc_namemap *map, enum nsc_name_use use, int64_t a,
                                       int64_t b)
{
    struct nsc_named *slot;

    if (map->n >= map->capacity / 2)
        grow(map);
    slot = probe(map, use, a, b);
    if (slot->use == NSC_NAME_FREE) {
        *slot = (struct nsc_named){.a = a, .b = b, .use = (uint8_t)use};
        map->n++;
    }
    return slot;
}

void nsc_namemap_fini(struct nsc_namemap *map)
{
    free(map->slots);
    *map = (struct nsc_namemap){NULL, 0, 0};
}
