/*
 * Finds any column of a table by its name, also under a name that other versions of the exporter
 * gave it.
 */
#ifndef NSC_NSYS_COLUMNS_H
#define NSC_NSYS_COLUMNS_H

#include "nsys/schema.h"

/* False when there is none, or none that is stored (generated columns). out->name is the name as
 * the export's declaration has it, to be given to free(). */
bool nsc_column_find(struct nsc_scan_column *out, sqlite3 *db, const struct nsc_scan_table *table,
                     const char *name);

#endif
