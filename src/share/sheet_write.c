/*
 * Prints sheets as CSV, TSV and JSON, and finds a format by name.
 */
#include "share/sheet_write.h"

#include "core/outfile.h"
#include "core/text.h"
#include "share/csv.h"

#include <inttypes.h>

static const char *const format_names[NSC_N_SHEET_FORMATS] = {"table", "csv", "tsv", "json", "md"};

bool nsc_sheet_format_parse(enum nsc_sheet_format *out, const char *name)
{
    unsigned i = nsc_text_among(nsc_text_from(name), format_names, sizeof *format_names,
                                NSC_N_SHEET_FORMATS);

    *out = i < NSC_N_SHEET_FORMATS ? (enum nsc_sheet_format)i : *out;
    return i < NSC_N_SHEET_FORMATS;
}

/* ---- bare numbers, for programs ---- */

static unsigned decimals_of(const struct nsc_sheet_column *column)
{
    return column->is_exact                    ? NSC_ALL_DIGITS
           : column->kind == NSC_SHEET_PERCENT ? 1u
                                               : column->decimals;
}

/* Adds a cell that is not a text. */
static void add_value(struct nsc_buf *out, const struct nsc_sheet_column *column,
                      const struct nsc_sheet_cell *cell, bool is_exact)
{
    if (!cell->is_set)
        return;
    if (column->kind == NSC_SHEET_PERCENT || column->kind == NSC_SHEET_NUMBER) {
        nsc_buf_number(out, cell->number, is_exact ? NSC_ALL_DIGITS : decimals_of(column));
    } else if (column->kind == NSC_SHEET_YES)
        nsc_buf_puts(out, cell->integer ? "true" : "false");
    else
        nsc_buf_printf(out, "%" PRId64, cell->integer);
}

/* ---- CSV and TSV ---- */

void nsc_sheet_write_csv_cell(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row,
                              uint32_t column, const struct nsc_sheet_csv *style)
{
    const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, column);

    if (sheet->columns[column].kind == NSC_SHEET_TEXT) {
        nsc_csv_text(out, style->is_first, nsc_sheet_text(sheet, cell), style->is_raw);
        return;
    }
    if (!style->is_first)
        nsc_buf_putc(out, ',');
    add_value(out, &sheet->columns[column], cell, style->is_exact);
}

/* A tab or a line's end cannot stand in a field, so they are shown as pictures. */
static void write_tsv_cell(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row,
                           uint32_t column, bool is_raw)
{
    const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, column);

    nsc_buf_puts(out, column ? "\t" : "");
    if (sheet->columns[column].kind != NSC_SHEET_TEXT) {
        add_value(out, &sheet->columns[column], cell, false);
        return;
    }
    if (!is_raw && nsc_csv_is_formula(nsc_sheet_text(sheet, cell)))
        nsc_buf_putc(out, '\'');
    nsc_text_clean(out, nsc_sheet_text(sheet, cell), false);
}

static void write_fields(struct nsc_buf *out, const struct nsc_sheet *sheet, bool is_tsv,
                         bool is_raw)
{
    uint32_t n = nsc_sheet_rows(sheet);

    for (uint32_t c = 0; c < sheet->n_columns; c++)
        if (is_tsv)
            nsc_buf_printf(out, "%s%s", c ? "\t" : "", sheet->columns[c].key);
        else
            nsc_csv_text(out, c == 0, nsc_text_from(sheet->columns[c].key), false);
    nsc_buf_putc(out, '\n');
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t c = 0; c < sheet->n_columns; c++)
            if (is_tsv)
                write_tsv_cell(out, sheet, r, c, is_raw);
            else
                nsc_sheet_write_csv_cell(
                    out, sheet, r, c,
                    &(struct nsc_sheet_csv){.is_first = c == 0, .is_raw = is_raw});
        nsc_buf_putc(out, '\n');
    }
}

/* ---- JSON ---- */

static const char *const units[] = {
    [NSC_SHEET_TEXT] = "text",
    [NSC_SHEET_COUNT] = "count",
    [NSC_SHEET_ID] = "id",
    [NSC_SHEET_NS] = "ns",
    [NSC_SHEET_INSTANT] = "ns on the clock",
    [NSC_SHEET_BYTES] = "bytes",
    [NSC_SHEET_PERCENT] = "%",
    [NSC_SHEET_NUMBER] = "number",
    [NSC_SHEET_YES] = "yes or no",
};

static void write_columns(struct nsc_json *json, const struct nsc_sheet *sheet)
{
    nsc_json_open(json, "columns", '[');
    for (uint32_t c = 0; c < sheet->n_columns; c++) {
        nsc_json_open(json, NULL, '{');
        nsc_json_puts(json, "key", sheet->columns[c].key);
        nsc_json_puts(json, "unit", units[sheet->columns[c].kind]);
        if (sheet->columns[c].of)
            nsc_json_puts(json, "of", sheet->columns[c].of);
        nsc_json_close(json, '}');
    }
    nsc_json_close(json, ']');
}

