/* Draws a sheet as a table, moves in it, and sorts it. */
#include "view/pane/table.h"

#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"
#include "view/kit/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINES_MOST = 256, /* with more lines, similar texts are not distinguished */
    LEAST_TEXT = 12,
    NARROWEST = 4,
    SAMPLE_ROWS = 1000,
    SHOWN_BYTES = 400,
    VALUE_BYTES = 4096
};

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
    size_t widest = /* the mark of its order stands in the gap */
        nsc_text_width(nsc_text_from(table->sheet->columns[column].title), table->ascii);
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

static void measure(struct nsc_table *table)
{
    for (uint32_t c = 0; c < table->sheet->n_columns; c++)
        table->wanted[c] = measure_column(table, c);
}

static void put_row(const void *context, size_t row, struct nsc_buf *out)
{
    const struct nsc_table *table = context;

    for (uint32_t c = 0; c < table->sheet->n_columns; c++) {
        nsc_buf_putc(out, ' ');
        nsc_sheet_show(out, table->sheet, (uint32_t)row, c, table->ascii);
    }
}

void nsc_table_list(struct nsc_table *table)
{
    if (!table->sheet)
        return;
    nsc_list_whole(&table->list, nsc_sheet_rows(table->sheet) - table->has_total);
    if (table->sorted != NSC_NONE)
        nsc_sheet_sort(table->sheet, table->sorted, table->descending, table->list.items,
                       (uint32_t)table->list.n);
    nsc_list_narrow(&table->list, put_row, table);
}

void nsc_table_set(struct nsc_table *table, const struct nsc_sheet *sheet, bool ascii)
{
    nsc_table_fini(table);
    table->sheet = sheet;
    table->ascii = ascii;
    if (!sheet)
        return;
    table->widths = nsc_xcalloc(sheet->n_columns, sizeof *table->widths);
    table->wanted = nsc_xcalloc(sheet->n_columns, sizeof *table->wanted);
    measure(table);
    nsc_table_list(table);
}

void nsc_table_renew(struct nsc_table *table, const struct nsc_sheet *sheet, bool ascii)
{
    if (!table->sheet)
        nsc_table_set(table, sheet, ascii);
    table->is_list = true;
    table->sheet = sheet;
    measure(table);
    nsc_table_list(table);
}

void nsc_table_fini(struct nsc_table *table)
{
    nsc_list_fini(&table->list);
    free(table->widths);
    free(table->wanted);
    *table = (struct nsc_table){.sorted = NSC_NONE};
}

/* ---- moving ---- */

/* The i-th column from the left. */
static uint32_t column_at(const struct nsc_table *table, uint32_t i)
{
    uint32_t c = table->left + i - 1;

    return i == 0 ? table->label : c + (table->left <= table->label && table->label <= c);
}

/* The number of columns that fit, from the first visible one. */
static uint32_t count_fitting(const struct nsc_table *table, int cols)
{
    int col = 0;
    uint32_t n = 0;

    while (column_at(table, n) < table->sheet->n_columns && col < cols && n < NSC_COLUMNS_MOST)
        col += table->widths[column_at(table, n++)] + NSC_TABLE_GAP;
    return col - NSC_TABLE_GAP > cols && n > 1 ? n - 1 : n;
}

/* Never cuts numbers. Where the columns do not fit, the widest text gives way, the last one of equals. */
static void fit_widths(struct nsc_table *table, int cols)
{
    uint32_t n = table->sheet->n_columns;
    int least = table->least ? table->least : LEAST_TEXT;
    int over = -cols - NSC_TABLE_GAP;
    uint32_t widest = n;

    for (uint32_t c = 0; c < n; c++)
        over += (table->widths[c] = table->wanted[c]) + NSC_TABLE_GAP;
    for (; over > 0; over--, widest = n) {
        for (uint32_t c = 0; c < n; c++)
            if (kind_of(table, c) == NSC_SHEET_TEXT && table->widths[c] > least &&
                (widest == n || table->widths[c] >= table->widths[widest]))
                widest = c;
        if (widest == n)
            return;
        table->widths[widest]--;
    }
}

