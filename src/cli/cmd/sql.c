/*
 * nsyscope sql: runs one query on an export and prints its rows as a table, CSV, TSV, JSON or
 * Markdown.
 */
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "nsys/jobs/query.h"
#include "share/sheet_write.h"

static int print(struct nsc_relation *rows, struct nsc_sheet_style *style)
{
    /* One document with one sheet. */
    struct nsc_sheets sheets = {.list = {.at = &rows->sheet, .n = 1, .capacity = 1}};
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    int result = 0;

    if (style->format == NSC_SHEET_AS_JSON)
        nsc_sheets_write(&out, &sheets, style);
    else
        nsc_sheet_write(&out, &rows->sheet, style);
    result = nsc_print(&out);
    nsc_buf_fini(&out);
    return result;
}

int nsc_cmd_sql(const struct nsc_options *options)
{
    struct nsc_sheet_style style = {
        .ascii = nsc_output_is_ascii(), .width = nsc_output_width(), .kind = "nsyscope.sql"};
    struct nsc_error error = {0};
    struct nsc_relation *rows = NULL;
    const struct nsc_query_ask ask = {options->file,  &options->open, options->operands[1],
                                      NSC_QUERY_FILE, NULL,           NULL};
    int column = -1;
    enum nsc_status status;
    int result = 0;

    status = nsc_sheet_format_option(&style.format, options, &error);
    if (status == NSC_OK && !options->operands[1])
        status = nsc_fail(&error, NSC_EINVAL, "give FILE and a query in quotes");
    if (status == NSC_OK)
        status = nsc_query_run(&rows, &ask, &column, &error);
    if (status != NSC_OK)
        return nsc_complain(&error);
    result = print(rows, &style);
    nsc_relation_free(rows);
    return result;
}
