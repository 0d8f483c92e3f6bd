/*
 * An opened export: options, schema, and the status of each table.
 */
#include "nsyscope/open.h"

#include "core/buf.h"
#include "core/text.h"
#include "nsys/tables/capture_data.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_WARNINGS 200

/* The new line; NULL if it is repeated, or one too many. */
NSC_PRINTF(2, 0)
static const char *add_warning(struct nsc_capture *capture, const char *format, va_list arguments)
{
    struct nsc_buf clean = NSC_BUF_INIT(8192);
    char text[2048];

    if (capture->warnings.n >= MAX_WARNINGS)
        return NULL;
    (void)vsnprintf(text, sizeof text, format, arguments);
    nsc_text_clean(&clean, nsc_text_from(text), false);
    for (size_t i = 0; i < capture->warnings.n; i++)
        if (strcmp(capture->warnings.at[i], clean.bytes) == 0) {
            nsc_buf_fini(&clean);
            return NULL;
        }
    *NSC_VEC_ADD(&capture->warnings) = clean.bytes;
    return clean.bytes;
}

void nsc_capture_warn(struct nsc_capture *capture, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)add_warning(capture, format, arguments);
    va_end(arguments);
}

void nsc_capture_warn_damage(struct nsc_capture *capture, const char *format, ...)
{
    va_list arguments;
    const char *line;

    va_start(arguments, format);
    line = add_warning(capture, format, arguments);
    va_end(arguments);
    if (line)
        *NSC_VEC_ADD(&capture->damage) = line;
}

void nsc_capture_warn_again(struct nsc_capture *capture)
{
    capture->damage.n = 0;
    while (capture->warnings.n > capture->open_warnings)
        free(capture->warnings.at[--capture->warnings.n]);
}

/* Notes the source of the rows if it is not the table's own name. */
static void note_name(struct nsc_table_status *report, const struct nsc_schema_table *table)
{
    struct nsc_buf name = NSC_BUF_INIT(200);

    if (!table->present || strcasecmp(table->name, report->name) == 0)
        return;
    nsc_text_clean(&name, nsc_text_from(table->name), true);
    snprintf(report->note, sizeof report->note, "%.63s is read in its place%s%.30s", name.bytes,
             table->note[0] ? "; " : "", table->note);
    nsc_buf_fini(&name);
}

/* Says how to record an absent table, or that the recording had nothing for it: another table of
 * the same --trace is there. Tables of graphs need a further option, which none of them proves. */
static void note_absent(struct nsc_table_status *report, const struct nsc_schema *schema, int id)
{
    static const char command[] = "nsys profile ";
    const char *how = nsc_table_defs[id].capture;
    bool is_trace =
        strncmp(how, command, sizeof command - 1) == 0 && !strchr(how + sizeof command - 1, ' ');
    bool is_on = false;

    for (int i = 0; i < NSC_N_TABLES; i++)
        is_on |= schema->tables[i].usable && strcmp(nsc_table_defs[i].capture, how) == 0;
    if (is_on && is_trace)
        snprintf(report->note, sizeof report->note, "none recorded, although %s was on",
                 how + sizeof command - 1);
    else
        snprintf(report->note, sizeof report->note, "%s", how);
}

static void report_table(struct nsc_capture *capture, int id)
{
    const struct nsc_schema_table *table = &capture->schema.tables[id];
    struct nsc_table_status *report = &capture->reports[id];

    report->name = nsc_table_defs[id].name;
    report->feature = nsc_table_defs[id].feature;
    if (table->present)
        snprintf(report->note, sizeof report->note, "%s", table->note);
    else
        note_absent(report, &capture->schema, id);
    note_name(report, table);
    if (!table->present)
        report->status = NSC_TABLE_ABSENT;
    else if (!table->usable)
        report->status = NSC_TABLE_IGNORED;
    else if (capture->filter.excluded[id])
        report->status = NSC_TABLE_EXCLUDED;
    else
        report->status = NSC_TABLE_LOADED;
    if (report->status == NSC_TABLE_IGNORED)
        nsc_capture_warn(capture, "%s: %s", report->name, report->note);
}

enum nsc_status nsc_capture_open(struct nsc_capture **out, const char *path,
                                 const struct nsc_open_options *options, struct nsc_error *error)
{
    static const struct nsc_open_options none = NSC_OPEN_OPTIONS_INIT;
    struct nsc_capture *capture = nsc_xcalloc(1, sizeof *capture);
    enum nsc_status status;
    int id;

    *out = NULL;
    options = options ? options : &none;
    capture->memory = options->memory;
    capture->words = options->words ? options->words : "";
    capture->threads =
        options->threads < NSC_SOURCE_WORKERS ? options->threads : NSC_SOURCE_WORKERS;
    capture->no_pages = options->no_pages;
    status = nsc_load_filter_init(&capture->filter, options, error);
    if (status == NSC_OK)
        status = nsc_source_open(&capture->source, path, options, error);
    if (status == NSC_OK)
        status = nsc_schema_read(&capture->schema, capture->source, error);
    if (status != NSC_OK) {
        nsc_capture_close(capture);
        return status;
    }
    for (id = 0; id < NSC_N_TABLES; id++)
        report_table(capture, id);
    if (capture->source->unlocked)
        nsc_capture_warn(capture,
                         "the file system has no locks: another program could write to the "
                         "export meanwhile");
    capture->open_warnings = capture->warnings.n;
    *out = capture;
    return NSC_OK;
}

void nsc_capture_close(struct nsc_capture *capture)
{
    if (!capture)
        return;
    NSC_VEC_FINI_EACH(&capture->warnings, nsc_vec_free_text);
    NSC_VEC_FINI(&capture->damage);
    NSC_VEC_FINI_EACH(&capture->detail_names, nsc_vec_free_text);
    nsc_nvtx_names_fini(&capture->nvtx_names);
    nsc_strings_fini(&capture->strings);
    nsc_load_filter_fini(&capture->filter);
    nsc_source_close(capture->source);
    free(capture);
}

bool nsc_capture_has_changed(const struct nsc_capture *capture)
{
    return nsc_source_compare(capture->source) == NSC_SOURCE_CHANGED;
}

const struct nsc_table_status *nsc_capture_tables(const struct nsc_capture *capture, uint32_t *n)
{
    *n = NSC_N_TABLES;
    return capture->reports;
}

const char *const *nsc_capture_warnings(const struct nsc_capture *capture, uint32_t *n)
{
    *n = (uint32_t)capture->warnings.n;
    return (const char *const *)capture->warnings.at;
}

const char *const *nsc_capture_damage(const struct nsc_capture *capture, uint32_t *n)
{
    *n = (uint32_t)capture->damage.n;
    return capture->damage.at;
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