/* What a column that does not fit leaves goes to the texts. */
static void widen_texts(struct nsc_table *table, int cols)
{
    uint32_t n = count_fitting(table, cols);
    int spare = cols + NSC_TABLE_GAP;

    for (uint32_t i = 0; i < n; i++)
        spare -= table->widths[column_at(table, i)] + NSC_TABLE_GAP;
    for (uint32_t i = 0; i < n && spare > 0; i++) {
        uint32_t c = column_at(table, i);
        int more = table->wanted[c] - table->widths[c];

        more = more < spare ? more : spare;
        table->widths[c] = (uint16_t)(table->widths[c] + more);
        spare -= more;
    }
}

void nsc_table_fit(struct nsc_table *table, int height, int cols)
{
    nsc_list_fit(&table->list, table->list.n, height);
    if (!table->sheet)
        return;
    fit_widths(table, cols);
    /* Where columns are cut, the first text, which names the rows, stands before the others. */
    table->label = 0;
    while (count_fitting(table, cols) < table->sheet->n_columns &&
           table->label + 1 < table->sheet->n_columns &&
           kind_of(table, table->label) != NSC_SHEET_TEXT)
        table->label++;
    while (table->label && table->widths[table->label] < table->wanted[table->label] &&
           table->widths[table->label] < cols / 3) /* a third for it */
        table->widths[table->label]++;
    if (table->column < table->left)
        table->left = table->column;
    while (table->left < table->column && table->column != table->label &&
           table->column > column_at(table, count_fitting(table, cols) - 1))
        table->left++;
    widen_texts(table, cols);
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
    nsc_table_list(table);
    (void)nsc_list_set(&table->list, 0);
    return true;
}

static void order(struct nsc_table *table, bool next)
{
    uint32_t n = table->sheet->n_columns;
    uint32_t at = table->sorted == NSC_NONE ? n : table->sorted;

    at = (at + (next ? 1 : n)) % (n + 1);
    table->sorted = NSC_NONE;
    table->column = at < n ? at : table->column;
    if (at < n)
        (void)nsc_table_sort(table);
    else
        nsc_table_list(table);
}

bool nsc_table_step(struct nsc_table *table, bool next)
{
    if (!table->sheet ||
        (!table->is_list && (next ? table->column + 1 >= table->sheet->n_columns : !table->column)))
        return false;
    if (table->is_list)
        order(table, next);
    else
        table->column += next ? 1u : (uint32_t)-1;
    return true;
}

