/*
 * A sheet: an answer as plain data, columns with units and rows of cells, for all writers.
 *
 * The questions of analysis/ fill sheets; share/sheet_write prints them as a table, CSV, TSV, JSON
 * or Markdown, and panes show them. A column has a unit and, if it is a share, its denominator.
 * Texts are raw bytes and are copied; cells are added row by row, in the order of the columns.
 * Times are integers in ns, rounded only on output.
 *
 * The owner calls fini. No call fails: small allocations end the program (core/die.h).
 */
#ifndef NSC_CORE_SHEET_H
#define NSC_CORE_SHEET_H

#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/vec.h"

#include <stddef.h>

enum nsc_sheet_kind {
    NSC_SHEET_TEXT,    /* raw bytes */
    NSC_SHEET_COUNT,   /* a number of things, an integer */
    NSC_SHEET_ID,      /* an integer that identifies: device, stream, pid, correlation id */
    NSC_SHEET_NS,      /* a duration, ns */
    NSC_SHEET_INSTANT, /* a point on the export's clock, ns */
    NSC_SHEET_BYTES,   /* bytes */
    NSC_SHEET_PERCENT, /* 0 to 100, a double; the denominator is the column's `of` */
    NSC_SHEET_NUMBER,  /* a double with the column's decimals; key and title name its unit */
    NSC_SHEET_YES      /* true or false */
};

/* The C type of a bound field. */
enum nsc_bind_type {
    NSC_BIND_NONE, /* the column is not bound: cells are added one by one */
    NSC_BIND_BOOL,
    NSC_BIND_U8,
    NSC_BIND_U16,
    NSC_BIND_I32,
    NSC_BIND_U32,
    NSC_BIND_I64,
    NSC_BIND_U64,
    NSC_BIND_DOUBLE,
    NSC_BIND_TEXT,   /* struct nsc_text */
    NSC_BIND_STRING, /* const char * */
    NSC_BIND_KEPT    /* struct nsc_kept_text */
};

struct nsc_sheet_column {
    const char *key;   /* name in CSV and JSON, unit included: "total_ns"; static */
    const char *title; /* heading in a table: "Total"; static */
    const char *of;    /* the denominator of a share: "summed kernel time"; NULL: none; static */
    uint8_t kind;      /* enum nsc_sheet_kind */
    uint8_t decimals;  /* of a NUMBER; a PERCENT always has one */
    uint8_t type;      /* enum nsc_bind_type of the field, or of the part of a share */
    uint8_t whole;     /* enum nsc_bind_type of the whole of a share */
    uint16_t at;       /* offset of the field, or of the part */
    uint16_t whole_at; /* offset of the whole */
    uint16_t row;      /* bytes of the struct; add_row asserts them */
    uint32_t scale;    /* NUMBER: divides the field; 0: unscaled */
    bool is_exact;     /* NUMBER: files have all digits, and decimals are those of a table */
};

/*
 * ---- columns bound to a struct: one line a column, one struct a row ----
 *
 *     struct gap_row {
 *         int64_t gpu;
 *         struct nsc_gap gap;
 *         const char *cause;
 *     };
 *     static const struct nsc_sheet_column gap_columns[] = {
 *         NSC_COL_ID(gap_row, gpu, "gpu", "GPU"),
 *         NSC_COL_INSTANT(gap_row, gap.start, "start_ns", "From"),
 *         NSC_COL_TEXT(gap_row, cause, "cause", "Cause"),
 *         {0},
 *     };
 *     NSC_ADD_ROW(sheet, gap_row, .gpu = 0, .gap = *gap, .cause = "late");
 *
 * A field may lie in a nested struct or an array. A field that does not exist, or whose type does
 * not suit the kind of its column, does not compile: integers for COUNT, ID, BYTES and YES,
 * nsc_time for NS and INSTANT, double for PERCENT and NUMBER, text for TEXT. Not known are
 * NSC_UNKNOWN in an int64_t, NAN and infinity in a double, NULL in a const char *, and a share
 * whose whole is 0 or whose part is NSC_UNKNOWN.
 */
#define NSC_UNKNOWN INT64_MIN

/* Bytes of a text that nsc_sheet_keep has copied to a sheet; {0}: not known. */
struct nsc_kept_text {
    size_t at;
    uint32_t n;
    bool is_set;
};

