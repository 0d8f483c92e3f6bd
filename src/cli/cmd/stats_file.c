/*
 * Adds a column for the file to a stats report.
 */
#include "cli/cmd/stats_run.h"
#include "core/text.h"

#include <assert.h>
#include <string.h>

void nsc_stats_file_init(struct nsc_stats_file *file, const struct nsc_stats *report,
                         const char *path)
{
    uint32_t n = nsc_stats_columns(report);

    assert(n + 2 <= NSC_STATS_FILE_COLUMNS);
    *file = (struct nsc_stats_file){.report = *report, .n = n};
    file->report.columns = file->columns;
    file->columns[0] = (struct nsc_stats_column){"File", NSC_STATS_TEXT};
    memcpy(file->columns + 1, report->columns, n * sizeof *report->columns);
    file->cells[0] = (struct nsc_stats_cell){.form = NSC_STATS_STRING, .text = nsc_text_from(path)};
}

static bool take_row(void *context, const struct nsc_stats_cell cells[])
{
    struct nsc_stats_file *file = context;

    memcpy(file->cells + 1, cells, file->n * sizeof *cells);
    return file->sink->row(file->sink->context, file->cells);
}

static bool wants_again(void *context)
{
    const struct nsc_stats_file *file = context;

    return nsc_stats_again(file->sink);
}

struct nsc_stats_sink nsc_stats_file_sink(struct nsc_stats_file *file,
                                          const struct nsc_stats_sink *sink)
{
    file->sink = sink;
    return (struct nsc_stats_sink){take_row, file, wants_again, NULL};
}
