/*
 * Navigates the answer to "schema": from tables to columns, along references, to queries.
 *
 * The answer has the sheets of nsyscope schema: tables, columns, references, concepts, queries.
 */
#ifndef NSC_VIEW_PANE_SCHEMA_H
#define NSC_VIEW_PANE_SCHEMA_H

#include "core/sheet.h"

#define NSC_SCHEMA_QUESTION "schema"

/*
 * The table that a row refers to, by its number in the sheet "tables": a table itself, the target
 * of a reference, the table a column refers to. NSC_NONE: none.
 */
uint32_t nsc_schema_table_at(const struct nsc_sheets *schema, const struct nsc_sheet *sheet,
                             uint32_t row);
/* Initialises out with the columns of a table, and a note about the table. */
void nsc_schema_columns(struct nsc_sheet *out, const struct nsc_sheets *schema, uint32_t table);
/*
 * Appends the query for a row: a row of "queries" has its own, a table gets its first rows, a
 * column its most frequent values. False if there is none.
 */
bool nsc_schema_query(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row);

#endif