void nsc_table_click(struct nsc_table *table, int col)
{
    int at = 0;

    for (uint32_t i = 0; table->sheet && column_at(table, i) < table->sheet->n_columns; i++) {
        uint32_t c = column_at(table, i);

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
    return table->sheet ? nsc_list_item(&table->list) : NSC_NONE;
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
    else if (length && length->is_set && length->integer > 0)
        out->t1 = nsc_sum(out->t0, length->integer);
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
        if (!table->sheet->columns[c].key[0]) /* only drawn in */
            continue;
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

/* A severity is known by its colour; other values have the role of the line. */
static enum nsc_role role_of(const struct nsc_table *table, size_t row, uint32_t column)
{
    static const struct {
        const char *name;
        enum nsc_role role;
    } severities[] = {
        {"high", NSC_ROLE_ERROR}, {"medium", NSC_ROLE_WARNING}, {"low", NSC_ROLE_TEXT}};
    unsigned i = 0;

    if (strcmp(table->sheet->columns[column].key, "severity") != 0)
        return NSC_ROLE_TEXT;
    i = NSC_TEXT_AMONG(
        nsc_sheet_text(table->sheet, nsc_sheet_at(table->sheet, (uint32_t)row, column)),
        severities);
    return i < sizeof severities / sizeof *severities ? severities[i].role : NSC_ROLE_DIM;
}

/* Bytes of a text to skip so that it differs from those of the other visible rows. */
static uint32_t shared_bytes(const struct nsc_table *table, size_t row, uint32_t column, int cells)
{
    const struct nsc_list *list = &table->list;
    struct nsc_text texts[LINES_MOST];
    uint32_t n = 0, at = LINES_MOST;

    for (size_t i = list->top; i < list->n && i - list->top < list->height && n < LINES_MOST; i++) {
        at = list->items[i] == row ? n : at;
        texts[n++] =
            nsc_sheet_text(table->sheet, nsc_sheet_at(table->sheet, list->items[i], column));
    }
    return at < n ? nsc_name_shared(texts, n, at, (uint32_t)cells) : 0;
}

/* Shows the value of a cell. The line of the cursor has a role of its own if the table has the focus. */
static void cell_fill(const void *context, size_t row, struct nsc_list_cell *cell)
{
    const struct nsc_table *table = context;
    const struct nsc_page *page = &cell->page;
    uint32_t column = column_at(table, cell->column);
    const char *key = table->sheet->columns[column].key;
    bool is_chosen = cell->role == NSC_ROLE_LABEL_CURSOR && column == table->column;
    enum nsc_role role = is_chosen                     ? NSC_ROLE_SELECTION
                         : cell->role != NSC_ROLE_TEXT ? cell->role
                                                       : role_of(table, row, column);
    struct nsc_buf text = NSC_BUF_INIT(VALUE_BYTES);

    if (strcmp(key, "next_step") == 0 || strcmp(key, "line") == 0) /* of findings */
        nsc_advice_add(
            &text, nsc_sheet_text(table->sheet, nsc_sheet_at(table->sheet, (uint32_t)row, column)));
    else
        nsc_sheet_show(&text, table->sheet, (uint32_t)row, column, table->ascii);
    if (is_left(kind_of(table, column)))
        nsc_name_put(&cell->page, role, nsc_text_of_buf(&text),
                     shared_bytes(table, row, column, page->rect.cols));
    else
        nsc_grid_puts_right(page->grid, page->rect.row, page->rect.col, page->rect.cols, role,
                            text.n ? text.bytes : "");
    nsc_buf_fini(&text);
}

void nsc_table_draw(const struct nsc_table *table, bool focus, struct nsc_grid *grid,
                    struct nsc_rect rect)
{
    struct nsc_list_column of[NSC_COLUMNS_MOST];
    struct nsc_columns shown;
    struct nsc_list_source source = {&shown, cell_fill, table, table->ascii};
    struct nsc_list list = table->list;
    char asked[sizeof list.needle + 1];
    uint32_t n = 0;

    if (!table->sheet || rect.rows < 1)
        return;
    n = count_fitting(table, rect.cols);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = column_at(table, i);
        int width = table->widths[c] < rect.cols ? table->widths[c] : rect.cols;

        of[i] = (struct nsc_list_column){.title = table->sheet->columns[c].title,
                                         .width = width + NSC_TABLE_GAP,
                                         .gap = NSC_TABLE_GAP,
                                         .is_left = is_left(kind_of(table, c)),
                                         .is_chosen = c == table->column,
                                         .has_roles = true};
        if (c == table->sorted)
            of[i].mark = table->descending ? "↓" : "↑";
    }
    nsc_columns_fit(&shown, of, n, 0, rect);
    nsc_columns_titles(&shown, grid, rect.row);
    if (table->has_total && rect.rows > 1)
        nsc_list_put(&source, grid, ++rect.row, nsc_sheet_rows(table->sheet) - 1, NSC_ROLE_GROUP,
                     false);
    (void)snprintf(asked, sizeof asked, "%s%s", list.needle[0] ? "/" : "", list.needle);
    nsc_grid_puts_right(grid, rect.row, rect.col, rect.cols, NSC_ROLE_WARNING, asked);
    list.height = list.height < (size_t)rect.rows ? list.height : (size_t)rect.rows - 1;
    nsc_list_draw(&list, &source, focus || table->is_list, focus, grid, rect.row + 1);
    if (!list.n && list.needle[0])
        nsc_grid_puts(grid, rect.row + 1, rect.col, rect.cols, NSC_ROLE_DIM,
                      "No line has this text.  /  asks for another, Esc shows all.");
}
