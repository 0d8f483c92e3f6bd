/*
 * Shared by readers of event fields and of whole tables: finds the columns and converts their
 * cells.
 */
#ifndef NSC_NSYS_FIELDS_DATA_H
#define NSC_NSYS_FIELDS_DATA_H

#include "nsys/tables/capture_data.h"
#include "nsys/tables/fields.h"

struct nsc_fetch {
    struct nsc_capture *capture;
    struct nsc_fields *fields;
    const struct nsc_scan_table *table;              /* NULL: not in the export */
    uint32_t n;                                      /* number of columns that exist */
    struct nsc_scan_column scan[NSC_FIELDS_COLUMNS]; /* the columns */
    uint32_t column[NSC_FIELDS_COLUMNS];             /* and their numbers in fields */
};

struct nsc_fetch_cell {
    uint8_t type; /* enum nsc_cell_type */
    int64_t value;
    struct nsc_text text;
};

/*
 * New fields without rows, with their columns looked up. table: NULL or unusable: no column exists.
 */
struct nsc_fields *nsc_fetch_init(struct nsc_fetch *fetch, const struct nsc_fields_query *query,
                                  const struct nsc_schema_table *table);
/* As nsc_fetch_init, for a table that is not in table.def. */
struct nsc_fields *nsc_fetch_init_scan(struct nsc_fetch *fetch,
                                       const struct nsc_fields_query *query,
                                       const struct nsc_scan_table *table);
/* Allocates n rows of each column. False if out of memory. */
bool nsc_fetch_columns(struct nsc_fetch *fetch, uint32_t n);
/* The number in an INT, REAL or STRING cell (STRING: the id). False: not set. */
bool nsc_fetch_number(int64_t *out, const struct nsc_fetch_cell *cell, uint8_t type);
/* Adds the bytes of a TEXT or BLOB cell. One thread at a time. */
bool nsc_fetch_text(int64_t *out, struct nsc_fetch *fetch, const struct nsc_fetch_cell *cell);
/* After the last cell: looks up texts of ids and freezes the pool. */
void nsc_fetch_end(struct nsc_fetch *fetch);
void nsc_fetch_fini(struct nsc_fetch *fetch);

#endif
