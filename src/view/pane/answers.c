/* Draws the questions, or the answer to one with its notes. */
#include "view/pane/answers.h"

#include "core/units.h"
#include "view/kit/page.h"
#include "view/scene/look.h"
#include "view/scene/subject.h"

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
    nsc_units_instant(from, w.t0);
    nsc_units_duration(length, nsc_window_length(w), scene->ascii);
    nsc_page_printf(page, NSC_ROLE_WARNING, "  of %s%s from %s",
                    answers->has_window ? "the range, " : "", length, from);
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

/* Adds the notes, each with all its lines. */
static void wrap_notes(const struct nsc_sheet *sheet, struct nsc_page *page, enum nsc_role role)
{
    for (size_t i = 0; i < sheet->notes.n; i++)
        nsc_page_wrap(page, role, sheet->notes.at[i], 0);
}

/* The lines of the notes: all of them if the rows of the table leave the room, else one. above: the
 * lines above the notes. */
static int note_lines(const struct nsc_sheet *sheet, struct nsc_rect rect, int above, bool ascii)
{
    struct nsc_page page = nsc_page(NULL, rect, 0, ascii);
    int room = rect.rows - above - 1; /* the heading */

    if (nsc_sheet_rows(sheet) >= (uint32_t)(room > 0 ? room : 0))
        return 1;
    wrap_notes(sheet, &page, NSC_ROLE_DIM);
    return page.line > 1 && page.line + (int)nsc_sheet_rows(sheet) <= room ? page.line : 1;
}

static void draw_notes(const struct nsc_sheet *sheet, struct nsc_page *page, int lines)
{
    bool is_empty = nsc_sheet_rows(sheet) == 0;

    if (is_empty && !sheet->notes.n)
        nsc_page_puts(page, NSC_ROLE_DIM, "No row: nothing in this window answers the question.");
    if (is_empty || lines > 1) {
        wrap_notes(sheet, page, is_empty ? NSC_ROLE_TEXT : NSC_ROLE_DIM);
        nsc_page_end(page);
        return;
    }
    for (size_t i = 0; i < sheet->notes.n; i++) {
        nsc_page_puts(page, NSC_ROLE_DIM, sheet->notes.at[i]);
        nsc_page_puts(page, NSC_ROLE_DIM, "  ");
    }
    nsc_page_end(page);
}

int nsc_pane_answers_head(const struct nsc_pane_answers *answers, struct nsc_rect rect, bool ascii)
{
    struct nsc_page page = nsc_page(NULL, rect, 0, ascii);
    const struct nsc_sheet *sheet = nsc_pane_answers_sheet(answers);
    int above = 1; /* the title */

    if (answers->is_open)
        nsc_page_wrap(&page, NSC_ROLE_TEXT, answers->sentence, 0);
    above += page.line;
    return above + (answers->is_open && sheet ? note_lines(sheet, rect, above, ascii) : 1) +
           1; /* the heading */
}

int nsc_pane_answers_draw(const struct nsc_scene *scene, const struct nsc_pane_answers *answers,
                          bool focus, struct nsc_grid *grid, struct nsc_rect rect)
{
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);
    const struct nsc_sheet *sheet = nsc_pane_answers_sheet(answers);
    int head = nsc_pane_answers_head(answers, rect, scene->ascii);
    struct nsc_rect table = {rect.row + head - 1, rect.col, rect.rows - head + 1, rect.cols};

    if (!grid)
        return head;
    if (answers->running) {
        nsc_page_puts(&page, NSC_ROLE_WARNING, "asking ");
        nsc_page_puts(&page, NSC_ROLE_TEXT, answers->asked);
        nsc_page_puts(&page, NSC_ROLE_DIM, "  ");
        nsc_page_elapsed(&page, answers->since, answers->now);
        return head;
    }
    if (answers->error[0]) {
        nsc_page_wrap(&page, NSC_ROLE_ERROR, answers->error, 0);
        return head;
    }
    if (!sheet)
        return head;
    if (answers->is_open) {
        draw_title(scene, answers, sheet, &page);
        nsc_page_wrap(&page, NSC_ROLE_TEXT, answers->sentence, 0);
        draw_notes(sheet, &page, head - 1 - page.line);
    } else {
        draw_questions(scene, answers, &page);
    }
    if (nsc_sheet_rows(sheet))
        nsc_table_draw(&answers->table, focus, grid, table);
    return head;
}
