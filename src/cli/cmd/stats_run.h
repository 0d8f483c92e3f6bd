/* Runs stats reports and rules on exports: loads only the needed tables and prints each report. */
#ifndef NSC_CLI_STATS_RUN_H
#define NSC_CLI_STATS_RUN_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#include "analysis/stats/stats.h"
#include "cli/options.h"

/*
 * Runs the reports (or rules) of "NAME[:ARGUMENT...],..." on each operand, and prints them as
 * --format, --timeunit and --output say. With several operands, standard output has a column for
 * the file. Reports without data are named on standard error; NSC_ENODATA only if no report had
 * any.
 */
enum nsc_status nsc_stats_run(const struct nsc_options *options, const char *names, bool is_rule,
                              struct nsc_error *error);
/* Prints all reports, or all rules, with their arguments and columns. */
enum nsc_status nsc_stats_print_list(bool is_rule, struct nsc_error *error);

/*
 * Parses the times of --filter-time in the notation of nsys: "[START]/[END]"; a missing end is
 * unbounded. A time is a sum of numbers with units: "1s2ms3us4ns", "-1.5e3us", "250" (ns); units h
 * m s ms us ns. NSC_EINVAL.
 */
NSC_NODISCARD enum nsc_status nsc_stats_time_window(struct nsc_window *out, const char *text,
                                                    struct nsc_error *error);

/* A stats report of one of several exports, with a first column for the file. */
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
