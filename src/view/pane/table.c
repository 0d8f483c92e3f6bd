/* Draws a sheet as a table, moves in it, and sorts it. */
#include "view/pane/table.h"

#include "core/die.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>

enum { LEAST_TEXT = 12, NARROWEST = 4, SAMPLE_ROWS = 1000, SHOWN_BYTES = 400, VALUE_BYTES = 4096 };

static enum nsc_sheet_kind kind_of(const struct nsc_table *table, uint32_t column)
{
    return (enum nsc_sheet_kind)table->sheet->columns[column].kind;
}

/* ---- widths ---- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t shown_width(const struct nsc_table *table, struct nsc_buf *text, uint32_t row,
                          uint32_t column)
{
    nsc_buf_clear(text);
    nsc_sheet_show(text, table->sheet, row, column, table->ascii);
    return nsc_text_width(nsc_text_of_buf(text), table->ascii);
}

/* Finds the rows with the smallest and the greatest value of a column. False if it has no
 * values. */
static bool find_extremes(const struct nsc_sheet *sheet, uint32_t column, uint32_t out[2])
{
    bool real = sheet->columns[column].kind == NSC_SHEET_NUMBER ||
                sheet->columns[column].kind == NSC_SHEET_PERCENT;
    bool any = false;

    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++) {
        const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, r, column);
        const struct nsc_sheet_cell *least = nsc_sheet_at(sheet, any ? out[0] : r, column);
        const struct nsc_sheet_cell *most = nsc_sheet_at(sheet, any ? out[1] : r, column);

        if (!cell->is_set)
            continue;
        if (!any || (real ? cell->number < least->number : cell->integer < least->integer))
            out[0] = r;
        if (!any || (real ? cell->number > most->number : cell->integer > most->integer))
            out[1] = r;
        any = true;
    }
    return any;
}

/* Whether the smallest or the greatest value of such a column is the widest. */
static bool is_widest_at_ends(enum nsc_sheet_kind kind)
{
    return kind == NSC_SHEET_ID || kind == NSC_SHEET_NUMBER || kind == NSC_SHEET_COUNT ||
           kind == NSC_SHEET_PERCENT || kind == NSC_SHEET_INSTANT;
}

/* The width that shows a column whole. Measures a sample if values do not determine widths. */
static uint16_t measure_column(const struct nsc_table *table, uint32_t column)
{
    uint32_t rows = nsc_sheet_rows(table->sheet);
    bool at_ends = is_widest_at_ends(kind_of(table, column));
    uint32_t extremes[2] = {0, 0};
    size_t widest =
        nsc_text_width(nsc_text_from(table->sheet->columns[column].title), table->ascii) + 2;
    struct nsc_buf text = NSC_BUF_INIT(SHOWN_BYTES);

    for (uint32_t r = 0; !at_ends && r < rows; r += rows / SAMPLE_ROWS + 1)
        widest = larger(widest, shown_width(table, &text, r, column));
    if (at_ends && find_extremes(table->sheet, column, extremes))
        for (int k = 0; k < 2; k++)
            widest = larger(widest, shown_width(table, &text, extremes[k], column));
    nsc_buf_fini(&text);
    widest = widest < NARROWEST ? NARROWEST : widest;
    return (uint16_t)(widest > UINT16_MAX ? UINT16_MAX : widest);
}

/* Lists the rows with the wanted text, in their order. */
static void list_rows(struct nsc_table *table)
{
    struct nsc_buf text = NSC_BUF_INIT(VALUE_BYTES);
    uint32_t n = nsc_sheet_rows(table->sheet);

    for (uint32_t i = 0; i < n; i++)
        table->order[i] = i;
    if (table->sorted != NSC_NONE)
        nsc_sheet_sort(table->sheet, table->sorted, table->descending, table->order);
    table->list.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        nsc_buf_clear(&text);
        for (uint32_t c = 0; table->needle[0] && c < table->sheet->n_columns; c++) {
            nsc_buf_putc(&text, ' ');
            nsc_sheet_show(&text, table->sheet, table->order[i], c, table->ascii);
        }
        if (nsc_text_contains_folded(nsc_text_of_buf(&text), nsc_text_from(table->needle)))
            table->order[table->list.n++] = table->order[i];
    }
    nsc_buf_fini(&text);
}

bool nsc_table_narrow(struct nsc_table *table, struct nsc_text needle)
{
    if (!table || !table->sheet)
        return false;
    (void)snprintf(table->needle, sizeof table->needle, "%.*s", (int)needle.n, needle.bytes);
    list_rows(table);
    nsc_list_clamp(&table->list);
    return true;
}

