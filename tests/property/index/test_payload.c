/*
 * Property tests of payloads: for any schema and bytes, decoding equals a naive reading, and stays
 * within bounds.
 */
#include "index/payload.h"
#include "support/cm.h"
#include "support/dice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 24, WORDS = 8, BYTES = 160, ENUM = 1 << 24 };

struct rolled {
    struct nsc_payload_row entry[ENTRIES];
    struct nsc_payload_row word[WORDS];
    uint32_t n_entries, n_words;
};

/* Fields with rows, as from an export: a table in memory. */
struct table {
    struct nsc_fields fields;
    int64_t value[NSC_N_PAYLOAD_ENTRY_FIELDS][ENTRIES];
    uint64_t set[NSC_N_PAYLOAD_ENTRY_FIELDS];
};

static const char names[] = "abcdefghijklmnopqrstuvwxyz";

static int64_t roll_type(struct dice *dice)
{
    return dice_below(dice, 6) ? (int64_t)dice_below(dice, 26)
                               : ENUM + (int64_t)dice_below(dice, 2);
}

static void roll_schemas(struct rolled *out, struct dice *dice)
{
    out->n_entries = (uint32_t)dice_below(dice, ENTRIES + 1);
    out->n_words = (uint32_t)dice_below(dice, WORDS + 1);
    for (uint32_t i = 0; i < out->n_entries; i++)
        out->entry[i] = (struct nsc_payload_row){
            .key.domain = (int64_t)dice_below(dice, 2),
            .key.schema = (int64_t)dice_below(dice, 2),
            .key.number = (int64_t)dice_below(dice, 6),
            .type = roll_type(dice),
            .offset = dice_below(dice, 3) ? (int64_t)dice_below(dice, 70) : -1,
            .array = dice_below(dice, 10) == 0,
            .name = {names + i, 1},
        };
    for (uint32_t i = 0; i < out->n_words; i++)
        out->word[i] = (struct nsc_payload_row){
            .key.domain = (int64_t)dice_below(dice, 2),
            .key.schema = ENUM + (int64_t)dice_below(dice, 2),
            .key.number = (int64_t)dice_below(dice, 3),
            .name = {names + i, 1},
        };
}

static void put(struct table *table, uint32_t column, uint32_t row, bool is_set, int64_t value)
{
    table->value[column][row] = value;
    if (is_set)
        table->set[column] |= (uint64_t)1 << row;
}

static void open_table(struct table *table, uint32_t n_columns)
{
    memset(table, 0, sizeof *table);
    nsc_strpool_init(&table->fields.texts);
    table->fields.n_columns = n_columns;
    for (uint32_t c = 0; c < n_columns; c++) {
        table->fields.columns[c].is_there = true;
        table->fields.columns[c].value = table->value[c];
        table->fields.columns[c].set = &table->set[c];
    }
}

static void fill_entries(struct table *table, const struct rolled *rolled)
{
    open_table(table, NSC_N_PAYLOAD_ENTRY_FIELDS);
    table->fields.n = rolled->n_entries;
    for (uint32_t i = 0; i < rolled->n_entries; i++) {
        const struct nsc_payload_row *entry = &rolled->entry[i];

        put(table, NSC_PAYLOAD_ENTRY_DOMAIN, i, true, entry->key.domain);
        put(table, NSC_PAYLOAD_ENTRY_SCHEMA, i, true, entry->key.schema);
        put(table, NSC_PAYLOAD_ENTRY_IDX, i, true, entry->key.number);
        put(table, NSC_PAYLOAD_ENTRY_TYPE, i, true, entry->type);
        put(table, NSC_PAYLOAD_ENTRY_NAME, i, true,
            nsc_strpool_add(&table->fields.texts, entry->name.bytes, entry->name.n));
        put(table, NSC_PAYLOAD_ENTRY_ARRAY, i, entry->array != 0, entry->array);
        put(table, NSC_PAYLOAD_ENTRY_OFFSET, i, entry->offset >= 0, entry->offset);
    }
}

