/*
 * The result of a query as a table, and its text for the clipboard.
 */
#include "view/pane/sql.h"

#include "core/text.h"
#include "core/units.h"
#include "view/kit/page.h"

#include <stdio.h>
#include <string.h>

enum { VALUE_BYTES = 4096, NOTE_BYTES = 160 };

/* ---- keys ---- */

/* How many columns fit from the first that is shown. */
uint32_t nsc_pane_sql_columns(const struct nsc_pane_sql *sql, int cols)
{
    int col = 0;
    uint32_t n = 0;

    while (sql->left + n < sql->answer->sheet.n_columns && col < cols)
        col += sql->widths[sql->left + n++] + NSC_PANE_SQL_GAP;
    return col - NSC_PANE_SQL_GAP > cols && n > 1 ? n - 1 : n;
}

bool nsc_pane_sql_can_choose(const struct nsc_pane_sql *sql)
{
    return sql->answer != NULL;
}

/* ---- the clipboard ---- */

static void value_put(const struct nsc_pane_sql *sql, struct nsc_buf *out, uint32_t column)
{
    struct nsc_buf raw = NSC_BUF_INIT(1 << 20);

    nsc_sheet_show(&raw, &sql->answer->sheet, sql->order[sql->list.cursor], column, false);
    nsc_text_clean(out, nsc_text_of_buf(&raw), false);
    nsc_buf_fini(&raw);
}

bool nsc_pane_sql_copy(const struct nsc_pane_sql *sql, struct nsc_buf *out, bool row)
{
    if (!sql->answer || !sql->list.n)
        return false;
    if (!row) {
        value_put(sql, out, sql->column);
        return true;
    }
    for (uint32_t c = 0; c < sql->answer->sheet.n_columns; c++) {
        if (c)
            nsc_buf_putc(out, '\t');
        value_put(sql, out, c);
    }
    return true;
}

/* ---- drawing ---- */

static void columns_draw(const struct nsc_pane_sql *sql, bool focus, struct nsc_grid *grid,
                         struct nsc_rect line, uint32_t row, bool current)
{
    uint32_t n = nsc_pane_sql_columns(sql, line.cols);
    struct nsc_buf text = NSC_BUF_INIT(VALUE_BYTES);
    int col = line.col;

    for (uint32_t c = sql->left; c < sql->left + n; c++) {
        int left = line.col + line.cols - col;
        int width = sql->widths[c] < left ? sql->widths[c] : left;
        enum nsc_role role = current ? NSC_ROLE_LABEL_CURSOR : NSC_ROLE_TEXT;

        nsc_buf_clear(&text);
        nsc_sheet_show(&text, &sql->answer->sheet, row, c, false);
        if (current && c == sql->column && focus)
            role = NSC_ROLE_SELECTION;
        if (sql->answer->columns[c].kind == NSC_SHEET_TEXT)
            nsc_grid_text(grid, line.row, col, width, role, nsc_text_of_buf(&text));
        else
            nsc_grid_puts_right(grid, line.row, col, width, role, text.n ? text.bytes : "");
        col += width + NSC_PANE_SQL_GAP;
    }
    nsc_buf_fini(&text);
}

static void titles_draw(const struct nsc_scene *scene, const struct nsc_pane_sql *sql,
                        struct nsc_grid *grid, struct nsc_rect line)
{
    uint32_t n = nsc_pane_sql_columns(sql, line.cols);
    int col = line.col;

    for (uint32_t c = sql->left; c < sql->left + n; c++) {
        const struct nsc_sheet_column *column = &sql->answer->columns[c];
        int left = line.col + line.cols - col;
        int width = sql->widths[c] < left ? sql->widths[c] : left;
        enum nsc_role role = c == sql->column ? NSC_ROLE_KEY : NSC_ROLE_DIM;
        int mark = c == sql->sorted ? 2 : 0;
        int title = (int)nsc_text_width(nsc_text_from(column->title), scene->ascii);
        int at = column->kind == NSC_SHEET_TEXT || title + mark > width ? col : col + width - title;

        if (mark)
            nsc_grid_put(grid, line.row, column->kind == NSC_SHEET_TEXT ? at + title + 1 : at - 2,
                         role, 0, sql->descending ? "▾" : "▴");
        nsc_grid_puts(grid, line.row, at, col + width - at, role, column->title);
        col += width + NSC_PANE_SQL_GAP;
    }
}

/* Of several exports: which one. */
static void of_put(const struct nsc_scene *scene, struct nsc_page *page, uint32_t capture_no)
{
    uint32_t n = 0;
    const struct nsc_trace_info *exports = nsc_trace_captures(scene->trace, &n);

    if (n < 2)
        return;
    nsc_page_text(page, NSC_ROLE_TEXT, nsc_trace_string(scene->trace, exports[capture_no].label));
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
}

/* "1 234 rows in 5 ms", and what was left out. */
static void about_put(const struct nsc_scene *scene, const struct nsc_pane_sql *sql,
                      struct nsc_page *page)
{
    const struct nsc_sheet *sheet = &sql->answer->sheet;
    char count[NSC_UNITS_BYTES];
    char time[NSC_UNITS_BYTES];
    char text[NOTE_BYTES];

