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

/* Where a text's shape is kept: by what it begins with and its length. */
static struct nsc_shape *place_shape(struct nsc_feed *feed, struct nsc_text text)
{
    uint64_t word[2] = {0, 0};

    if (text.n >= sizeof word)
        memcpy(word, text.bytes, sizeof word);
    else if (text.n)
        memcpy(word, text.bytes, text.n);
    word[0] = (word[0] ^ text.n) * 0x9E3779B97F4A7C15u;
    word[0] = (word[0] ^ word[0] >> 32 ^ word[1]) * 0xBF58476D1CE4E5B9u;
    return &feed->shapes[(word[0] >> 32) % NSC_SHAPES];
}

/* The number that n digits say. False: they are no counter. */
static bool read_counter(uint64_t *out, const char *digits, uint32_t n)
{
    uint64_t value = 0;
    unsigned wrong = 0;

    if (n == 0 || n > NSC_FOLD_DIGITS || (digits[0] == '0' && n > 1))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        unsigned digit = (unsigned char)digits[i] - (unsigned)'0';

        wrong |= digit > 9;
        value = value * 10 + digit;
    }
    *out = value;
    return !wrong;
}

/*
 * Whether the text is a name's, whose shape this is: the same bytes, but for a counter where the
 * name has its one. No digit stands beside that, so folding the text would come to the same.
 */
static bool has_shape(const struct nsc_feed *feed, const struct nsc_shape *shape,
                      struct nsc_text text, uint64_t *counter)
{
    const char *bytes = feed->strings.bytes + shape->at;
    uint32_t plain = shape->before + shape->behind;

    if (text.n == 0 || text.n < plain || memcmp(text.bytes, bytes, shape->before) != 0)
        return text.n == 0 && plain == 0 && !shape->has_counter;
    if (!shape->has_counter)
        return text.n == plain;
    return memcmp(text.bytes + (text.n - shape->behind), bytes + shape->before + 1,
                  shape->behind) == 0 &&
           read_counter(counter, text.bytes + shape->before, text.n - plain);
}

/* Remembers the shape of a name, unless it has several counters. */
static void note_shape(struct nsc_feed *feed, struct nsc_shape *shape, uint32_t id)
{
    const struct nsc_feed_name *name = &feed->names.at[id];
    struct nsc_text text = nsc_strpool_text(&feed->strings, name->full);
    const char *counter = name->counters ? memchr(text.bytes, NSC_COUNTER_BYTE, text.n) : NULL;
    uint32_t before = counter ? (uint32_t)(counter - text.bytes) : text.n;

    if (name->counters > 1)
        return;
    *shape = (struct nsc_shape){.at = feed->strings.offset[name->full],
                                .name = id,
                                .argb = name->argb,
                                .before = before,
                                .behind = counter ? text.n - before - 1 : 0,
                                .colored = name->colored,
                                .has_counter = counter != NULL};
}

/* As nsc_feed_text, of a text that has the shape of no name met lately. */
static uint32_t add_text(struct nsc_feed *feed, struct nsc_text text, struct nsc_shape *shape,
                         const struct nsc_feed_name *color, uint32_t *link)
{
    struct nsc_fold fold;
    struct nsc_feed_name name = *color;
    uint32_t id = 0;

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

uint32_t nsc_feed_text(struct nsc_feed *feed, struct nsc_text text, bool has_color, uint32_t argb,
                       uint32_t *link)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_feed_name color = {
        .first = NSC_NO_KEY, .argb = has_color ? argb : 0, .colored = has_color};
    struct nsc_shape *shape = NULL;
    uint64_t counter = 0;

    *link = NSC_NONE;
    if (!text.n && !has_color)
        return 0;
    text = cut_text(text, scratch);
    shape = place_shape(feed, text);
    if (shape->name && shape->argb == color.argb && shape->colored == color.colored &&
        has_shape(feed, shape, text, &counter)) {
        uint8_t packed[NSC_FOLD_VARINT];

        if (shape->has_counter)
            *link = nsc_feed_counters(feed, shape->name, packed, nsc_fold_pack(packed, counter));
        return shape->name;
    }
    return add_text(feed, text, shape, &color, link);
}
