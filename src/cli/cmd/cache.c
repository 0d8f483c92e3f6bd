/*
 * Lists recordings: those that nsyscope cache keeps, and removes, and those of a folder.
 */
#include "open/cache.h"

#include "cli/commands.h"
#include "cli/scope_options.h"

#include <string.h>

static enum nsc_status print(const struct nsc_options *options, const char *title,
                             const struct nsc_recordings *recordings, struct nsc_error *error)
{
    struct nsc_sheets sheets = {0};
    struct nsc_sheet *sheet =
        nsc_sheets_add(&sheets, "recordings", title, nsc_recording_columns, NSC_RECORDING_COLUMNS);

    for (size_t i = 0; i < recordings->entries.n; i++)
        nsc_recorded_add(sheet, &recordings->entries.at[i], 0);
    nsc_sheet_note(sheet, "%s", recordings->folder.bytes);
    return nsc_sheets_print(&sheets, options, "nsyscope.recordings", error);
}

static bool add(void *context, struct nsc_recorded recorded)
{
    nsc_recorded_read(&recorded);
    nsc_recordings_add(context, recorded);
    return true;
}

enum nsc_status nsc_recordings_print(const struct nsc_options *options, struct nsc_error *error)
{
    const char *folder = options->file ? options->file : ".";
    struct nsc_recordings recordings = {.folder = NSC_BUF_INIT(SIZE_MAX)};
    enum nsc_status status = NSC_OK;

    nsc_buf_puts(&recordings.folder, folder);
    nsc_recordings_walk(folder, true, add, &recordings);
    if (recordings.entries.n)
        status = print(options, "Exports and reports, the newest first", &recordings, error);
    else
        status = nsc_fail(error, NSC_ENODATA,
                          "%s: no export and no report here or below; nsyscope --help", folder);
    nsc_recordings_fini(&recordings);
    return status;
}

enum nsc_status nsc_cmd_cache(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_recordings cache;
    enum nsc_status status = nsc_cache_open(&cache, error);

    if (status == NSC_OK && strcmp(options->file, "list") == 0)
        status = print(options, "Exports of reports, the last used first", &cache, error);
    else if (status == NSC_OK && strcmp(options->file, "clear") != 0)
        status = nsc_fail(error, NSC_EINVAL, "cache %s: give list or clear", options->file);
    else if (status == NSC_OK && !nsc_cache_clear(&cache))
        status = nsc_fail(error, NSC_EWRITE, "%s: not all could be removed", cache.folder.bytes);
    nsc_recordings_fini(&cache);
    return status;
}
