/*
 * Fills and reads sheets.
 */
#include "core/sheet.h"

#include "core/text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nsc_sheet_init(struct nsc_sheet *sheet, const char *key, const char *title,
                    const struct nsc_sheet_column columns[], uint32_t n_columns)
{
    assert(n_columns > 0);
    *sheet = (struct nsc_sheet){.key = key,
                                .title = title,
                                .columns = columns,
                                .n_columns = n_columns,
                                .bytes = NSC_BUF_INIT(SIZE_MAX)};
}

struct nsc_sheet_column *nsc_sheet_columns_copy(const struct nsc_sheet_column columns[], uint32_t n)
{
    size_t bytes = n * sizeof *columns;
    struct nsc_sheet_column *copy;
    char *text;

    for (uint32_t c = 0; c < n; c++)
        bytes += strlen(columns[c].key) + strlen(columns[c].title) + 2;
    copy = nsc_xcalloc(1, bytes);
    text = (char *)(copy + n);
    for (uint32_t c = 0; c < n; c++) {
        copy[c] = columns[c];
        copy[c].key = text;
        text = stpcpy(text, columns[c].key) + 1;
        copy[c].title = text;
        text = stpcpy(text, columns[c].title) + 1;
    }
    return copy;
}

void nsc_sheet_fini(struct nsc_sheet *sheet)
{
    NSC_VEC_FINI_EACH(&sheet->notes, nsc_vec_free_text);
    NSC_VEC_FINI(&sheet->cells);
    nsc_buf_fini(&sheet->bytes);
    free(sheet->own_columns);
}

/* ---- filling ---- */

static enum nsc_sheet_kind next_kind(const struct nsc_sheet *sheet)
{
    return sheet->columns[sheet->cells.n % sheet->n_columns].kind;
}

static bool is_fraction(enum nsc_sheet_kind kind)
{
    return kind == NSC_SHEET_PERCENT || kind == NSC_SHEET_NUMBER;
}

void nsc_sheet_add_text(struct nsc_sheet *sheet, struct nsc_text value)
{
    struct nsc_kept_text kept = nsc_sheet_keep(sheet, value);

    assert(next_kind(sheet) == NSC_SHEET_TEXT);
    *NSC_VEC_ADD(&sheet->cells) =
        (struct nsc_sheet_cell){.is_set = true, .n = kept.n, .at = kept.at};
}

/* Notes once that a time of the sheet is a sum capped at INT64_MAX. */
static void note_at_least(struct nsc_sheet *sheet)
{
    if (!sheet->is_at_least)
        nsc_sheet_note(sheet,
                       "A sum of %" PRId64 " ns is a lower bound: sums stop there, and averages "
                       "and shares of such a sum are not exact.",
                       INT64_MAX);
    sheet->is_at_least = true;
}

void nsc_sheet_add_int(struct nsc_sheet *sheet, int64_t value)
{
    assert(value == NSC_UNKNOWN ||
           (next_kind(sheet) != NSC_SHEET_TEXT && !is_fraction(next_kind(sheet))));
    if (value == INT64_MAX && next_kind(sheet) == NSC_SHEET_NS)
        note_at_least(sheet);
    *NSC_VEC_ADD(&sheet->cells) =
        (struct nsc_sheet_cell){.is_set = value != NSC_UNKNOWN, .integer = value};
}

void nsc_sheet_add_number(struct nsc_sheet *sheet, double value)
{
    assert(is_fraction(next_kind(sheet)));
    if (!isfinite(value)) {
        nsc_sheet_add_unknown(sheet);
        return;
    }
    *NSC_VEC_ADD(&sheet->cells) = (struct nsc_sheet_cell){.is_set = true, .number = value};
}

void nsc_sheet_add_unknown(struct nsc_sheet *sheet)
{
    *NSC_VEC_ADD(&sheet->cells) = (struct nsc_sheet_cell){.is_set = false};
}

