/*
 * An open export: options, schema and the report of what each table is and gave.
 */
#include "nsyscope/open.h"

#include "core/buf.h"
#include "core/text.h"
#include "nsys/export_data.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WARNINGS 200

void nsc_export_warn(struct nsc_export *xport, const char *format, ...)
{
    struct nsc_buf clean = NSC_BUF_INIT(8192);
    char text[2048];
    va_list arguments;
    size_t i;

    if (xport->warnings.n >= MAX_WARNINGS)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    nsc_text_clean(&clean, nsc_text_from(text), false);
    for (i = 0; i < xport->warnings.n; i++) {
        if (strcmp(xport->warnings.at[i], clean.bytes) == 0) {
            nsc_buf_fini(&clean);
            return;
        }
    }
    *NSC_VEC_ADD(&xport->warnings) = clean.bytes;
}

void nsc_export_warn_again(struct nsc_export *xport)
{
    while (xport->warnings.n > xport->open_warnings)
        free(xport->warnings.at[--xport->warnings.n]);
}

static void report_table(struct nsc_export *xport, int id)
{
    const struct nsc_schema_table *table = &xport->schema.tables[id];
    struct nsc_table_status *report = &xport->reports[id];

    report->name = nsc_table_defs[id].name;
    report->feature = nsc_table_defs[id].feature;
    snprintf(report->note, sizeof report->note, "%s",
             table->present ? table->note : nsc_table_defs[id].capture);
    if (!table->present)
        report->status = NSC_TABLE_ABSENT;
    else if (!table->usable)
        report->status = NSC_TABLE_IGNORED;
    else if (xport->filter.excluded[id])
        report->status = NSC_TABLE_EXCLUDED;
    else
        report->status = NSC_TABLE_LOADED;
    if (report->status == NSC_TABLE_IGNORED)
        nsc_export_warn(xport, "%s: %s", report->name, report->note);
}

enum nsc_status nsc_export_open(struct nsc_export **out, const char *path,
                                const struct nsc_open_options *options, struct nsc_error *error)
{
    static const struct nsc_open_options none = NSC_OPEN_OPTIONS_INIT;
    struct nsc_export *xport = nsc_xcalloc(1, sizeof *xport);
    enum nsc_status status;
    int id;

    *out = NULL;
    options = options ? options : &none;
    xport->memory = options->memory;
    xport->threads = options->threads < NSC_SOURCE_WORKERS ? options->threads : NSC_SOURCE_WORKERS;
    xport->no_pages = options->no_pages;
    status = nsc_load_filter_init(&xport->filter, options, error);
    if (status == NSC_OK)
        status = nsc_source_open(&xport->source, path, options, error);
    if (status == NSC_OK)
        status = nsc_schema_read(&xport->schema, xport->source, error);
    if (status != NSC_OK) {
        nsc_export_close(xport);
        return status;
    }
    for (id = 0; id < NSC_N_TABLES; id++)
        report_table(xport, id);
    if (xport->source->unlocked)
        nsc_export_warn(xport, "the file system keeps no locks: a program that writes to the "
                               "export meanwhile is not kept out");
    xport->open_warnings = xport->warnings.n;
    *out = xport;
    return NSC_OK;
}

void nsc_export_close(struct nsc_export *xport)
{
    size_t i;

    if (!xport)
        return;
    for (i = 0; i < xport->warnings.n; i++)
        free(xport->warnings.at[i]);
    NSC_VEC_FINI(&xport->warnings);
    for (i = 0; i < xport->detail_names.n; i++)
        free(xport->detail_names.at[i]);
    NSC_VEC_FINI(&xport->detail_names);
    nsc_nvtx_names_fini(&xport->nvtx_names);
    nsc_strings_fini(&xport->strings);
    nsc_load_filter_fini(&xport->filter);
    nsc_source_close(xport->source);
    free(xport);
}

bool nsc_export_changed(const struct nsc_export *xport)
{
    return nsc_source_changed(xport->source);
}

const struct nsc_table_status *nsc_export_tables(const struct nsc_export *xport, uint32_t *n)
{
    *n = NSC_N_TABLES;
    return xport->reports;
}

const char *const *nsc_export_warnings(const struct nsc_export *xport, uint32_t *n)
{
    *n = (uint32_t)xport->warnings.n;
    return (const char *const *)xport->warnings.at;
}

const char *nsc_skip_word(enum nsc_skip skip)
{
    static const char *const words[NSC_N_SKIPS] = {
        [NSC_SKIP_TYPE] = "type",         [NSC_SKIP_OVERFLOW] = "overflow",
        [NSC_SKIP_NEGATIVE] = "negative", [NSC_SKIP_DUPLICATE] = "duplicate",
        [NSC_SKIP_KIND] = "kind",
    };

    return words[skip];
}
