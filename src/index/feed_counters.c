/*
 * Packs the counters that a worker takes out of texts; stores equal ones once while a pattern has
 * few.
 */
#include "core/pages.h"
#include "index/builder_data.h"

#include <string.h>

struct nsc_entry nsc_entry_load(const uint8_t *packed)
{
    struct nsc_entry entry = {0, 0};

    memcpy(&entry.first, packed - NSC_ENTRY_BYTES, sizeof entry.first);
    memcpy(&entry.name, packed - sizeof entry.name, sizeof entry.name);
    return entry;
}

void nsc_entry_put(uint8_t *packed, struct nsc_entry entry)
{
    memcpy(packed - NSC_ENTRY_BYTES, &entry.first, sizeof entry.first);
    memcpy(packed - sizeof entry.name, &entry.name, sizeof entry.name);
}

/* Room for n bytes, an even number; NSC_NONE if out of memory. */
static uint32_t reserve_packed(struct nsc_feed *feed, uint32_t n)
{
    uint32_t link = 0;

    if (!feed->packed.n || feed->packed_used + n > 1u << NSC_PACKED_BITS) {
        uint8_t *slab = feed->packed.n >> (32 - NSC_LINK_BITS)
                            ? NULL
                            : nsc_pages_new((size_t)1 << NSC_PACKED_BITS);

        if (!slab)
            return NSC_NONE;
        *NSC_VEC_ADD(&feed->packed) = slab;
        feed->packed_used = 0;
    }
    link = (uint32_t)(feed->packed.n - 1) << NSC_LINK_BITS | feed->packed_used / 2;
    feed->packed_used += n;
    return link;
}

/* Appends packed counters behind `lead` bytes of their own; the link, or NSC_NONE. */
static uint32_t add_packed(struct nsc_feed *feed, const uint8_t *packed, uint8_t n, uint32_t lead)
{
    uint32_t link = reserve_packed(feed, (lead + 1u + n + 1) & ~1u);
    uint8_t *at = NULL;

    if (link == NSC_NONE) {
        feed->failed = true;
        return NSC_NONE;
    }
    link += lead / 2;
    at = nsc_feed_packed(feed, link);
    at[0] = n;
    memcpy(at + 1, packed, n);
    return link;
}

/* Notes that the next row has these shared counters. */
static void note_entry(const struct nsc_feed *feed, uint32_t link, bool fresh)
{
    uint8_t *packed = nsc_feed_packed(feed, link);
    struct nsc_entry entry = {feed->key, NSC_NONE};

    if (fresh || feed->key < nsc_entry_load(packed).first)
        nsc_entry_put(packed, entry);
}

/* The slot of these counters, or the empty slot for them. */
static uint32_t *find_slot(const struct nsc_feed *feed, const struct nsc_counter_set *set,
                           const uint8_t *packed, uint8_t n)
{
    uint32_t mask = set->n_slots - 1;
    uint32_t at = (uint32_t)nsc_hash_bytes((const char *)packed, n) & mask;

    for (; set->slots[at]; at = (at + 1) & mask) {
        const uint8_t *other = nsc_feed_packed(feed, set->slots[at] - 1);

        if (other[0] == n && !memcmp(other + 1, packed, n))
            break;
    }
    return &set->slots[at];
}

static void grow_set(const struct nsc_feed *feed, struct nsc_counter_set *set)
{
    struct nsc_counter_set old = *set;

    set->n_slots = old.n_slots ? old.n_slots * 2 : 4;
    set->slots = nsc_xcalloc(set->n_slots, sizeof *set->slots);
    for (uint32_t i = 0; i < old.n_slots; i++) {
        const uint8_t *packed = NULL;

        if (!old.slots[i])
            continue;
        packed = nsc_feed_packed(feed, old.slots[i] - 1);
        *find_slot(feed, set, packed + 1, packed[0]) = old.slots[i];
    }
    free(old.slots);
}

uint32_t nsc_feed_counters(struct nsc_feed *feed, uint32_t name, const uint8_t *packed, uint8_t n)
{
    struct nsc_counter_set *set = &feed->names.at[name].set;
    uint32_t *slot = NULL;
    uint32_t link = 0;

    if (set->overflow)
        return add_packed(feed, packed, n, 0);
    if (set->n * 2 >= set->n_slots)
        grow_set(feed, set);
    slot = find_slot(feed, set, packed, n);
    if (*slot) {
        note_entry(feed, *slot - 1, false);
        return *slot - 1;
    }
    if (set->n == NSC_COUNTERS_AS_NAMES) {
        free(set->slots);
        *set = (struct nsc_counter_set){.overflow = true};
        return add_packed(feed, packed, n, 0);
    }
    link = add_packed(feed, packed, n, NSC_ENTRY_BYTES);
    if (link == NSC_NONE)
        return link;
    note_entry(feed, link, true);
    *slot = link + 1;
    set->n++;
    return link;
}

void nsc_feed_text_again(struct nsc_feed *feed, uint32_t name, uint32_t link)
{
    if (link != NSC_NONE && !feed->names.at[name].set.overflow)
        note_entry(feed, link, false);
}

void nsc_feed_remove(struct nsc_feed *feed, uint64_t key)
{
    for (size_t i = 0; i < feed->names.n; i++) {
        struct nsc_feed_name *name = &feed->names.at[i];

        if (name->first >= key)
            name->first = NSC_NO_KEY;
        for (uint32_t k = 0; k < name->set.n_slots; k++) {
            uint8_t *packed =
                name->set.slots[k] ? nsc_feed_packed(feed, name->set.slots[k] - 1) : NULL;

            if (packed && nsc_entry_load(packed).first >= key)
                nsc_entry_put(packed, (struct nsc_entry){NSC_NO_KEY, NSC_NONE});
        }
    }
}
