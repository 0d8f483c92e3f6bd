/* Draws the questions, or the answer to one with its notes. */
#include "core/die.h"
#include "core/units.h"
#include "view/kit/page.h"
#include "view/pane/panes.h"
#include "view/scene/look.h"
#include "view/scene/subject.h"

#include <stdlib.h>
#include <string.h>

const struct nsc_sheet *nsc_pane_answers_sheet(const struct nsc_pane_answers *answers)
{
    if (answers->is_open && answers->has_part)
        return &answers->part;
    if (answers->is_open)
        return answers->shown < answers->found.list.n ? &answers->found.list.at[answers->shown]
                                                      : NULL;
    return answers->has_index ? &answers->index : NULL;
}

static void draw_questions(const struct nsc_scene *scene, const struct nsc_pane_answers *answers,
                           struct nsc_page *page)
{
    nsc_page_printf(
        page, NSC_ROLE_TEXT, "%u questions about %s%s.  ", nsc_sheet_rows(&answers->index),
        nsc_scene_is_filtered(scene) ? "the events of the filter in " : "",
        scene->has_range ? "the range (Esc on the timeline drops it)" : "the whole recording");
    nsc_page_puts(page, NSC_ROLE_DIM, "Enter asks one;  :ask WORDS  finds one by words.");
}

/* Puts the window of the table: the one that it names, which may be the steady state; else the
 * range of the question, or everything. */
static void put_window(const struct nsc_scene *scene, const struct nsc_pane_answers *answers,
                       const struct nsc_sheet *sheet, struct nsc_page *page)
{
    struct nsc_window extent = nsc_trace_extent(scene->trace);
    struct nsc_window w = sheet->has_window ? sheet->window : answers->window;
    char from[NSC_UNITS_BYTES], length[NSC_UNITS_BYTES];

    if (scene->compare.on && strcmp(answers->asked, NSC_DIFF_QUESTION) == 0) {
        nsc_page_puts(page, NSC_ROLE_DIM,
                      nsc_scene_is_filtered(scene)
                          ? "  in an iteration of B against one of A, whatever the filter"
                          : "  in an iteration of B against one of A");
        return;
    }
    if ((!answers->has_window && !sheet->has_window) || (w.t0 == extent.t0 && w.t1 == extent.t1)) {
        nsc_page_puts(page, NSC_ROLE_TEXT, "  of the whole recording");
        return;
    }
    nsc_page_printf(page, NSC_ROLE_WARNING, "  of %s%s from %s",
                    answers->has_window ? "the range, " : "",
                    nsc_units_duration(length, nsc_window_length(w), scene->ascii),
                    nsc_units_instant(from, w.t0));
}

/* The title of the table, its number among those of the answer, and the window. */
static void draw_title(const struct nsc_scene *scene, const struct nsc_pane_answers *answers,
                       const struct nsc_sheet *sheet, struct nsc_page *page)
{
    if (answers->is_schema)
        nsc_export_put(scene, page, answers->capture_no);
    nsc_page_puts(page, NSC_ROLE_GROUP, sheet->title);
    if (!answers->is_schema)
        put_window(scene, answers, sheet, page);
    if (answers->found.list.n > 1 && !answers->has_part) {
        nsc_page_printf(page, NSC_ROLE_DIM, "  table %u of %zu", answers->shown + 1,
                        answers->found.list.n);
    }
    if (answers->is_schema)
        nsc_page_puts(page, NSC_ROLE_DIM, "  Enter follows it;  ;  asks about it by SQL");
    nsc_page_end(page);
}

/* Puts the notes of a table; says that it has no rows. */
static void notes_put(const struct nsc_sheet *sheet, struct nsc_page *page)
{
    bool is_empty = nsc_sheet_rows(sheet) == 0;

    if (is_empty && !sheet->notes.n)
        nsc_page_puts(page, NSC_ROLE_DIM, "No row: nothing in this window answers the question.");
    for (size_t i = 0; i < sheet->notes.n; i++)
        nsc_advice_wrap(page, is_empty ? NSC_ROLE_TEXT : NSC_ROLE_DIM, sheet->notes.at[i], 0);
    nsc_page_end(page);
}

/* Puts a whole table that follows the one with the cursor. */
static void table_put(const struct nsc_table *table, struct nsc_page *page)
{
    const struct nsc_sheet *sheet = table->sheet;
    int lines = nsc_sheet_rows(sheet) ? 1 + (int)nsc_sheet_rows(sheet) : 0;
    struct nsc_rect rect = page->rect;

    nsc_page_skip(page);
    nsc_page_line(page, NSC_ROLE_GROUP, sheet->title);
    rect.row += page->line;
    rect.rows -= page->line;
    page->line += lines;
    if (page->grid && lines)
        nsc_table_draw(table, false, page->grid, rect);
    notes_put(sheet, page);
}

