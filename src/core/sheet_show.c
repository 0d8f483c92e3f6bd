/* Shows sheets to people: formats cells, sorts rows by a column. */
#include "core/sheet.h"
#include "core/sort.h"
#include "core/text.h"
#include "core/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void show_integer(struct nsc_buf *out, enum nsc_sheet_kind kind, int64_t value, bool ascii)
{
    char text[NSC_UNITS_BYTES];

    if (kind == NSC_SHEET_NS)
        nsc_units_duration(text, value, ascii);
    else if (kind == NSC_SHEET_INSTANT)
        nsc_units_instant(text, value);
    else if (kind == NSC_SHEET_BYTES && value >= 0)
        nsc_units_bytes(text, (uint64_t)value);
    else if (kind == NSC_SHEET_COUNT && value >= 0)
        nsc_units_count(text, (uint64_t)value);
    else
        (void)snprintf(text, sizeof text, "%" PRId64, value);
    nsc_buf_puts(out, text);
}

/* Whether a few decimals do not show a number well. */
static bool is_far_from_one(double value)
{
    double size = fabs(value);

    return size >= 1e15 || (size > 0 && size < 1e-3);
}

void nsc_sheet_show(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row,
                    uint32_t column, bool ascii)
{
    const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, column);
    const struct nsc_sheet_column *about = &sheet->columns[column];
    char share[NSC_UNITS_BYTES];
    struct nsc_text text;

    if (!cell->is_set)
        return;
    switch ((enum nsc_sheet_kind)about->kind) {
    case NSC_SHEET_TEXT:
        text = nsc_sheet_text(sheet, cell);
        nsc_buf_add(out, text.bytes, text.n);
        break;
    case NSC_SHEET_PERCENT:
        nsc_buf_puts(out, nsc_units_share(share, cell->number));
        break;
    case NSC_SHEET_NUMBER:
        if (about->is_exact && is_far_from_one(cell->number))
            nsc_buf_printf(out, "%.6g", cell->number);
        else
            nsc_buf_printf(out, "%.*f", (int)about->decimals, cell->number);
        break;
    case NSC_SHEET_YES:
        nsc_buf_puts(out, cell->integer ? "yes" : "no");
        break;
    default:
        show_integer(out, (enum nsc_sheet_kind)about->kind, cell->integer, ascii);
        break;
    }
}

struct sorting {
    const struct nsc_sheet *sheet;
    uint32_t column;
    bool descending;
};

static int compare_cells(const struct sorting *sorting, uint32_t x, uint32_t y)
{
    const struct nsc_sheet *sheet = sorting->sheet;
    const struct nsc_sheet_cell *a = nsc_sheet_at(sheet, x, sorting->column);
    const struct nsc_sheet_cell *b = nsc_sheet_at(sheet, y, sorting->column);
    unsigned kind = sheet->columns[sorting->column].kind;

    if (!a->is_set || !b->is_set)
        return a->is_set - b->is_set;
    if (kind == NSC_SHEET_TEXT)
        return nsc_text_compare(nsc_sheet_text(sheet, a), nsc_sheet_text(sheet, b));
    if (kind == NSC_SHEET_NUMBER || kind == NSC_SHEET_PERCENT)
        return (a->number > b->number) - (a->number < b->number);
    return (a->integer > b->integer) - (a->integer < b->integer);
}

static int compare_rows(const void *context, uint32_t x, uint32_t y)
{
    const struct sorting *sorting = context;

    return sorting->descending ? compare_cells(sorting, y, x) : compare_cells(sorting, x, y);
}

void nsc_sheet_sort(const struct nsc_sheet *sheet, uint32_t column, bool descending,
                    uint32_t *order, uint32_t n)
{
    const struct sorting sorting = {sheet, column, descending};

    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    nsc_sort_by(order, n, compare_rows, &sorting);
}

void nsc_sheet_extremes(const struct nsc_sheet *sheet, uint32_t column, uint32_t out[2])
{
    const struct sorting by = {sheet, column, false};

    out[0] = out[1] = 0;
    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++) {
        bool is_set = nsc_sheet_at(sheet, r, column)->is_set;

        if (is_set &&
            (!nsc_sheet_at(sheet, out[0], column)->is_set || compare_cells(&by, r, out[0]) < 0))
            out[0] = r;
        if (compare_cells(&by, r, out[1]) > 0)
            out[1] = r;
    }
}
