/*
 * A stats report of one of several exports, with a first column for the file.
 */
#ifndef NSC_CLI_STATS_FILE_H
#define NSC_CLI_STATS_FILE_H

#include "analysis/stats/stats.h"

#define NSC_STATS_FILE_COLUMNS 32 /* most columns, with the file's and the NULL at the end */

struct nsc_stats_file {
    struct nsc_stats report; /* the report with the extra column */
    uint32_t n;              /* columns of the original report */
    struct nsc_stats_column columns[NSC_STATS_FILE_COLUMNS];
    struct nsc_stats_cell cells[NSC_STATS_FILE_COLUMNS];
    const struct nsc_stats_sink *sink; /* gets the rows, with the file first */
};

/* path as the user gave it, raw. Borrows report and path; file must not move. */
void nsc_stats_file_init(struct nsc_stats_file *file, const struct nsc_stats *report,
                         const char *path);
/* A sink that adds the column and passes rows on to another sink, which it borrows. */
struct nsc_stats_sink nsc_stats_file_sink(struct nsc_stats_file *file,
                                          const struct nsc_stats_sink *sink);

#endif
