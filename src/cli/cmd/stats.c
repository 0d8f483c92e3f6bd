/*
 * nsyscope stats: prints the reports of `nsys stats`.
 */
#include "cli/cmd/stats_run.h"
#include "cli/commands.h"

int nsc_cmd_stats(const struct nsc_options *options)
{
    struct nsc_error error = {0};

    if (options->set[NSC_OPTION_HELP_REPORTS])
        return nsc_stats_print_list(false);
    if (!options->set[NSC_OPTION_REPORT]) {
        (void)nsc_fail(&error, NSC_EINVAL,
                       "stats: name a report with -r; --help-reports lists them");
        return nsc_complain(&error);
    }
    return nsc_stats_run(options, options->arg[NSC_OPTION_REPORT][0], false);
}