void nsc_table_set(struct nsc_table *table, const struct nsc_sheet *sheet, bool ascii)
{
    nsc_table_fini(table);
    table->sheet = sheet;
    table->ascii = ascii;
    if (!sheet)
        return;
    table->order = nsc_xmalloc(((size_t)nsc_sheet_rows(sheet) + 1) * sizeof *table->order);
    table->widths = nsc_xcalloc(sheet->n_columns, sizeof *table->widths);
    table->wanted = nsc_xcalloc(sheet->n_columns, sizeof *table->wanted);
    for (uint32_t c = 0; c < sheet->n_columns; c++)
        table->wanted[c] = measure_column(table, c);
    list_rows(table);
}

void nsc_table_fini(struct nsc_table *table)
{
    free(table->order);
    free(table->widths);
    free(table->wanted);
    *table = (struct nsc_table){.sorted = NSC_NONE};
}

/* ---- moving ---- */

/* The number of columns that fit, from the first visible one. */
static uint32_t count_fitting(const struct nsc_table *table, int cols)
{
    int col = 0;
    uint32_t n = 0;

    while (table->left + n < table->sheet->n_columns && col < cols)
        col += table->widths[table->left + n++] + NSC_TABLE_GAP;
    return col - NSC_TABLE_GAP > cols && n > 1 ? n - 1 : n;
}

/* Never cuts numbers. Where the columns do not fit, the widest text gives way, the last one of equals. */
static void fit_widths(struct nsc_table *table, int cols)
{
    uint32_t n = table->sheet->n_columns;
    int over = -cols - NSC_TABLE_GAP;
    uint32_t widest = n;

    for (uint32_t c = 0; c < n; c++)
        over += (table->widths[c] = table->wanted[c]) + NSC_TABLE_GAP;
    for (; over > 0; over--, widest = n) {
        for (uint32_t c = 0; c < n; c++)
            if (kind_of(table, c) == NSC_SHEET_TEXT && table->widths[c] > LEAST_TEXT &&
                (widest == n || table->widths[c] >= table->widths[widest]))
                widest = c;
        if (widest == n)
            return;
        table->widths[widest]--;
    }
}

void nsc_table_fit(struct nsc_table *table, int height, int cols)
{
    nsc_list_fit(&table->list, table->list.n, height);
    if (!table->sheet)
        return;
    fit_widths(table, cols);
    if (table->column < table->left)
        table->left = table->column;
    while (table->left < table->column && table->column >= table->left + count_fitting(table, cols))
        table->left++;
}

bool nsc_table_step(struct nsc_table *table, bool next)
{
    if (!table->sheet || (next ? table->column + 1 >= table->sheet->n_columns : !table->column))
        return false;
    table->column += next ? 1u : (uint32_t)-1;
    return true;
}

bool nsc_table_sort(struct nsc_table *table)
{
    if (!table->sheet)
        return false;
    table->descending = table->sorted == table->column
                            ? !table->descending
                            : kind_of(table, table->column) != NSC_SHEET_TEXT; /* the greatest
                                                                                * first */
    table->sorted = table->column;
    list_rows(table);
    (void)nsc_list_set(&table->list, 0);
    return true;
}

void nsc_table_click(struct nsc_table *table, int col)
{
    int at = 0;

    for (uint32_t c = table->left; table->sheet && c < table->sheet->n_columns; c++) {
        if (col >= at && col < at + table->widths[c]) {
            table->column = c;
            (void)nsc_table_sort(table);
            return;
        }
        at += table->widths[c] + NSC_TABLE_GAP;
    }
}

/* ---- the row at the cursor ---- */

uint32_t nsc_table_row(const struct nsc_table *table)
{
    return table->sheet && table->list.cursor < table->list.n ? table->order[table->list.cursor]
                                                              : NSC_NONE;
}

/* The first cell of a kind, starting at a column; NULL if there is none. */
static const struct nsc_sheet_cell *find_cell(const struct nsc_sheet *sheet, uint32_t row,
                                              enum nsc_sheet_kind kind, uint32_t *column)
{
    for (; *column < sheet->n_columns; (*column)++)
        if (sheet->columns[*column].kind == kind)
            return nsc_sheet_at(sheet, row, *column);
    return NULL;
}

