/*
 * nsyscope sql: runs one query on the trace of exports, or on one export's own tables, and prints
 * its rows as a table, CSV, TSV, JSON or Markdown.
 */
#include "cli/baseline_file.h"
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "cli/sql_ask.h"
#include "query/query.h"

#include <stdio.h>
#include <string.h>

/* Asks the export's own tables, whose answers know no scope. refused: why the trace cannot be asked; NSC_OK:
 * nobody wants that. */
static enum nsc_status ask_export(struct nsc_relation **out, const struct nsc_query_ask *ask,
                                  const struct nsc_options *options,
                                  const struct nsc_error *refused, struct nsc_error *error)
{
    struct nsc_buf scope = NSC_BUF_INIT(SIZE_MAX);
    bool is_one = options->n_operands == 2;
    enum nsc_status status;

    nsc_baseline_options(&scope, options);
    if (refused->status != NSC_OK && (!is_one || scope.n > 0))
        status = nsc_fail(error, refused->status, "%s", refused->text);
    else if (!is_one)
        status = nsc_fail(error, NSC_EINVAL, "--raw asks one export at a time");
    else if (scope.n > 0)
        status = nsc_fail(error, NSC_EINVAL, "%.*s does not go with the export's own tables",
                          (int)strcspn(scope.bytes, " "), scope.bytes);
    else if (refused->status != NSC_OK)
        status = nsc_trace_query_run_raw(out, ask, refused, &(int){-1}, error);
    else
        status = nsc_query_run(out, ask, &(int){-1}, error);
    nsc_buf_fini(&scope);
    return status;
}

static enum nsc_status ask_trace(struct nsc_relation **out, struct nsc_files files,
                                 const struct nsc_options *options, const char *sql,
                                 struct nsc_error *error)
{
    struct nsc_loaded_scope loaded;
    enum nsc_status status = nsc_loaded_scope_open_from(
        &loaded, &(struct nsc_scope_source){.files = files}, options, error);

    if (status == NSC_OK)
        status = nsc_sql_ask_scope(out, &(struct nsc_sql_ask){&loaded, sql, NSC_QUERY_FILE},
                                   &(int){-1}, error);
    nsc_loaded_scope_close(&loaded);
    return status;
}

enum nsc_status nsc_cmd_sql(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_files files = nsc_options_files(options);
    struct nsc_query_ask ask = {
        .path = files.at[0], .options = &options->open, .limits = NSC_QUERY_FILE};
    struct nsc_relation *rows = NULL;
    struct nsc_sheets sheets = {0};
    struct nsc_error refused = {0};
    enum nsc_status status;

    if (options->n_operands < 2)
        return nsc_fail(error, NSC_EINVAL, "give FILE and a query in quotes");
    ask.sql = options->operands[--files.n];
    /* a mistake is told before the exports are read */
    status = !options->set[NSC_OPTION_RAW] && nsc_sql_is_of_trace(ask.sql, &(int){-1}, &refused)
                 ? ask_trace(&rows, files, options, ask.sql, error)
                 : ask_export(&rows, &ask, options, &refused, error);
    if (status == NSC_OK) {
        *NSC_VEC_ADD(&sheets.list) = rows->sheet;
        rows->sheet = (struct nsc_sheet){.n_columns = rows->sheet.n_columns};
        status = nsc_sheets_print(&sheets, options, "nsyscope.sql", error);
    }
    if (status == NSC_OK && refused.status != NSC_OK)
        fprintf(stderr, "nsyscope: these are the export's own tables, as with --raw\n");
    nsc_relation_free(rows);
    return status;
}