static void write_cell(struct nsc_json *json, const struct nsc_sheet *sheet, uint32_t row,
                       uint32_t c)
{
    const struct nsc_sheet_column *column = &sheet->columns[c];
    const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, c);

    if (!cell->is_set)
        nsc_json_null(json, column->key);
    else if (column->kind == NSC_SHEET_TEXT)
        nsc_json_text(json, column->key, nsc_sheet_text(sheet, cell));
    else if (column->kind == NSC_SHEET_YES)
        nsc_json_bool(json, column->key, cell->integer != 0);
    else if (column->kind == NSC_SHEET_PERCENT || column->kind == NSC_SHEET_NUMBER)
        nsc_json_number(json, column->key, cell->number, decimals_of(column));
    else
        nsc_json_int(json, column->key, cell->integer);
}

static void write_window(struct nsc_json *json, const struct nsc_sheet *sheet)
{
    if (!sheet->has_window) {
        nsc_json_null(json, "window");
        return;
    }
    nsc_json_open(json, "window", '{');
    nsc_json_int(json, "start_ns", sheet->window.t0);
    nsc_json_int(json, "end_ns", sheet->window.t1);
    nsc_json_close(json, '}');
}

void nsc_sheet_write_json(struct nsc_json *json, const struct nsc_sheet *sheet)
{
    uint32_t n = nsc_sheet_rows(sheet);

    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "key", sheet->key);
    nsc_json_puts(json, "title", sheet->title);
    write_window(json, sheet);
    write_columns(json, sheet);
    nsc_json_open(json, "rows", '[');
    for (uint32_t r = 0; r < n; r++) {
        nsc_json_open(json, NULL, '{');
        for (uint32_t c = 0; c < sheet->n_columns; c++)
            write_cell(json, sheet, r, c);
        nsc_json_close(json, '}');
    }
    nsc_json_close(json, ']');
    nsc_json_uint(json, "left_out", sheet->n_left_out);
    nsc_json_list(json, "notes", sheet->notes.at, sheet->notes.n);
    nsc_json_close(json, '}');
}

static void write_json(struct nsc_buf *out, const struct nsc_sheet sheets[], size_t n)
{
    struct nsc_json json;

    nsc_json_init(&json, out, true);
    json.lines = 5;
    json.depth = 2;
    for (size_t i = 0; i < n; i++)
        nsc_sheet_write_json(&json, &sheets[i]);
}

/* ---- any format ---- */

static void write_one(struct nsc_buf *out, const struct nsc_sheet *sheet,
                      const struct nsc_sheet *before, const struct nsc_sheet_style *style)
{
    switch (style->format) {
    case NSC_SHEET_AS_CSV:
    case NSC_SHEET_AS_RAW_CSV:
        write_fields(out, sheet, false, style->format == NSC_SHEET_AS_RAW_CSV);
        break;
    case NSC_SHEET_AS_TSV:
    case NSC_SHEET_AS_RAW_TSV:
        write_fields(out, sheet, true, style->format == NSC_SHEET_AS_RAW_TSV);
        break;
    case NSC_SHEET_AS_MD:
        nsc_sheet_write_md(out, sheet, before, style);
        break;
    default:
        nsc_sheet_write_table(out, sheet, before, style);
        break;
    }
}

void nsc_sheet_write(struct nsc_buf *out, const struct nsc_sheet *sheet,
                     const struct nsc_sheet_style *style)
{
    if (style->format == NSC_SHEET_AS_JSON)
        write_json(out, sheet, 1);
    else
        write_one(out, sheet, NULL, style);
}

void nsc_sheets_write(struct nsc_buf *out, const struct nsc_sheets *sheets,
                      const struct nsc_sheet_style *style)
{
    if (style->format == NSC_SHEET_AS_JSON) {
        write_json(out, sheets->list.at, sheets->list.n);
        return;
    }
    for (size_t i = 0; i < sheets->list.n; i++) {
        if (i > 0)
            nsc_buf_putc(out, '\n');
        write_one(out, &sheets->list.at[i], i ? &sheets->list.at[i - 1] : NULL, style);
    }
}

enum nsc_status nsc_sheet_save(const char *path, const struct nsc_sheet *sheet,
                               struct nsc_error *error)
{
    const struct nsc_sheet_style style = {.format = NSC_SHEET_AS_CSV};
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_outfile out;
    enum nsc_status status = nsc_outfile_open(&out, path, NSC_OUTFILE_NEW, error);

    if (status != NSC_OK)
        return status;
    nsc_sheet_write(&text, sheet, &style);
    status = nsc_outfile_write(&out, &text, error);
    nsc_buf_fini(&text);
    if (status == NSC_OK)
        return nsc_outfile_commit(&out, error);
    nsc_outfile_drop(&out);
    return status;
}
