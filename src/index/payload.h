/*
 * Decodes binary payloads of NVTX events: NVTX_EVENTS.binaryData by the rows of
 * NVTX_PAYLOAD_SCHEMA_ENTRIES and NVTX_PAYLOAD_ENUM_ENTRIES.
 *
 * A payload is four little-endian 64-bit numbers (domain, schema, bytes of the data, offset of the
 * data) and the data. An entry of the schema is a number at an offset in the data; its type is one
 * of NVTX's numbered types, or the schema of an enumeration (4 bytes). Some exports store the whole
 * length instead of the data's offset, and some tools write the payload as hexadecimal text; both
 * are read. Arrays, nested schemas, texts and long doubles are skipped.
 *
 * Meaning: for each entry of the schema in the order of idx, take width(type) bytes at its offset;
 * skip an entry whose bytes do not lie in the data. An entry without an offset follows the one
 * before it, aligned to its width. Any bytes are safe to decode.
 */
#ifndef NSC_INDEX_PAYLOAD_H
#define NSC_INDEX_PAYLOAD_H

#include "core/vec.h"
#include "index/fields.h"

/* number: the idx of an entry of a schema, or a value of an enumeration. */
struct nsc_payload_key {
    int64_t domain, schema, number;
};

/* A row of either table; the last three are of entries. */
struct nsc_payload_row {
    struct nsc_payload_key key;
    uint32_t row;
    struct nsc_text name; /* raw, borrowed */
    int64_t type;
    int64_t offset; /* -1: not given */
    int64_t array;  /* 0: a single value */
};

struct nsc_payload_rows {
    NSC_VEC(struct nsc_payload_row) list; /* by key, then row */
};

struct nsc_payload_schemas {
    struct nsc_payload_rows entries, words;
};

/* The columns of the two tables, in this order. */
enum nsc_payload_entry_field {
    NSC_PAYLOAD_ENTRY_DOMAIN,
    NSC_PAYLOAD_ENTRY_SCHEMA,
    NSC_PAYLOAD_ENTRY_IDX,
    NSC_PAYLOAD_ENTRY_TYPE,
    NSC_PAYLOAD_ENTRY_NAME,
    NSC_PAYLOAD_ENTRY_ARRAY,
    NSC_PAYLOAD_ENTRY_OFFSET,
    NSC_N_PAYLOAD_ENTRY_FIELDS
};
enum nsc_payload_word_field {
    NSC_PAYLOAD_WORD_DOMAIN,
    NSC_PAYLOAD_WORD_SCHEMA,
    NSC_PAYLOAD_WORD_VALUE,
    NSC_PAYLOAD_WORD_NAME,
    NSC_N_PAYLOAD_WORD_FIELDS
};
/* clang-format off */
#define NSC_PAYLOAD_ENTRY_ASKS                                    \
    {                                                             \
        {"domainId", NSC_FIELD_INT}, {"schemaId", NSC_FIELD_INT}, \
        {"idx", NSC_FIELD_INT}, {"type", NSC_FIELD_INT},          \
        {"name", NSC_FIELD_TEXT},                                 \
        {"arrayOrUnionDetail", NSC_FIELD_INT},                    \
        {"offset", NSC_FIELD_INT}                                 \
    }
#define NSC_PAYLOAD_WORD_ASKS                                     \
    {                                                             \
        {"domainId", NSC_FIELD_INT}, {"schemaId", NSC_FIELD_INT}, \
        {"value", NSC_FIELD_INT}, {"name", NSC_FIELD_TEXT}        \
    }
/* clang-format on */

/* Sorts the rows of the tables. The first of equal rows counts, because nsys repeats them for each
 * process. Borrows the texts of both; either may be NULL. The owner calls fini. */
void nsc_payload_schemas_build(struct nsc_payload_schemas *out, const struct nsc_fields *entries,
                               const struct nsc_fields *words);
void nsc_payload_schemas_fini(struct nsc_payload_schemas *schemas);

enum nsc_payload_form { NSC_PAYLOAD_SIGNED, NSC_PAYLOAD_UNSIGNED, NSC_PAYLOAD_REAL };

struct nsc_payload_value {
    struct nsc_text name;
    uint8_t form;         /* enum nsc_payload_form */
    int64_t integer;      /* UNSIGNED: the same bits */
    double real;          /* REAL */
    struct nsc_text word; /* word of an enumeration's value; "" for other values */
};

#define NSC_PAYLOAD_VALUES 32 /* most values of a payload; the rest is skipped */

/* Writes the values of a payload in the order of its schema; returns their number. 0 if the bytes
 * are no payload, or their schema is unknown. Names are borrowed from schemas. */
uint32_t nsc_payload_decode(struct nsc_payload_value out[NSC_PAYLOAD_VALUES],
                            const struct nsc_payload_schemas *schemas, struct nsc_text payload);

#endif