    nsc_units_count(count, nsc_sheet_rows(sheet));
    nsc_units_duration(time, (nsc_time)sql->answer->ns, scene->ascii);
    (void)snprintf(text, sizeof text, "%s row%s in %s  ", count,
                   nsc_sheet_rows(sheet) == 1 ? "" : "s", time);
    nsc_page_puts(page, NSC_ROLE_TEXT, text);
    for (size_t i = 0; i < sheet->notes.n; i++) {
        nsc_page_puts(page, NSC_ROLE_WARNING, sheet->notes.at[i]);
        nsc_page_puts(page, NSC_ROLE_WARNING, "  ");
    }
    of_put(scene, page, sql->answer_of);
    nsc_page_puts(page, NSC_ROLE_DIM, sql->query);
}

static void running_draw(const struct nsc_scene *scene, const struct nsc_pane_sql *sql,
                         struct nsc_page *page)
{
    char time[NSC_UNITS_BYTES];
    uint64_t ms = sql->now > sql->since ? sql->now - sql->since : 0;

    nsc_units_duration(time, (nsc_time)(ms / 100 * 100) * 1000000, scene->ascii);
    nsc_page_puts(page, NSC_ROLE_WARNING, "running ");
    nsc_page_puts(page, NSC_ROLE_WARNING, time);
    nsc_page_puts(page, NSC_ROLE_DIM, "  Esc cancels  ");
    of_put(scene, page, sql->capture_no);
    nsc_page_puts(page, NSC_ROLE_TEXT, sql->query);
}

/* The query, and the error below it. */
static void error_draw(const struct nsc_scene *scene, const struct nsc_pane_sql *sql,
                       struct nsc_grid *grid, struct nsc_page *page)
{
    struct nsc_text before = {sql->query, 0};
    int col = 0;

    nsc_page_puts(page, NSC_ROLE_TEXT, sql->query);
    nsc_page_end(page);
    if (sql->error_at >= 0 && (size_t)sql->error_at <= strlen(sql->query)) {
        before.n = (uint32_t)sql->error_at;
        col = (int)nsc_text_width(before, scene->ascii);
    }
    if (col + (int)strlen(sql->error) + 2 > page->rect.cols)
        col = 0;
    else if (sql->error_at >= 0 && page->rect.rows > 1)
        nsc_grid_put(grid, page->rect.row + 1, page->rect.col + col, NSC_ROLE_ERROR, 0, "^");
    if (page->rect.rows > 1)
        nsc_grid_puts(grid, page->rect.row + 1, page->rect.col + (sql->error_at >= 0 ? col + 2 : 0),
                      page->rect.cols, NSC_ROLE_ERROR, sql->error);
}

static void empty_draw(struct nsc_page *page)
{
    nsc_page_puts(page, NSC_ROLE_TEXT, "No query yet: ");
    nsc_page_puts(page, NSC_ROLE_KEY, ";");
    nsc_page_puts(page, NSC_ROLE_DIM,
                  "  asks the export by SQL, read-only. Tab completes tables. For example");
    nsc_page_end(page);
    nsc_page_puts(page, NSC_ROLE_DIM,
                  "SELECT start, end, value AS name FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN "
                  "StringIds s ON s.id = k.shortName ORDER BY end - start DESC LIMIT 20");
}

static void rows_draw(const struct nsc_pane_sql *sql, bool focus, struct nsc_grid *grid,
                      struct nsc_rect rect)
{
    const struct nsc_list *list = &sql->list;

    for (size_t i = 0; i < list->height && list->top + i < list->n; i++) {
        struct nsc_rect line = {rect.row + NSC_PANE_SQL_HEAD + (int)i, rect.col, 1, rect.cols};
        bool current = focus && list->top + i == list->cursor;

        if (current) {
            nsc_grid_fill(grid, line, NSC_ROLE_LABEL_CURSOR, " ");
            grid->cursor_row = line.row;
            grid->cursor_col = line.col;
        }
        columns_draw(sql, focus, grid, line, sql->order[list->top + i], current);
    }
}

int nsc_pane_sql_draw(const struct nsc_scene *scene, const struct nsc_pane_sql *sql, bool focus,
                      struct nsc_grid *grid, struct nsc_rect rect)
{
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);

    if (!grid)
        return NSC_PANE_SQL_HEAD;
    if (sql->running) {
        running_draw(scene, sql, &page);
    } else if (sql->error[0]) {
        error_draw(scene, sql, grid, &page);
    } else if (!sql->answer) {
        empty_draw(&page);
    } else {
        about_put(scene, sql, &page);
        if (rect.rows > 1)
            titles_draw(scene, sql, grid, (struct nsc_rect){rect.row + 1, rect.col, 1, rect.cols});
        rows_draw(sql, focus, grid, rect);
    }
    return NSC_PANE_SQL_HEAD;
}
