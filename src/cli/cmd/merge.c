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
static int merge_list(struct merging *merging, const char *list)
{
    FILE *file = strcmp(list, "-") == 0 ? stdin : fopen(list, "re");
    char *line = NULL;
    size_t room = 0;
    ssize_t n = 0;

    if (!file) {
        struct nsc_error error = {0};

        (void)nsc_fail(&error, NSC_EIO, "--files-from %s: %s", list, strerror(errno));
        return nsc_complain(&error);
    }
    while ((n = getline(&line, &room, file)) > 0) {
        if (line[n - 1] == '\n')
            line[n - 1] = '\0';
        if (line[0])
            merge_file(merging, line);
    }
    free(line);
    if (file != stdin)
        (void)fclose(file);
    return NSC_EXIT_DONE;
}

static int print(const struct nsc_merge *merge, const struct merging *merging,
                 enum nsc_sheet_format format, uint32_t limit)
{
    struct nsc_sheets sheets = {0};
    int result = 0;

    nsc_merge_sheets(&sheets, merge, limit);
    if (merging->failed)
        nsc_sheet_note(&sheets.list.at[0], "%llu files could not be read and are left out.",
                       (unsigned long long)merging->failed);
    result = nsc_sheets_print(&sheets, format, "nsyscope.merge");
    nsc_sheets_fini(&sheets);
    return result;
}

static int merge_all(struct nsc_merge *merge, const struct nsc_options *options,
                     enum nsc_sheet_format format, uint32_t limit)
{
    struct merging merging = {.merge = merge};
    struct nsc_error error = {0};
    int result = NSC_EXIT_DONE;

    for (unsigned i = 0; i < options->n_operands; i++)
        merge_file(&merging, options->operands[i]);
    if (options->set[NSC_OPTION_FILES_FROM])
        result = merge_list(&merging, options->arg[NSC_OPTION_FILES_FROM][0]);
    nsc_json_fini(&merging.tree);
    if (result != NSC_EXIT_DONE)
        return result;
    if (merge->ranks == 0 && !merging.failed) {
        (void)nsc_fail(&error, NSC_ENODATA, "merge: no reports were named");
        return nsc_complain(&error);
    }
    if (merge->ranks == 0)
        return merging.status;
    result = print(merge, &merging, format, limit);
    return result == NSC_EXIT_DONE ? merging.status : result;
}

int nsc_cmd_merge(const struct nsc_options *options)
{
    struct nsc_merge *merge = nsc_xcalloc(1, sizeof *merge); /* too large for the stack */
    enum nsc_sheet_format format = NSC_SHEET_AS_TABLE;
    struct nsc_error error = {0};
    uint32_t limit = 20;
    int result = 0;

    nsc_merge_init(merge);
    if (nsc_sheet_format_option(&format, options, &error) != NSC_OK ||
        nsc_option_u32(&limit, options, NSC_OPTION_LIMIT, &error) != NSC_OK)
        result = nsc_complain(&error);
    else
        result = merge_all(merge, options, format, limit);
    nsc_merge_fini(merge);
    free(merge);
    return result;
}
