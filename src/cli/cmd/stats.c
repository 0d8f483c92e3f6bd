/*
 * nsyscope stats: prints the reports of `nsys stats`.
 */
#include "cli/cmd/stats_run.h"
#include "cli/commands.h"

enum nsc_status nsc_cmd_stats(const struct nsc_options *options, struct nsc_error *error)
{
    if (options->set[NSC_OPTION_HELP_REPORTS])
        return nsc_stats_print_list(false, error);
    if (!options->set[NSC_OPTION_REPORT])
        return nsc_fail(error, NSC_EINVAL,
                        "stats: name a report with -r; --help-reports lists them");
    return nsc_stats_run(options, options->arg[NSC_OPTION_REPORT][0], false, error);
}
