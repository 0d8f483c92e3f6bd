/*
 * nsyscope merge: merges the sketches or reports of many ranks into the job, with one in memory at a time.
 */
#include "analysis/job/merge.h"

#include "cli/cmd/job.h"
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "fleet/job.h"

#include <stdlib.h>

/* Keeps the exit status of the first failure. */
static void complain(void *context, const struct nsc_error *error)
{
    int *status = context;
    int exit_status = nsc_complain(error);

    *status = *status ? *status : exit_status;
}

static enum nsc_status take(struct nsc_documents *documents, const struct nsc_options *options,
                            struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    if (options->set[NSC_OPTION_FILES_FROM])
        status = nsc_documents_take_list(documents, options->arg[NSC_OPTION_FILES_FROM][0], error);
    if (status == NSC_OK)
        status = nsc_job_documents(documents, options, options->n_operands, error);
    if (status == NSC_OK && documents->list.n == 0 && !documents->failed)
        status = nsc_fail(error, NSC_ENODATA, "merge: no sketches and no reports were named");
    return status;
}

static enum nsc_status print(struct nsc_documents *documents, const struct nsc_options *options,
                             struct nsc_error *error)
{
    struct nsc_merge *merge = nsc_xcalloc(1, sizeof *merge); /* too large for the stack */
    struct nsc_sheets sheets = {0};
    enum nsc_status status = NSC_OK;

    nsc_merge_init(merge);
    nsc_fleet_job_read(&sheets, documents, merge, nsc_rows_wanted(options));
    if (merge->ranks) {
        nsc_merge_sheets(&sheets, merge, nsc_rows_wanted(options));
        nsc_fleet_job_notes(&sheets.list.at[0], documents);
        status = nsc_sheets_print(&sheets, options, "nsyscope.merge", error);
    }
    nsc_sheets_fini(&sheets);
    nsc_merge_fini(merge);
    free(merge);
    return status;
}

enum nsc_status nsc_cmd_merge(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_documents documents = {.complain = complain, .context = options->exit_status};
    const char *path = options->arg[NSC_OPTION_OUTPUT][0];
    enum nsc_status status = take(&documents, options, error);

    if (status == NSC_OK && path && !options->set[NSC_OPTION_SHEET_FORMAT] &&
        documents.list.n > 0 && documents.n_sketches == documents.list.n)
        status = nsc_fleet_job_write(&documents, path, options->set[NSC_OPTION_FORCE], error);
    else if (status == NSC_OK)
        status = print(&documents, options, error);
    nsc_documents_fini(&documents);
    return status;
}