static void fill_words(struct table *table, const struct rolled *rolled)
{
    open_table(table, NSC_N_PAYLOAD_WORD_FIELDS);
    table->fields.n = rolled->n_words;
    for (uint32_t i = 0; i < rolled->n_words; i++) {
        put(table, NSC_PAYLOAD_WORD_DOMAIN, i, true, rolled->word[i].key.domain);
        put(table, NSC_PAYLOAD_WORD_SCHEMA, i, true, rolled->word[i].key.schema);
        put(table, NSC_PAYLOAD_WORD_VALUE, i, true, rolled->word[i].key.number);
        put(table, NSC_PAYLOAD_WORD_NAME, i, true,
            nsc_strpool_add(&table->fields.texts, rolled->word[i].name.bytes, 1));
    }
}

/* ---- the naive reading ---- */

static const struct nsc_payload_row *naive_word(const struct rolled *rolled, int64_t domain,
                                                int64_t schema, int64_t value, bool any)
{
    for (uint32_t i = 0; i < rolled->n_words; i++)
        if (rolled->word[i].key.domain == domain && rolled->word[i].key.schema == schema &&
            (any || rolled->word[i].key.number == value))
            return &rolled->word[i];
    return NULL;
}

/* The width of a type in NVTX; 0: omitted. */
static unsigned naive_width(const struct rolled *rolled, const struct nsc_payload_row *entry,
                            char *form)
{
    static const char forms[] = ".ssssssssssssssssssff.ss"; /* s: an integer */
    static const char is_unsigned[] = ".010101010101010101...11";
    static const uint8_t widths[] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 1,
                                     1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 8, 8};

    *form = 's';
    if (entry->type >= 0 && entry->type < (int64_t)sizeof widths) {
        *form = forms[entry->type] == 'f' ? 'f' : is_unsigned[entry->type] == '1' ? 'u' : 's';
        return widths[entry->type];
    }
    return naive_word(rolled, entry->key.domain, entry->type, 0, true) ? 4 : 0;
}

static int64_t naive_integer(const uint8_t *at, unsigned width, bool is_signed)
{
    int64_t value = 0;

    for (unsigned i = 0; i < width; i++)
        value |= (int64_t)((uint64_t)at[i] << (8 * i));
    if (is_signed && width < 8 && at[width - 1] >= 0x80)
        value -= (int64_t)1 << (8 * width);
    return value;
}

/* Calls of one schema in the order of idx, the first row of each idx. */
static const struct nsc_payload_row *naive_entry(const struct rolled *rolled, int64_t domain,
                                                 int64_t schema, int64_t idx)
{
    for (uint32_t i = 0; i < rolled->n_entries; i++)
        if (rolled->entry[i].key.domain == domain && rolled->entry[i].key.schema == schema &&
            rolled->entry[i].key.number == idx)
            return &rolled->entry[i];
    return NULL;
}

static uint32_t naive_decode(struct nsc_payload_value out[], const struct rolled *rolled,
                             const uint8_t *bytes, uint32_t n)
{
    int64_t domain, schema, from, length;
    uint64_t next = 0;
    uint32_t count = 0;

    if (n < 32)
        return 0;
    domain = naive_integer(bytes, 8, false);
    schema = naive_integer(bytes + 8, 8, false);
    length = naive_integer(bytes + 16, 8, false);
    from = naive_integer(bytes + 24, 8, false);
    if (length < 0 || length > (int64_t)n - 32)
        return 0;
    if (from < 32 || from > (int64_t)n - length) {
        if (from != 32 + length)
            return 0;
        from = 32;
    }
    for (int64_t idx = 0; idx < 6; idx++) {
        const struct nsc_payload_row *entry = naive_entry(rolled, domain, schema, idx);
        const struct nsc_payload_row *word;
        unsigned width;
        char form;
        uint64_t at;

        if (!entry)
            continue;
        width = naive_width(rolled, entry, &form);
        if (width == 0 || entry->array) {
            next = UINT64_MAX;
            continue;
        }
        at = (uint64_t)entry->offset;
        if (entry->offset < 0) {
            if (next > (uint64_t)length)
                continue;
            for (at = next; at % width; at++) {
            }
        }
        if (at + width > (uint64_t)length)
            continue;
        out[count] = (struct nsc_payload_value){.name = entry->name};
        if (form == 'f' && width == 4) {
            float real;

            memcpy(&real, bytes + from + at, 4);
            out[count].real = (double)real;
        } else if (form == 'f') {
            memcpy(&out[count].real, bytes + from + at, 8);
        } else {
            out[count].integer = naive_integer(bytes + from + at, width, form == 's');
            word = naive_word(rolled, domain, entry->type, out[count].integer, false);
            out[count].word = word ? word->name : (struct nsc_text){"", 0};
        }
        next = at + width;
        count++;
    }
    return count;
}

