/*
 * Repeats an export in time, table by table, with SQLite.
 */
#include "core/buf.h"
#include "core/die.h"
#include "nsys/tables/schema.h"
#include "support/shape.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The end of an SQL statement that visits the rows of a table in no order: the middle of the squares
 * of a scrambled row id. */
#define SHUFFLE_SQL                                                                     \
    " ORDER BY ((rowid * 1664525 & 2147483647) * (rowid * 1664525 & 2147483647) >> 15)" \
    " & 4294967295, rowid"

/* The meaning of a number, which decides how far each repetition moves it. */
enum measure { STILL, TIME, CORRELATION, KEY, N_MEASURES };

struct tiling {
    sqlite3 *db; /* the new file, with the export attached as "src" */
    const char *from;
    uint64_t times;
    bool shuffle;
    int64_t least[N_MEASURES], most[N_MEASURES], step[N_MEASURES];
    bool any[N_MEASURES];
    int rc; /* the first failure */
};

/* Reports the first failure at once, because the next call replaces SQLite's message. */
static void note(struct tiling *tiling, int rc)
{
    if (tiling->rc != SQLITE_OK || rc == SQLITE_OK || rc == SQLITE_ROW || rc == SQLITE_DONE)
        return;
    tiling->rc = rc;
    fprintf(stderr, "make_export: %s: %s\n", tiling->from, sqlite3_errmsg(tiling->db));
}

/* Statements are made of names found in a file: quoted, they are names and nothing else. */
static void add_name(struct nsc_buf *sql, const char *name)
{
    nsc_buf_add(sql, "\"", 1);
    for (; *name; name++)
        nsc_buf_add(sql, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
    nsc_buf_add(sql, "\"", 1);
}

static sqlite3_stmt *prepare(struct tiling *tiling, const char *sql)
{
    sqlite3_stmt *statement = NULL;

    if (tiling->rc == SQLITE_OK)
        note(tiling, sqlite3_prepare_v2(tiling->db, sql, -1, &statement, NULL));
    return statement;
}

/* Steps to the next row; false at the end or after a failure, of whichever statement, which
 * finalizes this one. */
static bool next_row(struct tiling *tiling, sqlite3_stmt *statement)
{
    int rc = statement && tiling->rc == SQLITE_OK ? sqlite3_step(statement) : SQLITE_DONE;

    note(tiling, rc);
    if (rc == SQLITE_ROW)
        return true;
    sqlite3_finalize(statement);
    return false;
}

/* The text of a column that holds one; "" and a failure where there is no memory for it. */
static const char *text_of(struct tiling *tiling, sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);

    if (!text)
        note(tiling, SQLITE_NOMEM);
    return text ? text : "";
}

static void bind_text(struct tiling *tiling, sqlite3_stmt *statement, const char *text)
{
    if (statement)
        note(tiling, sqlite3_bind_text(statement, 1, text, -1, SQLITE_TRANSIENT));
}

static void run(struct tiling *tiling, const char *sql)
{
    if (tiling->rc == SQLITE_OK)
        note(tiling, sqlite3_exec(tiling->db, sql, NULL, NULL, NULL));
}

/* ---- what is moved ---- */

static const struct nsc_table_def *find_def(const char *table)
{
    for (int i = 0; i < NSC_N_TABLES; i++)
        if (sqlite3_stricmp(nsc_table_defs[i].name, table) == 0)
            return &nsc_table_defs[i];
    return NULL;
}

static bool is_repeated(const char *table)
{
    const struct nsc_table_def *def = find_def(table);

    /* Samples have ids of their own, which their call chains repeat. */
    return def && (def->family != NSC_FAMILY_META ||
                   strcmp(def->name, nsc_table_defs[NSC_TABLE_CALLCHAINS].name) == 0);
}

static enum measure measure_of(const char *table, const char *column, bool key)
{
    static const char *const times[] = {"start", "end", "timestamp"};
    const struct nsc_table_def *def = find_def(table);

    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        if (sqlite3_stricmp(column, times[i]) == 0)
            return TIME;
    if (sqlite3_stricmp(column, "correlationId") == 0)
        return CORRELATION;
    if (key || (def == &nsc_table_defs[NSC_TABLE_CALLCHAINS] && !sqlite3_stricmp(column, "id")))
        return KEY;
    return STILL;
}

