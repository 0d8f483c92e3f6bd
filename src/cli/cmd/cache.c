/*
 * nsyscope cache: lists or removes the exports of reports in the user's cache.
 */
#include "open/cache.h"

#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/units.h"

#include <string.h>

struct cached_row {
    const char *used;
    uint64_t bytes;
    const char *file;
};

static const struct nsc_sheet_column columns[] = {
    NSC_COL_TEXT(cached_row, used, "used_utc", "Last used (UTC)"),
    NSC_COL_BYTES(cached_row, bytes, "bytes", "Size"),
    NSC_COL_TEXT(cached_row, file, "file", "Export"),
};

static enum nsc_status list(const struct nsc_options *options, const struct nsc_cache *cache,
                            struct nsc_error *error)
{
    struct nsc_sheets sheets = {0};
    struct nsc_sheet *sheet = nsc_sheets_add(&sheets, "cache", "Exports of reports", columns,
                                             sizeof columns / sizeof *columns);
    enum nsc_status status;

    for (size_t i = 0; i < cache->entries.n; i++) {
        const struct nsc_cache_entry *entry = &cache->entries.at[i];
        char used[32] = "";
        struct tm time;

        if (gmtime_r(&entry->used.tv_sec, &time))
            (void)strftime(used, sizeof used, "%Y-%m-%d %H:%M:%S", &time);
        NSC_ADD_ROW(sheet, cached_row, used, entry->bytes, entry->file);
    }
    nsc_sheet_note(sheet, "%s", cache->folder.bytes);
    status = nsc_sheets_print(&sheets, options, "nsyscope.cache", error);
    nsc_sheets_fini(&sheets);
    return status;
}

enum nsc_status nsc_cmd_cache(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_cache cache;
    enum nsc_status status = nsc_cache_open(&cache, error);

    if (status == NSC_OK && strcmp(options->file, "list") == 0)
        status = list(options, &cache, error);
    else if (status == NSC_OK && strcmp(options->file, "clear") != 0)
        status = nsc_fail(error, NSC_EINVAL, "cache %s: give list or clear", options->file);
    else if (status == NSC_OK && !nsc_cache_clear(&cache))
        status = nsc_fail(error, NSC_EWRITE, "%s: not all could be removed", cache.folder.bytes);
    nsc_cache_fini(&cache);
    return status;
}
