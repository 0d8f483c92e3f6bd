/*
 * A report of one of several exports: the same with a first column for the file.
 */
#ifndef NSC_CLI_STATS_FILE_H
#define NSC_CLI_STATS_FILE_H

#include "analysis/stats/stats.h"

#define NSC_STATS_FILE_COLUMNS 32 /* at most, the file's and the NULL behind them included */

struct nsc_stats_file {
    struct nsc_stats report; /* to be written in place of the one it is made of */
    uint32_t n;              /* columns of that one */
    struct nsc_stats_column columns[NSC_STATS_FILE_COLUMNS];
    struct nsc_stats_cell cells[NSC_STATS_FILE_COLUMNS];
    const struct nsc_stats_sink *sink; /* where rows go to, with the file before them */
};

/* Of this report; path as it was given, raw. Both are borrowed, and file must not move. */
void nsc_stats_file_init(struct nsc_stats_file *file, const struct nsc_stats *report,
                         const char *path);
/* A sink for the rows of the report, which hands them on to another; that one is borrowed. */
struct nsc_stats_sink nsc_stats_file_sink(struct nsc_stats_file *file,
                                          const struct nsc_stats_sink *sink);

#endif
