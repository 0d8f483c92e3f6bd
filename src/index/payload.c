/*
 * Decodes binary payloads of NVTX events by their schemas.
 */
#include "index/payload.h"

#include "core/bisect.h"
#include "core/text.h"

#include <string.h>

enum {
    HEADER_BYTES = 32,
    PAYLOAD_BYTES = 4096, /* decoded bytes of a hexadecimal text; longer ones are skipped */
    ENUM_BYTES = 4
};

/* ---- schemas ---- */

NSC_COMPARE(compare_keys, struct nsc_payload_key,
            NSC_LEAST(domain) || NSC_LEAST(schema) || NSC_LEAST(number))

NSC_COMPARE(compare_rows, struct nsc_payload_row,
            NSC_BY(compare_keys(&x->key, &y->key)) || NSC_LEAST(row))

static void add_entries(struct nsc_payload_rows *out, const struct nsc_fields *rows)
{
    for (uint32_t row = 0; rows && row < rows->n; row++) {
        struct nsc_payload_row entry = {.offset = -1, .row = row};
        int64_t offset = 0;

        if (!nsc_fields_int(&entry.key.domain, rows, NSC_PAYLOAD_ENTRY_DOMAIN, row) ||
            !nsc_fields_int(&entry.key.schema, rows, NSC_PAYLOAD_ENTRY_SCHEMA, row) ||
            !nsc_fields_int(&entry.key.number, rows, NSC_PAYLOAD_ENTRY_IDX, row) ||
            !nsc_fields_int(&entry.type, rows, NSC_PAYLOAD_ENTRY_TYPE, row))
            continue;
        if (nsc_fields_int(&offset, rows, NSC_PAYLOAD_ENTRY_OFFSET, row))
            entry.offset = offset < 0 ? INT64_MAX : offset;
        (void)nsc_fields_int(&entry.array, rows, NSC_PAYLOAD_ENTRY_ARRAY, row);
        entry.name = nsc_fields_text(rows, NSC_PAYLOAD_ENTRY_NAME, row);
        *NSC_VEC_ADD(&out->list) = entry;
    }
}

static void add_words(struct nsc_payload_rows *out, const struct nsc_fields *rows)
{
    for (uint32_t row = 0; rows && row < rows->n; row++) {
        struct nsc_payload_row word = {.row = row};

        if (!nsc_fields_int(&word.key.domain, rows, NSC_PAYLOAD_WORD_DOMAIN, row) ||
            !nsc_fields_int(&word.key.schema, rows, NSC_PAYLOAD_WORD_SCHEMA, row))
            continue;
        (void)nsc_fields_int(&word.key.number, rows, NSC_PAYLOAD_WORD_VALUE, row);
        word.name = nsc_fields_text(rows, NSC_PAYLOAD_WORD_NAME, row);
        *NSC_VEC_ADD(&out->list) = word;
    }
}

static void sort_rows(struct nsc_payload_rows *rows)
{
    NSC_VEC_SORT(&rows->list, compare_rows);
}

void nsc_payload_schemas_build(struct nsc_payload_schemas *out, const struct nsc_fields *entries,
                               const struct nsc_fields *words)
{
    *out = (struct nsc_payload_schemas){0};
    add_entries(&out->entries, entries);
    add_words(&out->words, words);
    sort_rows(&out->entries);
    sort_rows(&out->words);
}

void nsc_payload_schemas_fini(struct nsc_payload_schemas *schemas)
{
    NSC_VEC_FINI(&schemas->entries.list);
    NSC_VEC_FINI(&schemas->words.list);
}

/* The first row of the schema or enumeration with this number or a greater one; NULL if there is
 * none. */
static const struct nsc_payload_row *find_row(const struct nsc_payload_rows *rows,
                                              struct nsc_payload_key key)
{
    size_t lo = 0, hi = rows->list.n;
    const struct nsc_payload_row *found = rows->list.at;

    NSC_BISECT(lo, hi, mid, compare_keys(&rows->list.at[mid].key, &key) < 0);
    if (lo == rows->list.n || found[lo].key.domain != key.domain ||
        found[lo].key.schema != key.schema)
        return NULL;
    return &found[lo];
}

/* ---- values ---- */

struct type_rule {
    uint8_t bytes, form;
};

/* By the numbers of nvToolsExtPayload.h, from 1; long is 8 bytes, as on Linux. */
static const struct type_rule types[] = {
    [1] = {1, NSC_PAYLOAD_SIGNED},    [2] = {1, NSC_PAYLOAD_UNSIGNED},
    [3] = {2, NSC_PAYLOAD_SIGNED},    [4] = {2, NSC_PAYLOAD_UNSIGNED},
    [5] = {4, NSC_PAYLOAD_SIGNED},    [6] = {4, NSC_PAYLOAD_UNSIGNED},
    [7] = {8, NSC_PAYLOAD_SIGNED},    [8] = {8, NSC_PAYLOAD_UNSIGNED},
    [9] = {8, NSC_PAYLOAD_SIGNED},    [10] = {8, NSC_PAYLOAD_UNSIGNED},
    [11] = {1, NSC_PAYLOAD_SIGNED},   [12] = {1, NSC_PAYLOAD_UNSIGNED},
    [13] = {2, NSC_PAYLOAD_SIGNED},   [14] = {2, NSC_PAYLOAD_UNSIGNED},
    [15] = {4, NSC_PAYLOAD_SIGNED},   [16] = {4, NSC_PAYLOAD_UNSIGNED},
    [17] = {8, NSC_PAYLOAD_SIGNED},   [18] = {8, NSC_PAYLOAD_UNSIGNED},
    [19] = {4, NSC_PAYLOAD_REAL},     [20] = {8, NSC_PAYLOAD_REAL},
    [22] = {8, NSC_PAYLOAD_UNSIGNED}, /* size_t */
    [23] = {8, NSC_PAYLOAD_UNSIGNED}, /* an address */
};

