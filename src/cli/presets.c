/*
 * Reads named filters from the settings file.
 */
#include "analysis/select/filter.h"
#include "cli/config_files.h"
#include "core/ini.h"
#include "core/paths.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FILE_LIMIT = 1 << 20, PATH_LIMIT = 8192 };

struct reading {
    struct nsc_presets *presets;
    const char *path;
};

static void warn(void *context, unsigned line, const char *what)
{
    const struct reading *reading = context;

    fprintf(stderr, "nsyscope: %s:%u: %s\n", reading->path, line, what);
}

static void entry(void *context, const struct nsc_ini_entry *entry)
{
    struct reading *reading = context;
    struct nsc_filter *filter = NULL;
    struct nsc_error error = {0};
    struct nsc_arena *arena = &reading->presets->arena;

    if (!nsc_text_is(entry->section, "filters"))
        return;
    if (nsc_filter_parse(&filter, entry->value, &error) != NSC_OK) {
        warn(context, entry->line, error.text);
        return;
    }
    nsc_filter_free(filter);
    *NSC_VEC_ADD(&reading->presets->list) =
        (struct nsc_filter_preset){nsc_arena_copy(arena, entry->key.bytes, entry->key.n),
                                   nsc_arena_copy(arena, entry->value.bytes, entry->value.n)};
}

void nsc_presets_init(struct nsc_presets *presets)
{
    struct nsc_buf path = NSC_BUF_INIT(PATH_LIMIT);
    struct nsc_buf text = NSC_BUF_INIT(FILE_LIMIT + 1);
    struct nsc_error error = {0};
    struct reading reading = {presets, NULL};

    memset(presets, 0, sizeof *presets);
    if (nsc_path_home(&path, NSC_PATH_CONFIG, "config.ini") && access(path.bytes, F_OK) == 0) {
        reading.path = path.bytes;
        if (nsc_file_read(&text, path.bytes, FILE_LIMIT, &error) == NSC_OK)
            nsc_ini_parse(nsc_text_of_buf(&text), entry, warn, &reading);
        else
            fprintf(stderr, "nsyscope: %s\n", error.text);
    }
    nsc_buf_fini(&text);
    nsc_buf_fini(&path);
}

enum nsc_status nsc_filter_check(const char *text, struct nsc_error *error)
{
    struct nsc_filter *filter = NULL;
    enum nsc_status status = NSC_OK;

    if (!text)
        return NSC_OK;
    if (strlen(text) > NSC_APP_FILTER_BYTES)
        return nsc_fail(error, NSC_EINVAL, "--filter: longer than %d bytes", NSC_APP_FILTER_BYTES);
    status = nsc_filter_parse(&filter, nsc_text_from(text), error);
    nsc_filter_free(filter);
    return status;
}

void nsc_presets_fini(struct nsc_presets *presets)
{
    NSC_VEC_FINI(&presets->list);
    nsc_arena_fini(&presets->arena);
}
