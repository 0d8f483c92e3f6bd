/*
 * Tables under other names: CUPTI_ACTIVITY_KIND_KERNEL_V2, ..._CONCURRENT_KERNEL, and strings in
 * any table with an integer id and a text value.
 *
 * A stand-in replaces a table of table.def that is missing, empty, or of a lower version (if the
 * stand-in has rows). The highest version wins. An export with all tables under their own names
 * costs no query.
 */
#ifndef NSC_NSYS_STAND_IN_H
#define NSC_NSYS_STAND_IN_H

#include "core/vec.h"
#include "nsys/tables/schema.h"

struct nsc_other_table {
    int id;      /* the table of table.def that it could replace; -1: none */
    int version; /* 3 of "..._V3", 0 without */
    uint32_t root;
    char name[64];
};

struct nsc_other_tables {
    NSC_VEC(struct nsc_other_table) list; /* owned: fini; at most NSC_OTHER_TABLES */
};

#define NSC_OTHER_TABLES 4096

/* Notes a real table that table.def does not name. Ignores names longer than 63 bytes. */
void nsc_other_tables_add(struct nsc_other_tables *others, const char *name, uint32_t root);
/* The best stand-in for a table; NULL if the table itself is better, or there is none. has_own: the
 * table exists as a real table. */
const struct nsc_other_table *nsc_stand_in_find(const struct nsc_other_tables *others, int id,
                                                bool has_own, sqlite3 *db);
/* Finds a table of integer ids and text values that has rows. Prefers "string" in its name, then
 * most rows. NULL: none. */
const struct nsc_other_table *nsc_stand_in_strings(const struct nsc_other_tables *others,
                                                   sqlite3 *db);
void nsc_other_tables_fini(struct nsc_other_tables *others);
/* Whether the table has a row. */
bool nsc_table_has_rows(sqlite3 *db, const char *name);

#endif
