/*
 * The tables of table.def in an export: which exist, which are readable, and their columns.
 *
 * A readable table is a real table (no view, no virtual table), has the needed columns (none of
 * them generated) and a row-id alias that no column hides. Any other table gets a note, never an
 * error.
 */
#ifndef NSC_NSYS_SCHEMA_H
#define NSC_NSYS_SCHEMA_H

#include "nsys/pages/columns.h"
#include "nsys/pages/source.h"

enum nsc_table_id {
#define NSC_TABLE(id, ...) NSC_TABLE_##id,
#include "nsys/tables/table.def"
#undef NSC_TABLE
    NSC_N_TABLES
};

/* Families are read in order of size, NVTX last. */
enum nsc_table_family {
    NSC_FAMILY_GPU,
    NSC_FAMILY_FAULT,
    NSC_FAMILY_API,
    NSC_FAMILY_SYNC,
    NSC_FAMILY_GRAPH_EVENTS,
    NSC_FAMILY_LIBRARY,
    NSC_FAMILY_MPI,
    NSC_FAMILY_OPENMP,
    NSC_FAMILY_OPENACC,
    NSC_FAMILY_OSRT,
    NSC_FAMILY_SCHED,
    NSC_FAMILY_SAMPLES,
    NSC_FAMILY_GENERIC,
    NSC_FAMILY_OVERHEAD,
    NSC_FAMILY_COUNTERS,
    NSC_FAMILY_NVTX,
    NSC_N_FAMILIES,
    NSC_FAMILY_META = NSC_N_FAMILIES /* no events; read before all families */
};

enum nsc_table_reader {
    NSC_READER_GPU,
    NSC_READER_FAULT,
    NSC_READER_CALL,
    NSC_READER_SCHED,
    NSC_READER_SAMPLE,
    NSC_READER_METRIC,
    NSC_READER_MEMORY,
    NSC_READER_NVTX,
    NSC_READER_META
};

/* The meaning of a column for its reader, whatever its name in the table. */
enum nsc_slot {
    NSC_SLOT_START,
    NSC_SLOT_END,
    NSC_SLOT_DEVICE,
    NSC_SLOT_CONTEXT,
    NSC_SLOT_STREAM,
    NSC_SLOT_CORRELATION,
    NSC_SLOT_PROCESS,
    NSC_SLOT_THREAD,
    NSC_SLOT_NAME,
    NSC_SLOT_BRIEF,
    NSC_SLOT_CLASS,
    NSC_SLOT_NESTING,
    NSC_SLOT_COPY_KIND,
    NSC_SLOT_GRAPH_ID,
    NSC_SLOT_SYNC_TYPE,
    NSC_SLOT_EVENT_TYPE,
    NSC_SLOT_TEXT,
    NSC_SLOT_DOMAIN,
    NSC_SLOT_COLOR,
    NSC_SLOT_CATEGORY,
    NSC_SLOT_ID,
    NSC_SLOT_CPU,
    NSC_SLOT_SCHED_IN,
    NSC_SLOT_CYCLES,
    NSC_SLOT_TYPE,
    NSC_SLOT_METRIC,
    NSC_SLOT_VALUE,
    NSC_SLOT_OPERATION,
    NSC_SLOT_MEM_KIND,
    NSC_SLOT_HARDWARE,
    NSC_SLOT_VM,
    NSC_N_SLOTS
};

struct nsc_column_def {
    const char *name; /* NULL ends a list */
    enum nsc_slot slot;
    bool needed, wants_text;
};

#define NSC_TABLE_COLUMNS 12

struct nsc_table_def {
    const char *name, *feature, *capture;
    enum nsc_table_family family;
    enum nsc_table_reader reader;
    uint8_t kind, track; /* enum nsc_kind and enum nsc_track_kind of the rows, unless the reader
                          * decides */
    struct nsc_column_def columns[NSC_TABLE_COLUMNS];
};

extern const struct nsc_table_def nsc_table_defs[NSC_N_TABLES];

struct nsc_schema_table {
    bool usable;
    bool present;   /* something of that name exists, usable or not */
    char note[120]; /* why it is not usable, or what it lacks */
    char name[64];  /* the export's spelling */
    struct nsc_scan_table scan;
    struct nsc_scan_column columns[NSC_TABLE_COLUMNS];
    uint32_t n_columns;
    int at[NSC_N_SLOTS]; /* index in columns; -1: the table lacks the column */
    uint64_t rows_bound; /* upper bound of rows: from the row ids, limited by the file's size */
};

struct nsc_schema {
    struct nsc_schema_table tables[NSC_N_TABLES];
    bool is_export; /* it has StringIds or a known table */
};

/* NSC_EDAMAGED or NSC_EFORMAT if the schema cannot be read. */
NSC_NODISCARD enum nsc_status nsc_schema_read(struct nsc_schema *schema, struct nsc_source *source,
                                              struct nsc_error *error);
/* The table of that name (any case); -1: none. */
int nsc_table_find(const char *name);
/* The table with events of this kind; -1: none. */
int nsc_table_of_kind(uint8_t kind);
/* The range of row ids. False if the table is empty, or cannot be read (*rc is not SQLITE_OK). */
bool nsc_schema_rowids(sqlite3 *db, const struct nsc_scan_table *table, int64_t *lo, int64_t *hi,
                       int *rc);

#endif
