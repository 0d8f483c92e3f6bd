/*
 * Prints a sheet as a plain, left-justified table.
 */
#include "core/text.h"
#include "share/sheet_write.h"

#include <inttypes.h>
#include <string.h>

static bool is_percent(const struct nsc_sheet_column *column)
{
    size_t n = strlen(column->key);

    return n > 4 && strcmp(column->key + n - 4, "_pct") == 0;
}

static void print_number(struct nsc_buf *out, const struct nsc_sheet_column *column, double number)
{
    nsc_buf_printf(out, "%.2f", number);
    if (out->n && out->bytes[out->n - 1] == '0')
        out->bytes[--out->n] = '\0';
    if (is_percent(column))
        nsc_buf_putc(out, '%');
}

static void print_cell(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row, uint32_t c)
{
    const struct nsc_sheet_column *column = &sheet->columns[c];
    const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, c);

    nsc_buf_clear(out);
    if (!cell->is_set)
        nsc_buf_puts(out, "None");
    else if (column->kind == NSC_SHEET_TEXT)
        nsc_text_clean(out, nsc_sheet_text(sheet, cell), false);
    else if (column->kind == NSC_SHEET_NUMBER || column->kind == NSC_SHEET_PERCENT)
        print_number(out, column, cell->number);
    else
        nsc_buf_printf(out, "%" PRId64, cell->integer);
}

static size_t width_of(const struct nsc_buf *cell)
{
    return nsc_text_width(nsc_text_of_buf(cell), false);
}

static void pad(struct nsc_buf *out, size_t from, size_t to, char with)
{
    for (; from < to; from++)
        nsc_buf_putc(out, with);
}

static size_t column_width(const struct nsc_sheet *sheet, uint32_t c)
{
    struct nsc_buf cell = NSC_BUF_INIT(SIZE_MAX);
    size_t width = strlen(sheet->columns[c].title);
    uint32_t n = nsc_sheet_rows(sheet);

    for (uint32_t r = 0; r < n; r++) {
        print_cell(&cell, sheet, r, c);
        if (width_of(&cell) > width)
            width = width_of(&cell);
    }
    nsc_buf_fini(&cell);
    return width;
}

void nsc_plain_table_write(struct nsc_buf *out, const struct nsc_sheet *sheet)
{
    struct nsc_buf cell = NSC_BUF_INIT(SIZE_MAX);
    size_t *widths = nsc_xcalloc((size_t)sheet->n_columns + 1, sizeof *widths);
    uint32_t n = nsc_sheet_rows(sheet);

    for (uint32_t c = 0; c < sheet->n_columns; c++) {
        widths[c] = column_width(sheet, c);
        nsc_buf_puts(out, c ? " " : "");
        nsc_buf_puts(out, sheet->columns[c].title);
        pad(out, strlen(sheet->columns[c].title), widths[c], ' ');
    }
    nsc_buf_putc(out, '\n');
    for (uint32_t c = 0; c < sheet->n_columns; c++) {
        nsc_buf_puts(out, c ? " " : "");
        pad(out, 0, widths[c], '-');
    }
    nsc_buf_putc(out, '\n');
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t c = 0; c < sheet->n_columns; c++) {
            print_cell(&cell, sheet, r, c);
            nsc_buf_puts(out, c ? " " : "");
            nsc_buf_add(out, cell.n ? cell.bytes : "", cell.n);
            pad(out, width_of(&cell), widths[c], ' ');
        }
        nsc_buf_putc(out, '\n');
    }
    free(widths);
    nsc_buf_fini(&cell);
}
