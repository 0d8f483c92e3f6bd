/* Writes rows of aligned columns into copies of a blank row, because reports have millions of rows. */
#include "core/text.h"
#include "share/stats_number.h"

#include <string.h>

void nsc_stats_writer_set_blank(struct nsc_stats_writer *writer)
{
    bool table = writer->style.format == NSC_STATS_AS_TABLE;

    nsc_buf_clear(&writer->blank);
    for (uint32_t c = 0; c < writer->n_columns; c++) {
        nsc_buf_puts(&writer->blank, table ? (c ? " | " : "| ") : (c ? "  " : " "));
        for (uint32_t i = 0; i < writer->width[c]; i++)
            nsc_buf_putc(&writer->blank, ' ');
        writer->end[c] = (uint32_t)writer->blank.n;
    }
    nsc_buf_puts(&writer->blank, table ? " |\n" : "\n");
}

/* Writes a cell into a blank column. False for a cell that may not fit or is not plain. */
static bool put_in_place(const struct nsc_stats_writer *writer, char *end,
                         const struct nsc_stats_cell *cell, uint32_t column)
{
    uint8_t unit = writer->report->columns[column].unit;
    uint32_t width = writer->width[column];

    if (cell->form == NSC_STATS_EMPTY)
        return true;
    if (cell->form != NSC_STATS_STRING)
        return unit != NSC_STATS_TEXT && nsc_stats_is_measured(&writer->extent[column], cell) &&
               (cell->form != NSC_STATS_INT || cell->integer != INT64_MAX) &&
               nsc_stats_quick_number(end, cell, unit, writer->style.time, true);
    if (unit != NSC_STATS_TEXT || cell->text.n > width || nsc_text_plain(cell->text) < cell->text.n)
        return false;
    if (cell->text.n)
        memcpy(end - width, cell->text.bytes, cell->text.n);
    return true;
}

/* A text in the last column has no blanks behind it. */
static void trim_row(struct nsc_stats_writer *writer, size_t row, const struct nsc_stats_cell *last)
{
    uint32_t column = writer->n_columns - 1;
    uint32_t n = last->form == NSC_STATS_STRING ? last->text.n : 0;

    if (writer->style.format == NSC_STATS_AS_TABLE ||
        writer->report->columns[column].unit != NSC_STATS_TEXT)
        return;
    writer->text.n = row + writer->end[column] - writer->width[column] + n;
    nsc_buf_putc(&writer->text, '\n');
}

bool nsc_stats_writer_put_quick(struct nsc_stats_writer *writer,
                                const struct nsc_stats_cell cells[])
{
    size_t before = writer->text.n;
    char *row = writer->blank.n ? nsc_buf_reserve(&writer->text, writer->blank.n) : NULL;

    if (!row)
        return false;
    memcpy(row, writer->blank.bytes, writer->blank.n);
    for (uint32_t c = 0; c < writer->n_columns; c++)
        if (!put_in_place(writer, row + writer->end[c], &cells[c], c)) {
            writer->text.n = before;
            return false;
        }
    trim_row(writer, before, &cells[writer->n_columns - 1]);
    writer->rows++;
    return true;
}
