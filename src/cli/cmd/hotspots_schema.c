/*
 * Lists the tables of an export with SQL.
 */

#include "cli/commands.h"
#include "core/relation.h"
#include "core/text.h"
#include "nsys/jobs/query.h"

#include <inttypes.h>

struct asking {
    const char *path;
    const struct nsc_open_options *options;
    struct nsc_error *error;
};

static enum nsc_status run(struct nsc_relation **out, const struct asking *asking, const char *sql)
{
    const struct nsc_query_ask ask = {
        .path = asking->path, .options = asking->options, .sql = sql, .limits = NSC_QUERY_FILE};
    int column = -1;

    return nsc_query_run(out, &ask, &column, asking->error);
}

static struct nsc_text text_at(const struct nsc_relation *answer, uint32_t row, uint32_t column)
{
    return nsc_sheet_text(&answer->sheet, nsc_sheet_at(&answer->sheet, row, column));
}

/* Whether a row from `first` on has the text in a column. table: only rows of this one; "": of any. */
static bool holds(const struct nsc_relation *answer, uint32_t first, uint32_t column,
                  const char *name, struct nsc_text table)
{
    for (uint32_t r = first; r < nsc_sheet_rows(&answer->sheet); r++)
        if (nsc_text_is(text_at(answer, r, column), name) &&
            (!table.n || nsc_text_equal(text_at(answer, r, 0), table)))
            return true;
    return false;
}

/* Appends "- TABLE (rows=N, t=[a,b]): "; times only for tables with a start. */
static enum nsc_status add_table(struct nsc_buf *out, const struct asking *asking,
                                 const struct nsc_relation *columns, uint32_t row)
{
    struct nsc_buf sql = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_relation *found = NULL;
    struct nsc_text table = text_at(columns, row, 0);
    const char *first = holds(columns, row, 1, "start", table) ? "\"start\"" : "NULL";
    const char *last = holds(columns, row, 1, "end", table) ? "\"end\"" : first;
    enum nsc_status status;

    nsc_buf_printf(&sql, "SELECT count(*), CAST(min(%s) AS INT), CAST(max(%s) AS INT) FROM \"",
                   first, *first == '"' ? last : first);
    for (uint32_t i = 0; i < table.n; i++)
        nsc_buf_printf(&sql, "%s%c", table.bytes[i] == '"' ? "\"" : "", table.bytes[i]);
    nsc_buf_putc(&sql, '"');
    status = run(&found, asking, sql.bytes);
    nsc_buf_fini(&sql);
    if (status != NSC_OK)
        return status;
    nsc_buf_puts(out, "- ");
    nsc_text_clean(out, table, nsc_output_is_ascii());
    nsc_buf_printf(out, " (rows=%" PRId64, nsc_sheet_at(&found->sheet, 0, 0)->integer);
    if (nsc_sheet_at(&found->sheet, 0, 1)->is_set && nsc_sheet_at(&found->sheet, 0, 2)->is_set)
        nsc_buf_printf(out, ", t=[%" PRId64 ",%" PRId64 "]",
                       nsc_sheet_at(&found->sheet, 0, 1)->integer,
                       nsc_sheet_at(&found->sheet, 0, 2)->integer);
    nsc_buf_puts(out, "): ");
    nsc_relation_free(found);
    return NSC_OK;
}

enum nsc_status nsc_hotspots_schema(struct nsc_buf *out, const char *path,
                                    const struct nsc_open_options *options, struct nsc_error *error)
{
    static const char *const roles[][2] = {{"String table", "StringIds"},
                                           {"Kernel table", "CUPTI_ACTIVITY_KIND_KERNEL"},
                                           {"Runtime table", "CUPTI_ACTIVITY_KIND_RUNTIME"},
                                           {"NVTX table", "NVTX_EVENTS"},
                                           {"OS runtime table", "OSRT_API"}};
    const struct asking asking = {path, options, error};
    struct nsc_relation *columns = NULL;
    enum nsc_status status =
        run(&columns, &asking,
            "SELECT t.name, c.name, c.type FROM sqlite_master t, pragma_table_info(t.name) c WHERE "
            "t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY t.name, c.cid");

    if (status != NSC_OK)
        return status;
    nsc_buf_puts(out, "Detected tables:\n");
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        nsc_buf_printf(out, "  %s: %s\n", roles[i][0],
                       holds(columns, 0, 0, roles[i][1], (struct nsc_text){"", 0}) ? roles[i][1]
                                                                                   : "none");
    nsc_buf_puts(out, "\nAll tables:\n");
    for (uint32_t r = 0; r < nsc_sheet_rows(&columns->sheet) && status == NSC_OK; r++) {
        bool goes_on = r && nsc_text_equal(text_at(columns, r, 0), text_at(columns, r - 1, 0));

        nsc_buf_puts(out, goes_on ? ", " : r ? "\n" : "");
        if (!goes_on)
            status = add_table(out, &asking, columns, r);
        nsc_text_clean(out, text_at(columns, r, 1), nsc_output_is_ascii());
        nsc_buf_putc(out, ':');
        nsc_text_clean(out, text_at(columns, r, 2), nsc_output_is_ascii());
    }
    nsc_buf_putc(out, '\n');
    nsc_relation_free(columns);
    return status;
}
