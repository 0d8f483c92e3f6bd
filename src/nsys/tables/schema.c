/*
 * Finds the known tables of an export; accepts plain tables with the columns that their readers
 * need.
 */
#include "nsys/tables/schema.h"

#include "nsyscope/kind.h"

#include "core/text.h"
#include "nsys/tables/stand_in.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define NSC_NEED(slot, name)               \
    {                                      \
        name, NSC_SLOT_##slot, true, false \
    }
#define NSC_MAY(slot, name)                 \
    {                                       \
        name, NSC_SLOT_##slot, false, false \
    }
#define NSC_NEED_TEXT(slot, name)         \
    {                                     \
        name, NSC_SLOT_##slot, true, true \
    }
#define NSC_MAY_TEXT(slot, name)           \
    {                                      \
        name, NSC_SLOT_##slot, false, true \
    }

const struct nsc_table_def nsc_table_defs[NSC_N_TABLES] = {
#define NSC_TABLE(id, name, family, reader, kind, track, feature, capture, ...) \
    {name,                                                                      \
     feature,                                                                   \
     capture,                                                                   \
     NSC_FAMILY_##family,                                                       \
     NSC_READER_##reader,                                                       \
     NSC_KIND_##kind,                                                           \
     NSC_TRACK_##track,                                                         \
     {__VA_ARGS__}},
#include "nsys/tables/table.def"
#undef NSC_TABLE
};

int nsc_table_find(const char *name)
{
    for (int i = 0; i < NSC_N_TABLES; i++)
        if (strcasecmp(nsc_table_defs[i].name, name) == 0)
            return i;
    return -1;
}

int nsc_table_of_kind(uint8_t kind)
{
    const char *name = nsc_kind_table((enum nsc_kind)kind);

    return *name ? nsc_table_find(name) : -1;
}

static void init_tables(struct nsc_schema *schema)
{
    int i, slot;

    memset(schema, 0, sizeof *schema);
    for (i = 0; i < NSC_N_TABLES; i++)
        for (slot = 0; slot < NSC_N_SLOTS; slot++)
            schema->tables[i].at[slot] = -1;
}

NSC_PRINTF(2, 3) static void note(struct nsc_schema_table *table, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(table->note, sizeof table->note, format, arguments);
    va_end(arguments);
}

/* Stores SQLite's message, made safe because it quotes the file. */
static void note_error(struct nsc_schema_table *table, const char *message)
{
    struct nsc_buf clean = NSC_BUF_INIT(4096);

    nsc_text_clean(&clean, nsc_text_from(message), true);
    note(table, "ignored: %.100s", clean.n ? clean.bytes : "unreadable");
    nsc_buf_fini(&clean);
}

/* An entry of sqlite_schema. root: 0 if it has no pages of its own. */
struct entry {
    const char *type, *name;
    uint32_t root;
};

static struct entry entry_of(sqlite3_stmt *row)
{
    sqlite3_int64 root =
        sqlite3_column_type(row, 2) == SQLITE_INTEGER ? sqlite3_column_int64(row, 2) : 0;

    return (struct entry){(const char *)sqlite3_column_text(row, 0),
                          (const char *)sqlite3_column_text(row, 1),
                          root > 0 && root <= UINT32_MAX ? (uint32_t)root : 0};
}

/* Assigns an entry to the known table of its name; the first entry wins. */
static void meet_table(struct nsc_schema *schema, int id, const struct entry *entry)
{
    struct nsc_schema_table *table = &schema->tables[id];

    if (table->present)
        return;
    table->present = true;
    snprintf(table->name, sizeof table->name, "%s", entry->name);
    table->scan.name = table->name;
    if (entry->type && strcmp(entry->type, "view") == 0)
        note(table, "ignored: view");
    else if (!entry->type || strcmp(entry->type, "table") != 0)
        note(table, "ignored: not a table");
    else if (!entry->root)
        note(table, "ignored: virtual table");
    else
        table->usable = true;
    table->scan.root = table->usable ? entry->root : 0;
}

static void put_stand_in(struct nsc_schema *schema, int id, const struct nsc_other_table *other)
{
    struct nsc_schema_table *table = &schema->tables[id];
    struct entry entry = {"table", other->name, other->root};

    table->present = table->usable = false;
    table->note[0] = '\0';
    meet_table(schema, id, &entry);
}

/* Replaces missing, empty or older tables by those with other names. */
static void find_stand_ins(struct nsc_schema *schema, sqlite3 *db,
                           const struct nsc_other_tables *others)
{
    const struct nsc_other_table *other;

    for (int id = 0; others->list.n > 0 && id < NSC_N_TABLES; id++) {
        other = nsc_stand_in_find(others, id, schema->tables[id].usable, db);
        if (other) {
            put_stand_in(schema, id, other);
            schema->is_export = true;
        }
    }
    if (!schema->is_export || (schema->tables[NSC_TABLE_STRINGS].usable &&
                               nsc_table_has_rows(db, schema->tables[NSC_TABLE_STRINGS].name)))
        return;
    other = nsc_stand_in_strings(others, db);
    if (other)
        put_stand_in(schema, NSC_TABLE_STRINGS, other);
}

