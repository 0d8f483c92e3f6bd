/*
 * Sheets as text: an aligned table, CSV, TSV, JSON or Markdown.
 *
 * Texts of a file are cleaned here: by core/text for tables, share/csv for CSV, the JSON writer, or
 * Markdown's escapes. Tables show right-aligned numbers in readable units (core/units). CSV, TSV
 * and JSON contain integers in ns and bytes, and doubles with the column's decimals and a decimal
 * point.
 */
#ifndef NSC_SHARE_SHEET_WRITE_H
#define NSC_SHARE_SHEET_WRITE_H

#include "nsyscope/status.h"

#include "core/json_write.h"
#include "core/sheet.h"

enum nsc_sheet_format {
    NSC_SHEET_AS_TABLE,
    NSC_SHEET_AS_CSV, /* header, then rows; an empty line separates sheets */
    NSC_SHEET_AS_TSV,
    NSC_SHEET_AS_JSON,
    NSC_SHEET_AS_MD,
    NSC_N_SHEET_FORMATS,
    /* For --raw-csv: keeps texts that a spreadsheet would run. */
    NSC_SHEET_AS_RAW_CSV = NSC_N_SHEET_FORMATS,
    NSC_SHEET_AS_RAW_TSV
};

/* Finds "table", "csv", "tsv", "json", "md"; false for another name. */
bool nsc_sheet_format_parse(enum nsc_sheet_format *out, const char *name);

struct nsc_sheet_style {
    enum nsc_sheet_format format;
    bool ascii;
    uint32_t width; /* most cells of a table, 0: no limit; the last text column shrinks */
    uint32_t wrap;  /* table: width for wrapping the notes, in cells; 0: no limit */
};

/* Writes one sheet: table and Markdown with title and notes, CSV and TSV without. */
void nsc_sheet_write(struct nsc_buf *out, const struct nsc_sheet *sheet,
                     const struct nsc_sheet_style *style);
/* Writes a line of clean words, wrapped between them if the style wraps; further lines are indented
 * as far as the prefix. */
void nsc_words_wrap(struct nsc_buf *out, const char *prefix, struct nsc_text text,
                    const struct nsc_sheet_style *style);
/*
 * Writes all sheets. JSON: the elements of "sheets" alone, {"key", "title", "window": {"start_ns",
 * "end_ns"} | null, "columns": [{"key", "unit", "of"}], "rows": [{KEY: value}], "left_out", "notes"};
 * serve/envelope.h puts the document around them.
 */
void nsc_sheets_write(struct nsc_buf *out, const struct nsc_sheets *sheets,
                      const struct nsc_sheet_style *style);
/* Writes the sheet as an object inside the caller's document. */
void nsc_sheet_write_json(struct nsc_json *json, const struct nsc_sheet *sheet);

struct nsc_sheet_csv {
    bool is_first; /* of its row: no comma before it */
    bool is_raw;   /* see share/csv.h */
    bool is_exact; /* a number has as many digits as it needs, not the column's decimals */
};
void nsc_sheet_write_csv_cell(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row,
                              uint32_t column, const struct nsc_sheet_csv *style);

/* Writes a sheet as CSV to a new file. Errors as nsc_outfile_open(). */
NSC_NODISCARD enum nsc_status nsc_sheet_save(const char *path, const struct nsc_sheet *sheet,
                                             struct nsc_error *error);

/*
 * Writes a sheet as a plain table for scripts: header, dashes, rows. Cells are left-aligned and
 * padded, the last one too, with one space between columns.
 *
 * Numbers are plain digits. A NUMBER whose key ends in _pct has one or two decimals and a percent
 * sign: "58.4%". Unknown values print as None. Texts pass core/text.
 */
void nsc_plain_table_write(struct nsc_buf *out, const struct nsc_sheet *sheet);

/* before: the previous sheet, NULL for the first; its window is not repeated. */
void nsc_sheet_write_table(struct nsc_buf *out, const struct nsc_sheet *sheet,
                           const struct nsc_sheet *before, const struct nsc_sheet_style *style);
void nsc_sheet_write_md(struct nsc_buf *out, const struct nsc_sheet *sheet,
                        const struct nsc_sheet *before, const struct nsc_sheet_style *style);
/* Appends text on one line, with Markdown's special characters escaped. */
void nsc_md_text(struct nsc_buf *out, struct nsc_text text);

#endif
