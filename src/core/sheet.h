/*
 * A sheet: an answer as plain data, columns with units and rows of cells, for every writer alike.
 *
 * Each question of analysis/ fills sheets; share/sheet_write prints them as a table, CSV, TSV, JSON
 * or Markdown, and the screen shows them in panes. A column says what its numbers are and, for a
 * share, what of (its denominator). Texts are raw bytes and are copied; cells are added row by row,
 * in the order of the columns. Times are ns as integers, never rounded before they are written.
 *
 * The owner calls fini. Nothing here fails: small allocations die (core/die.h).
 */
#ifndef NSC_CORE_SHEET_H
#define NSC_CORE_SHEET_H

#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/vec.h"

enum nsc_sheet_kind {
    NSC_SHEET_TEXT,    /* raw bytes */
    NSC_SHEET_COUNT,   /* how many: an integer */
    NSC_SHEET_ID,      /* an integer that is a name: device, stream, pid, correlation id */
    NSC_SHEET_NS,      /* a length of time, ns */
    NSC_SHEET_INSTANT, /* a point on the export's clock, ns */
    NSC_SHEET_BYTES,   /* bytes */
    NSC_SHEET_PERCENT, /* 0 to 100, a double; the column's of says of what */
    NSC_SHEET_NUMBER,  /* a double with the column's decimals; its unit is in the key and the title
                        */
    NSC_SHEET_YES      /* true or false */
};

struct nsc_sheet_column {
    const char *key;   /* name in CSV and JSON, unit included: "total_ns"; static */
    const char *title; /* heading of a table: "Total"; static */
    const char *of;    /* the denominator of a share: "summed kernel time"; NULL: none; static */
    uint8_t kind;      /* enum nsc_sheet_kind */
    uint8_t decimals;  /* of a NUMBER; PERCENT has one */
};

struct nsc_sheet_cell {
    bool is_set; /* else: not known, printed as nothing, in JSON as null */
    union {
        int64_t integer; /* COUNT, ID, NS, INSTANT, BYTES, YES */
        double number;   /* PERCENT, NUMBER; never infinite or NaN */
        struct {
            size_t at; /* TEXT: in the sheet's bytes */
            uint32_t n;
        } text;
    };
};

struct nsc_sheet {
    const char *key;   /* "top_kernels": its name in JSON and of its CSV file; static */
    const char *title; /* "Kernels by summed time"; static */
    const struct nsc_sheet_column *columns; /* borrowed: static tables */
    struct nsc_sheet_column *own_columns;   /* owned: those that are no static table; else NULL */
    uint32_t n_columns;
    bool has_window;
    struct nsc_window window;             /* what was looked at */
    uint64_t n_left_out;                  /* rows that a limit cut off; 0: all are here */
    NSC_VEC(struct nsc_sheet_cell) cells; /* row after row */
    NSC_VEC(char *) notes;                /* what a reader has to know; raw, owned */
    struct nsc_buf bytes;                 /* of the texts */
};

#define NSC_SHEET_NOTE_BYTES 1024 /* longer notes are cut */

/* columns stay borrowed; key and title are static texts. */
void nsc_sheet_init(struct nsc_sheet *sheet, const char *key, const char *title,
                    const struct nsc_sheet_column columns[], uint32_t n_columns);
void nsc_sheet_fini(struct nsc_sheet *sheet);

/* ---- filling: one call a cell, row by row; the kind must be the column's (asserted) ---- */

void nsc_sheet_add_text(struct nsc_sheet *sheet, struct nsc_text value);
void nsc_sheet_add_puts(struct nsc_sheet *sheet, const char *value);
/* COUNT, ID, NS, INSTANT, BYTES, YES. */
void nsc_sheet_add_int(struct nsc_sheet *sheet, int64_t value);
/* PERCENT, NUMBER. Infinite and NaN become "not known". */
void nsc_sheet_add_number(struct nsc_sheet *sheet, double value);
/* 100 part / whole; not known when whole is 0. */
void nsc_sheet_add_share(struct nsc_sheet *sheet, nsc_time part, nsc_time whole);
void nsc_sheet_add_unknown(struct nsc_sheet *sheet);
/* A line that goes with the sheet: a window, a denominator, what could not be known. */
void nsc_sheet_note(struct nsc_sheet *sheet, const char *format, ...) NSC_PRINTF(2, 3);

/* ---- reading ---- */

/* Rows that are complete. */
uint32_t nsc_sheet_rows(const struct nsc_sheet *sheet);
const struct nsc_sheet_cell *nsc_sheet_at(const struct nsc_sheet *sheet, uint32_t row,
                                          uint32_t column);
/* The bytes of a TEXT cell; "" when it is not known. Borrowed. */
struct nsc_text nsc_sheet_text(const struct nsc_sheet *sheet, const struct nsc_sheet_cell *cell);

/* Some sheets that answer one question together, in order. */
struct nsc_sheets {
    NSC_VEC(struct nsc_sheet) list;
};

/* A new sheet at the end, initialised; the pointer holds until the next call. */
struct nsc_sheet *nsc_sheets_add(struct nsc_sheets *sheets, const char *key, const char *title,
                                 const struct nsc_sheet_column columns[], uint32_t n_columns);
/* NULL when there is none of that key. */
const struct nsc_sheet *nsc_sheets_find(const struct nsc_sheets *sheets, const char *key);
/* Rows of all of them. */
uint64_t nsc_sheets_rows(const struct nsc_sheets *sheets);
void nsc_sheets_fini(struct nsc_sheets *sheets);

/*
 * One sheet for each key and its columns, in the order in which they are met, the rows of each part
 * in turn.
 * Its window spans those of the parts; what is left out adds up; a note that all parts of the sheet
 * have stands once, any other behind the label of its part. labels: raw, one a part. out is
 * initialised; the parts are not changed.
 */
void nsc_sheets_join(struct nsc_sheets *out, const struct nsc_sheets parts[],
                     const struct nsc_text labels[], uint32_t n);

#endif
