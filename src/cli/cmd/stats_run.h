/*
 * Runs stats reports and rules on exports: loads only what they need and prints each.
 */
#ifndef NSC_CLI_STATS_RUN_H
#define NSC_CLI_STATS_RUN_H

#include "analysis/stats/stats.h"
#include "cli/options.h"

/*
 * The reports (or rules) of "NAME[:ARGUMENT...],..." on each of the operands in turn, printed
 * as --format, --timeunit and --output say; of several, what goes to standard output has a column
 * for the file. Returns the exit status: reports an export has nothing for are
 * named on standard error, and the status tells so only when none had anything.
 */
int nsc_stats_run(const struct nsc_options *options, const char *names, bool is_rule);
/* Prints all reports, or all rules, with their arguments and columns. */
int nsc_stats_print_list(bool is_rule);

#endif
