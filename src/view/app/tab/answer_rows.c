/* Makes rows of the timeline of a table of an answer. */
#include "core/die.h"
#include "view/app/tab/answers.h"
#include "view/model/span_track.h"
#include "view/pane/table.h"

#include <stdlib.h>
#include <string.h>

/* The column for a row's bar: "class", "name", or the first column of texts. */
static uint32_t text_column(const struct nsc_sheet *sheet)
{
    static const char *const wanted[] = {"class", "name"};

    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++)
        for (uint32_t c = 0; c < sheet->n_columns; c++)
            if (strcmp(sheet->columns[c].key, wanted[w]) == 0 &&
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

struct nsc_trace *nsc_answer_rows_build(const struct nsc_sheet *sheet, struct nsc_error *error)
{
    uint32_t n_rows = nsc_sheet_rows(sheet);
    uint32_t column = text_column(sheet);
    struct nsc_track_span *spans = nsc_xcalloc((size_t)n_rows + 1, sizeof *spans);
    struct nsc_trace *track = NULL;
    uint32_t n = 0;

    for (uint32_t row = 0; row < n_rows; row++) {
        if (!nsc_table_time(sheet, row, &spans[n].at))
            continue;
        spans[n].gpu = gpu_of(sheet, row);
        if (column != NSC_NONE)
            spans[n].text = nsc_sheet_text(sheet, nsc_sheet_at(sheet, row, column));
        n++;
    }
    if (n)
        track = nsc_span_track(spans, n, true, error);
    free(spans);
    return track;
}
