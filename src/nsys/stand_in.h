/*
 * Tables under other names: CUPTI_ACTIVITY_KIND_KERNEL_V2, ..._CONCURRENT_KERNEL, and strings in
 * any table with an integer id and a text value.
 *
 * A stand-in takes the place of the table of table.def when that is missing or empty, or when its
 * version is higher and it has rows. The highest version wins. Nothing is asked of an export that
 * has its tables under their own names.
 */
#ifndef NSC_NSYS_STAND_IN_H
#define NSC_NSYS_STAND_IN_H

#include "core/vec.h"
#include "nsys/schema.h"

struct nsc_other_table {
    int id;      /* the table of table.def that it could stand for; -1: none is known */
    int version; /* 3 of "..._V3", 0 without */
    uint32_t root;
    char name[64];
};

struct nsc_other_tables {
    NSC_VEC(struct nsc_other_table) list; /* owned: fini; at most NSC_OTHER_TABLES */
};

#define NSC_OTHER_TABLES 4096

/* Notes a real table that table.def does not name. Longer names than 63 bytes are left alone. */
void nsc_other_tables_add(struct nsc_other_tables *others, const char *name, uint32_t root);
/* The best stand-in for a table; NULL: its own is better, or there is none. has_own: the table's
 * own is a real table. */
const struct nsc_other_table *nsc_stand_in_find(const struct nsc_other_tables *others, int id,
                                                bool has_own, sqlite3 *db);
/* A table of integer ids and text values that has rows; one with "string" in its name goes first,
 * then the one with the most rows. NULL: none. */
const struct nsc_other_table *nsc_stand_in_strings(const struct nsc_other_tables *others,
                                                   sqlite3 *db);
void nsc_other_tables_fini(struct nsc_other_tables *others);
/* Whether the table has a row. */
bool nsc_table_has_rows(sqlite3 *db, const char *name);

#endif
