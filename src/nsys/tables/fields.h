/*
 * Reads export columns that the index does not hold into struct nsc_fields.
 *
 * Uses the scans of a load: table pages in parallel, or SQLite if that fails. A missing table or
 * column is no error: is_there is false. Errors: NSC_ENOMEM, NSC_EIO, NSC_EDAMAGED (also if the
 * file has lost rows since it was loaded), NSC_ECANCELLED.
 */
#ifndef NSC_NSYS_FIELDS_H
#define NSC_NSYS_FIELDS_H

#include "nsyscope/open.h"

#include "index/fields.h"

struct nsc_fields_query {
    enum nsc_kind kind; /* any kind of the table's events (one kind of copy means all) */
    const char *table;  /* for nsc_fields_read_table: the table's name in any case */
    const struct nsc_field_ask *asks;
    uint32_t n_asks;               /* at most NSC_FIELDS_COLUMNS */
    struct nsc_progress *progress; /* only to cancel; may be NULL */
    uint32_t capture_no;           /* for nsc_fields_read: the number of the export in the trace */
    const char *only; /* for nsc_fields_read_table: reads only rows in which this column is not
                       * NULL; NULL: all */
    /* For nsc_fields_read: whether an event of the table is read; NULL: all are. */
    bool (*wants)(const struct nsc_trace *trace, nsc_event event);
};

/* Reads the columns for the export's events of trace from the table of query->kind. The trace must
 * have been loaded from this export. */
NSC_NODISCARD enum nsc_status nsc_fields_read(struct nsc_fields **out, struct nsc_capture *capture,
                                              const struct nsc_trace *trace,
                                              const struct nsc_fields_query *query,
                                              struct nsc_error *error);

/* Reads all rows of query->table in the order of row ids; for tables without events. For STRING
 * columns it reads StringIds first, unless a trace of this export was loaded. "rowid" is the row id
 * of any table. */
NSC_NODISCARD enum nsc_status nsc_fields_read_table(struct nsc_fields **out,
                                                    struct nsc_capture *capture,
                                                    const struct nsc_fields_query *query,
                                                    struct nsc_error *error);

/*
 * The rows of NVTX_EVENTS that name categories, threads and domains, by row id, as the last load
 * found them. Columns, if requested: "type" (eventType: 33, 39, 75), "process" (globalPid >> 24),
 * "pid", "tid", "domain", "category" and "text".
 */
NSC_NODISCARD enum nsc_status nsc_fields_read_names(struct nsc_fields **out,
                                                    struct nsc_capture *capture,
                                                    const struct nsc_fields_query *query,
                                                    struct nsc_error *error);

#endif