/* clang-format off */
#define NSC_BIND_FIELD(r, f)    (((const struct r *)0)->f)
#define NSC_TYPE_OF_TIME(r, f)    _Generic(NSC_BIND_FIELD(r, f), int64_t: NSC_BIND_I64)
#define NSC_TYPE_OF_DOUBLE(r, f)  _Generic(NSC_BIND_FIELD(r, f), double: NSC_BIND_DOUBLE)
#define NSC_TYPE_OF_SCALED(r, f)  _Generic(NSC_BIND_FIELD(r, f), int64_t: NSC_BIND_I64, double: NSC_BIND_DOUBLE)
#define NSC_TYPE_OF_INTEGER(r, f) _Generic(NSC_BIND_FIELD(r, f), \
    bool: NSC_BIND_BOOL, uint8_t: NSC_BIND_U8, uint16_t: NSC_BIND_U16, int32_t: NSC_BIND_I32, \
    uint32_t: NSC_BIND_U32, int64_t: NSC_BIND_I64, uint64_t: NSC_BIND_U64)
/* Takes the address, so that a char array does not pass for a const char *. */
#define NSC_TYPE_OF_TEXT(r, f)    _Generic(&NSC_BIND_FIELD(r, f), const struct nsc_text *: NSC_BIND_TEXT, \
    const char *const *: NSC_BIND_STRING, const struct nsc_kept_text *: NSC_BIND_KEPT)
/* clang-format on */
#define NSC_BIND_COLUMN(r, f, key, title, of, kind, decimals, type)                    \
    {                                                                                  \
        key, title, of, kind, decimals, type, NSC_BIND_NONE, offsetof(struct r, f), 0, \
            sizeof(struct r), 0, false                                                 \
    }
