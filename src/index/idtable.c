/*
 * A hash table from keys stored elsewhere to their 32-bit ids.
 */
#include "index/idtable.h"

#include "core/die.h"

#include <stdlib.h>

void nsc_idtable_fini(struct nsc_idtable *table)
{
    free(table->slots);
    *table = (struct nsc_idtable){NULL, 0, 0};
}

uint32_t nsc_idtable_find(const struct nsc_idtable *table, uint64_t hash,
                          bool (*equal)(const void *context, uint32_t id, const void *key),
                          const void *context, const void *key)
{
    uint32_t mask = table->n_slots - 1;

    if (!table->n_slots)
        return NSC_NONE;
    for (uint32_t at = (uint32_t)hash & mask; table->slots[at].id; at = (at + 1) & mask) {
        const struct nsc_idslot *slot = &table->slots[at];

        if (slot->hash == (uint32_t)hash && equal(context, slot->id - 1, key))
            return slot->id - 1;
    }
    return NSC_NONE;
}

static void put(struct nsc_idtable *table, struct nsc_idslot slot)
{
    uint32_t mask = table->n_slots - 1;
    uint32_t at = slot.hash & mask;

    while (table->slots[at].id)
        at = (at + 1) & mask;
    table->slots[at] = slot;
}

void nsc_idtable_add(struct nsc_idtable *table, uint64_t hash, uint32_t id)
{
    if ((uint64_t)table->n * 2 >= table->n_slots) {
        struct nsc_idtable old = *table;

        if (old.n_slots > UINT32_MAX / 4)
            nsc_die_oom();
        table->n_slots = old.n_slots ? old.n_slots * 2 : 16;
        table->slots = nsc_xcalloc(table->n_slots, sizeof *table->slots);
        for (uint32_t i = 0; i < old.n_slots; i++)
            if (old.slots[i].id)
                put(table, old.slots[i]);
        free(old.slots);
    }
    put(table, (struct nsc_idslot){(uint32_t)hash, id + 1});
    table->n++;
}

uint32_t nsc_idtable_place(struct nsc_idtable *table, uint64_t hash,
                           bool (*equal)(const void *context, uint32_t id, const void *key),
                           const void *context, const void *key, uint32_t next)
{
    uint32_t id = nsc_idtable_find(table, hash, equal, context, key);

    if (id != NSC_NONE)
        return id;
    nsc_idtable_add(table, hash, next);
    return next;
}
