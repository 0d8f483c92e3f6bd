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

static bool is_packed(const void *context, uint32_t link, const void *key)
{
    const uint8_t *packed = nsc_feed_packed(context, link);
    const struct nsc_text *counters = key;

    return packed[0] == counters->n && !memcmp(packed + 1, counters->bytes, counters->n);
}

uint32_t nsc_feed_counters(struct nsc_feed *feed, uint32_t name, const uint8_t *packed, uint8_t n)
{
    struct nsc_feed_name *of = &feed->names.at[name];
    struct nsc_text counters = {(const char *)packed, n};
    uint64_t hash;
    uint32_t link;

    if (of->overflow)
        return add_packed(feed, packed, n, 0);
    hash = nsc_hash_bytes(counters.bytes, n);
    link = nsc_idtable_find(&of->links, hash, is_packed, feed, &counters);
    if (link != NSC_NONE) {
        note_entry(feed, link, false);
        return link;
    }
    if (of->links.n == NSC_COUNTERS_AS_NAMES) {
        nsc_idtable_fini(&of->links);
        of->overflow = true;
        return add_packed(feed, packed, n, 0);
    }
    link = add_packed(feed, packed, n, NSC_ENTRY_BYTES);
    if (link == NSC_NONE)
        return link;
    note_entry(feed, link, true);
    nsc_idtable_add(&of->links, hash, link);
    return link;
}

void nsc_feed_text_again(struct nsc_feed *feed, uint32_t name, uint32_t link)
{
    if (link != NSC_NONE && !feed->names.at[name].overflow)
        note_entry(feed, link, false);
}

void nsc_feed_remove(struct nsc_feed *feed, uint64_t key)
{
    for (size_t i = 0; i < feed->names.n; i++) {
        struct nsc_feed_name *name = &feed->names.at[i];

        if (name->first >= key)
            name->first = NSC_NO_KEY;
        for (uint32_t k = 0; k < name->links.n_slots; k++) {
            uint32_t id = name->links.slots[k].id;
            uint8_t *packed = id ? nsc_feed_packed(feed, id - 1) : NULL;

            if (packed && nsc_entry_load(packed).first >= key)
                nsc_entry_put(packed, (struct nsc_entry){NSC_NO_KEY, NSC_NONE});
        }
    }
}
