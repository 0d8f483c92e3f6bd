/*
 * The inside of an opened export, for loading and details.
 */
#ifndef NSC_NSYS_CAPTURE_DATA_H
#define NSC_NSYS_CAPTURE_DATA_H

#include "nsys/tables/table_reader.h"

struct nsc_capture {
    struct nsc_source *source;
    struct nsc_schema schema;
    struct nsc_load_filter filter;
    uint64_t memory; /* budget in bytes; 0: the available memory */
    unsigned threads;
    const char *words; /* of nsc_open_options; "": none */
    bool no_pages;
    bool sync_types; /* the exporter is recent enough for a reliable syncType */
    struct nsc_strings strings;
    struct nsc_nvtx_names nvtx_names;
    NSC_VEC(char *) detail_names; /* distinct names of columns, made safe */
    struct nsc_table_status reports[NSC_N_TABLES];
    NSC_VEC(char *) warnings;
    size_t open_warnings; /* number of warnings from opening; the rest are from the last load */
    NSC_VEC(const char *) damage; /* those of the last load that concern answers */
};

/* Removes the warnings of the last load. */
void nsc_capture_warn_again(struct nsc_capture *capture);
/* Appends a line, made safe. Skips repeated lines, and all after the 200th. */
void nsc_capture_warn(struct nsc_capture *capture, const char *format, ...) NSC_PRINTF(2, 3);

/* As nsc_capture_warn, for a warning that concerns answers. */
void nsc_capture_warn_damage(struct nsc_capture *capture, const char *format, ...) NSC_PRINTF(2, 3);

/* ---- pages_check.c ---- */

/* After a load: warns of damage in the tables that the load did not read, and of empty tables whose
 * page still has bytes of rows. Looks at tables of one page only, and at most at 500. */
NSC_NODISCARD enum nsc_status nsc_tables_check(struct nsc_capture *capture,
                                               struct nsc_error *error);

/* Reads processes, threads, devices, streams, metrics and facts about the export into the builder.
 * Notes trouble instead of failing. */
NSC_NODISCARD enum nsc_status nsc_meta_read(struct nsc_capture *capture,
                                            struct nsc_table_load *load, struct nsc_error *error);

#endif
