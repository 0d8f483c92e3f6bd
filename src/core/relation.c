/*
 * Fills relations.
 */
#include "core/relation.h"

#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

enum { TYPE_NULL, TYPE_INT, TYPE_NUMBER, TYPE_TEXT };
enum { NAME_BYTES = 256, MOST_DECIMALS = 6 };

static const int64_t exact_most = (int64_t)1 << 53; /* doubles are exact up to here */

/* The name of column i: the second "dur" is "dur_2", as a row of JSON has one of each. */
static char *name_of(const char *const names[], uint32_t i)
{
    struct nsc_buf clean = NSC_BUF_INIT(NAME_BYTES);
    uint32_t nth = 1;

    for (uint32_t k = 0; k < i; k++)
        nth += strcmp(names[k], names[i]) == 0;
    nsc_text_clean(&clean, nsc_text_from(names[i]), false);
    clean.limit = SIZE_MAX;
    nsc_buf_puts(&clean, "");
    if (nth > 1)
        nsc_buf_printf(&clean, "_%u", nth);
    return clean.bytes;
}

struct nsc_relation *nsc_relation_begin(const char *const names[], uint32_t n)
{
    struct nsc_relation *relation = nsc_xcalloc(1, sizeof *relation);

    relation->columns = nsc_xcalloc(n, sizeof *relation->columns);
    for (uint32_t i = 0; i < n; i++) {
        relation->columns[i].key = relation->columns[i].title = name_of(names, i);
        relation->columns[i].kind = NSC_SHEET_TEXT;
    }
    nsc_sheet_init(&relation->sheet, "query", "Query", relation->columns, n);
    return relation;
}

void nsc_relation_free(struct nsc_relation *relation)
{
    if (!relation)
        return;
    for (uint32_t i = 0; i < relation->sheet.n_columns; i++)
        free((void *)(uintptr_t)relation->columns[i].key);
    free(relation->columns);
    NSC_VEC_FINI(&relation->types);
    nsc_sheet_fini(&relation->sheet);
    free(relation);
}

/* ---- filling ---- */

static struct nsc_sheet_cell *cell_add(struct nsc_relation *relation, uint8_t type)
{
    struct nsc_sheet_cell *cell = NSC_VEC_ADD(&relation->sheet.cells);

    *NSC_VEC_ADD(&relation->types) = type;
    *cell = (struct nsc_sheet_cell){.is_set = type != TYPE_NULL};
    return cell;
}

void nsc_relation_add_null(struct nsc_relation *relation)
{
    (void)cell_add(relation, TYPE_NULL);
}

void nsc_relation_add_int(struct nsc_relation *relation, int64_t value)
{
    cell_add(relation, TYPE_INT)->integer = value;
}

void nsc_relation_add_number(struct nsc_relation *relation, double value)
{
    if (!isfinite(value))
        nsc_relation_add_text(relation, nsc_text_from(isnan(value) ? "NaN"
                                                      : value > 0  ? "Inf"
                                                                   : "-Inf"));
    else
        cell_add(relation, TYPE_NUMBER)->number = value;
}

static void text_set(struct nsc_relation *relation, struct nsc_sheet_cell *cell,
                     struct nsc_text value)
{
    cell->at = relation->sheet.bytes.n;
    cell->n = value.n;
    nsc_buf_add(&relation->sheet.bytes, value.bytes, value.n);
}

void nsc_relation_add_text(struct nsc_relation *relation, struct nsc_text value)
{
    text_set(relation, cell_add(relation, TYPE_TEXT), value);
}

size_t nsc_relation_bytes(const struct nsc_relation *relation)
{
    return relation->sheet.bytes.n + relation->types.n * (sizeof(struct nsc_sheet_cell) + 1);
}

/* ---- the type of a column ---- */

/* The fewest decimals (up to those shown) that distinguish the value from its neighbours. */
static uint8_t decimals_of(double value)
{
    double scaled = fabs(value);
    uint8_t n = 0;

    while (n < MOST_DECIMALS && fabs(scaled - nearbyint(scaled)) > scaled * 1e-12) {
        scaled *= 10;
        n++;
    }
    return n;
}

struct contents {
    bool text, number, integer;
    bool inexact; /* integers beyond the exact range of a double, or decimals that are not shown */
    uint8_t decimals;
};

