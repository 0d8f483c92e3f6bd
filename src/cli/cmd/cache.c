/*
 * Lists recordings: those that nsyscope cache keeps, and removes, and those of a folder.
 */
#include "open/cache.h"

#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/units.h"

#include <string.h>

struct recording_row {
    const char *time;
    uint64_t bytes;
    const char *file;
};

static const struct nsc_sheet_column columns[] = {
    NSC_COL_TEXT(recording_row, time, "time_utc", "Time (UTC)"),
    NSC_COL_BYTES(recording_row, bytes, "bytes", "Size"),
    NSC_COL_TEXT(recording_row, file, "file", "File"),
};

static enum nsc_status print(const struct nsc_options *options, const char *title,
                             const struct nsc_recordings *recordings, struct nsc_error *error)
{
    struct nsc_sheets sheets = {0};
    struct nsc_sheet *sheet =
        nsc_sheets_add(&sheets, "recordings", title, columns, sizeof columns / sizeof *columns);
    enum nsc_status status;

    for (size_t i = 0; i < recordings->entries.n; i++) {
        const struct nsc_recorded *entry = &recordings->entries.at[i];
        char text[32] = "";
        struct tm time;

        if (gmtime_r(&entry->time.tv_sec, &time))
            (void)strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &time);
        NSC_ADD_ROW(sheet, recording_row, text, entry->bytes, entry->file);
    }
    nsc_sheet_note(sheet, "%s", recordings->folder.bytes);
    status = nsc_sheets_print(&sheets, options, "nsyscope.recordings", error);
    nsc_sheets_fini(&sheets);
    return status;
}

enum nsc_status nsc_recordings_print(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_recordings recordings;
    enum nsc_status status =
        nsc_recordings_find(&recordings, options->file ? options->file : ".", error);

    if (status == NSC_OK)
        status = print(options, "Exports and reports, the newest first", &recordings, error);
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
