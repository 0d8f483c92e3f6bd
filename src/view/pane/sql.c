/*
 * The result of a query as a table.
 */
#include "core/text.h"
#include "core/units.h"
#include "view/kit/page.h"
#include "view/pane/panes.h"
#include "view/scene/subject.h"

#include <string.h>

/* "1 234 rows in 5 ms", and the rows left out. */
static void about_put(const struct nsc_scene *scene, const struct nsc_pane_sql *sql,
                      struct nsc_page *page)
{
    const struct nsc_sheet *sheet = &sql->answer->sheet;
    char count[NSC_UNITS_BYTES], time[NSC_UNITS_BYTES];

    nsc_page_printf(page, NSC_ROLE_TEXT, "%s row%s in %s  ",
                    nsc_units_count(count, nsc_sheet_rows(sheet)),
                    nsc_sheet_rows(sheet) == 1 ? "" : "s",
                    nsc_units_duration(time, (nsc_time)sql->answer->ns, scene->ascii));
    for (size_t i = 0; i < sheet->notes.n; i++) {
        nsc_page_puts(page, NSC_ROLE_WARNING, sheet->notes.at[i]);
        nsc_page_puts(page, NSC_ROLE_WARNING, "  ");
    }
    if (!sql->of_trace)
        nsc_export_put(scene, page, sql->answer_of);
    nsc_page_puts(page, NSC_ROLE_DIM, sql->query);
}

static void running_draw(const struct nsc_pane_view *view, struct nsc_page *page)
{
    const struct nsc_pane_sql *sql = view->pane;

    nsc_page_puts(page, NSC_ROLE_WARNING, "running ");
    nsc_page_elapsed(page, sql->since, view->now);
    nsc_page_puts(page, NSC_ROLE_DIM, "Esc cancels  ");
    nsc_export_put(view->scene, page, sql->capture_no);
    nsc_page_puts(page, NSC_ROLE_TEXT, sql->query);
}

/* The query, and below it the error, with a mark where it is. */
static void error_draw(const struct nsc_scene *scene, const struct nsc_pane_sql *sql,
                       struct nsc_page *page)
{
    struct nsc_text before = {sql->query, (uint32_t)sql->error_at};

    nsc_page_line(page, NSC_ROLE_TEXT, sql->query);
    if (sql->error_at >= 0 && (size_t)sql->error_at <= strlen(sql->query)) {
        nsc_page_tab(page, (int)nsc_text_width(before, scene->ascii));
        nsc_page_line(page, NSC_ROLE_ERROR, "^");
    }
    nsc_advice_wrap(page, NSC_ROLE_ERROR, sql->error, 0);
}

static void empty_draw(struct nsc_page *page)
{
    nsc_page_puts(page, NSC_ROLE_TEXT, "No query yet: ");
    nsc_page_puts(page, NSC_ROLE_KEY, ";");
    nsc_page_line(page, NSC_ROLE_DIM,
                  "  asks the trace by SQL, read-only. Tab completes tables and columns. For "
                  "example");
    nsc_page_puts(page, NSC_ROLE_DIM,
                  "SELECT start, end, short FROM kernel ORDER BY dur DESC LIMIT 20");
}

int nsc_pane_sql_draw(const struct nsc_pane_view *view, struct nsc_grid *grid, struct nsc_rect rect)
{
    const struct nsc_pane_sql *sql = view->pane;
    const struct nsc_scene *scene = view->scene;
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);

    if (sql->running) {
        running_draw(view, &page);
    } else if (sql->error[0]) {
        error_draw(scene, sql, &page);
    } else if (!sql->answer) {
        empty_draw(&page);
    } else {
        about_put(scene, sql, &page);
        nsc_table_draw(&sql->table, view->focus, grid,
                       (struct nsc_rect){rect.row + 1, rect.col, rect.rows - 1, rect.cols});
    }
    return 0;
}
