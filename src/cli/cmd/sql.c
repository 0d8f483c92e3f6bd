/*
 * nsyscope sql: runs one query on an export and prints its rows as a table, CSV, TSV, JSON or
 * Markdown.
 */
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "nsys/jobs/query.h"
#include "share/sheet_write.h"

enum nsc_status nsc_cmd_sql(const struct nsc_options *options, struct nsc_error *error)
{
    const struct nsc_sheet_style style = {.format = options->format,
                                          .ascii = nsc_output_is_ascii(),
                                          .width = nsc_output_width(),
                                          .kind = "nsyscope.sql"};
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_relation *rows = NULL;
    const struct nsc_query_ask ask = {options->file,  &options->open, options->operands[1],
                                      NSC_QUERY_FILE, NULL,           NULL};
    int column = -1;
    enum nsc_status status;

    if (!options->operands[1])
        return nsc_fail(error, NSC_EINVAL, "give FILE and a query in quotes");
    status = nsc_query_run(&rows, &ask, &column, error);
    if (status != NSC_OK)
        return status;
    nsc_sheet_write(&out, &rows->sheet, &style);
    status = nsc_print(&out, error);
    nsc_buf_fini(&out);
    nsc_relation_free(rows);
    return status;
}
