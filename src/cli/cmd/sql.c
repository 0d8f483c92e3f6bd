/*
 * nsyscope sql: runs one query on the trace of exports, or on one export's own tables, and prints
 * its rows as a table, CSV, TSV, JSON or Markdown.
 */
#include "cli/commands.h"
#include "cli/field_reader.h"
#include "cli/scope_options.h"
#include "query/query.h"
#include "share/sheet_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct asking {
    const struct nsc_options *options;
    struct nsc_files files;
    const char *sql;
    struct nsc_relation *rows;
    int column;
};

static enum nsc_status print_rows(const struct asking *asking, struct nsc_error *error)
{
    const struct nsc_sheet_style style = {.format = asking->options->format,
                                          .ascii = nsc_output_is_ascii(),
                                          .width = nsc_output_width(),
                                          .kind = "nsyscope.sql"};
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    enum nsc_status status;

    nsc_sheet_write(&out, &asking->rows->sheet, &style);
    status = nsc_print(&out, error);
    nsc_buf_fini(&out);
    return status;
}

/* ---- the export's own tables ---- */

/* An option that the tables of an export know nothing of; NULL: none is set. */
static const char *scope_option(const struct nsc_options *options)
{
    static const enum nsc_option scoping[] = {NSC_OPTION_TRIM,   NSC_OPTION_GPU,
                                              NSC_OPTION_PID,    NSC_OPTION_RANGE_NAME,
                                              NSC_OPTION_FILTER, NSC_OPTION_BOOKMARK};

    for (size_t i = 0; i < sizeof scoping / sizeof *scoping; i++)
        if (options->set[scoping[i]])
            return nsc_option_rows[scoping[i]].name;
    return NULL;
}

static enum nsc_status ask_export(struct asking *asking, struct nsc_error *error)
{
    const struct nsc_query_ask ask = {.path = asking->files.at[0],
                                      .options = &asking->options->open,
                                      .sql = asking->sql,
                                      .limits = NSC_QUERY_FILE};
    const char *scope = scope_option(asking->options);

    if (asking->files.n > 1)
        return nsc_fail(error, NSC_EINVAL, "--raw asks one export at a time");
    if (scope)
        return nsc_fail(error, NSC_EINVAL, "--%s does not go with the export's own tables", scope);
    return nsc_query_run(&asking->rows, &ask, &asking->column, error);
}

/* A statement that is none about the trace: the export may have the table or column that it names.
 * own: what is wrong with it as one about the trace. */
static enum nsc_status ask_export_instead(struct asking *asking, const struct nsc_error *own,
                                          struct nsc_error *error)
{
    struct nsc_error raw = {0};

    if (own->status != NSC_EINVAL || asking->files.n > 1 || scope_option(asking->options))
        return nsc_fail(error, own->status, "%s", own->text);
    if (ask_export(asking, &raw) == NSC_OK) {
        fprintf(stderr, "nsyscope: these are the export's own tables, as with --raw\n");
        return NSC_OK;
    }
    if (raw.status != NSC_EINVAL || strncmp(raw.text, "no such table", 13) != 0)
        return nsc_fail(error, raw.status, "%s", raw.text);
    return nsc_fail(error, own->status, "%s", own->text);
}

/* ---- the trace ---- */

/* Columns beside the index, one reader for each export. */
struct readers {
    uint32_t n;
    struct nsc_field_reader *at;
    const struct nsc_field_sets **sets;
};

static void open_readers(struct readers *readers, const struct nsc_loaded_scope *loaded)
{
    readers->n = nsc_job_count(loaded->job);
    readers->at = nsc_xcalloc(readers->n, sizeof *readers->at);
    readers->sets = nsc_xcalloc(readers->n, sizeof *readers->sets);
    for (uint32_t i = 0; i < readers->n; i++) {
        nsc_field_reader_init(&readers->at[i], nsc_job_capture(loaded->job, i), loaded->trace);
        readers->at[i].capture_no = i;
        readers->sets[i] = &readers->at[i].sets;
    }
}

static enum nsc_status close_readers(struct readers *readers, struct nsc_loaded_scope *loaded,
                                     struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    for (uint32_t i = 0; i < readers->n; i++) {
        if (status == NSC_OK)
            status = nsc_field_reader_check(&readers->at[i], loaded, error);
        nsc_field_reader_fini(&readers->at[i]);
    }
    free(readers->sets);
    free(readers->at);
    return status;
}

static enum nsc_status ask_scope(struct asking *asking, struct nsc_trace_query *query,
                                 struct nsc_loaded_scope *loaded, struct nsc_error *error)
{
    struct readers readers;
    struct nsc_trace_query_ground ground = {.scope = &loaded->scope};
    enum nsc_status status, read;

    open_readers(&readers, loaded);
    ground.fields = readers.sets;
    nsc_loaded_scope_steady(loaded);
    nsc_trace_query_show(query, &ground);
    status = nsc_trace_query_run(&asking->rows, query, asking->sql, NSC_QUERY_FILE, &asking->column,
                                 error);
    read = close_readers(&readers, loaded, status == NSC_OK ? error : &(struct nsc_error){0});
    for (size_t i = 0; status == NSC_OK && i < loaded->notes.n; i++)
        nsc_sheet_note(&asking->rows->sheet, "%s", loaded->notes.at[i]);
    return status == NSC_OK ? read : status;
}

/* A mistake is told before the exports are read. */
static enum nsc_status ask_trace(struct asking *asking, struct nsc_error *error)
{
    struct nsc_trace_query *query = NULL;
    struct nsc_loaded_scope loaded;
    struct nsc_error own = {0};
    enum nsc_status status = nsc_trace_query_open(&query, error);

    if (status != NSC_OK)
        return status;
    if (nsc_trace_query_check(query, asking->sql, &asking->column, &own) != NSC_OK) {
        status = ask_export_instead(asking, &own, error);
    } else {
        status = nsc_loaded_scope_open_files(&loaded, asking->files, asking->options, error);
        if (status == NSC_OK) {
            status = ask_scope(asking, query, &loaded, error);
            nsc_trace_query_close(query);
            query = NULL;
            status = nsc_job_check(loaded.job, status, error);
            nsc_loaded_scope_close(&loaded);
        }
    }
    nsc_trace_query_close(query);
    return status;
}

enum nsc_status nsc_cmd_sql(const struct nsc_options *options, struct nsc_error *error)
{
    struct asking asking = {.options = options, .files = nsc_options_files(options)};
    enum nsc_status status;

    if (options->n_operands < 2)
        return nsc_fail(error, NSC_EINVAL, "give FILE and a query in quotes");
    asking.sql = options->operands[--asking.files.n];
    status = options->set[NSC_OPTION_RAW] ? ask_export(&asking, error) : ask_trace(&asking, error);
    if (status == NSC_OK)
        status = print_rows(&asking, error);
    nsc_relation_free(asking.rows);
    return status;
}