static int64_t read_int(const void *row, uint16_t at, uint8_t type)
{
    const unsigned char *field = (const unsigned char *)row + at;

    switch ((enum nsc_bind_type)type) {
    case NSC_BIND_BOOL:
        return *(const bool *)field;
    case NSC_BIND_U8:
        return *field;
    case NSC_BIND_U16:
        return *(const uint16_t *)field;
    case NSC_BIND_I32:
        return *(const int32_t *)field;
    case NSC_BIND_U32:
        return *(const uint32_t *)field;
    default:
        return *(const int64_t *)field;
    }
}

static void add_bound_text(struct nsc_sheet *sheet, const void *field, uint8_t type)
{
    struct nsc_kept_text kept = {0};

    if (type == NSC_BIND_KEPT)
        kept = *(const struct nsc_kept_text *)field;
    else if (type == NSC_BIND_STRING && *(const char *const *)field)
        kept = nsc_sheet_keep(sheet, nsc_text_from(*(const char *const *)field));
    else if (type == NSC_BIND_TEXT)
        kept = nsc_sheet_keep(sheet, *(const struct nsc_text *)field);
    *NSC_VEC_ADD(&sheet->cells) =
        (struct nsc_sheet_cell){.is_set = kept.is_set, .n = kept.n, .at = kept.at};
}

static void add_field(struct nsc_sheet *sheet, const struct nsc_sheet_column *column,
                      const void *row)
{
    const void *field = (const char *)row + column->at;
    double scale = column->scale > 0 ? (double)column->scale : 1;
    int64_t whole = 1;
    int64_t value;

    assert(column->type != NSC_BIND_NONE);
    if (column->type >= NSC_BIND_TEXT) {
        add_bound_text(sheet, field, column->type);
        return;
    }
    if (column->type == NSC_BIND_DOUBLE) {
        nsc_sheet_add_number(sheet, *(const double *)field / scale);
        return;
    }
    value = read_int(row, column->at, column->type);
    if (column->whole != NSC_BIND_NONE)
        whole = read_int(row, column->whole_at, column->whole);
    if ((value == INT64_MAX && column->scale > 0) || whole == INT64_MAX)
        note_at_least(sheet);
    if (value == NSC_UNKNOWN || whole == 0)
        nsc_sheet_add_unknown(sheet);
    else if (column->whole != NSC_BIND_NONE)
        nsc_sheet_add_number(sheet, 100.0 * (double)value / (double)whole);
    else if (column->scale > 0)
        nsc_sheet_add_number(sheet, (double)value / scale);
    else
        nsc_sheet_add_int(sheet, value);
}

bool nsc_sheet_count_row(struct nsc_sheet *sheet)
{
    sheet->n_counted += sheet->counts_only;
    return sheet->counts_only;
}

void nsc_sheet_add_bound(struct nsc_sheet *sheet, const void *row, size_t bytes)
{
    assert(sheet->cells.n % sheet->n_columns == 0);
    if (nsc_sheet_count_row(sheet))
        return;
    for (uint32_t c = 0; c < sheet->n_columns; c++) {
        assert(sheet->columns[c].row == bytes);
        add_field(sheet, &sheet->columns[c], row);
    }
    (void)bytes;
}

struct nsc_kept_text nsc_sheet_keep(struct nsc_sheet *sheet, struct nsc_text text)
{
    struct nsc_kept_text kept = {sheet->bytes.n, sheet->counts_only ? 0 : text.n, true};

    nsc_buf_add(&sheet->bytes, text.bytes, kept.n);
    return kept;
}

struct nsc_kept_text nsc_sheet_keep_buf(struct nsc_sheet *sheet, struct nsc_buf *text)
{
    struct nsc_kept_text kept = nsc_sheet_keep(sheet, nsc_text_of_buf(text));

    nsc_buf_fini(text);
    return kept;
}

