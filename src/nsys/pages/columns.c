/*
 * Reads the declaration of a table: one column, or what each forbids its values to be.
 */
#include "nsys/pages/columns.h"

#include "core/die.h"
#include "nsys/pages/record.h"
#include "nsys/pages/source.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Names of one column in different versions; any of them finds the others. */
static const char *const aliases[][3] = {
    {"TARGET_INFO_GPU", "id", "deviceId"},
    {"TARGET_INFO_NIC_INFO", "GUID", "globalId"},
    {"TARGET_INFO_CUDA_CONTEXT_INFO", "nullStreamId", "streamId"},
    {"OSRT_FILE_ACCESS_EVENTS", "start", "startedAt"},
    {"OSRT_FILE_ACCESS_EVENTS", "end", "endedAt"},
    {"CUDA_GRAPH_EVENTS", "originalGraphId", "originalGraphNodeId"},
};

/* Whether the name means the row id: a key of one column does, unless it was declared INTEGER
 * PRIMARY KEY DESC; see schema.c. */
static bool is_rowid_name(sqlite3 *db, const struct nsc_scan_table *table, const char *column)
{
    sqlite3_stmt *statement = NULL;
    int rc = nsc_source_prepare(&statement, db, "SELECT %s FROM \"%w\"", table->rowid, table->name);
    const char *name = rc == SQLITE_OK ? sqlite3_column_name(statement, 0) : NULL;
    bool is = name && strcasecmp(name, column) == 0;

    sqlite3_finalize(statement);
    return is;
}

/* Rows of table_xinfo; NULL if it cannot be read. */
static sqlite3_stmt *list_columns(sqlite3 *db, const struct nsc_scan_table *table)
{
    sqlite3_stmt *info = NULL;

    (void)nsc_source_prepare(&info, db, "PRAGMA table_xinfo(\"%w\")", table->name);
    return info;
}

static void take_column(struct nsc_scan_column *out, sqlite3_stmt *info)
{
    const char *type = (const char *)sqlite3_column_text(info, 2);
    const char *name = (const char *)sqlite3_column_text(info, 1);

    *out = (struct nsc_scan_column){.name = nsc_xcopy(name, strlen(name)),
                                    .ordinal = sqlite3_column_int(info, 0),
                                    .is_rowid = sqlite3_column_int(info, 5) == 1 && type &&
                                                strcasecmp(type, "INTEGER") == 0};
}

static bool find_named(struct nsc_scan_column *out, sqlite3 *db, const struct nsc_scan_table *table,
                       const char *name)
{
    sqlite3_stmt *info = list_columns(db, table);
    bool found = false;
    int keys = 0;

    while (info && nsc_source_step(info) == SQLITE_ROW) {
        const char *own = (const char *)sqlite3_column_text(info, 1);

        keys += sqlite3_column_int(info, 5) > 0;
        if (found || !own || strcasecmp(own, name) != 0 || sqlite3_column_int(info, 6) != 0)
            continue;
        take_column(out, info);
        found = true;
    }
    sqlite3_finalize(info);
    if (found && out->is_rowid && keys != 1)
        out->is_rowid = false;
    if (found && out->is_rowid && !is_rowid_name(db, table, out->name))
        out->ordinal = -1;
    return found;
}

bool nsc_column_find(struct nsc_scan_column *out, sqlite3 *db, const struct nsc_scan_table *table,
                     const char *name)
{
    if (find_named(out, db, table, name))
        return true;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcasecmp(aliases[i][0], table->name) == 0 && strcasecmp(aliases[i][1], name) == 0 &&
            find_named(out, db, table, aliases[i][2]))
            return true;
    return false;
}

enum nsc_affinity nsc_column_affinity(const char *declared)
{
    static const struct {
        const char *part;
        enum nsc_affinity affinity;
    } rules[] = {
        {"INT", NSC_AFFINITY_INTEGER}, {"CHAR", NSC_AFFINITY_TEXT},  {"CLOB", NSC_AFFINITY_TEXT},
        {"TEXT", NSC_AFFINITY_TEXT},   {"BLOB", NSC_AFFINITY_OTHER}, {"REAL", NSC_AFFINITY_REAL},
        {"FLOA", NSC_AFFINITY_REAL},   {"DOUB", NSC_AFFINITY_REAL},
    };
    char upper[128];
    size_t n = 0;

    for (; declared && declared[n] && n < sizeof upper - 1; n++)
        upper[n] = (char)toupper((unsigned char)declared[n]);
    upper[n] = '\0';
    if (n == sizeof upper - 1)
        return NSC_AFFINITY_UNKNOWN;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strstr(upper, rules[i].part))
            return rules[i].affinity;
    return NSC_AFFINITY_OTHER;
}

/* Columns of table_xinfo: 1 name, 2 type, 3 NOT NULL, 4 default, 5 place in the key, 6 hidden. */
static uint8_t forbidden_of(sqlite3_stmt *info)
{
    const char *type = (const char *)sqlite3_column_text(info, 2);
    enum nsc_affinity affinity = nsc_column_affinity(type);
    uint8_t forbid = 0;

    if (affinity == NSC_AFFINITY_TEXT)
        forbid |= NSC_FORBID_NUMBER;
    if (affinity == NSC_AFFINITY_INTEGER)
        forbid |= NSC_ODD_BYTES;
    if (sqlite3_column_int(info, 3)) {
        forbid |= NSC_FORBID_NULL;
        if (sqlite3_column_type(info, 4) == SQLITE_NULL)
            forbid |= NSC_FORBID_ABSENT;
    }
    return forbid;
}

uint32_t nsc_columns_forbid(uint8_t *forbid, uint32_t most, sqlite3 *db,
                            const struct nsc_scan_table *table)
{
    sqlite3_stmt *info = list_columns(db, table);
    bool is_generated = false;
    uint32_t key = most;
    uint32_t n = 0;

    for (; info && n < most && nsc_source_step(info) == SQLITE_ROW; n++) {
        const char *name = (const char *)sqlite3_column_text(info, 1);

        forbid[n] = forbidden_of(info);
        is_generated |= sqlite3_column_int(info, 6) != 0;
        if (sqlite3_column_int(info, 5) == 1 && name && is_rowid_name(db, table, name))
            key = n;
    }
    sqlite3_finalize(info);
    if (key < n) /* the row id stands for it */
        forbid[key] = NSC_FORBID_NUMBER | NSC_FORBID_BYTES;
    if (is_generated) /* records lack generated columns */
        memset(forbid, 0, n);
    return n;
}
