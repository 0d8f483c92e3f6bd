/* Recognizes tables by a version suffix, by a known other name and by their columns. */
#include "nsys/tables/stand_in.h"

#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    int id;
} other_names[] = {
#define NSC_TABLE_NAME(name, id) {name, NSC_TABLE_##id},
#include "nsys/tables/table_name.def"
#undef NSC_TABLE_NAME
};

/* Cuts "_V3" off a name and returns 3; 0: there is none. */
static int cut_version(char *name)
{
    char *at = strrchr(name, '_');
    char *end = NULL;
    long version;

    if (!at || (at[1] != 'V' && at[1] != 'v') || at[2] < '0' || at[2] > '9')
        return 0;
    version = strtol(at + 2, &end, 10);
    if (*end || version < 1 || version > 999)
        return 0;
    *at = '\0';
    return (int)version;
}

static int find_id(const char *stem)
{
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcasecmp(other_names[i].name, stem) == 0)
            return other_names[i].id;
    return nsc_table_find(stem);
}

void nsc_other_tables_add(struct nsc_other_tables *others, const char *name, uint32_t root)
{
    struct nsc_other_table table = {.root = root};
    char stem[sizeof table.name];

    if (strlen(name) >= sizeof table.name || others->list.n == NSC_OTHER_TABLES)
        return;
    snprintf(table.name, sizeof table.name, "%s", name);
    snprintf(stem, sizeof stem, "%s", name);
    table.version = cut_version(stem);
    table.id = find_id(stem);
    *NSC_VEC_ADD(&others->list) = table;
}

void nsc_other_tables_fini(struct nsc_other_tables *others)
{
    NSC_VEC_FINI(&others->list);
}

/* ---- choosing ---- */

/* The first row's answer to a query about a table; false: no row, or an error. */
static bool ask_table(sqlite3 *db, const char *format, const char *name,
                      bool (*check)(sqlite3_stmt *row))
{
    sqlite3_stmt *row = NULL;
    bool found = nsc_source_prepare(&row, db, format, name) == SQLITE_OK &&
                 nsc_source_step(row) == SQLITE_ROW && (!check || check(row));

    sqlite3_finalize(row);
    return found;
}

bool nsc_table_has_rows(sqlite3 *db, const char *name)
{
    return ask_table(db, "SELECT 1 FROM \"%w\" LIMIT 1", name, NULL);
}

const struct nsc_other_table *nsc_stand_in_find(const struct nsc_other_tables *others, int id,
                                                bool has_own, sqlite3 *db)
{
    const struct nsc_other_table *best = NULL;
    int least = 0; /* -1: the table itself has no rows, so any other wins */

    for (size_t i = 0; i < others->list.n; i++) {
        const struct nsc_other_table *table = &others->list.at[i];

        if (table->id != id)
            continue;
        if (least == 0)
            least = has_own && nsc_table_has_rows(db, nsc_table_defs[id].name) ? 1 : -1;
        if (table->version > (best ? best->version : least) &&
            (!has_own || nsc_table_has_rows(db, table->name)))
            best = table;
    }
    return best;
}

static bool is_string(sqlite3_stmt *row)
{
    return sqlite3_column_type(row, 0) == SQLITE_INTEGER &&
           sqlite3_column_type(row, 1) == SQLITE_TEXT;
}

/* An upper bound of the rows, from the range of row ids: counting would read the table. */
static uint64_t bound_rows(sqlite3 *db, const char *name)
{
    struct nsc_scan_table table = {.name = name, .rowid = "rowid"};
    int64_t lo = 0;
    int64_t hi = 0;
    int rc = SQLITE_OK;

    return nsc_schema_rowids(db, &table, &lo, &hi, &rc) ? (uint64_t)hi - (uint64_t)lo + 1 : 0;
}

const struct nsc_other_table *nsc_stand_in_strings(const struct nsc_other_tables *others,
                                                   sqlite3 *db)
{
    const struct nsc_other_table *best = NULL;
    uint64_t best_rows = 0;
    bool best_named = false;

    for (size_t i = 0; i < others->list.n; i++) {
        const struct nsc_other_table *table = &others->list.at[i];
        bool named = nsc_text_contains_folded(nsc_text_from(table->name), nsc_text_from("string"));
        uint64_t rows;

        if (table->id >= 0 || (best_named && !named) ||
            !ask_table(db, "SELECT t.id, t.value FROM \"%w\" AS t LIMIT 1", table->name, is_string))
            continue;
        rows = bound_rows(db, table->name);
        if (best && named == best_named && rows <= best_rows)
            continue;
        best = table;
        best_rows = rows;
        best_named = named;
    }
    return best;
}