/* Draws what is below the rows of the table: its notes, and the tables that follow. Returns the
 * number of lines. */
static int below_draw(const struct nsc_pane_answers *answers, struct nsc_grid *grid,
                      struct nsc_rect rect, bool ascii)
{
    struct nsc_page page = nsc_page(grid, rect, 0, ascii);

    if (!answers->is_open)
        return 0;
    notes_put(nsc_pane_answers_sheet(answers), &page);
    for (size_t i = answers->shown + 1u; !answers->has_part && i < answers->found.list.n; i++)
        if (page.line < rect.rows)
            table_put(&answers->tables[i], &page);
    return page.line;
}

/* Lines above the rows of a pane; the sentence may take several. */
static int head_lines(const struct nsc_pane_answers *answers, struct nsc_rect rect, bool ascii)
{
    struct nsc_page page = nsc_page(NULL, rect, 0, ascii);

    if (answers->is_open && !answers->shown)
        nsc_advice_wrap(&page, NSC_ROLE_TEXT, answers->sentence, 0);
    return page.line + (answers->is_open ? 2 : 3); /* the title, the heading */
}

void nsc_pane_answers_fit(struct nsc_pane_answers *answers, struct nsc_rect rect, bool ascii)
{
    int height = rect.rows - head_lines(answers, rect, ascii);
    struct nsc_rect below = {0, 0, height > 0 ? height - 1 : 0, rect.cols};
    int lines = nsc_pane_answers_sheet(answers) ? below_draw(answers, NULL, below, ascii) : 0;

    answers->table.list.tail = (size_t)(lines < below.rows ? lines : below.rows);
    nsc_table_fit(&answers->table, height, below.cols);
    for (size_t i = 0; i < answers->found.list.n; i++)
        nsc_table_fit(&answers->tables[i], below.rows, below.cols);
}

void nsc_pane_answers_take(struct nsc_pane_answers *answers, struct nsc_sheets *found, bool ascii)
{
    for (size_t i = 0; i < answers->found.list.n; i++)
        nsc_table_fini(&answers->tables[i]);
    free(answers->tables);
    nsc_sheets_fini(&answers->found);
    answers->found = *found;
    *found = (struct nsc_sheets){0};
    answers->tables = nsc_xcalloc(answers->found.list.n + 1, sizeof *answers->tables);
    for (size_t i = 0; i < answers->found.list.n; i++)
        nsc_table_set(&answers->tables[i], &answers->found.list.at[i], ascii);
}

int nsc_pane_answers_draw(const struct nsc_pane_view *view, struct nsc_grid *grid,
                          struct nsc_rect rect)
{
    const struct nsc_pane_answers *answers = view->pane;
    const struct nsc_scene *scene = view->scene;
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);
    const struct nsc_sheet *sheet = nsc_pane_answers_sheet(answers);
    int head = head_lines(answers, rect, scene->ascii);
    struct nsc_rect table = {rect.row + head - 1, rect.col, rect.rows - head + 1, rect.cols};
    const struct nsc_list *list = &answers->table.list;
    size_t shown = 0;

    if (answers->running) {
        nsc_page_puts(&page, NSC_ROLE_WARNING, "asking ");
        nsc_page_puts(&page, NSC_ROLE_TEXT, answers->asked);
        nsc_page_puts(&page, NSC_ROLE_DIM, "  ");
        nsc_page_elapsed(&page, answers->since, view->now);
        return head;
    }
    if (answers->error[0]) {
        nsc_advice_wrap(&page, NSC_ROLE_ERROR, answers->error, 0);
        return head;
    }
    if (!sheet)
        return head;
    if (answers->is_open) {
        draw_title(scene, answers, sheet, &page);
        if (!answers->shown)
            nsc_advice_wrap(&page, NSC_ROLE_TEXT, answers->sentence, 0);
    } else {
        draw_questions(scene, answers, &page);
    }
    if (nsc_sheet_rows(sheet))
        nsc_table_draw(&answers->table, view->focus, grid, table);
    shown = list->n - list->top < list->height ? list->n - list->top : list->height;
    shown += nsc_sheet_rows(sheet) > 0; /* the heading */
    table.row += (int)shown;
    table.rows -= (int)shown;
    (void)below_draw(answers, grid, table, scene->ascii);
    return head;
}