#define NSC_BIND_KIND(r, f, key, title, kind, type) \
    NSC_BIND_COLUMN(r, f, key, title, NULL, NSC_SHEET_##kind, 0, type)

/* r: tag of the row's struct; f: its field. */
#define NSC_COL_TEXT(r, f, key, title) NSC_BIND_KIND(r, f, key, title, TEXT, NSC_TYPE_OF_TEXT(r, f))
#define NSC_COL_COUNT(r, f, key, title) \
    NSC_BIND_KIND(r, f, key, title, COUNT, NSC_TYPE_OF_INTEGER(r, f))
#define NSC_COL_ID(r, f, key, title) NSC_BIND_KIND(r, f, key, title, ID, NSC_TYPE_OF_INTEGER(r, f))
#define NSC_COL_BYTES(r, f, key, title) \
    NSC_BIND_KIND(r, f, key, title, BYTES, NSC_TYPE_OF_INTEGER(r, f))
#define NSC_COL_YES(r, f, key, title) \
    NSC_BIND_KIND(r, f, key, title, YES, NSC_TYPE_OF_INTEGER(r, f))
#define NSC_COL_NS(r, f, key, title) NSC_BIND_KIND(r, f, key, title, NS, NSC_TYPE_OF_TIME(r, f))
#define NSC_COL_INSTANT(r, f, key, title) \
    NSC_BIND_KIND(r, f, key, title, INSTANT, NSC_TYPE_OF_TIME(r, f))
#define NSC_COL_NUMBER(r, f, key, title, decimals) \
    NSC_BIND_COLUMN(r, f, key, title, NULL, NSC_SHEET_NUMBER, decimals, NSC_TYPE_OF_DOUBLE(r, f))
/* A NUMBER with a denominator. */
#define NSC_COL_RATIO(r, f, key, title, of, decimals) \
    NSC_BIND_COLUMN(r, f, key, title, of, NSC_SHEET_NUMBER, decimals, NSC_TYPE_OF_DOUBLE(r, f))
#define NSC_COL_PERCENT(r, f, key, title, of) \
    NSC_BIND_COLUMN(r, f, key, title, of, NSC_SHEET_PERCENT, 0, NSC_TYPE_OF_DOUBLE(r, f))
/* 100 part / all, of two integer fields. */
#define NSC_COL_SHARE(r, part, all, key, title, of)                                         \
    {                                                                                       \
        key, title, of, NSC_SHEET_PERCENT, 0, NSC_TYPE_OF_INTEGER(r, part),                 \
            NSC_TYPE_OF_INTEGER(r, all), offsetof(struct r, part), offsetof(struct r, all), \
            sizeof(struct r), 0, false                                                      \
    }
/* A NUMBER in a larger unit than its field (nsc_time or double): scale 1000000 gives ms from ns. */
#define NSC_COL_SCALED(r, f, key, title, decimals, scale)                                      \
    {                                                                                          \
        key, title, NULL, NSC_SHEET_NUMBER, decimals, NSC_TYPE_OF_SCALED(r, f), NSC_BIND_NONE, \
            offsetof(struct r, f), 0, sizeof(struct r), scale, false                           \
    }

/* A column that is not bound: its cells are added one by one. */
#define NSC_COL_UNBOUND(key, title, of, kind, decimals)                                 \
    {                                                                                   \
        key, title, of, kind, decimals, NSC_BIND_NONE, NSC_BIND_NONE, 0, 0, 0, 0, false \
    }

struct nsc_sheet_cell {
    bool is_set; /* otherwise unknown: printed as nothing, null in JSON */
    uint32_t n;  /* TEXT: its bytes */
    union {
        int64_t integer; /* COUNT, ID, NS, INSTANT, BYTES, YES */
        double number;   /* PERCENT, NUMBER; never infinite or NaN */
        size_t at;       /* TEXT: in the sheet's bytes */
    };
};

struct nsc_sheet {
    const char *key;   /* "top_kernels": name in JSON and of the CSV file; static */
    const char *title; /* "Kernels by summed time"; static */
    const struct nsc_sheet_column *columns; /* borrowed: static tables */
    struct nsc_sheet_column *own_columns;   /* owned, of nsc_sheet_columns_copy, if the columns are
                                               not a static table; else NULL */
    uint32_t n_columns;
    bool has_window,
        is_at_least;          /* is_at_least: a sum was capped at INT64_MAX, and a note says so */
    bool counts_only;         /* of a list that counts only */
    uint32_t n_counted;       /* bound rows that were counted and not kept */
    struct nsc_window window; /* what was looked at */
    uint64_t n_left_out;      /* rows that a limit cut off */
    NSC_VEC(struct nsc_sheet_cell) cells; /* row after row */
    NSC_VEC(char *) notes;                /* for the reader; raw, owned */
    struct nsc_buf bytes;                 /* of the texts */
};

#define NSC_SHEET_NOTE_BYTES 1024 /* longer notes are cut */

/* Copies columns with the texts of their keys and titles in one allocation, which the caller
 * frees. */
struct nsc_sheet_column *nsc_sheet_columns_copy(const struct nsc_sheet_column columns[],
                                                uint32_t n);
/* columns are borrowed; key and title are static texts. */
void nsc_sheet_init(struct nsc_sheet *sheet, const char *key, const char *title,
                    const struct nsc_sheet_column columns[], uint32_t n_columns);
void nsc_sheet_fini(struct nsc_sheet *sheet);

/* ---- filling ---- */

/* Adds a row: a pointer to the struct that the sheet's columns are bound to. Texts are copied. */
#define NSC_SHEET_ADD_ROW(sheet, row) nsc_sheet_add_bound(sheet, row, sizeof *(row))
/* Adds a row given as a struct tag and fields: NSC_ADD_ROW(sheet, gap_row, .gpu = 0, .cause =
 * "late"). */
#define NSC_ADD_ROW(sheet, tag, ...) NSC_SHEET_ADD_ROW(sheet, (&(struct tag){__VA_ARGS__}))
void nsc_sheet_add_bound(struct nsc_sheet *sheet, const void *row, size_t bytes);
/* Counts a row if the sheet only counts: then the row need not be worked out. */
bool nsc_sheet_count_row(struct nsc_sheet *sheet);
static inline int64_t nsc_known(bool is_known, int64_t value)
{
    return is_known ? value : NSC_UNKNOWN;
}
/* Copies a text to the sheet, for a row that is added later. */
struct nsc_kept_text nsc_sheet_keep(struct nsc_sheet *sheet, struct nsc_text text);
/* The same for the text of a buffer, which it frees. */
struct nsc_kept_text nsc_sheet_keep_buf(struct nsc_sheet *sheet, struct nsc_buf *text);

/* ---- filling columns that are not bound: one call a cell, row by row; the kind must be the
 * column's (asserted) ---- */

void nsc_sheet_add_text(struct nsc_sheet *sheet, struct nsc_text value);
/* COUNT, ID, NS, INSTANT, BYTES, YES; of every kind NSC_UNKNOWN. */
void nsc_sheet_add_int(struct nsc_sheet *sheet, int64_t value);
/* PERCENT, NUMBER. Infinite and NaN become unknown. */
void nsc_sheet_add_number(struct nsc_sheet *sheet, double value);
void nsc_sheet_add_unknown(struct nsc_sheet *sheet);
/* Adds a line below the sheet: a window, a denominator, what is unknown. */
void nsc_sheet_note(struct nsc_sheet *sheet, const char *format, ...) NSC_PRINTF(2, 3);
/* Adds the note only if the sheet has no rows. */
void nsc_sheet_note_empty(struct nsc_sheet *sheet, const char *note);

/* ---- reading ---- */

/* Number of complete rows, kept or only counted. */
uint32_t nsc_sheet_rows(const struct nsc_sheet *sheet);
const struct nsc_sheet_cell *nsc_sheet_at(const struct nsc_sheet *sheet, uint32_t row,
                                          uint32_t column);
/* The number of the column with that key; NSC_NONE if there is none. */
uint32_t nsc_sheet_column(const struct nsc_sheet *sheet, struct nsc_text key);
/* The cell of that column; NULL if there is none. */
const struct nsc_sheet_cell *nsc_sheet_find(const struct nsc_sheet *sheet, uint32_t row,
                                            const char *key);
/* Its text; "" for an unknown one, or if there is no such column. */
struct nsc_text nsc_sheet_find_text(const struct nsc_sheet *sheet, uint32_t row, const char *key);
/* Whether the cell is there, known and not 0. */
bool nsc_sheet_find_bool(const struct nsc_sheet *sheet, uint32_t row, const char *key);
/* The bytes of a TEXT cell; "" if unknown. Borrowed. */
struct nsc_text nsc_sheet_text(const struct nsc_sheet *sheet, const struct nsc_sheet_cell *cell);

/* Appends a cell as people read it, "3.45 ms" or "12.5 %"; raw for texts, nothing if unknown. */
void nsc_sheet_show(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row,
                    uint32_t column, bool ascii);
/* The rows ordered by a column: unknown values first, then by value, texts by their bytes; equal
 * rows keep their order. descending: reversed. order has one number per row. */
void nsc_sheet_sort(const struct nsc_sheet *sheet, uint32_t column, bool descending,
                    uint32_t *order, uint32_t n);

/* The rows with the smallest and the greatest value of a column; unknown ones count only where all are. */
void nsc_sheet_extremes(const struct nsc_sheet *sheet, uint32_t column, uint32_t out[2]);

/* Sheets that answer one question together, in order. */
struct nsc_sheets {
    NSC_VEC(struct nsc_sheet) list;
    bool counts_only; /* new sheets count their bound rows and keep none */
};

/* Adds an initialised sheet at the end; the pointer is valid until the next call. */
struct nsc_sheet *nsc_sheets_add(struct nsc_sheets *sheets, const char *key, const char *title,
                                 const struct nsc_sheet_column columns[], uint32_t n_columns);
/* The same with all columns of an array. */
#define NSC_SHEETS_ADD(sheets, key, title, columns) \
    nsc_sheets_add(sheets, key, title, columns, sizeof(columns) / sizeof *(columns))
/* The sheet with that key; NULL if there is none. */
const struct nsc_sheet *nsc_sheets_find(const struct nsc_sheets *sheets, const char *key);
/* Rows of all sheets. */
uint64_t nsc_sheets_rows(const struct nsc_sheets *sheets);
void nsc_sheets_fini(struct nsc_sheets *sheets);

/* ---- one question answered for several exports ---- */

/*
 * Joins the answers of several exports. Makes one sheet for each key and its columns, in order of
 * appearance, with the rows of each part in turn and a first column "rank" with their labels. The
 * window spans those of the parts; rows left out add up. A note that all parts share appears once;
 * any other follows the label of its part. labels: raw, one for each part. out is initialised; the
 * parts are not changed.
 */
extern const struct nsc_sheet_column nsc_rank_column;
void nsc_sheets_join(struct nsc_sheets *out, const struct nsc_sheets parts[],
                     const struct nsc_text labels[], uint32_t n);

#endif
