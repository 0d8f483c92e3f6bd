/*
 * nsyscope ranks: compares the ranks of a job, from one export or several.
 */
#include "analysis/job/rank_sheets.h"
#include "cli/commands.h"
#include "cli/file_name.h"
#include "cli/options.h"
#include "cli/scope_options.h"
#include "fleet/late_sheets.h"

struct comparing {
    struct nsc_fleet fleet;
    struct nsc_rank_stages stages;
};

/* Extracts the needed data of an export, so that one trace is in memory at a time. */
static void gather(struct comparing *comparing, const struct nsc_loaded_scope *loaded,
                   const char *label)
{
    nsc_fleet_add(&comparing->fleet, &loaded->scope, &loaded->fields.sets, label);
    nsc_rank_stages_add(&comparing->stages, &loaded->scope);
}

/* Opens the operands one after the other. Up to NSC_JOB_EXPORTS have one axis and the labels of a job; more
 * have their own clocks, and their names as labels. */
static enum nsc_status gather_all(struct comparing *comparing, const struct nsc_options *options,
                                  struct nsc_error *error)
{
    struct nsc_files files = nsc_options_files(options);
    struct nsc_job *job = NULL;
    enum nsc_status status = NSC_OK;

    if (files.n > 1 && files.n <= NSC_JOB_EXPORTS)
        status = nsc_open_files(&job, files, options, error);
    for (uint32_t i = 0; i < files.n && status == NSC_OK; i++) {
        struct nsc_scope_source from = {{&files.at[i], 1}, NULL, job, job ? i : 0};
        struct nsc_buf label = NSC_BUF_INIT(SIZE_MAX);
        struct nsc_loaded_scope loaded;

        nsc_buf_printf(&label, "%u: %s", i, nsc_file_leaf(files.at[i]));
        status = nsc_loaded_scope_open_from(&loaded, &from, options, error);
        if (status == NSC_OK) {
            gather(comparing, &loaded,
                   job           ? nsc_job_label(job, i)
                   : files.n > 1 ? label.bytes
                                 : NULL);
            nsc_loaded_scope_close(&loaded);
        }
        nsc_buf_fini(&label);
    }
    nsc_job_close(job);
    return status;
}

static enum nsc_status print(struct comparing *comparing, const struct nsc_options *options,
                             struct nsc_error *error)
{
    struct nsc_sheets sheets = {0};
    struct nsc_rank_columns columns = {0};
    struct nsc_judged judged;
    enum nsc_status status;

    nsc_judge(&judged, &comparing->fleet);
    nsc_judged_sheets(&sheets, &judged);
    nsc_stage_sheet(&sheets, &columns, &comparing->stages, nsc_rows_wanted(options));
    status = nsc_sheets_print(&sheets, options, "nsyscope.ranks", error);
    if (status == NSC_OK && comparing->fleet.ranks.n == 0 && comparing->stages.n == 0)
        status = nsc_loaded_scope_nothing(options, "GPU work and no NVTX ranges", NSC_KIND_KERNEL,
                                          NSC_KIND_NVTX_RANGE, error);
    nsc_sheets_fini(&sheets);
    nsc_rank_columns_fini(&columns);
    nsc_judged_fini(&judged);
    return status;
}

enum nsc_status nsc_cmd_ranks(const struct nsc_options *options, struct nsc_error *error)
{
    struct comparing comparing;
    enum nsc_status status;

    nsc_fleet_init(&comparing.fleet);
    nsc_rank_stages_init(&comparing.stages);
    status = gather_all(&comparing, options, error);
    if (status == NSC_OK) {
        nsc_rank_stages_measure(&comparing.stages);
        status = print(&comparing, options, error);
    }
    nsc_rank_stages_fini(&comparing.stages);
    nsc_fleet_fini(&comparing.fleet);
    return status;
}