/* ---- the test ---- */

static uint32_t roll_payload(uint8_t bytes[BYTES], struct dice *dice)
{
    uint32_t n = (uint32_t)dice_below(dice, BYTES + 1);
    uint64_t header[4] = {dice_below(dice, 2), dice_below(dice, 2), dice_below(dice, 80), 32};

    for (uint32_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)dice_below(dice, dice_below(dice, 2) ? 4 : 256);
    if (dice_below(dice, 2))
        header[3] = dice_below(dice, 2) ? 32 + header[2] : dice_below(dice, 100);
    if (dice_below(dice, 20) == 0)
        header[dice_below(dice, 4)] = dice_next(dice);
    memcpy(bytes, header, n < 32 ? n : 32);
    return n;
}

static void check_equal(const struct nsc_payload_value *a, const struct nsc_payload_value *b)
{
    assert_int_equal(a->name.n, b->name.n);
    assert_memory_equal(a->name.bytes, b->name.bytes, a->name.n);
    assert_int_equal(a->integer, b->integer);
    assert_int_equal(a->word.n, b->word.n);
    assert_memory_equal(a->word.bytes, b->word.bytes, a->word.n);
    if (isnan(a->real))
        assert_true(isnan(b->real));
    else
        assert_memory_equal(&a->real, &b->real, sizeof a->real);
}

/* Decodes the bytes from memory of exactly their length, so that a sanitizer detects an
 * overread. */
static uint32_t decode(struct nsc_payload_value out[], const struct nsc_payload_schemas *schemas,
                       const uint8_t *bytes, uint32_t n, bool hex)
{
    char *copy = malloc(hex ? 2 * (size_t)n + 1 : n ? n : 1);
    uint32_t count;

    assert_non_null(copy);
    for (uint32_t i = 0; hex && i < n; i++) {
        copy[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        copy[2 * i + 1] = "0123456789ABCDEF"[bytes[i] & 15];
    }
    if (!hex && n)
        memcpy(copy, bytes, n);
    count = nsc_payload_decode(out, schemas, (struct nsc_text){copy, hex ? 2 * n : n});
    free(copy);
    return count;
}

TEST(decoding_is_the_naive_reading)
{
    struct dice dice = dice_new(13);
    uint32_t met = 0;

    for (int round = 0; round < 20000; round++) {
        static struct table entries, words;
        struct nsc_payload_value got[NSC_PAYLOAD_VALUES], hex[NSC_PAYLOAD_VALUES], want[32];
        struct nsc_payload_schemas schemas;
        struct rolled rolled;
        uint8_t bytes[BYTES];
        uint32_t n = roll_payload(bytes, &dice), n_want;

        roll_schemas(&rolled, &dice);
        fill_entries(&entries, &rolled);
        fill_words(&words, &rolled);
        nsc_payload_schemas_build(&schemas, &entries.fields, &words.fields);
        n_want = naive_decode(want, &rolled, bytes, n);
        assert_int_equal(decode(got, &schemas, bytes, n, false), n_want);
        assert_int_equal(decode(hex, &schemas, bytes, n, true), n_want);
        for (uint32_t i = 0; i < n_want; i++) {
            check_equal(&got[i], &want[i]);
            check_equal(&hex[i], &want[i]);
        }
        met += n_want;
        nsc_payload_schemas_fini(&schemas);
        nsc_strpool_fini(&entries.fields.texts);
        nsc_strpool_fini(&words.fields.texts);
    }
    assert_true(met > 5000);
}
