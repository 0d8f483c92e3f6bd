/* Builds the columns and rows of sheets anew. */
#include "serve/shape.h"

#include "core/sort.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- keys ---- */

/* FNV-1a */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

/* What names a row: its ids and its first text. Other texts may hold measured values. */
static uint64_t hash_row(const struct nsc_sheet *sheet, uint32_t row)
{
    uint64_t hash = 0xcbf29ce484222325u;
    bool has_text = false;

    for (uint32_t c = 0; c < sheet->n_columns; c++) {
        const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, c);
        struct nsc_text text = nsc_sheet_text(sheet, cell);

        if (sheet->columns[c].kind == NSC_SHEET_TEXT && !has_text)
            hash = hash_bytes(hash, text.bytes, text.n);
        else if (sheet->columns[c].kind == NSC_SHEET_ID && cell->is_set)
            hash = hash_bytes(hash, &cell->integer, sizeof cell->integer);
        hash = hash_bytes(hash, "", 1);
        has_text |= sheet->columns[c].kind == NSC_SHEET_TEXT;
    }
    return hash >> 16; /* 12 digits */
}

/* Numbers the rows of each hash, from 0. */
static uint32_t *number_rows(const uint64_t *hash, uint32_t n)
{
    struct nsc_sort_pair *pairs = nsc_xcalloc((size_t)n * 2, sizeof *pairs);
    uint32_t *number = nsc_xcalloc(n, sizeof *number);

    for (uint32_t i = 0; i < n; i++)
        pairs[i] = (struct nsc_sort_pair){hash[i], i};
    nsc_sort_pairs(pairs, pairs + n, n);
    for (uint32_t i = 1; i < n; i++)
        if (pairs[i].key == pairs[i - 1].key)
            number[pairs[i].value] = number[pairs[i - 1].value] + 1;
    free(pairs);
    return number;
}

/* ---- columns and rows ---- */

struct shaping {
    const struct nsc_wanted *wanted;
    struct nsc_sheet *sheet;
    NSC_VEC(uint32_t) columns; /* places in the sheet; NSC_NONE: the key */
    uint32_t *rows, n_rows;    /* in their new order */
};

static void choose_columns(struct shaping *shaping)
{
    const struct nsc_sheet *sheet = shaping->sheet;
    const char *fields = shaping->wanted->fields;
    struct nsc_text list = nsc_text_from(fields ? fields : "");

    if (shaping->wanted->has_keys && nsc_sheet_column(sheet, nsc_text_from("key")) == NSC_NONE)
        *NSC_VEC_ADD(&shaping->columns) = NSC_NONE;
    for (uint32_t c = 0; !fields && c < sheet->n_columns; c++)
        *NSC_VEC_ADD(&shaping->columns) = c;
    while (list.n) {
        uint32_t c = nsc_sheet_column(sheet, nsc_text_split(&list, ','));

        if (c != NSC_NONE)
            *NSC_VEC_ADD(&shaping->columns) = c;
    }
}

static void choose_rows(struct shaping *shaping)
{
    const struct nsc_wanted *wanted = shaping->wanted;
    bool descends = wanted->sort && wanted->sort[0] == '-';
    uint32_t c = wanted->sort
                     ? nsc_sheet_column(shaping->sheet, nsc_text_from(wanted->sort + descends))
                     : NSC_NONE;

    shaping->n_rows = nsc_sheet_rows(shaping->sheet);
    shaping->rows = nsc_sort_numbers(shaping->n_rows);
    if (c != NSC_NONE)
        nsc_sheet_sort(shaping->sheet, c, descends, shaping->rows, nsc_sheet_rows(shaping->sheet));
    if (wanted->limit > 0 && shaping->n_rows > wanted->limit)
        shaping->n_rows = wanted->limit;
}

static struct nsc_sheet_cell make_key(struct nsc_sheet *sheet, uint64_t hash, uint32_t number)
{
    char text[40];
    struct nsc_kept_text kept;

    (void)snprintf(text, sizeof text, number ? "%012" PRIx64 "-%" PRIu32 : "%012" PRIx64, hash,
                   number);
    kept = nsc_sheet_keep(sheet, nsc_text_from(text));
    return (struct nsc_sheet_cell){.is_set = true, .n = kept.n, .at = kept.at};
}

