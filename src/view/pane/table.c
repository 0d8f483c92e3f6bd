/* Draws a sheet as a table, moves in it, and sorts it. */
#include "view/pane/table.h"

#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS_MOST = 64, /* most columns on the screen */
    GAP = 2,           /* cells between two columns */
    BAR_COLS = 8,
    PARTS = 1000000,  /* of a percent: less shows no bar */
    LINES_MOST = 256, /* with more lines, similar texts are not distinguished */
    LEAST_TEXT = 12,
    NARROWEST = 4,
    PAGE_INSTANT = 21, /* of a page: cells of a point in time, */
    PAGE_NUMBER = 9,   /* of a count or share, */
    PAGE_NS = 8,       /* of a duration, */
    PAGE_TEXT = 24,    /* of a text, */
    PAGE_NAME = 400,   /* and of the first one, which gets what the others leave */
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
    if (at_ends)
        nsc_sheet_extremes(table->sheet, column, extremes);
    for (int k = 0; k < 2 && at_ends && rows; k++)
        widest = larger(widest, shown_width(table, &text, extremes[k], column));
    nsc_buf_fini(&text);
    widest = widest < NARROWEST ? NARROWEST : widest;
    return (uint16_t)(widest > UINT16_MAX ? UINT16_MAX : widest);
}

/* Cells for any value of its kind. */
static uint16_t page_column(const struct nsc_table *table, uint32_t column, uint32_t n_texts)
{
    switch (kind_of(table, column)) {
    case NSC_SHEET_TEXT:
        return n_texts ? PAGE_TEXT : PAGE_NAME;
    case NSC_SHEET_INSTANT:
        return PAGE_INSTANT;
    case NSC_SHEET_NS:
        return PAGE_NS;
    default:
        return PAGE_NUMBER;
    }
}

/* How often a text differs from that of the row before. */
static uint32_t count_changes(const struct nsc_sheet *sheet, uint32_t column)
{
    uint32_t rows = nsc_sheet_rows(sheet), n = 0;

    for (uint32_t r = 1; r < rows && r < SAMPLE_ROWS; r++)
        n += !nsc_text_equal(nsc_sheet_text(sheet, nsc_sheet_at(sheet, r, column)),
                             nsc_sheet_text(sheet, nsc_sheet_at(sheet, r - 1, column)));
    return n;
}

/* Takes a sheet, and measures its columns. A text names the rows if none further right differs twice as
 * often. */
static void take(struct nsc_table *table, const struct nsc_sheet *sheet, bool ascii)
{
    uint32_t most = 0;

    table->naming = 0;
    table->sheet = sheet;
    table->ascii = ascii;
    table->widths = nsc_xrealloc(table->widths, sheet->n_columns + 1, sizeof *table->widths);
    table->wanted = nsc_xrealloc(table->wanted, sheet->n_columns + 1, sizeof *table->wanted);
    for (uint32_t c = 0; c < sheet->n_columns; c++) {
        table->wanted[c] = table->is_page ? page_column(table, c, most) : measure_column(table, c);
        if (kind_of(table, c) == NSC_SHEET_TEXT) {
            uint32_t n = table->is_page ? 1 : 1 + count_changes(sheet, c);

            table->naming = n >= 2 * most ? c : table->naming;
            most = n >= 2 * most ? n : most;
        }
    }
}

static bool is_hidden(const struct nsc_table *table, uint32_t column)
{
    return column < 32 && table->hidden >> column & 1;
}

static void put_row(const void *context, size_t row, struct nsc_buf *out)
{
    const struct nsc_table *table = context;

    for (uint32_t c = 0; c < table->sheet->n_columns; c++) {
        if (is_hidden(table, c))
            continue;
        nsc_buf_putc(out, ' ');
        nsc_sheet_show(out, table->sheet, (uint32_t)row, c, table->ascii);
    }
}

void nsc_table_list(struct nsc_table *table)
{
    if (!table->sheet || table->is_page)
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
    if (!sheet)
        return;
    take(table, sheet, ascii);
    nsc_table_list(table);
}

void nsc_table_renew(struct nsc_table *table, const struct nsc_sheet *sheet, bool ascii)
{
    if (!table->sheet)
        nsc_table_set(table, sheet, ascii);
    table->is_list = true;
    take(table, sheet, ascii);
    nsc_table_list(table);
}