/* The rule for a type; width 0 for one that is skipped. */
static struct type_rule rule_of(const struct nsc_payload_schemas *schemas,
                                const struct nsc_payload_row *entry)
{
    if (entry->type > 0 && (uint64_t)entry->type < sizeof types / sizeof *types)
        return types[entry->type];
    if (find_row(&schemas->words,
                 (struct nsc_payload_key){entry->key.domain, entry->type, INT64_MIN}))
        return (struct type_rule){ENUM_BYTES, NSC_PAYLOAD_SIGNED};
    return (struct type_rule){0, 0};
}

static uint64_t little_endian(const char *at, uint32_t n)
{
    uint64_t value = 0;

    for (uint32_t i = n; i-- > 0;)
        value = value << 8 | (uint8_t)at[i];
    return value;
}

static double real_of(uint64_t bits, uint32_t bytes)
{
    uint32_t low = (uint32_t)bits;
    float single = 0;
    double real = 0;

    if (bytes == sizeof single) {
        memcpy(&single, &low, sizeof single);
        return (double)single;
    }
    memcpy(&real, &bits, sizeof real);
    return real;
}

static struct nsc_payload_value value_of(const struct nsc_payload_schemas *schemas,
                                         const struct nsc_payload_row *entry, struct type_rule rule,
                                         const char *at)
{
    struct nsc_payload_value value = {entry->name, rule.form, 0, 0, {"", 0}};
    uint64_t bits = little_endian(at, rule.bytes);
    unsigned above = 64 - 8u * rule.bytes;
    const struct nsc_payload_row *word;

    if (rule.form == NSC_PAYLOAD_REAL) {
        value.real = real_of(bits, rule.bytes);
        return value;
    }
    value.integer =
        rule.form == NSC_PAYLOAD_SIGNED ? (int64_t)(bits << above) >> above : (int64_t)bits;
    word = find_row(&schemas->words,
                    (struct nsc_payload_key){entry->key.domain, entry->type, value.integer});
    if (word && word->key.number == value.integer)
        value.word = word->name;
    return value;
}

/* ---- payloads ---- */

/* Decodes a payload that is hexadecimal text into out; returns any other payload unchanged. A
 * binary payload is never such text, because the upper bytes of its domain are 0. */
static struct nsc_text plain_bytes(char out[PAYLOAD_BYTES], struct nsc_text payload)
{
    if (payload.n % 2 || payload.n > 2 * PAYLOAD_BYTES)
        return payload;
    for (uint32_t i = 0; i < payload.n; i++) {
        int digit = nsc_hex_digit(payload.bytes[i]);

        if (digit < 0)
            return payload;
        out[i / 2] = (char)(i % 2 ? (uint8_t)out[i / 2] << 4 | digit : digit);
    }
    return (struct nsc_text){out, payload.n / 2};
}

/* The data of a payload. False if it does not lie within the payload. */
static bool find_data(struct nsc_text *data, struct nsc_text payload)
{
    uint64_t n = little_endian(payload.bytes + 16, 8);
    uint64_t from = little_endian(payload.bytes + 24, 8);

    if (n > payload.n - HEADER_BYTES)
        return false;
    if (from < HEADER_BYTES || from > payload.n - n) {
        if (from != HEADER_BYTES + n) /* the whole length */
            return false;
        from = HEADER_BYTES;
    }
    *data = (struct nsc_text){payload.bytes + from, (uint32_t)n};
    return true;
}

static uint32_t decode_data(struct nsc_payload_value out[NSC_PAYLOAD_VALUES],
                            const struct nsc_payload_schemas *schemas,
                            const struct nsc_payload_row *first, struct nsc_text data)
{
    const struct nsc_payload_row *end = schemas->entries.list.at + schemas->entries.list.n;
    uint64_t next = 0; /* where the entry before ends */
    uint32_t n = 0;

    for (const struct nsc_payload_row *entry = first; entry < end && n < NSC_PAYLOAD_VALUES;
         entry++) {
        struct type_rule rule = rule_of(schemas, entry);
        uint64_t at = (uint64_t)entry->offset;

        if (entry->key.domain != first->key.domain || entry->key.schema != first->key.schema)
            break;
        if (entry > first && entry->key.number == entry[-1].key.number)
            continue;
        if (rule.bytes == 0 || entry->array != 0) {
            next = UINT64_MAX; /* of unknown length */
            continue;
        }
        if (entry->offset < 0 && next <= data.n)
            at = (next + rule.bytes - 1) / rule.bytes * rule.bytes;
        if (at > data.n || rule.bytes > data.n - at)
            continue;
        out[n++] = value_of(schemas, entry, rule, data.bytes + at);
        next = at + rule.bytes;
    }
    return n;
}

uint32_t nsc_payload_decode(struct nsc_payload_value out[NSC_PAYLOAD_VALUES],
                            const struct nsc_payload_schemas *schemas, struct nsc_text payload)
{
    char bytes[PAYLOAD_BYTES];
    struct nsc_text plain = plain_bytes(bytes, payload), data;
    struct nsc_payload_key key = {.number = INT64_MIN};
    const struct nsc_payload_row *first;

    if (plain.n < HEADER_BYTES || !find_data(&data, plain))
        return 0;
    key.domain = (int64_t)little_endian(plain.bytes, 8);
    key.schema = (int64_t)little_endian(plain.bytes + 8, 8);
    first = find_row(&schemas->entries, key);
    return first ? decode_data(out, schemas, first, data) : 0;
}
