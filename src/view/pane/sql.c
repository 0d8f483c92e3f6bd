/*
 * What a query gave, as a table: sorted by any column, copied, and gone to where a row tells a
 * time.
 */
#include "core/text.h"
#include "core/units.h"
#include "view/app/state.h"
#include "view/kit/page.h"
#include "view/scene/move.h"

#include <stdio.h>
#include <string.h>

enum { HEAD_ROWS = 2, GAP = 2, VALUE_BYTES = 4096, NOTE_BYTES = 160 };

/* ---- keys ---- */

struct nsc_list *nsc_pane_sql_list(struct nsc_app *app)
{
    return &app->sql.list;
}

/* How many columns fit from the first that is shown. */
static uint32_t columns_shown(const struct nsc_app *app, int cols)
{
    const struct nsc_app_sql *sql = &app->sql;
    int col = 0;
    uint32_t n = 0;

    while (sql->left + n < sql->answer->sheet.n_columns && col < cols)
        col += sql->widths[sql->left + n++] + GAP;
    return col - GAP > cols && n > 1 ? n - 1 : n;
}

bool nsc_pane_sql_update(struct nsc_app *app, bool tick)
{
    struct nsc_app_sql *sql = &app->sql;
    int height = app->scene->layout.pane.rows - HEAD_ROWS;

    (void)tick;
    sql->list.height = height > 0 ? (size_t)height : 0;
    nsc_list_clamp(&sql->list);
    if (!sql->answer)
        return false;
    if (sql->column < sql->left)
        sql->left = sql->column;
    while (sql->left < sql->column &&
           sql->column >= sql->left + columns_shown(app, app->scene->layout.pane.cols - 2))
        sql->left++;
    return false;
}

static bool column_step(struct nsc_app_sql *sql, bool next)
{
    if (!sql->answer || (next ? sql->column + 1 >= sql->answer->sheet.n_columns : !sql->column))
        return false;
    sql->column += next ? 1u : (uint32_t)-1;
    return true;
}

static bool sort(struct nsc_app_sql *sql)
{
    if (!sql->answer)
        return false;
    sql->descending = sql->sorted == sql->column ? !sql->descending
                                                 : sql->answer->columns[sql->column].kind !=
                                                       NSC_SHEET_TEXT; /* the most first */
    sql->sorted = sql->column;
    nsc_relation_sort(sql->answer, sql->column, sql->descending, sql->order);
    (void)nsc_list_set(&sql->list, 0);
    return true;
}

void nsc_pane_sql_head(struct nsc_app *app, int row, int col)
{
    struct nsc_app_sql *sql = &app->sql;
    int at = app->scene->layout.pane.col + 1;

    if (!sql->answer || row != app->scene->layout.pane.row + 1)
        return;
    for (uint32_t c = sql->left; c < sql->answer->sheet.n_columns; c++) {
        if (col >= at && col < at + sql->widths[c]) {
            sql->column = c;
            (void)sort(sql);
            return;
        }
        at += sql->widths[c] + GAP;
    }
}

/* Where the row lies in time: an instant gets the cursor, a span the range and the window. */
static bool go(struct nsc_app *app)
{
    struct nsc_app_sql *sql = &app->sql;
    struct nsc_window extent = app->scene->viewport.extent;
    struct nsc_window at;
    char from[NSC_UNITS_BYTES];
    char text[NOTE_BYTES];

    if (!sql->answer || !sql->list.n)
        return false;
    if (!nsc_app_sql_time(app, sql->order[sql->list.cursor], &at)) {
        nsc_app_say(app, "This row tells no time: it has no column start in ns.");
        return false;
    }
    if (at.t0 < extent.t0 || at.t0 >= extent.t1) {
        nsc_units_instant(from, at.t0);
        (void)snprintf(text, sizeof text, "%s lies outside of what is shown.", from);
        nsc_app_say(app, text);
        return false;
    }
    if (app->pane_full)
        nsc_app_pane_show(app, NSC_PANE_SQL, false);
    app->panes.focus = app->scene->layout.pane.rows > 0;
    nsc_scene_remember(app->edit);
    nsc_scene_set_cursor(app->edit, at.t0);
    if (at.t1 - at.t0 > 1) {
        nsc_scene_set_range(app->edit, at);
        (void)nsc_scene_fit_range(app->edit);
    }
    nsc_scene_go(app->edit, at.t0);
    nsc_scene_select_here(app->edit);
    return true;
}

