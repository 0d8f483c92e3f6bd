/*
 * Walking the answer to "schema": from tables to their columns, along references, to queries.
 *
 * The answer has the sheets of nsyscope schema: tables, columns, references, concepts, queries.
 */
#ifndef NSC_VIEW_PANE_SCHEMA_H
#define NSC_VIEW_PANE_SCHEMA_H

#include "core/sheet.h"

#define NSC_SCHEMA_QUESTION "schema"

/*
 * Where a row leads: the number of a table in the sheet "tables". A table leads to itself, a
 * reference to its target, a column to what it refers to. NSC_NONE if it leads nowhere.
 */
uint32_t nsc_schema_table_at(const struct nsc_sheets *schema, const struct nsc_sheet *sheet,
                             uint32_t row);
/* Initialises out with the columns of a table, and a note about the table. */
void nsc_schema_columns(struct nsc_sheet *out, const struct nsc_sheets *schema, uint32_t table);
/*
 * Appends the query that a row stands for: of "queries" its own, of a table its first rows, of a
 * column its most frequent values. False if it stands for none.
 */
bool nsc_schema_query(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row);

#endif