bool nsc_table_time(const struct nsc_sheet *sheet, uint32_t row, struct nsc_window *out)
{
    uint32_t column = 0;
    const struct nsc_sheet_cell *start = find_cell(sheet, row, NSC_SHEET_INSTANT, &column);
    const struct nsc_sheet_cell *end = NULL, *length = NULL;

    if (!start || !start->is_set || start->integer == INT64_MAX)
        return false;
    column++;
    end = find_cell(sheet, row, NSC_SHEET_INSTANT, &column);
    column = 0;
    length = find_cell(sheet, row, NSC_SHEET_NS, &column);
    out->t0 = start->integer;
    out->t1 = out->t0 + 1;
    if (end && end->is_set && end->integer > out->t0)
        out->t1 = end->integer;
    else if (length && length->is_set && length->integer > 0 &&
             __builtin_add_overflow(out->t0, length->integer, &out->t1))
        out->t1 = INT64_MAX;
    return true;
}

static void put_value(const struct nsc_table *table, struct nsc_buf *out, uint32_t column)
{
    struct nsc_buf raw = NSC_BUF_INIT(1 << 20);

    nsc_sheet_show(&raw, table->sheet, nsc_table_row(table), column, false);
    nsc_text_clean(out, nsc_text_of_buf(&raw), false);
    nsc_buf_fini(&raw);
}

bool nsc_table_copy(const struct nsc_table *table, struct nsc_buf *out, bool row)
{
    if (nsc_table_row(table) == NSC_NONE)
        return false;
    if (!row) {
        put_value(table, out, table->column);
        return true;
    }
    for (uint32_t c = 0; c < table->sheet->n_columns; c++) {
        if (c)
            nsc_buf_putc(out, '\t');
        put_value(table, out, c);
    }
    return true;
}

/* ---- drawing ---- */

static bool is_left(enum nsc_sheet_kind kind)
{
    return kind == NSC_SHEET_TEXT || kind == NSC_SHEET_YES;
}

static void draw_row(const struct nsc_table *table, bool focus, struct nsc_grid *grid,
                     struct nsc_rect line, uint32_t row, bool current)
{
    uint32_t n = count_fitting(table, line.cols);
    struct nsc_buf text = NSC_BUF_INIT(VALUE_BYTES);
    enum nsc_role plain = nsc_list_line(grid, line, current, focus);
    int col = line.col;

    for (uint32_t c = table->left; c < table->left + n; c++) {
        int left = line.col + line.cols - col;
        int width = table->widths[c] < left ? table->widths[c] : left;
        enum nsc_role role = plain;

        nsc_buf_clear(&text);
        nsc_sheet_show(&text, table->sheet, row, c, table->ascii);
        if (current && c == table->column && focus)
            role = NSC_ROLE_SELECTION;
        if (is_left(kind_of(table, c)))
            nsc_grid_text(grid, line.row, col, width, role, nsc_text_of_buf(&text));
        else
            nsc_grid_puts_right(grid, line.row, col, width, role, text.n ? text.bytes : "");
        col += width + NSC_TABLE_GAP;
    }
    nsc_buf_fini(&text);
}

static void draw_titles(const struct nsc_table *table, struct nsc_grid *grid, struct nsc_rect line)
{
    uint32_t n = count_fitting(table, line.cols);
    int col = line.col;

    for (uint32_t c = table->left; c < table->left + n; c++) {
        const struct nsc_sheet_column *column = &table->sheet->columns[c];
        int left = line.col + line.cols - col;
        int width = table->widths[c] < left ? table->widths[c] : left;
        enum nsc_role role = c == table->column ? NSC_ROLE_KEY : NSC_ROLE_DIM;
        int mark = c == table->sorted ? 2 : 0;
        int title = (int)nsc_text_width(nsc_text_from(column->title), table->ascii);
        bool at_left = is_left((enum nsc_sheet_kind)column->kind);
        int at = at_left || title + mark > width ? col : col + width - title;

        if (mark)
            nsc_grid_put(grid, line.row, at_left ? at + title + 1 : at - 2, role, 0,
                         table->descending ? "↓" : "↑");
        nsc_grid_puts(grid, line.row, at, col + width - at, role, column->title);
        col += width + NSC_TABLE_GAP;
    }
    nsc_grid_puts_right(grid, line.row, line.col, line.cols, NSC_ROLE_WARNING, table->needle);
}

void nsc_table_draw(const struct nsc_table *table, bool focus, struct nsc_grid *grid,
                    struct nsc_rect rect)
{
    const struct nsc_list *list = &table->list;

    if (!table->sheet || rect.rows < 1)
        return;
    draw_titles(table, grid, (struct nsc_rect){rect.row, rect.col, 1, rect.cols});
    for (size_t i = 0; (int)i + 1 < rect.rows && i < list->height && list->top + i < list->n; i++) {
        struct nsc_rect line = {rect.row + 1 + (int)i, rect.col, 1, rect.cols};
        bool current = focus && list->top + i == list->cursor;

        draw_row(table, focus, grid, line, table->order[list->top + i], current);
    }
}