void nsc_table_page(struct nsc_table *table, const struct nsc_sheet *sheet, bool ascii)
{
    table->is_page = true;
    table->first = (uint32_t)table->list.top;
    take(table, sheet, ascii);
}

void nsc_table_fini(struct nsc_table *table)
{
    nsc_list_fini(&table->list);
    free(table->widths);
    free(table->wanted);
    *table = (struct nsc_table){.sorted = NSC_NONE};
}

/* ---- moving ---- */

static uint32_t n_visible(const struct nsc_table *table)
{
    uint32_t n = 0;

    for (uint32_t c = 0; c < table->sheet->n_columns; c++)
        n += !is_hidden(table, c);
    return n;
}

/* The columns from the left edge on, whether or not they fit. */
static uint32_t columns_of(const struct nsc_table *table, uint32_t out[COLUMNS_MOST])
{
    uint32_t n = 0;

    out[n++] = table->label;
    for (uint32_t c = table->left; c < table->sheet->n_columns && n < COLUMNS_MOST; c++)
        if (c != table->label && !is_hidden(table, c))
            out[n++] = c;
    return n;
}

/* Those that fit. */
static uint32_t fitting_columns(const struct nsc_table *table, uint32_t out[COLUMNS_MOST], int cols)
{
    uint32_t most = columns_of(table, out);
    int col = 0;
    uint32_t n = 0;

    while (n < most && col < cols)
        col += table->widths[out[n++]] + GAP;
    return col - GAP > cols && n > 1 ? n - 1 : n;
}

