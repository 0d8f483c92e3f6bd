/*
 * The content of each table of an export and the view that reads it (table_use.def), and the tables
 * with rows that no view reads.
 */
#ifndef NSC_NSYS_TABLE_USE_H
#define NSC_NSYS_TABLE_USE_H

#include "nsyscope/open.h"

#include "core/vec.h"

enum nsc_table_area {
    NSC_AREA_GPU,
    NSC_AREA_HOST,
    NSC_AREA_NVTX,
    NSC_AREA_COUNTERS,
    NSC_AREA_NAMES,
    NSC_AREA_TARGET,
    NSC_AREA_CAPTURE,
    NSC_AREA_ENUMS,
    NSC_AREA_GRAPHICS,
    NSC_AREA_DERIVED,
    NSC_AREA_OTHER, /* no row of table_use.def matches */
    NSC_N_AREAS
};

struct nsc_table_use {
    const char *name;   /* may end in "*" */
    const char *holds;  /* "one row a kernel: ..." */
    const char *reader; /* "stream rows, Details"; "": no view reads it */
    enum nsc_table_area area;
};

/* Whether a name matches a pattern, in which "*" means any text. Any case. */
bool nsc_name_fits(const char *pattern, const char *name);
/* Finds the row of a table. Never NULL: an unknown table has empty texts. Any case. */
const struct nsc_table_use *nsc_table_use_find(const char *name);
const char *nsc_table_area_word(enum nsc_table_area area);

struct nsc_unread_table {
    char *name;    /* raw; owned */
    uint64_t rows; /* the span of the row ids: exact unless rows were deleted */
    const char *holds;
};
struct nsc_unread_tables {
    NSC_VEC(struct nsc_unread_table) list;
};
/* Lists real tables with rows that no view reads, in the order of their names. *trouble: set if
 * reading failed; the list ends there. Costs two seeks a table. */
void nsc_unread_tables_init(struct nsc_unread_tables *tables, struct nsc_capture *capture,
                            struct nsc_error *trouble);
void nsc_unread_tables_fini(struct nsc_unread_tables *tables);

#endif
