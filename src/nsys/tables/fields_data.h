/*
 * Shared by readers of event fields and of whole tables: finds the columns and converts their
 * cells.
 */
#ifndef NSC_NSYS_FIELDS_DATA_H
#define NSC_NSYS_FIELDS_DATA_H

#include "nsys/tables/capture_data.h"
#include "nsys/tables/fields.h"

#include <pthread.h>

struct nsc_fetch {
    struct nsc_capture *capture;
    struct nsc_fields *fields;
    const struct nsc_scan_table *table;              /* NULL: not in the export */
    uint32_t n;                                      /* number of columns that exist */
    struct nsc_scan_column scan[NSC_FIELDS_COLUMNS]; /* the columns */
    uint32_t column[NSC_FIELDS_COLUMNS];             /* and their numbers in fields */
    pthread_mutex_t lock;                            /* for the texts of fields */
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
/* Converts cell c of row i of a batch; any thread. has_bytes: the batch has the bytes of blobs. False: the
 * cell is not set. */
bool nsc_fetch_cell(int64_t *out, struct nsc_fetch *fetch, const struct nsc_batch *batch,
                    uint32_t c, uint32_t i, bool has_bytes);
/* After the last cell: looks up texts of ids and freezes the pool. */
void nsc_fetch_end(struct nsc_fetch *fetch);
void nsc_fetch_fini(struct nsc_fetch *fetch);
/* Calls read while a read transaction is open: the columns are then those of one state of the file. After a
 * failure *out is NULL. */
enum nsc_status nsc_fetch_held(struct nsc_fields **out, struct nsc_capture *capture,
                               enum nsc_status (*read)(struct nsc_fields **out, void *context,
                                                       struct nsc_error *error),
                               void *context, struct nsc_error *error);

#endif