static struct contents contents_of(const struct nsc_relation *relation, uint32_t column)
{
    const struct nsc_sheet *sheet = &relation->sheet;
    struct contents contents = {0};

    for (size_t i = column; i < relation->types.n; i += sheet->n_columns) {
        const struct nsc_sheet_cell *cell = &sheet->cells.at[i];
        uint8_t decimals = 0;

        contents.text |= relation->types.at[i] == TYPE_TEXT;
        if (relation->types.at[i] == TYPE_INT) {
            contents.integer = true;
            contents.inexact |= cell->integer > exact_most || cell->integer < -exact_most;
        } else if (relation->types.at[i] == TYPE_NUMBER) {
            contents.number = true;
            decimals = decimals_of(cell->number);
            contents.decimals = decimals > contents.decimals ? decimals : contents.decimals;
        }
    }
    return contents;
}

static void value_write(struct nsc_relation *relation, struct nsc_sheet_cell *cell, uint8_t type)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);

    if (type == TYPE_INT)
        nsc_buf_int(&text, cell->integer);
    else
        nsc_buf_number(&text, cell->number, NSC_ALL_DIGITS);
    text_set(relation, cell, nsc_text_of_buf(&text));
    nsc_buf_fini(&text);
}

/* Converts every value to the type of its column. */
static void column_convert(struct nsc_relation *relation, uint32_t column)
{
    uint8_t kind = relation->columns[column].kind;

    for (size_t i = column; i < relation->types.n; i += relation->sheet.n_columns) {
        struct nsc_sheet_cell *cell = &relation->sheet.cells.at[i];
        uint8_t type = relation->types.at[i];

        if (kind == NSC_SHEET_TEXT && (type == TYPE_INT || type == TYPE_NUMBER))
            value_write(relation, cell, type);
        else if (kind == NSC_SHEET_NUMBER && type == TYPE_INT)
            cell->number = (double)cell->integer;
    }
}

void nsc_relation_end(struct nsc_relation *relation)
{
    for (uint32_t c = 0; c < relation->sheet.n_columns; c++) {
        struct contents contents = contents_of(relation, c);
        bool is_number =
            contents.number && !contents.text && !(contents.integer && contents.inexact);

        relation->columns[c].decimals = contents.decimals;
        relation->columns[c].is_exact = is_number;
        if (is_number)
            relation->columns[c].kind = NSC_SHEET_NUMBER;
        else if (contents.integer && !contents.text && !contents.number)
            relation->columns[c].kind = NSC_SHEET_ID;
        column_convert(relation, c);
    }
    NSC_VEC_FINI(&relation->types);
}

void nsc_relation_copy_columns(struct nsc_sheet *to, const struct nsc_relation *relation)
{
    to->own_columns = nsc_sheet_columns_copy(relation->columns, relation->sheet.n_columns);
    to->columns = to->own_columns;
}

/* ---- reading ---- */

uint32_t nsc_relation_find(const struct nsc_relation *relation, const char *name)
{
    for (uint32_t c = 0; c < relation->sheet.n_columns; c++)
        if (strcasecmp(relation->columns[c].key, name) == 0)
            return c;
    return NSC_NONE;
}

static bool integer_at(const struct nsc_relation *relation, uint32_t row, uint32_t column,
                       int64_t *out)
{
    const struct nsc_sheet_cell *cell = NULL;

    if (column == NSC_NONE || relation->columns[column].kind != NSC_SHEET_ID)
        return false;
    cell = nsc_sheet_at(&relation->sheet, row, column);
    *out = cell->integer;
    return cell->is_set;
}

bool nsc_relation_time(const struct nsc_relation *relation, uint32_t row, struct nsc_window *out)
{
    uint32_t start = nsc_relation_find(relation, "start");

    if (start == NSC_NONE)
        start = nsc_relation_find(relation, "timestamp");
    if (!integer_at(relation, row, start, &out->t0) || out->t0 == INT64_MAX)
        return false;
    if (!integer_at(relation, row, nsc_relation_find(relation, "end"), &out->t1) ||
        out->t1 == out->t0)
        out->t1 = out->t0 + 1;
    return out->t1 > out->t0;
}
