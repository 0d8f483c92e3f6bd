/*
 * The names a worker meets: plain ones, and texts whose counters are packed away.
 */
#include "core/pages.h"
#include "index/builder_data.h"
#include "index/fold.h"

#include <assert.h>
#include <string.h>

static const char cut_mark[] = " [cut]";

/* At most NSC_NAME_BYTES of text: what is cut ends between characters and says so. */
static struct nsc_text cut_text(struct nsc_text text, char scratch[NSC_NAME_BYTES])
{
    uint32_t n = NSC_NAME_BYTES - (uint32_t)sizeof cut_mark + 1;

    if (text.n <= NSC_NAME_BYTES)
        return text;
    for (int i = 0; i < 3 && ((unsigned char)text.bytes[n] & 0xC0) == 0x80; i++)
        n--;
    memcpy(scratch, text.bytes, n);
    memcpy(scratch + n, cut_mark, sizeof cut_mark - 1);
    return (struct nsc_text){scratch, n + (uint32_t)sizeof cut_mark - 1};
}

static nsc_str add_string(struct nsc_feed *feed, struct nsc_text text)
{
    return text.n ? nsc_strpool_add(&feed->strings, text.bytes, text.n) : 0;
}

static bool is_name(const void *context, uint32_t id, const void *key)
{
    const struct nsc_feed *feed = context;
    const struct nsc_feed_name *a = &feed->names.at[id];
    const struct nsc_feed_name *b = key;

    return a->full == b->full && a->brief == b->brief && a->argb == b->argb &&
           a->colored == b->colored && a->counters == b->counters;
}

static uint32_t intern_name(struct nsc_feed *feed, const struct nsc_feed_name *name)
{
    uint64_t hash = nsc_hash_mix(name->full, name->brief);
    uint32_t id = 0;

    hash = nsc_hash_mix(hash, name->argb);
    hash = nsc_hash_mix(hash, (uint64_t)name->colored << 8 | name->counters);
    id = nsc_idtable_find(&feed->name_ids, hash, is_name, feed, name);
    if (id != NSC_NONE)
        return id;
    id = (uint32_t)feed->names.n;
    *NSC_VEC_ADD(&feed->names) = *name;
    nsc_idtable_add(&feed->name_ids, hash, id);
    return id;
}

uint32_t nsc_feed_name(struct nsc_feed *feed, struct nsc_text full, struct nsc_text brief)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_feed_name name = {.first = NSC_NO_KEY};

    name.full = add_string(feed, cut_text(full, scratch));
    name.brief = add_string(feed, cut_text(brief, scratch));
    return name.full || name.brief ? intern_name(feed, &name) : 0;
}

/* ---- texts ---- */

struct nsc_entry nsc_entry_load(const uint8_t *packed)
{
    struct nsc_entry entry = {0, 0};

    memcpy(&entry.first, packed - NSC_ENTRY_BYTES, sizeof entry.first);
    memcpy(&entry.name, packed - sizeof entry.name, sizeof entry.name);
    return entry;
}

void nsc_entry_store(uint8_t *packed, struct nsc_entry entry)
{
    memcpy(packed - NSC_ENTRY_BYTES, &entry.first, sizeof entry.first);
    memcpy(packed - sizeof entry.name, &entry.name, sizeof entry.name);
}

/* Where n bytes, an even number, may go; NSC_NONE when the memory is refused. */
static uint32_t reserve_blob(struct nsc_feed *feed, uint32_t n)
{
    uint32_t link = 0;

    if (!feed->blob.n || feed->blob_used + n > 1u << NSC_BLOB_BITS) {
        uint8_t *block =
            feed->blob.n >> (32 - NSC_LINK_BITS) ? NULL : nsc_pages_new((size_t)1 << NSC_BLOB_BITS);

        if (!block)
            return NSC_NONE;
        *NSC_VEC_ADD(&feed->blob) = block;
        feed->blob_used = 0;
    }
    link = (uint32_t)(feed->blob.n - 1) << NSC_LINK_BITS | feed->blob_used / 2;
    feed->blob_used += n;
    return link;
}

