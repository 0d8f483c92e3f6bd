/*
 * What each table of an export holds and which view reads it (table_use.def), and the tables with
 * rows that nothing reads.
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
    NSC_AREA_OTHER, /* no row of table_use.def fits */
    NSC_N_AREAS
};

struct nsc_table_use {
    const char *name;   /* may end in "*" */
    const char *holds;  /* "one row a kernel: ..." */
    const char *reader; /* "stream rows, Details"; "": nothing of it is read */
    enum nsc_table_area area;
};

/* Whether a name fits a pattern, in which "*" stands for any text. Any case. */
bool nsc_name_fits(const char *pattern, const char *name);
/* Never NULL: a table that nobody knows has empty texts. Any case. */
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
/* Lists real tables that have rows and of which nothing is read, in the order of their names.
 * *trouble: set when reading failed; the list ends there. Costs two seeks a table. */
void nsc_unread_tables_init(struct nsc_unread_tables *tables, struct nsc_capture *capture,
                            struct nsc_error *trouble);
void nsc_unread_tables_fini(struct nsc_unread_tables *tables);

#endif