/* Never cuts numbers. Where the columns do not fit, the widest text gives way, the last one of equals. */
static void fit_widths(struct nsc_table *table, int cols)
{
    uint32_t n = table->sheet->n_columns;
    int least = table->least ? table->least : LEAST_TEXT;
    int over = -cols - GAP;
    uint32_t widest = n;

    for (uint32_t c = 0; c < n; c++) {
        table->widths[c] = table->wanted[c];
        over += is_hidden(table, c) ? 0 : table->widths[c] + GAP;
    }
    for (; over > 0; over--, widest = n) {
        for (uint32_t c = 0; c < n; c++)
            if (kind_of(table, c) == NSC_SHEET_TEXT && !is_hidden(table, c) &&
                table->widths[c] > least &&
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
    uint32_t shown[COLUMNS_MOST];
    uint32_t n = fitting_columns(table, shown, cols);
    int spare = cols + GAP;

    for (uint32_t i = 0; i < n; i++)
        spare -= table->widths[shown[i]] + GAP;
    for (uint32_t i = 0; i < n && spare > 0; i++) {
        int more = table->wanted[shown[i]] - table->widths[shown[i]];

        more = more < spare ? more : spare;
        table->widths[shown[i]] = (uint16_t)(table->widths[shown[i]] + more);
        spare -= more;
    }
}

/* Whether a column is right of those that fit. */
static bool is_beyond(const struct nsc_table *table, uint32_t column, int cols)
{
    uint32_t shown[COLUMNS_MOST];
    uint32_t n = fitting_columns(table, shown, cols);

    return column != table->label && column > shown[n - 1];
}

void nsc_table_fit(struct nsc_table *table, int height, int cols)
{
    uint32_t shown[COLUMNS_MOST];

    nsc_list_fit(&table->list, table->list.n, height);
    if (!table->sheet)
        return;
    fit_widths(table, cols);
    /* Where columns are cut, the text that names the rows stands before the others. */
    table->label = 0;
    if (fitting_columns(table, shown, cols) < n_visible(table))
        table->label = table->naming;
    while (table->label && table->widths[table->label] < table->wanted[table->label] &&
           table->widths[table->label] < cols / 3) /* a third for it */
        table->widths[table->label]++;
    if (table->column < table->left)
        table->left = table->column;
    while (table->left < table->column && is_beyond(table, table->column, cols))
        table->left++;
    widen_texts(table, cols);
}

bool nsc_table_sort(struct nsc_table *table)
{
    if (!table->sheet)
        return false;
    if (table->is_page) {
        table->sorted = table->column;
        return true;
    }
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
    uint32_t shown[COLUMNS_MOST];
    uint32_t n = table->sheet ? columns_of(table, shown) : 0;
    int at = 0;

    for (uint32_t i = 0; i < n; at += table->widths[shown[i++]] + GAP)
        if (col >= at && col < at + table->widths[shown[i]]) {
            table->column = shown[i];
            (void)nsc_table_sort(table);
            return;
        }
}

/* ---- the row at the cursor ---- */

/* The row of the sheet on a line of the list. */
static uint32_t row_at(const struct nsc_table *table, size_t line)
{
    return table->list.items ? table->list.items[line] : (uint32_t)line - table->first;
}

uint32_t nsc_table_row(const struct nsc_table *table)
{
    const struct nsc_list *list = &table->list;

    return table->sheet && list->cursor < list->n ? row_at(table, list->cursor) : NSC_NONE;
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
        if (is_hidden(table, c) || !table->sheet->columns[c].key[0]) /* only drawn in */
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
static enum nsc_role role_of(const struct nsc_table *table, uint32_t row, uint32_t column)
{
    static const struct {
        const char *name;
        enum nsc_role role;
    } severities[] = {
        {"high", NSC_ROLE_ERROR}, {"medium", NSC_ROLE_WARNING}, {"low", NSC_ROLE_TEXT}};
    unsigned i = 0;

    if (strcmp(table->sheet->columns[column].key, "severity") != 0)
        return NSC_ROLE_TEXT;
    i = NSC_TEXT_AMONG(nsc_sheet_text(table->sheet, nsc_sheet_at(table->sheet, row, column)),
                       severities);
    return i < sizeof severities / sizeof *severities ? severities[i].role : NSC_ROLE_DIM;
}

/* Bytes of a text to skip so that it differs from those of the other visible rows. */
static uint32_t shared_bytes(const struct nsc_table *table, uint32_t row, uint32_t column,
                             int cells)
{
    const struct nsc_list *list = &table->list;
    struct nsc_text texts[LINES_MOST];
    uint32_t n = 0, at = LINES_MOST;

    for (size_t i = list->top; i < list->n && i - list->top < list->height && n < LINES_MOST; i++) {
        uint32_t of = row_at(table, i);

        at = of == row ? n : at;
        texts[n++] = nsc_sheet_text(table->sheet, nsc_sheet_at(table->sheet, of, column));
    }
    return at < n ? nsc_name_shared(texts, n, at, (uint32_t)cells) : 0;
}

/* Keys act on it; of a page, it gives the order. */
static bool is_chosen(const struct nsc_table *table, uint32_t column)
{
    return column == (table->is_page ? table->sorted : table->column);
}

/* Shows the value of a cell. The line of the cursor has a role of its own if the table has the focus. */
static void cell_draw(const struct nsc_table *table, uint32_t row, struct nsc_table_cell *cell)
{
    const struct nsc_page *page = &cell->page;
    const char *key = table->sheet->columns[cell->column].key;
    bool chosen = cell->role == NSC_ROLE_LABEL_CURSOR && is_chosen(table, cell->column);
    enum nsc_role role = chosen                        ? NSC_ROLE_SELECTION
                         : cell->role != NSC_ROLE_TEXT ? cell->role
                                                       : role_of(table, row, cell->column);
    struct nsc_buf text = NSC_BUF_INIT(VALUE_BYTES);

    if (strcmp(key, "next_step") == 0 || strcmp(key, "line") == 0) /* of findings */
        nsc_advice_add(&text,
                       nsc_sheet_text(table->sheet, nsc_sheet_at(table->sheet, row, cell->column)));
    else
        nsc_sheet_show(&text, table->sheet, row, cell->column, table->ascii);
    if (is_left(kind_of(table, cell->column)))
        nsc_name_put(&cell->page, role, nsc_text_of_buf(&text),
                     shared_bytes(table, row, cell->column, page->rect.cols));
    else
        nsc_grid_puts_right(page->grid, page->rect.row, page->rect.col, page->rect.cols, role,
                            text.n ? text.bytes : "");
    nsc_buf_fini(&text);
}

void nsc_table_bar(const struct nsc_table_cell *cell, enum nsc_role role, uint8_t shade,
                   nsc_time part, nsc_time whole)
{
    struct nsc_rect rect = cell->page.rect;

    rect.cols = BAR_COLS;
    nsc_grid_share(cell->page.grid, rect, role, shade, part, whole);
}

static void share_draw(const struct nsc_table *table, uint32_t row,
                       const struct nsc_table_cell *cell)
{
    const struct nsc_sheet_cell *share = nsc_sheet_at(table->sheet, row, cell->column);

    if (share->is_set)
        nsc_table_bar(cell, NSC_ROLE_SHARE, 0, (nsc_time)(share->number * PARTS), 100 * PARTS);
}

static void title_draw(const struct nsc_table *table, struct nsc_grid *grid, struct nsc_rect rect,
                       uint32_t column)
{
    enum nsc_role role = is_chosen(table, column) ? NSC_ROLE_KEY : NSC_ROLE_DIM;
    const char *text = table->sheet->columns[column].title;
    bool left = is_left(kind_of(table, column));
    bool has_mark = column == table->sorted;
    int width = (int)nsc_text_width(nsc_text_from(text), grid->ascii);
    int end = rect.col + rect.cols;
    int at = left || width + (has_mark ? 2 : 0) > rect.cols ? rect.col : end - width;
    int mark = left ? at + width + 1 : at - (width + 2 < rect.cols ? 2 : 1);

    if (has_mark)
        nsc_grid_put(grid, rect.row, mark, role, 0, table->descending ? "↓" : "↑");
    nsc_grid_puts(grid, rect.row, at, end - at, role, text);
}

/* Draws the cells of a row; NSC_NONE: the titles. */
static void line_draw(const struct nsc_table *table, struct nsc_grid *grid, struct nsc_rect line,
                      uint32_t row, enum nsc_role role)
{
    uint32_t shown[COLUMNS_MOST];
    uint32_t n = fitting_columns(table, shown, line.cols);
    struct nsc_rect rect = line;

    for (uint32_t i = 0; i < n; i++, rect.col += rect.cols + GAP) {
        struct nsc_table_cell cell = {.column = shown[i], .role = role};

        rect.cols = table->widths[shown[i]] < line.cols ? table->widths[shown[i]] : line.cols;
        cell.page = nsc_page(grid, rect, 0, table->ascii);
        if (row == NSC_NONE)
            title_draw(table, grid, rect, shown[i]);
        else if (table->draw && table->draw(table->context, row, &cell))
            continue;
        else if (table->bars >> shown[i] & 1)
            share_draw(table, row, &cell);
        else
            cell_draw(table, row, &cell);
    }
}

/* marks: marks the line of the cursor; focus: the terminal's cursor goes there. */
static void lines_draw(const struct nsc_table *table, bool marks, bool focus, struct nsc_grid *grid,
                       struct nsc_rect rect)
{
    const struct nsc_list *list = &table->list;
    struct nsc_rect line = {rect.row, rect.col, 1, rect.cols};

    for (size_t i = list->top; i < list->n && line.row < rect.row + rect.rows; i++, line.row++) {
        uint32_t row = row_at(table, i);
        bool is_cursor = marks && i == list->cursor;
        bool is_marked = is_cursor || (table->marks && table->marks(table->context, row));

        line_draw(table, grid, line, row, nsc_list_line(grid, line, is_marked, is_cursor && focus));
    }
}

void nsc_table_draw(const struct nsc_table *table, bool focus, struct nsc_grid *grid,
                    struct nsc_rect rect)
{
    const struct nsc_list *list = &table->list;
    char asked[sizeof list->needle + 1];
    struct nsc_rect line = {rect.row, rect.col, 1, rect.cols};

    if (!table->sheet || rect.rows < 1)
        return;
    if (!table->is_bare) {
        line_draw(table, grid, line, NSC_NONE, NSC_ROLE_DIM);
        (void)snprintf(asked, sizeof asked, "%s%s", list->needle[0] ? "/" : "", list->needle);
        nsc_grid_puts_right(grid, rect.row, rect.col, rect.cols, NSC_ROLE_WARNING, asked);
        line.row++;
        rect.rows--;
    }
    if (table->has_total && rect.rows > 0) {
        line_draw(table, grid, line, nsc_sheet_rows(table->sheet) - 1, NSC_ROLE_GROUP);
        line.row++;
        rect.rows--;
    }
    line.rows = list->height < (size_t)rect.rows ? (int)list->height : rect.rows;
    lines_draw(table, focus || table->is_list, focus, grid, line);
    if (!list->n && list->needle[0])
        nsc_grid_puts(grid, line.row, rect.col, rect.cols, NSC_ROLE_DIM,
                      "No line has this text.  /  asks for another, Esc shows all.");
}
