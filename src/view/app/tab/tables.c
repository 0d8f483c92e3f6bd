/* The rows of tables with a text, the times of their rows, and these rows on the timeline. */

#include "core/die.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/model/span_track.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool nsc_app_pane_filter(struct nsc_app *app)
{
    const struct nsc_table *table = nsc_app_table(app);

    if (!table || table->is_page) /* the filter narrows the list */
        return nsc_app_filter_open(app);
    nsc_app_prompt_open(app, NSC_PROMPT_NARROW, nsc_text_from(""));
    return true;
}

static bool is_of_query(const struct nsc_app *app, const struct nsc_sheet *sheet)
{
    return app->sql.answer && sheet == &app->sql.answer->sheet;
}

static bool time_of(const struct nsc_app *app, const struct nsc_sheet *sheet, uint32_t row,
                    struct nsc_window *out)
{
    return is_of_query(app, sheet) ? nsc_app_sql_time(app, row, out)
                                   : nsc_table_time(sheet, row, out);
}

bool nsc_app_table_go(struct nsc_app *app, const struct nsc_table *table)
{
    struct nsc_window extent = app->scene->viewport.extent;
    uint32_t row = nsc_table_row(table);
    struct nsc_window at;

    if (row == NSC_NONE)
        return false;
    if (!time_of(app, table->sheet, row, &at))
        return nsc_app_refuse(app, is_of_query(app, table->sheet)
                                       ? "This row has no time: it has no column start in ns."
                                       : "This row has no time: a table with times goes there.");
    if (at.t0 < extent.t0 || at.t0 >= extent.t1)
        return nsc_app_refuse(app, "This time lies outside of the timeline.");
    nsc_app_pane_keep(app);
    nsc_app_show_span(app, at);
    return true;
}

bool nsc_app_table_act(struct nsc_app *app, enum nsc_action action)
{
    if (action == NSC_ACTION_CHOOSE)
        (void)nsc_app_table_go(app, (void *)((char *)app + app->kinds[app->pane].table));
    return action == NSC_ACTION_CHOOSE;
}

/* ---- as rows of the timeline ---- */

/* The column for a row's bar: "class", "name", "label", or the first column of texts. */
static uint32_t text_column(const struct nsc_sheet *sheet)
{
    static const char *const wanted[] = {"class", "name", "label"};

    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++)
        for (uint32_t c = 0; c < sheet->n_columns; c++)
            if (strcasecmp(sheet->columns[c].key, wanted[w]) == 0 &&
                sheet->columns[c].kind == NSC_SHEET_TEXT)
                return c;
    for (uint32_t c = 0; c < sheet->n_columns; c++)
        if (sheet->columns[c].kind == NSC_SHEET_TEXT)
            return c;
    return NSC_NONE;
}

/* The GPU that the row is about; -1: none. */
static int64_t gpu_of(const struct nsc_sheet *sheet, uint32_t row)
{
    for (uint32_t c = 0; c < sheet->n_columns; c++) {
        const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, c);

        if (strcmp(sheet->columns[c].key, "gpu") == 0 && sheet->columns[c].kind == NSC_SHEET_ID &&
            cell->is_set && cell->integer >= 0 && cell->integer < INT64_MAX)
            return cell->integer;
    }
    return -1;
}

struct nsc_trace *nsc_app_table_track(const struct nsc_app *app, const struct nsc_sheet *sheet,
                                      struct nsc_error *error)
{
    bool is_answer = !is_of_query(app, sheet);
    uint32_t n_rows = nsc_sheet_rows(sheet);
    uint32_t column = text_column(sheet);
    struct nsc_track_span *spans = nsc_xcalloc((size_t)n_rows + 1, sizeof *spans);
    struct nsc_trace *track = NULL;
    uint32_t n = 0;

    for (uint32_t row = 0; row < n_rows; row++) {
        if (!time_of(app, sheet, row, &spans[n].at))
            continue;
        spans[n].gpu = is_answer ? gpu_of(sheet, row) : -1;
        if (column != NSC_NONE)
            spans[n].text = nsc_sheet_text(sheet, nsc_sheet_at(sheet, row, column));
        n++;
    }
    if (n)
        track = nsc_span_track(spans, n, is_answer, error);
    else
        (void)nsc_fail(error, NSC_ENODATA,
                       is_answer ? "No table of this answer has times."
                                 : "No row has a time: give the columns start and end, in ns.");
    free(spans);
    return track;
}
