/*
 * What reading fields of events and reading a whole table have in common: which columns there are,
 * and how a cell becomes a value.
 */
#ifndef NSC_NSYS_FIELDS_DATA_H
#define NSC_NSYS_FIELDS_DATA_H

#include "nsys/capture_data.h"
#include "nsys/fields.h"

struct nsc_fetch {
    struct nsc_capture *capture;
    struct nsc_fields *fields;
    const struct nsc_scan_table *table;              /* NULL: the export has none */
    uint32_t n;                                      /* columns that are there */
    struct nsc_scan_column scan[NSC_FIELDS_COLUMNS]; /* of them */
    uint32_t column[NSC_FIELDS_COLUMNS];             /* and their numbers in fields */
};

struct nsc_fetch_cell {
    uint8_t type; /* enum nsc_cell_type */
    int64_t value;
    struct nsc_text text;
};

/* New fields without rows, the columns looked up. table: NULL or not usable: none is there. */
struct nsc_fields *nsc_fetch_init(struct nsc_fetch *fetch, const struct nsc_fields_query *query,
                                  const struct nsc_schema_table *table);
/* The same, for a table that is not in table.def. */
struct nsc_fields *nsc_fetch_init_scan(struct nsc_fetch *fetch,
                                       const struct nsc_fields_query *query,
                                       const struct nsc_scan_table *table);
/* Memory for n rows of each column. False when it is refused. */
bool nsc_fetch_columns(struct nsc_fetch *fetch, uint32_t n);
/* An INT, REAL or STRING cell (of the latter the id). False: not set. */
bool nsc_fetch_number(int64_t *out, const struct nsc_fetch_cell *cell, uint8_t type);
/* A TEXT cell, put among the texts. One thread at a time. */
bool nsc_fetch_text(int64_t *out, struct nsc_fetch *fetch, const struct nsc_fetch_cell *cell);
/* When all cells are there: texts of ids, and the pool frozen. */
void nsc_fetch_end(struct nsc_fetch *fetch);
void nsc_fetch_fini(struct nsc_fetch *fetch);

#endif