static int find_tables(struct nsc_schema *schema, sqlite3 *db)
{
    struct nsc_other_tables others = {0};
    sqlite3_stmt *rows = NULL;
    int rc = nsc_source_prepare(&rows, db, "SELECT type, name, rootpage FROM sqlite_schema");

    while (rc == SQLITE_OK || rc == SQLITE_ROW) {
        struct entry entry;
        int id;

        rc = nsc_source_step(rows);
        if (rc != SQLITE_ROW)
            break;
        entry = entry_of(rows);
        if (!entry.name || (entry.type && (strcmp(entry.type, "index") == 0 ||
                                           strcmp(entry.type, "trigger") == 0)))
            continue;
        id = nsc_table_find(entry.name);
        if (id >= 0) {
            schema->is_export = true;
            meet_table(schema, id, &entry);
        } else if (entry.root && entry.type && strcmp(entry.type, "table") == 0) {
            nsc_other_tables_add(&others, entry.name, entry.root);
        }
    }
    if (rc == SQLITE_DONE)
        find_stand_ins(schema, db, &others);
    nsc_other_tables_fini(&others);
    sqlite3_finalize(rows);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Notes a column of table_xinfo if its name is known. */
static void meet_column(struct nsc_schema_table *table, const struct nsc_column_def *def,
                        sqlite3_stmt *info, bool lone_key)
{
    struct nsc_scan_column *column = &table->columns[table->n_columns];
    const char *type = (const char *)sqlite3_column_text(info, 2);

    if (sqlite3_column_int(info, 6) != 0) {
        if (def->needed) {
            note(table, "ignored: generated column %s", def->name);
            table->usable = false;
        }
        return;
    }
    if (table->at[def->slot] >= 0)
        return;
    column->name = def->name;
    column->ordinal = sqlite3_column_int(info, 0);
    column->wants_text = def->wants_text;
    column->is_rowid =
        lone_key && sqlite3_column_int(info, 5) == 1 && type && strcasecmp(type, "INTEGER") == 0;
    table->at[def->slot] = (int)table->n_columns++;
}

struct shadows {
    bool taken[3];
    int keys; /* columns of the primary key */
};

static const char *const aliases[3] = {"rowid", "_rowid_", "oid"};

/* The first pass over the columns: which row-id aliases are hidden, and how many columns the
 * primary key has. */
static struct shadows measure_columns(struct nsc_schema_table *table, sqlite3_stmt *info)
{
    struct shadows found = {{false, false, false}, 0};

    table->scan.n_columns = 0;
    while (nsc_source_step(info) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(info, 1);
        int i;

        for (i = 0; i < 3; i++)
            found.taken[i] |= name && strcasecmp(name, aliases[i]) == 0;
        found.keys += sqlite3_column_int(info, 5) > 0;
        table->scan.n_columns++;
    }
    sqlite3_reset(info);
    return found;
}

static void match_columns(struct nsc_schema_table *table, const struct nsc_table_def *def,
                          sqlite3_stmt *info, bool lone_key)
{
    while (nsc_source_step(info) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(info, 1);
        uint32_t i;

        for (i = 0; name && i < NSC_TABLE_COLUMNS && def->columns[i].name; i++)
            if (strcasecmp(name, def->columns[i].name) == 0)
                meet_column(table, &def->columns[i], info, lone_key);
    }
}

static void note_missing(struct nsc_schema_table *table, const struct nsc_table_def *def)
{
    size_t n = 0;

    for (uint32_t i = 0; i < NSC_TABLE_COLUMNS && def->columns[i].name; i++) {
        const struct nsc_column_def *column = &def->columns[i];

        if (table->at[column->slot] >= 0 || !table->usable)
            continue;
        if (column->needed) {
            note(table, "needs column %s", column->name);
            table->usable = false;
            return;
        }
        n += (size_t)snprintf(table->note + n, sizeof table->note - n, "%s%s",
                              n ? ", " : "missing columns: ", column->name);
        if (n >= sizeof table->note)
            n = sizeof table->note - 1;
    }
}

/*
 * Checks that a key is the row id: it is not if it was declared INTEGER PRIMARY KEY DESC. Only
 * SQLite's name for the row id shows that, by equalling the column's name. An uncertain key has no
 * place in a record, so SQLite reads the table.
 */
static void confirm_key(struct nsc_schema_table *table, const char *rowid_name)
{
    for (uint32_t i = 0; i < table->n_columns; i++)
        if (table->columns[i].is_rowid &&
            (!rowid_name || strcasecmp(rowid_name, table->columns[i].name) != 0))
            table->columns[i].ordinal = -1;
}

static void choose_rowid(struct nsc_schema_table *table, sqlite3 *db, const struct shadows *shadows)
{
    sqlite3_stmt *statement = NULL;
    int i;

    for (i = 0; i < 3 && shadows->taken[i]; i++)
        ;
    if (i == 3) {
        note(table, "ignored: columns hide the row id");
        table->usable = false;
        return;
    }
    table->scan.rowid = aliases[i];
    if (nsc_source_prepare(&statement, db, "SELECT %s FROM \"%w\"", aliases[i], table->name) !=
        SQLITE_OK) {
        const char *why = sqlite3_errmsg(db);

        if (strstr(why, "no such column"))
            note(table, "ignored: table without row ids");
        else
            note_error(table, why);
        table->usable = false;
    } else {
        confirm_key(table, sqlite3_column_name(statement, 0));
    }
    sqlite3_finalize(statement);
}

static void bound_rows(struct nsc_schema_table *table, const struct nsc_source *source)
{
    uint64_t most = (uint64_t)source->stat.st_size / 6;
    int64_t lo, hi;
    uint64_t span;
    int rc;

    table->rows_bound = 0;
    if (!nsc_schema_rowids(source->db, &table->scan, &lo, &hi, &rc)) {
        if (rc != SQLITE_OK)
            table->rows_bound = most;
        return;
    }
    span = (uint64_t)hi - (uint64_t)lo;
    table->rows_bound = span < most ? span + 1 : most;
}

static void gate_table(struct nsc_schema *schema, int id, struct nsc_source *source)
{
    struct nsc_schema_table *table = &schema->tables[id];
    const struct nsc_table_def *def = &nsc_table_defs[id];
    sqlite3_stmt *info = NULL;
    struct shadows shadows;

    if (!table->usable)
        return;
    if (nsc_source_prepare(&info, source->db, "PRAGMA table_xinfo(\"%w\")", table->name) !=
        SQLITE_OK) {
        note_error(table, sqlite3_errmsg(source->db));
        table->usable = false;
        return;
    }
    table->scan.utf8 = source->utf8;
    shadows = measure_columns(table, info);
    match_columns(table, def, info, shadows.keys == 1);
    sqlite3_finalize(info);
    note_missing(table, def);
    if (table->usable)
        choose_rowid(table, source->db, &shadows);
    if (table->usable)
        bound_rows(table, source);
}

static int read_tables(struct nsc_schema *schema, struct nsc_source *source)
{
    sqlite3_stmt *held = NULL;
    int rc = nsc_source_begin_read(&held, source->db);

    init_tables(schema);
    if (rc == SQLITE_OK)
        rc = find_tables(schema, source->db);
    for (int i = 0; rc == SQLITE_OK && schema->is_export && i < NSC_N_TABLES; i++)
        gate_table(schema, i, source);
    sqlite3_finalize(held);
    return rc;
}

enum nsc_status nsc_schema_read(struct nsc_schema *schema, struct nsc_source *source,
                                struct nsc_error *error)
{
    int rc = read_tables(schema, source);

    if (nsc_source_can_retry(rc))
        rc = read_tables(schema, source);
    if (rc != SQLITE_OK)
        return nsc_source_fail(source, rc, "cannot read the schema of", error);
    if (!schema->is_export)
        return nsc_fail(error, NSC_EFORMAT, "%s is an SQLite file with no Nsight Systems tables",
                        source->path);
    return NSC_OK;
}

/* Finds the least or greatest row id with a single seek. */
static bool end_rowid(sqlite3 *db, const char *format, const struct nsc_scan_table *table,
                      int64_t *out, int *rc)
{
    sqlite3_stmt *statement = NULL;
    bool found;

    *rc = nsc_source_prepare(&statement, db, format, table->rowid, table->name, table->rowid);
    if (*rc == SQLITE_OK)
        *rc = nsc_source_step(statement);
    found = *rc == SQLITE_ROW;
    if (found)
        *out = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    if (found || *rc == SQLITE_DONE)
        *rc = SQLITE_OK;
    return found;
}

bool nsc_schema_rowids(sqlite3 *db, const struct nsc_scan_table *table, int64_t *lo, int64_t *hi,
                       int *rc)
{
    return end_rowid(db, "SELECT %s FROM \"%w\" ORDER BY %s LIMIT 1", table, lo, rc) &&
           end_rowid(db, "SELECT %s FROM \"%w\" ORDER BY %s DESC LIMIT 1", table, hi, rc);
}
