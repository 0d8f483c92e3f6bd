/*
 * The columns that a table declares: one by its name, and what each forbids its values to be.
 */
#ifndef NSC_NSYS_COLUMNS_H
#define NSC_NSYS_COLUMNS_H

#include "nsys/pages/scan.h"

#include <sqlite3.h>

/* Finds any column of a table by its name, or by a name of it in other versions of the exporter.
 * False if there is none, or it is generated. out->name is the name in the declaration; free it
 * with free(). */
bool nsc_column_find(struct nsc_scan_column *out, sqlite3 *db, const struct nsc_scan_table *table,
                     const char *name);

/* SQLite's rules for the affinity of a declared type. UNKNOWN: the type is very long. */
enum nsc_affinity {
    NSC_AFFINITY_UNKNOWN,
    NSC_AFFINITY_TEXT,
    NSC_AFFINITY_REAL,
    NSC_AFFINITY_INTEGER,
    NSC_AFFINITY_OTHER
};
enum nsc_affinity nsc_column_affinity(const char *declared);

/* Sets what each column forbids (record.h): nothing if the table has generated columns. Returns the
 * number of columns, at most `most`. */
uint32_t nsc_columns_forbid(uint8_t *forbid, uint32_t most, sqlite3 *db,
                            const struct nsc_scan_table *table);

#endif
