/* Copies the rows of a part of an export, table by table, into a new file. */
#include "nsys/generate/cut.h"

#include "core/bits.h"
#include "core/sort.h"
#include "core/sum.h"
#include "nsys/generate/mask_names.h"
#include "nsys/generate/new_export.h"
#include "nsys/tables/capture_data.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Rows that others need: those whose column is among the values of a column of another table. */
#define CALL   "CUPTI_ACTIVITY_KIND_RUNTIME", "correlationId"
#define LAUNCH "correlationId"
static const struct link {
    const char *table, *column, *of, *value;
} links[] = {{CALL, "CUPTI_ACTIVITY_KIND_KERNEL", LAUNCH},
             {CALL, "CUPTI_ACTIVITY_KIND_MEMCPY", LAUNCH},
             {CALL, "CUPTI_ACTIVITY_KIND_MEMSET", LAUNCH},
             {CALL, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", LAUNCH},
             {"CUPTI_ACTIVITY_KIND_CUDA_EVENT", LAUNCH, CALL},
             {"GENERIC_EVENT_DATA", "genericEventId", "GENERIC_EVENTS", "genericEventId"},
             {"CUDA_CALLCHAINS", "id", "CUPTI_ACTIVITY_KIND_RUNTIME", "callchainId"},
             {"OSRT_CALLCHAINS", "id", "OSRT_API", "callchainId"},
             {"SAMPLING_CALLCHAINS", "id", "COMPOSITE_EVENTS", "id"}};

/* Columns with ids of StringIds. */
static const char *const string_columns[] = {
    "nameId", "*NameId",    "textId",    "*TextId",   "*StringId", "*Name",       "symbol",
    "module", "filenameId", "contentId", "apiCallId", "srcFile",   "description", "CpuInstruction"};

/* Tables whose texts tell nothing of the program. */
static const char *const public_tables[] = {
    "ENUM_*",       "TARGET_INFO_GPU*", "TARGET_INFO_CUDA_*", "*_START_TIME",
    "*META*EXPORT", "EXPORT_META_DATA", "NVTX_PAYLOAD_*"};

static bool fits(const char *const *patterns, size_t n, const char *name)
{
    size_t i = 0;

    while (i < n && fnmatch(patterns[i], name, 0) != 0)
        i++;
    return i < n;
}
#define FITS(patterns, name) fits((patterns), sizeof(patterns) / sizeof *(patterns), (name))

struct table {
    char *name;
    int id; /* of table.def; -1: another */
    enum { EVENTS_FIRST, CALLS, OTHERS, STRINGS, N_TURNS } turn;
};

struct cutting {
    const struct nsc_cut *cut;
    struct nsc_capture *capture;
    struct nsc_new_export to;
    sqlite3 *from;
    sqlite3_stmt *has_id; /* whether an id is in temp.ids */
    NSC_VEC(struct table) tables;
    /* The row ids to copy of each table; the last: of one that table.def does not name. */
    struct rows {
        NSC_VEC(nsc_time) at;
        struct nsc_window covered;  /* by its events */
    } rows[NSC_N_TABLES + 1], *now; /* of the table at hand */
    int read;                       /* the first failure with the original; else SQLITE_OK */
};

static void note(struct cutting *cutting, int rc)
{
    if (cutting->read == SQLITE_OK && rc != SQLITE_OK && rc != SQLITE_DONE && rc != SQLITE_ROW)
        cutting->read = rc;
}

static bool has_failed(const struct cutting *cutting)
{
    return cutting->read != SQLITE_OK || cutting->to.rc != SQLITE_OK;
}

/* Runs a statement of the new file; one that names a missing column is left out. */
static void fill(struct cutting *cutting, const char *format, ...)
{
    va_list arguments;
    char *sql;
    sqlite3_stmt *statement = NULL;

    va_start(arguments, format);
    sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    if (sqlite3_prepare_v2(cutting->to.db, sql, -1, &statement, NULL) == SQLITE_OK)
        nsc_new_export_note(&cutting->to, sqlite3_step(statement));
    sqlite3_finalize(statement);
    sqlite3_free(sql);
}

/* ---- the new file ---- */

static int id_of(const struct nsc_schema *schema, const char *name)
{
    for (int i = 0; i < NSC_N_TABLES; i++)
        if (schema->tables[i].usable && strcasecmp(schema->tables[i].name, name) == 0)
            return i;
    return -1;
}

static void add_table(struct cutting *cutting, const char *name, const char *sql)
{
    struct table table = {.id = id_of(&cutting->capture->schema, name), .turn = OTHERS};

    if (!name || !sql || strncasecmp(name, "sqlite_", 7) == 0 ||
        strncasecmp(sql, "CREATE TABLE", 12) != 0)
        return;
    if (table.id == NSC_TABLE_STRINGS)
        table.turn = STRINGS;
    else if (table.id == NSC_TABLE_RUNTIME)
        table.turn = CALLS;
    else if (table.id >= 0 && nsc_table_defs[table.id].family != NSC_FAMILY_META)
        table.turn = EVENTS_FIRST;
    table.name = nsc_xcopy(name, strlen(name));
    *NSC_VEC_ADD(&cutting->tables) = table;
    fill(cutting, "%s", sql);
}

static void make_tables(struct cutting *cutting)
{
    sqlite3_stmt *row = NULL;

    note(cutting, nsc_source_prepare(&row, cutting->from,
                                     "SELECT name, sql FROM sqlite_schema WHERE type='table'"));
    while (row && nsc_source_step(row) == SQLITE_ROW && !has_failed(cutting))
        add_table(cutting, (const char *)sqlite3_column_text(row, 0),
                  (const char *)sqlite3_column_text(row, 1));
    note(cutting, sqlite3_finalize(row));
}

/* ---- which rows ---- */

/* Whether the value is in temp.ids. */
static bool is_wanted(const struct cutting *cutting, sqlite3_stmt *row, int column)
{
    bool is;

    (void)sqlite3_bind_value(cutting->has_id, 1, sqlite3_column_value(row, column));
    is = sqlite3_step(cutting->has_id) == SQLITE_ROW;
    (void)sqlite3_reset(cutting->has_id);
    return is;
}

/* Adds rows of a table. tested: a column whose value must be in temp.ids; NULL: none. False: the table
 * lacks a column. */
static bool take(struct cutting *cutting, const char *table, const char *tested, const char *where)
{
    sqlite3_stmt *row = NULL;

    if (nsc_source_prepare(&row, cutting->from, "SELECT t._rowid_, t.\"%w\" FROM \"%w\" t WHERE %s",
                           tested ? tested : "_rowid_", table, where) != SQLITE_OK)
        return false;
    while (nsc_source_step(row) == SQLITE_ROW)
        if (!tested || is_wanted(cutting, row, 1))
            *NSC_VEC_ADD(&cutting->now->at) = sqlite3_column_int64(row, 0);
    note(cutting, sqlite3_finalize(row));
    return true;
}

/* Adds the rows of a table that touch a window. False: the table has no times. */
static bool take_time(struct cutting *cutting, const char *table, struct nsc_window window)
{
    static const char *const columns[][2] = {{"start", "end"},
                                             {"start", "start"},
                                             {"timestamp", "timestamp"},
                                             {"rawTimestamp", "rawTimestamp"}};
    bool has_time = false;

    for (size_t i = 0; i < sizeof columns / sizeof *columns && !has_time; i++) {
        const char *start = columns[i][0], *end = columns[i][1];
        char *where =
            sqlite3_mprintf("t.%s<%lld AND CASE WHEN t.\"%s\">t.%s THEN t.\"%s\">%lld ELSE "
                            "t.%s>=%lld END",
                            start, (long long)window.t1, end, start, end, (long long)window.t0,
                            start, (long long)window.t0);

        has_time = take(cutting, table, NULL, where);
        sqlite3_free(where);
    }
    return has_time;
}

/* Adds the rows of all kept events, each to its table. */
static void take_events(struct cutting *cutting)
{
    const struct nsc_events *events = nsc_trace_events(cutting->cut->trace);
    struct nsc_window window = cutting->cut->window;
    int tables[NSC_N_KINDS];

    for (int kind = 0; kind < NSC_N_KINDS; kind++)
        tables[kind] = nsc_table_of_kind((uint8_t)kind);
    for (uint32_t i = 0; i < events->n; i++) {
        nsc_time end = nsc_event_touch_end(events, i);
        int table = tables[events->kind[i]];
        struct rows *rows = &cutting->rows[table < 0 ? NSC_N_TABLES : table];

        if (table < 0 || events->start[i] >= window.t1 || end <= window.t0 ||
            (cutting->cut->mask && !nsc_bits_get(cutting->cut->mask, i)))
            continue;
        nsc_window_join(&rows->covered, (struct nsc_window){events->start[i], end});
        if (events->source[i] != NSC_NONE)
            *NSC_VEC_ADD(&rows->at) = events->source[i];
    }
}

/* Adds the rows that rows of other tables need. False: none ever do. */
static bool take_linked(struct cutting *cutting, const char *table)
{
    const char *column = NULL;

    fill(cutting, "DELETE FROM temp.ids");
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (strcasecmp(links[i].table, table) == 0) {
            column = links[i].column;
            fill(cutting, "INSERT OR IGNORE INTO temp.ids SELECT t.\"%w\" FROM main.\"%w\" t",
                 links[i].value, links[i].of);
        }
    return column && take(cutting, table, column, "1");
}

/* Fills temp.ids with the texts that the copied rows of a table name; temp.open with those that stay
 * as they are: names of calls. */
static void fill_strings(struct cutting *cutting, const struct table *table)
{
    sqlite3_stmt *row = NULL;
    bool is_call = table->id >= 0 && nsc_table_defs[table->id].reader == NSC_READER_CALL;

    if (nsc_source_prepare(&row, cutting->to.db, "SELECT * FROM main.\"%w\"", table->name) !=
        SQLITE_OK)
        return;
    for (int i = 0; i < sqlite3_column_count(row); i++) {
        const char *column = sqlite3_column_name(row, i);

        for (int open = 0; open < (is_call ? 2 : 1) && FITS(string_columns, column); open++)
            fill(cutting, "INSERT OR IGNORE INTO temp.%s SELECT t.\"%w\" FROM main.\"%w\" t",
                 open ? "open" : "ids", column, table->name);
    }
    sqlite3_finalize(row);
}

static void take_strings(struct cutting *cutting, const char *table)
{
    const struct nsc_schema_table *strings = &cutting->capture->schema.tables[NSC_TABLE_STRINGS];

    fill(cutting, "DELETE FROM temp.ids");
    for (size_t i = 0; i < cutting->tables.n; i++)
        fill_strings(cutting, &cutting->tables.at[i]);
    (void)take(cutting, table, strings->columns[0].name, "1");
}

/* Adds the rows that are not those of kept events. */
static void take_others(struct cutting *cutting, const struct table *table)
{
    struct nsc_window window = cutting->cut->window;
    bool is_whole = table->turn == OTHERS && table->id >= 0;

    switch (table->id) {
    case NSC_TABLE_STRINGS:
        take_strings(cutting, table->name);
        return;
    case NSC_TABLE_NVTX: /* names of categories, threads and domains */
        (void)take(cutting, table->name, NULL, "t.eventType NOT IN(34,59,60)");
        return;
    case NSC_TABLE_SCHED: /* up to the switch that ends the last run */
        NSC_VEC_CLEAR(&cutting->now->at);
        window = cutting->now->covered;
        window.t1 += window.t1 > window.t0 && window.t1 < INT64_MAX;
        break;
    case NSC_TABLE_MEMORY_USAGE: /* totals begin with the first row */
        window.t0 = INT64_MIN;
        break;
    case NSC_TABLE_GPU_METRICS:
        break;
    default:
        if (take_linked(cutting, table->name) || table->turn < OTHERS)
            return;
        is_whole = is_whole || strcasecmp(table->name, "MPI_COMMUNICATORS") == 0;
    }
    if (is_whole || !take_time(cutting, table->name, window))
        (void)take(cutting, table->name, NULL, "1");
}

/* ---- their values ---- */

/* Whether a text may tell something of the program. Facts of the system have public names. */
static bool is_secret(const char *table, const char *column)
{
    bool is_fact =
        fnmatch("META_DATA_*", table, 0) == 0 || strcmp(table, "TARGET_INFO_SYSTEM_ENV") == 0;

    return !FITS(public_tables, table) && (!is_fact || strcmp(column, "value") == 0);
}

/* Copies a value; masks it if it is a secret text. */
static void copy_value(struct cutting *cutting, sqlite3_stmt *insert, sqlite3_stmt *row, int column,
                       bool is_masked)
{
    struct nsc_buf masked = NSC_BUF_INIT(SIZE_MAX);
    const char *text = NULL;

    if (is_masked && sqlite3_column_type(row, column) == SQLITE_TEXT)
        text = (const char *)sqlite3_column_text(row, column);
    if (!text) {
        nsc_new_export_note(&cutting->to, sqlite3_bind_value(insert, column + 1,
                                                             sqlite3_column_value(row, column)));
        return;
    }
    nsc_mask_names_add(&masked,
                       (struct nsc_text){text, (uint32_t)sqlite3_column_bytes(row, column)},
                       cutting->cut->key);
    nsc_new_export_note(&cutting->to,
                        sqlite3_bind_text(insert, column + 1, masked.n ? masked.bytes : "",
                                          (int)masked.n, SQLITE_TRANSIENT));
    nsc_buf_fini(&masked);
}

/* Copies the row at hand. */
static void copy_row(struct cutting *cutting, const struct table *table, sqlite3_stmt *insert,
                     sqlite3_stmt *row)
{
    bool is_open = !cutting->cut->key;

    for (int i = 0; table->turn == STRINGS && i < sqlite3_column_count(row); i++)
        is_open = is_open || is_wanted(cutting, row, i); /* the id of a call's name */
    for (int i = 0; i < sqlite3_column_count(row); i++)
        copy_value(cutting, insert, row, i,
                   !is_open && is_secret(table->name, sqlite3_column_name(row, i)));
    nsc_new_export_note(&cutting->to, sqlite3_step(insert));
    nsc_new_export_note(&cutting->to, sqlite3_reset(insert));
}

/* A statement that inserts a row; NULL: the table was not made, or has columns that take no value. */
static sqlite3_stmt *prepare_insert(struct cutting *cutting, const char *table, int n)
{
    struct nsc_buf marks = NSC_BUF_INIT(1 << 16);
    sqlite3_stmt *insert = NULL;

    nsc_buf_putc(&marks, '?');
    for (int i = 1; i < n; i++)
        nsc_buf_puts(&marks, ",?");
    (void)nsc_source_prepare(&insert, cutting->to.db,
                             "INSERT OR IGNORE INTO main.\"%w\" VALUES(%s)", table, marks.bytes);
    nsc_buf_fini(&marks);
    return insert;
}

static void copy_rows(struct cutting *cutting, const struct table *table)
{
    const struct rows *rows = cutting->now;
    sqlite3_stmt *row = NULL, *insert = NULL;

    NSC_VEC_SORT(&cutting->now->at, nsc_time_compare);
    if (nsc_source_prepare(&row, cutting->from, "SELECT t.* FROM \"%w\" t WHERE t._rowid_=?",
                           table->name) == SQLITE_OK)
        insert = prepare_insert(cutting, table->name, sqlite3_column_count(row));
    for (size_t i = 0; insert && i < rows->at.n && !has_failed(cutting); i++) {
        if (i && rows->at.at[i] == rows->at.at[i - 1])
            continue;
        (void)sqlite3_bind_int64(row, 1, rows->at.at[i]);
        if (nsc_source_step(row) == SQLITE_ROW)
            copy_row(cutting, table, insert, row);
        note(cutting, sqlite3_reset(row));
    }
    sqlite3_finalize(insert);
    sqlite3_finalize(row);
}

static void copy_table(struct cutting *cutting, const struct table *table)
{
    cutting->now = &cutting->rows[table->id < 0 ? NSC_N_TABLES : table->id];
    take_others(cutting, table);
    if (table->turn == STRINGS) { /* is_wanted now finds the names of calls */
        fill(cutting, "DELETE FROM temp.ids");
        fill(cutting, "INSERT INTO temp.ids SELECT id FROM temp.open");
    }
    copy_rows(cutting, table);
    NSC_VEC_FINI(&cutting->now->at);
}

static void copy_all(struct cutting *cutting)
{
    nsc_new_export_run(&cutting->to, "CREATE TEMP TABLE ids(id PRIMARY KEY) WITHOUT ROWID;"
                                     "CREATE TEMP TABLE open(id PRIMARY KEY) WITHOUT ROWID");
    nsc_new_export_note(&cutting->to, nsc_source_prepare(&cutting->has_id, cutting->to.db,
                                                         "SELECT 1 FROM temp.ids WHERE id=?"));
    if (!has_failed(cutting))
        make_tables(cutting);
    take_events(cutting);
    for (int turn = 0; turn < N_TURNS; turn++)
        for (size_t i = 0; i < cutting->tables.n && !has_failed(cutting); i++)
            if ((int)cutting->tables.at[i].turn == turn)
                copy_table(cutting, &cutting->tables.at[i]);
    sqlite3_finalize(cutting->has_id);
}

enum nsc_status nsc_cut_write(const char *path, struct nsc_capture *capture,
                              const struct nsc_cut *cut, struct nsc_error *error)
{
    struct cutting cutting = {.cut = cut, .capture = capture, .from = capture->source->db};
    struct nsc_error own = {NSC_OK, ""};
    enum nsc_status status = nsc_new_export_open(&cutting.to, path, cut->force, error), closed;

    if (status != NSC_OK)
        return status;
    nsc_source_hold(capture->source);
    copy_all(&cutting);
    if (cutting.read != SQLITE_OK)
        status = nsc_source_fail(capture->source, cutting.read, "cannot read", error);
    status = nsc_source_check(capture->source, status, error);
    nsc_source_release(capture->source);
    closed = nsc_new_export_close(&cutting.to, status == NSC_OK, status == NSC_OK ? error : &own);
    for (size_t i = 0; i < cutting.tables.n; i++)
        free(cutting.tables.at[i].name);
    NSC_VEC_FINI(&cutting.tables);
    for (int i = 0; i <= NSC_N_TABLES; i++)
        NSC_VEC_FINI(&cutting.rows[i].at);
    return status == NSC_OK ? closed : status;
}
