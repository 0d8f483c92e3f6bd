/*
 * nsyscope analyze: what stands out in an export.
 */
#include "cli/commands.h"
#include "cli/stats_run.h"

int nsc_cmd_analyze(const struct nsc_options *options)
{
    struct nsc_error error = {0};

    if (options->set[NSC_OPTION_HELP_RULES])
        return nsc_stats_print_list(true);
    if (options->set[NSC_OPTION_RULE])
        return nsc_stats_run(options, options->arg[NSC_OPTION_RULE][0], true);
    (void)nsc_fail(&error, NSC_EINVAL, "analyze: name a rule with -r; --help-rules lists them");
    return nsc_report(&error);
}