void nsc_sheet_note(struct nsc_sheet *sheet, const char *format, ...)
{
    char *line = nsc_xmalloc(NSC_SHEET_NOTE_BYTES);
    va_list args;

    va_start(args, format);
    if (vsnprintf(line, NSC_SHEET_NOTE_BYTES, format, args) < 0)
        line[0] = '\0';
    va_end(args);
    *NSC_VEC_ADD(&sheet->notes) = line;
}

void nsc_sheet_note_empty(struct nsc_sheet *sheet, const char *note)
{
    if (nsc_sheet_rows(sheet) == 0)
        nsc_sheet_note(sheet, "%s", note);
}

/* ---- reading ---- */

uint32_t nsc_sheet_rows(const struct nsc_sheet *sheet)
{
    return sheet->n_counted + (uint32_t)(sheet->cells.n / sheet->n_columns);
}

uint32_t nsc_sheet_column(const struct nsc_sheet *sheet, struct nsc_text key)
{
    uint32_t c = 0;

    while (c < sheet->n_columns && !nsc_text_is(key, sheet->columns[c].key))
        c++;
    return c < sheet->n_columns ? c : NSC_NONE;
}

const struct nsc_sheet_cell *nsc_sheet_at(const struct nsc_sheet *sheet, uint32_t row,
                                          uint32_t column)
{
    assert(row < nsc_sheet_rows(sheet) && column < sheet->n_columns);
    return &sheet->cells.at[(size_t)row * sheet->n_columns + column];
}

struct nsc_text nsc_sheet_text(const struct nsc_sheet *sheet, const struct nsc_sheet_cell *cell)
{
    struct nsc_text none = {"", 0};
    struct nsc_text text = {sheet->bytes.bytes + (cell->is_set ? cell->at : 0), cell->n};

    return cell->is_set && cell->n ? text : none;
}

const struct nsc_sheet_cell *nsc_sheet_find(const struct nsc_sheet *sheet, uint32_t row,
                                            const char *key)
{
    uint32_t column = nsc_sheet_column(sheet, nsc_text_from(key));

    return column != NSC_NONE ? nsc_sheet_at(sheet, row, column) : NULL;
}

struct nsc_text nsc_sheet_find_text(const struct nsc_sheet *sheet, uint32_t row, const char *key)
{
    const struct nsc_sheet_cell *cell = nsc_sheet_find(sheet, row, key);

    return cell ? nsc_sheet_text(sheet, cell) : (struct nsc_text){"", 0};
}

bool nsc_sheet_find_bool(const struct nsc_sheet *sheet, uint32_t row, const char *key)
{
    const struct nsc_sheet_cell *cell = nsc_sheet_find(sheet, row, key);

    return cell && cell->is_set && cell->integer;
}

/* ---- several ---- */

struct nsc_sheet *nsc_sheets_add(struct nsc_sheets *sheets, const char *key, const char *title,
                                 const struct nsc_sheet_column columns[], uint32_t n_columns)
{
    struct nsc_sheet *sheet = NSC_VEC_ADD(&sheets->list);

    nsc_sheet_init(sheet, key, title, columns, n_columns);
    sheet->counts_only = sheets->counts_only;
    return sheet;
}

const struct nsc_sheet *nsc_sheets_find(const struct nsc_sheets *sheets, const char *key)
{
    for (size_t i = 0; i < sheets->list.n; i++)
        if (strcmp(sheets->list.at[i].key, key) == 0)
            return &sheets->list.at[i];
    return NULL;
}

uint64_t nsc_sheets_rows(const struct nsc_sheets *sheets)
{
    uint64_t n = 0;

    for (size_t i = 0; i < sheets->list.n; i++)
        n += nsc_sheet_rows(&sheets->list.at[i]);
    return n;
}

void nsc_sheets_fini(struct nsc_sheets *sheets)
{
    NSC_VEC_FINI_EACH(&sheets->list, nsc_sheet_fini);
}