/* The columns of a table that can be written, one per row: name, position in the primary key. */
static sqlite3_stmt *list_columns(struct tiling *tiling, const char *table)
{
    sqlite3_stmt *statement = prepare(
        tiling, "SELECT name, pk FROM pragma_table_xinfo(?1, 'src') WHERE hidden = 0 ORDER BY cid");

    bind_text(tiling, statement, table);
    return statement;
}

static void measure_column(struct tiling *tiling, const char *table, const char *column,
                           enum measure measure)
{
    struct nsc_buf sql = NSC_BUF_INIT(SIZE_MAX);
    sqlite3_stmt *statement = NULL;

    nsc_buf_puts(&sql, "SELECT min(v), max(v) FROM (SELECT ");
    add_name(&sql, column);
    nsc_buf_puts(&sql, " AS v FROM src.");
    add_name(&sql, table);
    nsc_buf_puts(&sql, measure == CORRELATION ? ") WHERE typeof(v) = 'integer' AND v > 0"
                                              : ") WHERE typeof(v) = 'integer'");
    statement = prepare(tiling, sql.bytes);
    while (next_row(tiling, statement)) {
        int64_t least = sqlite3_column_int64(statement, 0);
        int64_t most = sqlite3_column_int64(statement, 1);

        if (sqlite3_column_type(statement, 0) == SQLITE_NULL)
            continue;
        if (!tiling->any[measure] || least < tiling->least[measure])
            tiling->least[measure] = least;
        if (!tiling->any[measure] || most > tiling->most[measure])
            tiling->most[measure] = most;
        tiling->any[measure] = true;
    }
    nsc_buf_fini(&sql);
}

static void measure_table(struct tiling *tiling, const char *table)
{
    sqlite3_stmt *columns = list_columns(tiling, table);

    while (next_row(tiling, columns)) {
        const char *column = text_of(tiling, columns, 0);
        enum measure measure = measure_of(table, column, sqlite3_column_int(columns, 1) == 1);

        if (measure != STILL)
            measure_column(tiling, table, column, measure);
    }
}

/* ---- copying ---- */

static void add_value(struct nsc_buf *sql, const char *column, enum measure measure)
{
    static const char *const moved[N_MEASURES] = {
        [TIME] = " + ?1 ELSE ", [CORRELATION] = " + ?2 ELSE ", [KEY] = " + ?3 ELSE "};

    if (measure == STILL) {
        add_name(sql, column);
        return;
    }
    nsc_buf_puts(sql, "CASE WHEN typeof(");
    add_name(sql, column);
    nsc_buf_puts(sql, ") = 'integer'");
    if (measure == CORRELATION) {
        nsc_buf_puts(sql, " AND ");
        add_name(sql, column);
        nsc_buf_puts(sql, " > 0");
    }
    nsc_buf_puts(sql, " THEN ");
    add_name(sql, column);
    nsc_buf_puts(sql, moved[measure]);
    add_name(sql, column);
    nsc_buf_puts(sql, " END");
}

/* INSERT INTO main.T (columns) SELECT values FROM src.T, which SQLite scans in row order. */
static void write_copy(struct nsc_buf *sql, struct tiling *tiling, const char *table)
{
    struct nsc_buf values = NSC_BUF_INIT(SIZE_MAX);
    sqlite3_stmt *columns = list_columns(tiling, table);
    bool first = true;

    nsc_buf_puts(sql, "INSERT INTO main.");
    add_name(sql, table);
    while (next_row(tiling, columns)) {
        const char *column = text_of(tiling, columns, 0);
        bool key = sqlite3_column_int(columns, 1) == 1;

        nsc_buf_puts(sql, first ? " (" : ", ");
        add_name(sql, column);
        nsc_buf_puts(&values, first ? " SELECT " : ", ");
        add_value(&values, column, is_repeated(table) ? measure_of(table, column, key) : STILL);
        first = false;
    }
    nsc_buf_puts(sql, ")");
    nsc_buf_add(sql, values.bytes, values.n);
    nsc_buf_puts(sql, " FROM src.");
    add_name(sql, table);
    if (tiling->shuffle && is_repeated(table))
        nsc_buf_puts(sql, SHUFFLE_SQL);
    nsc_buf_fini(&values);
}

