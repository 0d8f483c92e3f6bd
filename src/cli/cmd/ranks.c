/*
 * nsyscope ranks: compares the ranks of a job, from one export or several.
 */
#include "analysis/job/rank_sheets.h"
#include "cli/commands.h"
#include "cli/numbers.h"
#include "cli/scope_options.h"

int nsc_cmd_ranks(const struct nsc_options *options)
{
    struct nsc_error error = {0};
    struct nsc_sheets sheets = {0};
    struct nsc_rank_columns columns = {0};
    struct nsc_rank_collectives collectives;
    struct nsc_rank_stages stages;
    struct nsc_asked asked;
    uint32_t limit = 20;
    int result = 0;

    if (nsc_option_u32(&limit, options, NSC_OPTION_LIMIT, &error) != NSC_OK ||
        nsc_asked_open(&asked, options, &error) != NSC_OK)
        return nsc_complain(&error);
    nsc_rank_collectives_build(&collectives, &asked.scope);
    nsc_rank_stages_build(&stages, &asked.scope);
    nsc_rank_sheets(&sheets, &columns, &collectives, &stages, limit);
    result = nsc_asked_print(&asked, &sheets, "nsyscope.ranks");
    if (result == NSC_EXIT_DONE && collectives.ranks.n == 0 && stages.n == 0) {
        (void)nsc_asked_nothing(&error, "GPU work and no NVTX ranges");
        result = nsc_complain(&error);
    }
    nsc_sheets_fini(&sheets);
    nsc_rank_columns_fini(&columns);
    nsc_rank_stages_fini(&stages);
    nsc_rank_collectives_fini(&collectives);
    nsc_asked_close(&asked);
    return result;
}
