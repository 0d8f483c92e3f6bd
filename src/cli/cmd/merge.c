/*
 * nsyscope merge: merges the reports of many ranks into the job's report, with one in memory at a
 * time.
 */
#include "analysis/job/merge.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/scope_options.h"
#include "core/paths.h"
#include "core/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORT_BYTES ((size_t)256 << 20) /* longer reports are refused */

struct merging {
    struct nsc_merge *merge;
    struct nsc_json_tree tree; /* its memory is reused for each file */
    uint64_t failed;
    int status; /* exit status for the first failure */
};

/* Reports a file that cannot be read, and merges the others. */
static void merge_file(struct merging *merging, const char *path)
{
    struct nsc_buf text = NSC_BUF_INIT(REPORT_BYTES + 1);
    struct nsc_error error = {0};
    enum nsc_status status = nsc_file_read(&text, path, REPORT_BYTES, &error);
    int exit_status = 0;

    if (status == NSC_OK)
        status = nsc_json_parse(&merging->tree, nsc_text_of_buf(&text), &error);
    nsc_buf_fini(&text);
    if (status == NSC_OK)
        status = nsc_merge_add(merging->merge, &merging->tree, path, &error);
    if (status == NSC_OK)
        return;
    if (!strstr(error.text, path)) {
        struct nsc_error own = error;

        error = (struct nsc_error){0};
        (void)nsc_fail(&error, own.status, "%s: %s", path, own.text);
    }
    merging->failed++;
    exit_status = nsc_complain(&error);
    if (!merging->status)
        merging->status = exit_status;
}

/* Merges the paths of a list with one per line; skips empty lines. */
static enum nsc_status merge_list(struct merging *merging, const char *list,
                                  struct nsc_error *error)
{
    FILE *file = strcmp(list, "-") == 0 ? stdin : fopen(list, "re");
    char *line = NULL;
    size_t room = 0;
    ssize_t n = 0;

    if (!file)
        return nsc_fail(error, NSC_EIO, "--files-from %s: %s", list, strerror(errno));
    while ((n = getline(&line, &room, file)) > 0) {
        if (line[n - 1] == '\n')
            line[n - 1] = '\0';
        if (line[0])
            merge_file(merging, line);
    }
    free(line);
    if (file != stdin)
        (void)fclose(file);
    return NSC_OK;
}

static enum nsc_status print(const struct merging *merging, const struct nsc_options *options,
                             struct nsc_error *error)
{
    struct nsc_sheets sheets = {0};
    enum nsc_status status;

    nsc_merge_sheets(&sheets, merging->merge, nsc_rows_wanted(options));
    if (merging->failed)
        nsc_sheet_note(&sheets.list.at[0], "%llu files could not be read and are left out.",
                       (unsigned long long)merging->failed);
    status = nsc_sheets_print(&sheets, options, "nsyscope.merge", error);
    nsc_sheets_fini(&sheets);
    return status;
}

static enum nsc_status merge_all(struct nsc_merge *merge, const struct nsc_options *options,
                                 struct nsc_error *error)
{
    struct merging merging = {.merge = merge};
    enum nsc_status status = NSC_OK;

    for (unsigned i = 0; i < options->n_operands; i++)
        merge_file(&merging, options->operands[i]);
    if (options->set[NSC_OPTION_FILES_FROM])
        status = merge_list(&merging, options->arg[NSC_OPTION_FILES_FROM][0], error);
    nsc_json_fini(&merging.tree);
    if (status == NSC_OK && merge->ranks == 0 && !merging.failed)
        return nsc_fail(error, NSC_ENODATA, "merge: no reports were named");
    *options->exit_status = merging.status;
    return status == NSC_OK && merge->ranks > 0 ? print(&merging, options, error) : status;
}

enum nsc_status nsc_cmd_merge(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_merge *merge = nsc_xcalloc(1, sizeof *merge); /* too large for the stack */
    enum nsc_status status;

    nsc_merge_init(merge);
    status = merge_all(merge, options, error);
    nsc_merge_fini(merge);
    free(merge);
    return status;
}
