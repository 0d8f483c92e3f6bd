/*
 * Reads the columns of an export that the index does not hold into struct nsc_fields.
 *
 * Through the same scans as a load: table pages in parallel, SQLite where that cannot be. A table
 * or a column that is missing is "not there", no error. Errors: NSC_ENOMEM, NSC_EIO and
 * NSC_EDAMAGED (also when the file has lost rows since it was loaded), NSC_ECANCELLED.
 */
#ifndef NSC_NSYS_FIELDS_H
#define NSC_NSYS_FIELDS_H

#include "nsyscope/open.h"

#include "index/fields.h"

struct nsc_fields_query {
    enum nsc_kind kind; /* of events: any kind of the table asked of (a copy stands for all) */
    const char *table;  /* nsc_fields_read_table: its name, any case */
    const struct nsc_field_ask *asks;
    uint32_t n_asks;               /* at most NSC_FIELDS_COLUMNS */
    struct nsc_progress *progress; /* only cancels; may be NULL */
};

/* The columns of all events of trace that come from the table of query->kind. The trace must have
 * been loaded from this export. */
NSC_NODISCARD enum nsc_status nsc_fields_read(struct nsc_fields **out, struct nsc_capture *capture,
                                              const struct nsc_trace *trace,
                                              const struct nsc_fields_query *query,
                                              struct nsc_error *error);

/* All rows of query->table, in the order of their row ids; for tables that hold no events, by
 * SQLite on one thread. STRING columns want a loaded trace's export. */
NSC_NODISCARD enum nsc_status nsc_fields_read_table(struct nsc_fields **out,
                                                    struct nsc_capture *capture,
                                                    const struct nsc_fields_query *query,
                                                    struct nsc_error *error);

/*
 * The rows of NVTX_EVENTS that name categories, threads and domains, as the last load met them, by
 * row id: columns "type" (eventType: 33, 39, 75), "process" (globalPid >> 24), "pid", "tid",
 * "domain", "category" and "text", those of them that are asked for.
 */
NSC_NODISCARD enum nsc_status nsc_fields_read_names(struct nsc_fields **out,
                                                    struct nsc_capture *capture,
                                                    const struct nsc_fields_query *query,
                                                    struct nsc_error *error);

#endif
