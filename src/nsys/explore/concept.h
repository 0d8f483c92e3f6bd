/*
 * What columns mean: concepts that many tables share, and references between tables.
 */
#ifndef NSC_NSYS_EXPLORE_CONCEPT_H
#define NSC_NSYS_EXPLORE_CONCEPT_H

#include "core/sheet.h"

enum nsc_concept {
    NSC_CONCEPT_NONE,
#define NSC_CONCEPT(id, key, name, meaning) NSC_CONCEPT_##id,
#include "nsys/explore/concept.def"
    NSC_N_CONCEPTS
};

struct nsc_column_meaning {
    enum nsc_concept concept;
    const char *to_table, *to_column; /* what it refers to; "": nothing */
};

struct nsc_column_meaning nsc_column_meaning(const char *table, const char *column);

/* ---- sheets about columns ---- */

/* Rows of the sheets "columns" and "references"; strings are borrowed until the row is added. */
struct nsc_explored_column {
    const char *table, *column, *type;
    const char *since; /* the version in which it came; NULL: an export's */
    bool needed, is_key;
};
struct nsc_sheet *nsc_columns_sheet(struct nsc_sheets *out, bool with_versions);
struct nsc_sheet *nsc_references_sheet(struct nsc_sheets *out);
/* Adds a column, and to references what it refers to. has_table says whether a table exists. */
void nsc_columns_add(struct nsc_sheet *columns, struct nsc_sheet *references,
                     const struct nsc_explored_column *column,
                     bool (*has_table)(const void *context, const char *name), const void *context);
/* The sheet "concepts". */
void nsc_concepts_sheet(struct nsc_sheets *out);

#endif
