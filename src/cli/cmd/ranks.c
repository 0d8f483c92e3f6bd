/*
 * nsyscope ranks: compares the ranks of a job, from one export or several.
 */
#include "analysis/job/rank_sheets.h"
#include "cli/commands.h"
#include "cli/field_reader.h"
#include "cli/options.h"
#include "cli/scope_options.h"

struct comparing {
    struct nsc_rank_ops ops;
    struct nsc_rank_stages stages;
};

/* Extracts the needed data of an export, so that one trace is in memory at a time. */
static void gather(void *context, const struct nsc_loaded_scope *loaded, const char *label)
{
    struct comparing *comparing = context;
    struct nsc_field_reader fields;

    nsc_field_reader_init(&fields, loaded->capture, loaded->trace);
    nsc_rank_ops_add(&comparing->ops, &loaded->scope, &fields.sets, label);
    nsc_field_reader_fini(&fields);
    nsc_rank_stages_add(&comparing->stages, &loaded->scope);
}

static int print(const struct comparing *comparing, enum nsc_sheet_format format, uint32_t limit)
{
    struct nsc_sheets sheets = {0};
    struct nsc_rank_columns columns = {0};
    struct nsc_rank_collectives collectives;
    struct nsc_error error = {0};
    int result = 0;

    nsc_rank_collectives_build(&collectives, &comparing->ops);
    nsc_rank_sheets(&sheets, &columns, &collectives, &comparing->stages, limit);
    result = nsc_sheets_print(&sheets, format, "nsyscope.ranks");
    if (result == NSC_EXIT_DONE && collectives.ranks.n == 0 && comparing->stages.n == 0) {
        (void)nsc_loaded_scope_nothing(&error, "GPU work and no NVTX ranges");
        result = nsc_complain(&error);
    }
    nsc_sheets_fini(&sheets);
    nsc_rank_columns_fini(&columns);
    nsc_rank_collectives_fini(&collectives);
    return result;
}

int nsc_cmd_ranks(const struct nsc_options *options)
{
    struct comparing comparing;
    enum nsc_sheet_format format = NSC_SHEET_AS_TABLE;
    struct nsc_error error = {0};
    uint32_t limit = 20;
    int result = 0;

    nsc_rank_ops_init(&comparing.ops);
    nsc_rank_stages_init(&comparing.stages);
    if (nsc_option_u32(&limit, options, NSC_OPTION_LIMIT, &error) != NSC_OK ||
        nsc_sheet_format_option(&format, options, &error) != NSC_OK ||
        nsc_for_each_export(options, gather, &comparing, &error) != NSC_OK) {
        result = nsc_complain(&error);
    } else {
        nsc_rank_stages_measure(&comparing.stages);
        result = print(&comparing, format, limit);
    }
    nsc_rank_stages_fini(&comparing.stages);
    nsc_rank_ops_fini(&comparing.ops);
    return result;
}
