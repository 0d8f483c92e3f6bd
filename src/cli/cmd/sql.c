/*
 * nsyscope sql: runs one query on the trace of exports, or on one export's own tables, and prints
 * its rows as a table, CSV, TSV, JSON or Markdown.
 */
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "cli/sql_ask.h"
#include "query/query.h"

#include <stdio.h>

struct asking {
    const struct nsc_options *options;
    struct nsc_files files;
    const char *sql;
    struct nsc_relation *rows;
    bool is_export; /* the answer is one of the export's own tables, unasked */
};

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

static struct nsc_query_ask ask_of(const struct asking *asking)
{
    return (struct nsc_query_ask){.path = asking->files.at[0],
                                  .options = &asking->options->open,
                                  .sql = asking->sql,
                                  .limits = NSC_QUERY_FILE};
}

static enum nsc_status ask_export(struct asking *asking, struct nsc_error *error)
{
    const struct nsc_query_ask ask = ask_of(asking);
    const char *scope = scope_option(asking->options);

    if (asking->files.n > 1)
        return nsc_fail(error, NSC_EINVAL, "--raw asks one export at a time");
    if (scope)
        return nsc_fail(error, NSC_EINVAL, "--%s does not go with the export's own tables", scope);
    return nsc_query_run(&asking->rows, &ask, &(int){-1}, error);
}

/* A mistake is told before the exports are read. */
static enum nsc_status ask_trace(struct asking *asking, struct nsc_error *error)
{
    const struct nsc_query_ask ask = ask_of(asking);
    struct nsc_error refused = {0};

    if (nsc_sql_is_of_trace(asking->sql, &(int){-1}, &refused))
        return nsc_sql_ask_files(&asking->rows, asking->files, asking->options, asking->sql, error);
    if (asking->files.n > 1 || scope_option(asking->options))
        return nsc_fail(error, refused.status, "%s", refused.text);
    asking->is_export = true;
    return nsc_trace_query_run_raw(&asking->rows, &ask, &refused, &(int){-1}, error);
}

enum nsc_status nsc_cmd_sql(const struct nsc_options *options, struct nsc_error *error)
{
    struct asking asking = {.options = options, .files = nsc_options_files(options)};
    struct nsc_sheets sheets = {0};
    enum nsc_status status;

    if (options->n_operands < 2)
        return nsc_fail(error, NSC_EINVAL, "give FILE and a query in quotes");
    asking.sql = options->operands[--asking.files.n];
    status = options->set[NSC_OPTION_RAW] ? ask_export(&asking, error) : ask_trace(&asking, error);
    if (status == NSC_OK) {
        *NSC_VEC_ADD(&sheets.list) = asking.rows->sheet;
        asking.rows->sheet = (struct nsc_sheet){.n_columns = asking.rows->sheet.n_columns};
        status = nsc_sheets_print(&sheets, options, "nsyscope.sql", error);
    }
    if (status == NSC_OK && asking.is_export)
        fprintf(stderr, "nsyscope: these are the export's own tables, as with --raw\n");
    nsc_relation_free(asking.rows);
    return status;
}