bool nsc_pane_sql_can_choose(const struct nsc_app *app)
{
    return app->sql.answer != NULL;
}

bool nsc_pane_sql_act(struct nsc_app *app, enum nsc_action action)
{
    switch (action) {
    case NSC_ACTION_CHOOSE_PREV:
    case NSC_ACTION_CHOOSE_NEXT:
        /* There is no other pane behind the last column. */
        (void)column_step(&app->sql, action == NSC_ACTION_CHOOSE_NEXT);
        return true;
    case NSC_ACTION_CHOOSE:
        (void)go(app);
        return true;
    case NSC_ACTION_SQL_SORT:
        (void)sort(&app->sql);
        return true;
    default:
        return false;
    }
}

/* ---- the clipboard ---- */

static void value_put(const struct nsc_app *app, struct nsc_buf *out, uint32_t column)
{
    const struct nsc_app_sql *sql = &app->sql;
    struct nsc_buf raw = NSC_BUF_INIT(1 << 20);

    nsc_relation_show(&raw, sql->answer, sql->order[sql->list.cursor], column);
    nsc_text_clean(out, nsc_text_of_buf(&raw), false);
    nsc_buf_fini(&raw);
}

bool nsc_pane_sql_copy(const struct nsc_app *app, struct nsc_buf *out, bool row)
{
    const struct nsc_app_sql *sql = &app->sql;

    if (!sql->answer || !sql->list.n)
        return false;
    if (!row) {
        value_put(app, out, sql->column);
        return true;
    }
    for (uint32_t c = 0; c < sql->answer->sheet.n_columns; c++) {
        if (c)
            nsc_buf_putc(out, '\t');
        value_put(app, out, c);
    }
    return true;
}

/* ---- drawing ---- */

static void columns_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect line,
                         uint32_t row, bool current)
{
    const struct nsc_app_sql *sql = &app->sql;
    uint32_t n = columns_shown(app, line.cols);
    struct nsc_buf text = NSC_BUF_INIT(VALUE_BYTES);
    int col = line.col;

    for (uint32_t c = sql->left; c < sql->left + n; c++) {
        int left = line.col + line.cols - col;
        int width = sql->widths[c] < left ? sql->widths[c] : left;
        enum nsc_role role = current ? NSC_ROLE_LABEL_CURSOR : NSC_ROLE_TEXT;

        nsc_buf_clear(&text);
        nsc_relation_show(&text, sql->answer, row, c);
        if (current && c == sql->column && nsc_app_pane_has_focus(app))
            role = NSC_ROLE_SELECTION;
        if (sql->answer->columns[c].kind == NSC_SHEET_TEXT)
            nsc_grid_text(grid, line.row, col, width, role, nsc_text_of_buf(&text));
        else
            nsc_grid_puts_right(grid, line.row, col, width, role, text.n ? text.bytes : "");
        col += width + GAP;
    }
    nsc_buf_fini(&text);
}

static void titles_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect line)
{
    const struct nsc_app_sql *sql = &app->sql;
    uint32_t n = columns_shown(app, line.cols);
    int col = line.col;

    for (uint32_t c = sql->left; c < sql->left + n; c++) {
        const struct nsc_sheet_column *column = &sql->answer->columns[c];
        int left = line.col + line.cols - col;
        int width = sql->widths[c] < left ? sql->widths[c] : left;
        enum nsc_role role = c == sql->column ? NSC_ROLE_KEY : NSC_ROLE_DIM;
        int mark = c == sql->sorted ? 2 : 0;
        int title = (int)nsc_text_width(nsc_text_from(column->title), app->scene->ascii);
        int at = column->kind == NSC_SHEET_TEXT || title + mark > width ? col : col + width - title;

        if (mark)
            nsc_grid_put(grid, line.row, column->kind == NSC_SHEET_TEXT ? at + title + 1 : at - 2,
                         role, 0, sql->descending ? "▾" : "▴");
        nsc_grid_puts(grid, line.row, at, col + width - at, role, column->title);
        col += width + GAP;
    }
}

