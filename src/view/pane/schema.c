/* Finds the table that a row of a schema refers to, its columns, and the query for a row. */
#include "view/pane/panes.h"

#include <string.h>

/* A reference uses nsyscope's name of the table; the export may have another one. */
static uint32_t find_table(const struct nsc_sheets *schema, struct nsc_text name)
{
    const struct nsc_sheet *tables = nsc_sheets_find(schema, "tables");

    for (uint32_t i = 0; tables && name.n && i < nsc_sheet_rows(tables); i++)
        if (nsc_text_equal(nsc_sheet_find_text(tables, i, "table"), name) ||
            nsc_text_equal(nsc_sheet_find_text(tables, i, "stands_for"), name))
            return i;
    return NSC_NONE;
}

uint32_t nsc_schema_table_at(const struct nsc_sheets *schema, const struct nsc_sheet *sheet,
                             uint32_t row)
{
    struct nsc_text refers = nsc_sheet_find_text(sheet, row, "refers");
    const char *dot = memchr(refers.bytes, '.', refers.n);

    if (strcmp(sheet->key, "tables") == 0)
        return row;
    if (strcmp(sheet->key, "references") == 0)
        return find_table(schema, nsc_sheet_find_text(sheet, row, "to_table"));
    if (strcmp(sheet->key, "columns") != 0 || !dot)
        return NSC_NONE;
    refers.n = (uint32_t)(dot - refers.bytes);
    return find_table(schema, refers);
}

/* Copies cells by key, because the columns of out have another order. */
static void copy_row(struct nsc_sheet *out, const struct nsc_sheet *from, uint32_t row)
{
    for (uint32_t to = 0; to < out->n_columns; to++) {
        uint32_t i = 0;

        while (i < from->n_columns && strcmp(from->columns[i].key, out->columns[to].key) != 0)
            i++;
        if (i == from->n_columns || !nsc_sheet_at(from, row, i)->is_set)
            nsc_sheet_add_unknown(out);
        else if (from->columns[i].kind == NSC_SHEET_TEXT)
            nsc_sheet_add_text(out, nsc_sheet_text(from, nsc_sheet_at(from, row, i)));
        else
            nsc_sheet_add_int(out, nsc_sheet_at(from, row, i)->integer);
    }
}

void nsc_schema_columns(struct nsc_sheet *out, const struct nsc_sheets *schema, uint32_t table)
{
    /* The table comes last: it is the same in each row, but queries need it. */
    static const struct nsc_sheet_column shown[] = {
        NSC_COL_UNBOUND("column", "Column", NULL, NSC_SHEET_TEXT, 0),
        NSC_COL_UNBOUND("type", "Type", NULL, NSC_SHEET_TEXT, 0),
        NSC_COL_UNBOUND("refers", "Refers to", NULL, NSC_SHEET_TEXT, 0),
        NSC_COL_UNBOUND("concept", "Concept", NULL, NSC_SHEET_TEXT, 0),
        NSC_COL_UNBOUND("not_null", "Never NULL", NULL, NSC_SHEET_YES, 0),
        NSC_COL_UNBOUND("table", "Table", NULL, NSC_SHEET_TEXT, 0),
    };
    const struct nsc_sheet *tables = nsc_sheets_find(schema, "tables");
    const struct nsc_sheet *columns = nsc_sheets_find(schema, "columns");
    struct nsc_text name = nsc_sheet_find_text(tables, table, "table");
    struct nsc_text holds = nsc_sheet_find_text(tables, table, "holds");

    nsc_sheet_init(out, "columns", "Columns of a table", shown, sizeof shown / sizeof *shown);
    for (uint32_t i = 0; i < nsc_sheet_rows(columns); i++)
        if (nsc_text_equal(nsc_sheet_find_text(columns, i, "table"), name))
            copy_row(out, columns, i);
    nsc_sheet_note(out, "%.*s: %.*s", (int)name.n, name.bytes, (int)holds.n, holds.bytes);
}

/* Puts a name in double quotes, for SQL. */
static void put_name(struct nsc_buf *out, struct nsc_text name)
{
    nsc_buf_putc(out, '"');
    for (uint32_t i = 0; i < name.n; i++) {
        if (name.bytes[i] == '"')
            nsc_buf_putc(out, '"');
        nsc_buf_putc(out, name.bytes[i]);
    }
    nsc_buf_putc(out, '"');
}

bool nsc_schema_query(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row)
{
    struct nsc_text sql = nsc_sheet_find_text(sheet, row, "sql");
    struct nsc_text table = nsc_sheet_find_text(sheet, row, "table");
    struct nsc_text column = nsc_sheet_find_text(sheet, row, "column");

    if (sql.n) {
        nsc_buf_add(out, sql.bytes, sql.n);
        return true;
    }
    if (!table.n)
        return false;
    nsc_buf_puts(out, "SELECT ");
    if (column.n)
        put_name(out, column);
    nsc_buf_puts(out, column.n ? ", count(*) AS n FROM " : "* FROM ");
    put_name(out, table);
    nsc_buf_puts(out, column.n ? " GROUP BY 1 ORDER BY n DESC LIMIT 100" : " LIMIT 100");
    return true;
}
