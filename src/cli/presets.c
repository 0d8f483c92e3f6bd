/*
 * Reads named filters from the settings file.
 */
#include "analysis/select/filter.h"
#include "cli/config_files.h"
#include "cli/options.h"
#include "core/ini.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

static void warn(void *context, unsigned line, const char *what)
{
    (void)context;
    fprintf(stderr, "nsyscope: config.ini:%u: %s\n", line, what);
}

static void entry(void *context, const struct nsc_ini_entry *entry)
{
    struct nsc_presets *presets = context;
    struct nsc_filter *filter = NULL;
    struct nsc_error error = {0};
    struct nsc_arena *arena = &presets->arena;

    if (!nsc_text_is(entry->section, "filters"))
        return;
    if (nsc_filter_parse(&filter, entry->value, &error) != NSC_OK) {
        warn(context, entry->line, error.text);
        return;
    }
    nsc_filter_free(filter);
    *NSC_VEC_ADD(&presets->list) =
        (struct nsc_filter_preset){nsc_arena_copy(arena, entry->key.bytes, entry->key.n),
                                   nsc_arena_copy(arena, entry->value.bytes, entry->value.n)};
}

void nsc_presets_init(struct nsc_presets *presets, const struct nsc_options *options)
{
    memset(presets, 0, sizeof *presets);
    nsc_ini_parse(nsc_text_of_buf(&options->config), entry, warn, presets);
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