/* Of several exports: which one. */
static void of_put(const struct nsc_app *app, struct nsc_page *page, uint32_t capture_no)
{
    uint32_t n = 0;
    const struct nsc_trace_info *exports = nsc_trace_captures(app->scene->trace, &n);

    if (n < 2)
        return;
    nsc_page_text(page, NSC_ROLE_TEXT,
                  nsc_trace_string(app->scene->trace, exports[capture_no].label));
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
}

/* "1 234 rows in 5 ms", and what was left out. */
static void about_put(const struct nsc_app *app, struct nsc_page *page)
{
    const struct nsc_app_sql *sql = &app->sql;
    const struct nsc_sheet *sheet = &sql->answer->sheet;
    char count[NSC_UNITS_BYTES];
    char time[NSC_UNITS_BYTES];
    char text[NOTE_BYTES];

    nsc_units_count(count, nsc_sheet_rows(sheet));
    nsc_units_duration(time, (nsc_time)sql->answer->ns, app->scene->ascii);
    (void)snprintf(text, sizeof text, "%s row%s in %s  ", count,
                   nsc_sheet_rows(sheet) == 1 ? "" : "s", time);
    nsc_page_puts(page, NSC_ROLE_TEXT, text);
    for (size_t i = 0; i < sheet->notes.n; i++) {
        nsc_page_puts(page, NSC_ROLE_WARNING, sheet->notes.at[i]);
        nsc_page_puts(page, NSC_ROLE_WARNING, "  ");
    }
    of_put(app, page, sql->answer_of);
    nsc_page_puts(page, NSC_ROLE_DIM, sql->query);
}

static void running_draw(const struct nsc_app *app, struct nsc_page *page)
{
    const struct nsc_app_sql *sql = &app->sql;
    char time[NSC_UNITS_BYTES];
    uint64_t ms = sql->now > sql->since ? sql->now - sql->since : 0;

    nsc_units_duration(time, (nsc_time)(ms / 100 * 100) * 1000000, app->scene->ascii);
    nsc_page_puts(page, NSC_ROLE_WARNING, "running ");
    nsc_page_puts(page, NSC_ROLE_WARNING, time);
    nsc_page_puts(page, NSC_ROLE_DIM, "  Esc cancels  ");
    of_put(app, page, sql->capture_no);
    nsc_page_puts(page, NSC_ROLE_TEXT, sql->query);
}

/* The query, and below it what is wrong, where SQLite knows it. */
static void error_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_page *page)
{
    const struct nsc_app_sql *sql = &app->sql;
    struct nsc_text before = {sql->query, 0};
    int col = 0;

    nsc_page_puts(page, NSC_ROLE_TEXT, sql->query);
    nsc_page_end(page);
    if (sql->error_at >= 0 && (size_t)sql->error_at <= strlen(sql->query)) {
        before.n = (uint32_t)sql->error_at;
        col = (int)nsc_text_width(before, app->scene->ascii);
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

static void rows_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect)
{
    const struct nsc_list *list = &app->sql.list;
    bool focus = nsc_app_pane_has_focus(app);

    for (size_t i = 0; i < list->height && list->top + i < list->n; i++) {
        struct nsc_rect line = {rect.row + HEAD_ROWS + (int)i, rect.col, 1, rect.cols};
        bool current = focus && list->top + i == list->cursor;

        if (current) {
            nsc_grid_fill(grid, line, NSC_ROLE_LABEL_CURSOR, " ");
            grid->cursor_row = line.row;
            grid->cursor_col = line.col;
        }
        columns_draw(app, grid, line, app->sql.order[list->top + i], current);
    }
}

int nsc_pane_sql_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect)
{
    const struct nsc_app_sql *sql = &app->sql;
    struct nsc_page page = nsc_page(grid, rect, 0, app->scene->ascii);

    if (!grid)
        return HEAD_ROWS;
    if (sql->running) {
        running_draw(app, &page);
    } else if (sql->error[0]) {
        error_draw(app, grid, &page);
    } else if (!sql->answer) {
        empty_draw(&page);
    } else {
        about_put(app, &page);
        if (rect.rows > 1)
            titles_draw(app, grid, (struct nsc_rect){rect.row + 1, rect.col, 1, rect.cols});
        rows_draw(app, grid, rect);
    }
    return HEAD_ROWS;
}