/* The cells of the chosen columns and rows. */
static struct nsc_sheet_cell *choose_cells(struct shaping *shaping)
{
    struct nsc_sheet *sheet = shaping->sheet;
    uint32_t n = nsc_sheet_rows(sheet);
    size_t n_columns = shaping->columns.n;
    struct nsc_sheet_cell *cells = nsc_xcalloc(shaping->n_rows * n_columns, sizeof *cells);
    uint64_t *hash = nsc_xcalloc(n, sizeof *hash);
    uint32_t *number = NULL;

    for (uint32_t i = 0; shaping->wanted->has_keys && i < n; i++)
        hash[i] = hash_row(sheet, i);
    if (shaping->wanted->has_keys)
        number = number_rows(hash, n);
    for (uint32_t i = 0; i < shaping->n_rows; i++)
        for (size_t c = 0; c < n_columns; c++) {
            uint32_t row = shaping->rows[i], column = shaping->columns.at[c];

            cells[i * n_columns + c] = column == NSC_NONE ? make_key(sheet, hash[row], number[row])
                                                          : *nsc_sheet_at(sheet, row, column);
        }
    free(number);
    free(hash);
    return cells;
}

static void rebuild(struct shaping *shaping)
{
    static const struct nsc_sheet_column key =
        NSC_COL_UNBOUND("key", "Key", NULL, NSC_SHEET_TEXT, 0);
    struct nsc_sheet *sheet = shaping->sheet;
    uint32_t n = (uint32_t)shaping->columns.n;
    struct nsc_sheet_column *columns = nsc_xcalloc(n, sizeof *columns), *copy;
    struct nsc_sheet_cell *cells = choose_cells(shaping);

    for (uint32_t c = 0; c < n; c++) {
        uint32_t at = shaping->columns.at[c];

        columns[c] = at == NSC_NONE ? key : sheet->columns[at];
    }
    sheet->n_left_out += nsc_sheet_rows(sheet) - shaping->n_rows;
    NSC_VEC_FINI(&sheet->cells);
    copy = nsc_sheet_columns_copy(columns, n);
    free(columns);
    free(sheet->own_columns);
    sheet->columns = sheet->own_columns = copy;
    sheet->n_columns = n;
    sheet->cells.at = cells;
    sheet->cells.n = sheet->cells.capacity = (size_t)n * shaping->n_rows;
}

/* False: it has none of the fields. */
static bool shape_sheet(struct nsc_sheet *sheet, const struct nsc_wanted *wanted)
{
    struct shaping shaping = {.wanted = wanted, .sheet = sheet};
    bool has_columns;

    choose_columns(&shaping);
    has_columns =
        shaping.columns.n > 0 && (shaping.columns.n > 1 || shaping.columns.at[0] != NSC_NONE);
    if (has_columns) {
        choose_rows(&shaping);
        rebuild(&shaping);
    }
    NSC_VEC_FINI(&shaping.columns);
    free(shaping.rows);
    return has_columns;
}

static enum nsc_status check_column(const struct nsc_sheets *sheets, struct nsc_text key,
                                    struct nsc_error *error)
{
    for (size_t i = 0; i < sheets->list.n; i++)
        if (nsc_sheet_column(&sheets->list.at[i], key) != NSC_NONE)
            return NSC_OK;
    return nsc_fail(error, NSC_EINVAL,
                    "%.*s: no column of this answer; --format csv shows their names",
                    (int)(key.n < 60 ? key.n : 60), key.bytes);
}

enum nsc_status nsc_sheets_shape(struct nsc_sheets *sheets, const struct nsc_wanted *wanted,
                                 struct nsc_error *error)
{
    struct nsc_text list = nsc_text_from(wanted->fields ? wanted->fields : "");
    enum nsc_status status = NSC_OK;
    size_t kept = 0;

    while (list.n && status == NSC_OK)
        status = check_column(sheets, nsc_text_split(&list, ','), error);
    if (wanted->sort && status == NSC_OK)
        status =
            check_column(sheets, nsc_text_from(wanted->sort + (wanted->sort[0] == '-')), error);
    if (status != NSC_OK ||
        (!wanted->fields && !wanted->sort && !wanted->limit && !wanted->has_keys))
        return status;
    for (size_t i = 0; i < sheets->list.n; i++) {
        if (shape_sheet(&sheets->list.at[i], wanted))
            sheets->list.at[kept++] = sheets->list.at[i];
        else
            nsc_sheet_fini(&sheets->list.at[i]);
    }
    sheets->list.n = kept;
    return NSC_OK;
}
