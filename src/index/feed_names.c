/*
 * The names of a worker's rows: plain ones, and texts with their counters packed.
 */
#include "core/hints.h"
#include "index/builder_data.h"
#include "index/fold.h"

#include <string.h>

static const char cut_mark[] = " [cut]";

/* At most NSC_NAME_BYTES of text. A cut text ends between characters, with a note. */
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
    id = nsc_idtable_place(&feed->name_ids, hash, is_name, feed, name, (uint32_t)feed->names.n);
    if (id == feed->names.n)
        *NSC_VEC_ADD(&feed->names) = *name;
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

/* Replaces digits by 0; some other bytes become equal, too. */
static inline uint64_t without_digits(uint64_t word)
{
    const uint64_t each = UINT64_MAX / UINT8_MAX;
    uint64_t other = (word ^ 0x30 * each) & 0xf0 * each; /* 0 in bytes from '0' to '?' */

    other |= other >> 2;
    other |= other >> 1;
    return word & (0xf0 * each | ((other >> 4 & each) * 0xf));
}

/* The slot of a text's shape: by its first bytes with digits replaced, and its length. */
static inline struct nsc_shape *place_shape(struct nsc_feed *feed, struct nsc_text text)
{
    uint64_t word[2] = {0, 0};

    if (text.n >= sizeof word)
        memcpy(word, text.bytes, sizeof word);
    else if (text.n)
        memcpy(word, text.bytes, text.n);
    word[0] = (without_digits(word[0]) ^ text.n) * 0x9E3779B97F4A7C15u;
    word[0] = (word[0] ^ word[0] >> 32 ^ without_digits(word[1])) * 0xBF58476D1CE4E5B9u;
    return &feed->shapes[(word[0] >> 32) % NSC_SHAPES];
}

/*
 * Reads the counter that begins at `at`; returns its number of digits, or 0 if there is no counter.
 */
static inline uint32_t read_counter(uint64_t *out, const char *at, const char *end)
{
    uint64_t value = 0;
    uint32_t n = 0;

    for (const char *p = at; p < end; p++) {
        unsigned digit = (unsigned)(unsigned char)*p - '0';

        if (digit > 9)
            break;
        value = value * 10 + digit;
        n++;
    }
    *out = value;
    return n > NSC_FOLD_DIGITS || (n > 1 && at[0] == '0') ? 0 : n;
}

/* Whether the text is this name with other counters: all other bytes are equal. Such a name has no
 * digit next to a counter, so folding the text would give this name. */
static inline bool has_shape(const struct nsc_feed *feed, const struct nsc_shape *shape,
                             struct nsc_text text, uint64_t counter[NSC_SHAPE_COUNTERS])
{
    const char *name = feed->strings.bytes + shape->at;
    const char *at = text.bytes;
    const char *end = at + text.n;
    uint32_t done = 0; /* bytes of the name compared */

    for (uint32_t i = 0; i < shape->counters; i++) {
        uint32_t plain = shape->counter[i] - done;
        uint32_t digits = 0;

        if (end - at <= (ptrdiff_t)plain || memcmp(at, name + done, plain) != 0)
            return false;
        at += plain;
        digits = read_counter(&counter[i], at, end);
        if (digits == 0)
            return false;
        at += digits;
        done = shape->counter[i] + 1;
    }
    return end - at == (ptrdiff_t)(shape->n - done) &&
           (at == end || memcmp(at, name + done, shape->n - done) == 0);
}

/* Remembers the shape of a name that has few counters. */
static void note_shape(struct nsc_feed *feed, struct nsc_shape *shape, uint32_t id)
{
    const struct nsc_feed_name *name = &feed->names.at[id];
    struct nsc_text text = nsc_strpool_text(&feed->strings, name->full);
    uint32_t counters = 0;

    if (name->counters > NSC_SHAPE_COUNTERS)
        return;
    *shape = (struct nsc_shape){.at = feed->strings.offset[name->full],
                                .name = id,
                                .argb = name->argb,
                                .n = text.n,
                                .counters = name->counters,
                                .colored = name->colored};
    for (uint32_t i = 0; counters < name->counters; i++)
        if (text.bytes[i] == NSC_COUNTER_BYTE)
            shape->counter[counters++] = i;
}

/* As nsc_feed_text, for a text without a known shape. */
NSC_RARE static uint32_t add_text(struct nsc_feed *feed, struct nsc_text text,
                                  struct nsc_shape *shape, const struct nsc_feed_name *color,
                                  uint32_t *link)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_fold fold;
    struct nsc_feed_name name = *color;
    uint32_t id = 0;

    text = cut_text(text, scratch);
    if (nsc_fold_text(&fold, text)) {
        text = (struct nsc_text){fold.text, fold.n};
        name.counters = fold.counters;
    }
    name.full = name.brief = add_string(feed, text);
    id = intern_name(feed, &name);
    note_shape(feed, shape, id);
    if (name.counters)
        *link = nsc_feed_counters(feed, id, fold.packed, fold.packed_n);
    return id;
}

/* As nsc_feed_text, for a text of this shape. */
static inline uint32_t add_counters(struct nsc_feed *feed, const struct nsc_shape *shape,
                                    const uint64_t counter[NSC_SHAPE_COUNTERS], uint32_t *link)
{
    uint8_t packed[NSC_SHAPE_COUNTERS * NSC_FOLD_VARINT];
    uint8_t n = 0;

    for (uint32_t i = 0; i < shape->counters; i++)
        n = (uint8_t)(n + nsc_fold_pack(packed + n, counter[i]));
    if (n)
        *link = nsc_feed_counters(feed, shape->name, packed, n);
    return shape->name;
}

uint32_t nsc_feed_text(struct nsc_feed *feed, struct nsc_text text, bool has_color, uint32_t argb,
                       uint32_t *link)
{
    uint64_t counter[NSC_SHAPE_COUNTERS];
    struct nsc_shape *shape = NULL;

    *link = NSC_NONE;
    if (!text.n && !has_color)
        return 0;
    argb = has_color ? argb : 0;
    shape = place_shape(feed, text);
    if (shape->name && shape->argb == argb && shape->colored == has_color &&
        text.n <= NSC_NAME_BYTES && has_shape(feed, shape, text, counter))
        return add_counters(feed, shape, counter, link);
    return add_text(
        feed, text, shape,
        &(struct nsc_feed_name){.first = NSC_NO_KEY, .argb = argb, .colored = has_color}, link);
}
