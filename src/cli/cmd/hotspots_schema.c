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

/* Appends the name in quotation marks, doubling those inside; raw. */
static void quote(struct nsc_buf *out, struct nsc_text name, char mark)
{
    nsc_buf_putc(out, mark);
    for (uint32_t i = 0; i < name.n; i++) {
        if (name.bytes[i] == mark)
            nsc_buf_putc(out, mark);
        nsc_buf_putc(out, name.bytes[i]);
    }
    nsc_buf_putc(out, mark);
}

/* Whether a column of the answer contains the text. */
static bool holds(const struct nsc_relation *answer, uint32_t column, const char *name)
{
    uint32_t n = nsc_sheet_rows(&answer->sheet);

    for (uint32_t r = 0; r < n; r++) {
        struct nsc_text text =
            nsc_sheet_text(&answer->sheet, nsc_sheet_at(&answer->sheet, r, column));

        if (nsc_text_is(text, name))
            return true;
    }
    return false;
}

/* Appends "(rows=N, t=[a,b])"; times only for tables with a start. */
static enum nsc_status add_extent(struct nsc_buf *out, const struct asking *asking,
                                  struct nsc_text table, const struct nsc_relation *columns)
{
    struct nsc_buf sql = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_relation *found = NULL;
    bool timed = holds(columns, 1, "start");
    enum nsc_status status;

    nsc_buf_printf(&sql, "SELECT count(*), %s, %s FROM ",
                   timed ? "CAST(min(\"start\") AS INT)" : "NULL",
                   !timed                     ? "NULL"
                   : holds(columns, 1, "end") ? "CAST(max(\"end\") AS INT)"
                                              : "CAST(max(\"start\") AS INT)");
    quote(&sql, table, '"');
    status = run(&found, asking, sql.bytes);
    nsc_buf_fini(&sql);
    if (status != NSC_OK)
        return status;
    nsc_buf_printf(out, " (rows=%" PRId64, nsc_sheet_at(&found->sheet, 0, 0)->integer);
    if (nsc_sheet_at(&found->sheet, 0, 1)->is_set && nsc_sheet_at(&found->sheet, 0, 2)->is_set)
        nsc_buf_printf(out, ", t=[%" PRId64 ",%" PRId64 "]",
                       nsc_sheet_at(&found->sheet, 0, 1)->integer,
                       nsc_sheet_at(&found->sheet, 0, 2)->integer);
    nsc_buf_puts(out, "): ");
    nsc_relation_free(found);
    return NSC_OK;
}

static enum nsc_status add_table(struct nsc_buf *out, const struct asking *asking,
                                 struct nsc_text table)
{
    struct nsc_buf sql = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_relation *columns = NULL;
    enum nsc_status status;

    nsc_buf_puts(&sql, "PRAGMA table_info(");
    quote(&sql, table, '\'');
    nsc_buf_putc(&sql, ')');
    status = run(&columns, asking, sql.bytes);
    nsc_buf_fini(&sql);
    if (status != NSC_OK)
        return status;
    nsc_buf_puts(out, "- ");
    nsc_text_clean(out, table, nsc_output_is_ascii());
    status = add_extent(out, asking, table, columns);
    for (uint32_t r = 0; r < nsc_sheet_rows(&columns->sheet) && status == NSC_OK; r++) {
        nsc_buf_puts(out, r ? ", " : "");
        nsc_text_clean(out, nsc_sheet_text(&columns->sheet, nsc_sheet_at(&columns->sheet, r, 1)),
                       nsc_output_is_ascii());
        nsc_buf_putc(out, ':');
        nsc_text_clean(out, nsc_sheet_text(&columns->sheet, nsc_sheet_at(&columns->sheet, r, 2)),
                       nsc_output_is_ascii());
    }
    nsc_buf_putc(out, '\n');
    nsc_relation_free(columns);
    return status;
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
    struct nsc_relation *tables = NULL;
    enum nsc_status status = run(&tables, &asking,
                                 "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT "
                                 "LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name");

    if (status != NSC_OK)
        return status;
    nsc_buf_puts(out, "Detected tables:\n");
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        nsc_buf_printf(out, "  %s: %s\n", roles[i][0],
                       holds(tables, 0, roles[i][1]) ? roles[i][1] : "none");
    nsc_buf_puts(out, "\nAll tables:\n");
    for (uint32_t r = 0; r < nsc_sheet_rows(&tables->sheet) && status == NSC_OK; r++)
        status = add_table(out, &asking,
                           nsc_sheet_text(&tables->sheet, nsc_sheet_at(&tables->sheet, r, 0)));
    nsc_relation_free(tables);
    return status;
}