/* Appends packed counters behind lead bytes of their own; the link, or NSC_NONE. */
static uint32_t add_packed(struct nsc_feed *feed, const struct nsc_fold *fold, uint32_t lead)
{
    uint32_t link = reserve_blob(feed, (lead + 1u + fold->packed_n + 1) & ~1u);
    uint8_t *at = NULL;

    if (link == NSC_NONE) {
        feed->failed = true;
        return NSC_NONE;
    }
    link += lead / 2;
    at = nsc_feed_packed(feed, link);
    at[0] = fold->packed_n;
    memcpy(at + 1, fold->packed, fold->packed_n);
    return link;
}

/* Shared counters, met in the row to come. */
static void note_entry(const struct nsc_feed *feed, uint32_t link, bool fresh)
{
    uint8_t *packed = nsc_feed_packed(feed, link);
    struct nsc_entry entry = {feed->key, NSC_NONE};

    if (fresh || feed->key < nsc_entry_load(packed).first)
        nsc_entry_store(packed, entry);
}

/* The slot of these counters, or the empty one where they belong. */
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

/* The link of an event's counters: shared while the pattern has few, its own afterwards. */
static uint32_t link_of(struct nsc_feed *feed, struct nsc_counter_set *set,
                        const struct nsc_fold *fold)
{
    uint32_t *slot = NULL;
    uint32_t link = 0;

    if (set->overflow)
        return add_packed(feed, fold, 0);
    if (set->n * 2 >= set->n_slots)
        grow_set(feed, set);
    slot = find_slot(feed, set, fold->packed, fold->packed_n);
    if (*slot) {
        note_entry(feed, *slot - 1, false);
        return *slot - 1;
    }
    if (set->n == NSC_COUNTERS_AS_NAMES) {
        free(set->slots);
        *set = (struct nsc_counter_set){.overflow = true};
        return add_packed(feed, fold, 0);
    }
    link = add_packed(feed, fold, NSC_ENTRY_BYTES);
    if (link == NSC_NONE)
        return link;
    note_entry(feed, link, true);
    *slot = link + 1;
    set->n++;
    return link;
}

/* The name of a text: as a rule one of those met lately, known by the hash of its bytes. */
static uint32_t find_text(struct nsc_feed *feed, struct nsc_text text, struct nsc_feed_name *name)
{
    uint64_t hash = nsc_hash_bytes(text.bytes, text.n) ^ name->argb;
    uint32_t *recent = &feed->recent_texts[hash % NSC_RECENT_TEXTS];
    const struct nsc_feed_name *at = &feed->names.at[*recent];

    if (at->argb == name->argb && at->colored == name->colored && at->counters == name->counters &&
        at->full == at->brief) {
        struct nsc_text full = nsc_strpool_text(&feed->strings, at->full);

        if (full.n == text.n && text.n && !memcmp(full.bytes, text.bytes, text.n))
            return *recent;
    }
    name->full = name->brief = add_string(feed, text);
    *recent = intern_name(feed, name);
    return *recent;
}

uint32_t nsc_feed_text(struct nsc_feed *feed, struct nsc_text text, bool has_color, uint32_t argb,
                       uint32_t *link)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_fold fold;
    struct nsc_feed_name name = {.first = NSC_NO_KEY};
    uint32_t id = 0;

    *link = NSC_NONE;
    text = cut_text(text, scratch);
    if (nsc_fold_text(&fold, text)) {
        text = (struct nsc_text){fold.text, fold.n};
        name.counters = fold.counters;
    }
    name.colored = has_color;
    name.argb = has_color ? argb : 0;
    if (!text.n && !has_color)
        return 0;
    id = find_text(feed, text, &name);
    if (name.counters)
        *link = link_of(feed, &feed->names.at[id].set, &fold);
    return id;
}

void nsc_feed_forget(struct nsc_feed *feed, uint64_t key)
{
    for (size_t i = 0; i < feed->names.n; i++) {
        struct nsc_feed_name *name = &feed->names.at[i];

        if (name->first >= key)
            name->first = NSC_NO_KEY;
        for (uint32_t k = 0; k < name->set.n_slots; k++) {
            uint8_t *packed =
                name->set.slots[k] ? nsc_feed_packed(feed, name->set.slots[k] - 1) : NULL;

            if (packed && nsc_entry_load(packed).first >= key)
                nsc_entry_store(packed, (struct nsc_entry){NSC_NO_KEY, NSC_NONE});
        }
    }
}
