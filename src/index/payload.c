/*
 * Decodes binary payloads of NVTX events by their schemas.
 */
#include "index/payload.h"

#include "core/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER_BYTES = 32,
    PAYLOAD_BYTES = 4096, /* decoded bytes of a hexadecimal text; longer ones are skipped */
    ENUM_BYTES = 4
};

/* ---- schemas ---- */

static int compare_keys(const int64_t a[3], const int64_t b[3])
{
    for (int i = 0; i < 3; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int compare_entries(const void *left, const void *right)
{
    const struct nsc_payload_entry *a = left, *b = right;

    int order = compare_keys((int64_t[]){a->domain, a->schema, a->idx},
                             (int64_t[]){b->domain, b->schema, b->idx});

    return order ? order : (a->row > b->row) - (a->row < b->row);
}

static int compare_words(const void *left, const void *right)
{
    const struct nsc_payload_word *a = left, *b = right;

    int order = compare_keys((int64_t[]){a->domain, a->schema, a->value},
                             (int64_t[]){b->domain, b->schema, b->value});

    return order ? order : (a->row > b->row) - (a->row < b->row);
}

static void add_entries(struct nsc_payload_schemas *out, const struct nsc_fields *rows)
{
    for (uint32_t row = 0; rows && row < rows->n; row++) {
        struct nsc_payload_entry entry = {.offset = -1, .row = row};
        int64_t offset = 0;

        if (!nsc_fields_int(&entry.domain, rows, NSC_PAYLOAD_ENTRY_DOMAIN, row) ||
            !nsc_fields_int(&entry.schema, rows, NSC_PAYLOAD_ENTRY_SCHEMA, row) ||
            !nsc_fields_int(&entry.idx, rows, NSC_PAYLOAD_ENTRY_IDX, row) ||
            !nsc_fields_int(&entry.type, rows, NSC_PAYLOAD_ENTRY_TYPE, row))
            continue;
        if (nsc_fields_int(&offset, rows, NSC_PAYLOAD_ENTRY_OFFSET, row))
            entry.offset = offset < 0 ? INT64_MAX : offset;
        (void)nsc_fields_int(&entry.array, rows, NSC_PAYLOAD_ENTRY_ARRAY, row);
        entry.name = nsc_fields_text(rows, NSC_PAYLOAD_ENTRY_NAME, row);
        *NSC_VEC_ADD(&out->entries) = entry;
    }
}

static void add_words(struct nsc_payload_schemas *out, const struct nsc_fields *rows)
{
    for (uint32_t row = 0; rows && row < rows->n; row++) {
        struct nsc_payload_word word = {.row = row};

        if (!nsc_fields_int(&word.domain, rows, NSC_PAYLOAD_WORD_DOMAIN, row) ||
            !nsc_fields_int(&word.schema, rows, NSC_PAYLOAD_WORD_SCHEMA, row))
            continue;
        (void)nsc_fields_int(&word.value, rows, NSC_PAYLOAD_WORD_VALUE, row);
        word.name = nsc_fields_text(rows, NSC_PAYLOAD_WORD_NAME, row);
        *NSC_VEC_ADD(&out->words) = word;
    }
}

void nsc_payload_schemas_build(struct nsc_payload_schemas *out, const struct nsc_fields *entries,
                               const struct nsc_fields *words)
{
    *out = (struct nsc_payload_schemas){0};
    add_entries(out, entries);
    add_words(out, words);
    if (out->entries.n)
        qsort(out->entries.at, out->entries.n, sizeof *out->entries.at, compare_entries);
    if (out->words.n)
        qsort(out->words.at, out->words.n, sizeof *out->words.at, compare_words);
}

void nsc_payload_schemas_fini(struct nsc_payload_schemas *schemas)
{
    NSC_VEC_FINI(&schemas->entries);
    NSC_VEC_FINI(&schemas->words);
}

/* The first entry of a schema; the number of all entries if there is none. */
static size_t find_schema(const struct nsc_payload_schemas *schemas, int64_t domain, int64_t schema)
{
    size_t lo = 0, hi = schemas->entries.n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const struct nsc_payload_entry *at = &schemas->entries.at[mid];

        if (compare_keys((int64_t[]){at->domain, at->schema, at->idx},
                         (int64_t[]){domain, schema, INT64_MIN}) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < schemas->entries.n && schemas->entries.at[lo].domain == domain &&
                   schemas->entries.at[lo].schema == schema
               ? lo
               : schemas->entries.n;
}

/* The first word of an enumeration with this value or a greater one. */
static size_t find_word(const struct nsc_payload_schemas *schemas, int64_t domain, int64_t schema,
                        int64_t value)
{
    size_t lo = 0, hi = schemas->words.n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const struct nsc_payload_word *at = &schemas->words.at[mid];

        if (compare_keys((int64_t[]){at->domain, at->schema, at->value},
                         (int64_t[]){domain, schema, value}) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool is_enum(const struct nsc_payload_schemas *schemas, int64_t domain, int64_t schema)
{
    size_t i = find_word(schemas, domain, schema, INT64_MIN);

    return i < schemas->words.n && schemas->words.at[i].domain == domain &&
           schemas->words.at[i].schema == schema;
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
                                const struct nsc_payload_entry *entry)
{
    if (entry->type > 0 && (uint64_t)entry->type < sizeof types / sizeof *types)
        return types[entry->type];
    if (is_enum(schemas, entry->domain, entry->type))
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
                                         const struct nsc_payload_entry *entry,
                                         struct type_rule rule, const char *at)
{
    struct nsc_payload_value value = {entry->name, rule.form, 0, 0, {"", 0}};
    uint64_t bits = little_endian(at, rule.bytes);
    unsigned above = 64 - 8u * rule.bytes;
    size_t i = 0;

    if (rule.form == NSC_PAYLOAD_REAL) {
        value.real = real_of(bits, rule.bytes);
        return value;
    }
    value.integer =
        rule.form == NSC_PAYLOAD_SIGNED ? (int64_t)(bits << above) >> above : (int64_t)bits;
    i = find_word(schemas, entry->domain, entry->type, value.integer);
    if (i < schemas->words.n && schemas->words.at[i].domain == entry->domain &&
        schemas->words.at[i].schema == entry->type && schemas->words.at[i].value == value.integer)
        value.word = schemas->words.at[i].name;
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
                            const struct nsc_payload_schemas *schemas, size_t first,
                            struct nsc_text data)
{
    const struct nsc_payload_entry *begin = &schemas->entries.at[first];
    uint64_t next = 0; /* where the entry before ends */
    uint32_t n = 0;

    for (size_t i = first; i < schemas->entries.n && n < NSC_PAYLOAD_VALUES; i++) {
        const struct nsc_payload_entry *entry = &schemas->entries.at[i];
        struct type_rule rule = rule_of(schemas, entry);
        uint64_t at = (uint64_t)entry->offset;

        if (entry->domain != begin->domain || entry->schema != begin->schema)
            break;
        if (i > first && entry->idx == entry[-1].idx)
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
    int64_t domain = 0, schema = 0;
    size_t first = 0;

    if (plain.n < HEADER_BYTES || !find_data(&data, plain))
        return 0;
    domain = (int64_t)little_endian(plain.bytes, 8);
    schema = (int64_t)little_endian(plain.bytes + 8, 8);
    first = find_schema(schemas, domain, schema);
    return first < schemas->entries.n ? decode_data(out, schemas, first, data) : 0;
}
