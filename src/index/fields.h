/*
 * Column values that the index does not hold, for the events of one table or for the rows of a
 * table without events.
 *
 * A plain value for analysis/: nsys/tables/fields.c reads it, the caller owns it (nsc_fields_free). Rows
 * ascend by event, or by row id if there are no events. Values are as exported: times and durations
 * in ns, sizes in bytes, enumerations as numbers. is_there is false for a column that the export
 * lacks; a cell that is NULL or of another type is not set.
 */
#ifndef NSC_INDEX_FIELDS_H
#define NSC_INDEX_FIELDS_H

#include "nsyscope/kind.h"
#include "nsyscope/types.h"

#include "core/bits.h"
#include "core/strpool.h"

#define NSC_FIELDS_COLUMNS 16

enum nsc_field_type {
    NSC_FIELD_INT,   /* integers */
    NSC_FIELD_REAL,  /* reals; integers are converted */
    NSC_FIELD_TEXT,  /* texts, raw bytes, at most 65,536 each */
    NSC_FIELD_BYTES, /* texts or blobs, as TEXT; only for whole tables */
    NSC_FIELD_STRING /* integers that are ids of StringIds, as texts; an unknown id is not set */
};

/* A requested column. Older and newer names of the column are found too. */
struct nsc_field_ask {
    const char *name; /* static */
    enum nsc_field_type type;
};

struct nsc_field {
    const char *name;     /* the requested name */
    uint8_t type;         /* enum nsc_field_type */
    bool is_there;        /* the table has the column; if not, value and set are NULL */
    const int64_t *value; /* one per row, 0 if not set. REAL: the bits of the double. TEXT, BYTES
                             and STRING: nsc_str of texts */
    const uint64_t *set;  /* one bit per row */
    size_t value_bytes, set_bytes; /* allocated bytes */
};

struct nsc_fields {
    uint32_t n;             /* rows */
    const nsc_event *event; /* ascending; NULL if the rows are not events */
    uint32_t n_columns;
    struct nsc_field columns[NSC_FIELDS_COLUMNS]; /* in the requested order */
    struct nsc_strpool texts; /* texts of TEXT, BYTES and STRING columns, frozen */
    /* For nsc_fields_find. */
    uint64_t *is_row;  /* one bit per event of the trace */
    uint32_t *before;  /* rows before each group of 64 events */
    uint32_t n_events; /* of the trace */
};

void nsc_fields_free(struct nsc_fields *fields); /* NULL is fine */

/* The row of an event; NSC_NONE for an event of another table. fields may be NULL. O(1). */
static inline uint32_t nsc_fields_find(const struct nsc_fields *fields, nsc_event event)
{
    uint64_t below = ((uint64_t)1 << (event & 63)) - 1;

    if (!fields || event >= fields->n_events || !nsc_bits_get(fields->is_row, event))
        return NSC_NONE;
    return fields->before[event >> 6] + nsc_bits_count_word(fields->is_row[event >> 6] & below);
}

/* Whether requested column number `column` is there. fields may be NULL. */
static inline bool nsc_fields_has(const struct nsc_fields *fields, uint32_t column)
{
    return fields && column < fields->n_columns && fields->columns[column].is_there;
}

/* The first row with this value in a column; NSC_NONE: none has it. fields may be NULL. */
uint32_t nsc_fields_row(const struct nsc_fields *fields, uint32_t column, int64_t value);

/* The value of a row. False and 0 if it is not set, or row is NSC_NONE. */
static inline bool nsc_fields_int(int64_t *out, const struct nsc_fields *fields, uint32_t column,
                                  uint32_t row)
{
    bool is_set = row != NSC_NONE && nsc_fields_has(fields, column) &&
                  nsc_bits_get(fields->columns[column].set, row);

    *out = is_set ? fields->columns[column].value[row] : 0;
    return is_set;
}

/* The text of a row; "" if it is not set. Raw bytes, borrowed. */
static inline struct nsc_text nsc_fields_text(const struct nsc_fields *fields, uint32_t column,
                                              uint32_t row)
{
    int64_t id;

    if (!nsc_fields_int(&id, fields, column, row))
        return (struct nsc_text){"", 0};
    return nsc_strpool_text(&fields->texts, (nsc_str)id);
}

#endif