static void copy_table(struct tiling *tiling, const char *table)
{
    struct nsc_buf sql = NSC_BUF_INIT(SIZE_MAX);
    sqlite3_stmt *insert = NULL;
    uint64_t times = is_repeated(table) ? tiling->times : 1;

    write_copy(&sql, tiling, table);
    insert = prepare(tiling, sql.bytes);
    for (uint64_t i = 0; i < times && tiling->rc == SQLITE_OK; i++) {
        int places = sqlite3_bind_parameter_count(insert);

        for (int place = 1; place <= places; place++)
            sqlite3_bind_int64(insert, place, (int64_t)i * tiling->step[place]);
        note(tiling, sqlite3_step(insert));
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    nsc_buf_fini(&sql);
}

/* Visits tables in the order of their creation, except virtual ones and SQLite's own. */
static void for_tables(struct tiling *tiling,
                       void (*visit)(struct tiling *tiling, const char *table), bool repeated_only)
{
    sqlite3_stmt *tables =
        prepare(tiling, "SELECT name FROM src.sqlite_master WHERE type = 'table' AND "
                        "name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql LIKE 'CREATE TABLE%' "
                        "ORDER BY rowid");

    while (next_row(tiling, tables)) {
        const char *name = text_of(tiling, tables, 0);

        if (!repeated_only || is_repeated(name))
            visit(tiling, name);
    }
}

static void create_table(struct tiling *tiling, const char *table)
{
    sqlite3_stmt *statement =
        prepare(tiling, "SELECT sql FROM src.sqlite_master WHERE type = 'table' AND name = ?1");

    bind_text(tiling, statement, table);
    while (next_row(tiling, statement))
        run(tiling, text_of(tiling, statement, 0));
}

/* Extends the duration of the recording. */
static void lengthen(struct tiling *tiling)
{
    sqlite3_stmt *update = NULL;
    int64_t more = (int64_t)(tiling->times - 1) * tiling->step[TIME];
    int rc;

    rc = sqlite3_table_column_metadata(tiling->db, "main", "ANALYSIS_DETAILS", "duration", NULL,
                                       NULL, NULL, NULL, NULL);
    if (rc != SQLITE_ERROR) /* else there is no such column */
        note(tiling, rc);
    if (rc != SQLITE_OK)
        return;
    update = prepare(tiling, "UPDATE main.ANALYSIS_DETAILS SET duration = duration + ?1");
    if (update)
        sqlite3_bind_int64(update, 1, more);
    while (next_row(tiling, update)) {
    }
}

/* Chooses how far each repetition moves. False if the last one's numbers would not fit. */
static bool choose_steps(struct tiling *tiling)
{
    for (int m = TIME; m < N_MEASURES; m++) {
        int64_t all = 0;

        if (!tiling->any[m])
            continue;
        if (__builtin_sub_overflow(tiling->most[m], tiling->least[m], &tiling->step[m]) ||
            __builtin_add_overflow(tiling->step[m], 1, &tiling->step[m]) ||
            __builtin_mul_overflow(tiling->step[m], tiling->times, &all) ||
            __builtin_add_overflow(all, tiling->most[m], &all) ||
            (m == CORRELATION && all > (int64_t)UINT32_MAX))
            return false;
    }
    return true;
}

static void tile_all(struct tiling *tiling)
{
    run(tiling, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA trusted_schema=OFF;"
                "PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY; BEGIN;");
    for_tables(tiling, measure_table, true);
    if (tiling->rc == SQLITE_OK && !choose_steps(tiling)) {
        fprintf(stderr, "make_export: times or ids do not fit so many repetitions\n");
        tiling->rc = SQLITE_TOOBIG;
    }
    if (tiling->rc != SQLITE_OK)
        return;
    for_tables(tiling, create_table, false);
    for_tables(tiling, copy_table, false);
    lengthen(tiling);
    run(tiling, "COMMIT");
}

bool tile_export(const char *path, const char *from, uint64_t times, bool shuffle)
{
    struct tiling tiling = {.from = from, .times = times, .shuffle = shuffle};
    sqlite3_stmt *attach = NULL;

    if (access(from, R_OK) != 0) { /* ATTACH would make it */
        fprintf(stderr, "make_export: cannot read %s\n", from);
        return false;
    }
    (void)remove(path);
    note(&tiling, sqlite3_open(path, &tiling.db));
    attach = prepare(&tiling, "ATTACH ?1 AS src");
    bind_text(&tiling, attach, from);
    while (next_row(&tiling, attach)) {
    }
    tile_all(&tiling);
    note(&tiling, sqlite3_close(tiling.db));
    if (tiling.rc != SQLITE_OK)
        (void)remove(path);
    return tiling.rc == SQLITE_OK;
}
