/*
 * The schema of one export: its tables with rows and times, its columns, and example queries with
 * their first rows.
 */
#include "core/vec.h"
#include "nsys/explore/concept.h"
#include "nsys/explore/explore.h"
#include "nsys/jobs/query.h"
#include "nsys/jobs/table_use.h"
#include "nsys/pages/source.h"
#include "nsys/tables/capture_data.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { QUERY_MS = 2000, QUERY_ROWS = 1000, QUERY_BYTES = 16 << 20 };

static const struct example {
    const char *key, *title, *sql;
} examples[] = {
#define NSC_EXAMPLE(key, title, sql) {"query_" key, title, sql},
#include "nsys/explore/example.def"
#undef NSC_EXAMPLE
};

struct table {
    char *name;           /* owned */
    const char *stand_in; /* the name that nsyscope knows it by; NULL: its own */
    const struct nsc_table_use *use;
};

struct exploring {
    struct nsc_explored *out;
    struct nsc_capture *capture;
    const struct nsc_explore_ask *ask;
    struct nsc_error *error; /* the first failed read */
    NSC_VEC(struct table) tables;
};

static sqlite3 *db_of(const struct exploring *exploring)
{
    return exploring->capture->source->db;
}

/* ---- tables ---- */

/* The name of table.def that the table is read as, if that is another. */
static const char *find_stand_in(const struct nsc_schema *schema, const char *name)
{
    for (int id = 0; id < NSC_N_TABLES; id++)
        if (schema->tables[id].present && strcasecmp(schema->tables[id].name, name) == 0)
            return strcasecmp(nsc_table_defs[id].name, name) == 0 ? NULL : nsc_table_defs[id].name;
    return NULL;
}

NSC_COMPARE(compare_tables, struct table,
            NSC_LEAST(use->area) || NSC_BY(strcasecmp(x->name, y->name)))

static void list_tables(struct exploring *exploring)
{
    const struct nsc_schema *schema = &exploring->capture->schema;
    sqlite3_stmt *row = NULL;
    int rc =
        nsc_source_prepare(&row, db_of(exploring),
                           "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0");

    for (; rc == SQLITE_OK && (rc = nsc_source_step(row)) == SQLITE_ROW; rc = SQLITE_OK) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        const char *stand_in;

        if (!name || strncasecmp(name, "sqlite_", 7) == 0)
            continue;
        stand_in = find_stand_in(schema, name);
        *NSC_VEC_ADD(&exploring->tables) =
            (struct table){nsc_xcopy(name, strlen(name)), stand_in,
                           nsc_table_use_find(stand_in ? stand_in : name)};
    }
    sqlite3_finalize(row);
    if (rc != SQLITE_DONE)
        (void)nsc_source_fail(exploring->capture->source, rc, "cannot read the schema of",
                              exploring->error);
    NSC_VEC_SORT(&exploring->tables, compare_tables);
}

/* NULL: no answer. A failed read, which SQLite may report as damage, is tried again. */
static struct nsc_relation *ask(const struct exploring *exploring, const char *sql)
{
    const struct nsc_query_ask query = {.path = exploring->ask->path,
                                        .options = exploring->ask->options,
                                        .sql = sql,
                                        .progress = exploring->ask->progress,
                                        .limits = {QUERY_ROWS, QUERY_BYTES, QUERY_MS}};
    struct nsc_relation *relation = NULL;
    enum nsc_status status = NSC_EIO;

    for (int tries = 0; tries < 2 && (status == NSC_EIO || status == NSC_EDAMAGED); tries++) {
        struct nsc_error own = {NSC_OK, ""};
        int column = -1;

        status = nsc_query_run(&relation, &query, &column, &own);
        if ((status == NSC_EIO && tries > 0) || status == NSC_ENOMEM)
            (void)nsc_fail(exploring->error, status, "%s", own.text);
    }
    return status == NSC_OK ? relation : NULL;
}

/* An integer of the first row; NSC_UNKNOWN: there is none. */
static int64_t number_at(const struct nsc_relation *relation, uint32_t column)
{
    const struct nsc_sheet_cell *cell;

    if (!relation || relation->is_cut || nsc_sheet_rows(&relation->sheet) != 1 ||
        relation->sheet.columns[column].kind == NSC_SHEET_TEXT)
        return NSC_UNKNOWN;
    cell = nsc_sheet_at(&relation->sheet, 0, column);
    return cell->is_set ? cell->integer : NSC_UNKNOWN;
}

static bool has_column(const struct exploring *exploring, const char *table, const char *column)
{
    const struct nsc_scan_table scan = {.name = table, .rowid = "rowid"};
    struct nsc_scan_column found = {0};
    bool has = nsc_column_find(&found, db_of(exploring), &scan, column);

    free((void *)(uintptr_t)found.name);
    return has;
}

struct times {
    int64_t from, to;
};

static struct times measure_times(const struct exploring *exploring, const char *table)
{
    bool has_start = has_column(exploring, table, "start");
    const char *from = has_start ? "start" : "timestamp";
    const char *to = has_start && has_column(exploring, table, "end") ? "end" : from;
    struct times times = {NSC_UNKNOWN, NSC_UNKNOWN};
    struct nsc_relation *relation = NULL;
    char *sql;

    if (!has_start && !has_column(exploring, table, "timestamp"))
        return times;
    sql =
        sqlite3_mprintf("SELECT min(\"%w\"), max(max(\"%w\", ifnull(\"%w\", \"%w\"))) FROM \"%w\"",
                        from, from, to, from, table);
    relation = sql ? ask(exploring, sql) : NULL;
    times = (struct times){number_at(relation, 0), number_at(relation, 1)};
    sqlite3_free(sql);
    nsc_relation_free(relation);
    return times;
}

static int64_t count_rows(const struct exploring *exploring, const char *table)
{
    char *sql = sqlite3_mprintf("SELECT count(*) FROM \"%w\"", table);
    struct nsc_relation *relation = sql ? ask(exploring, sql) : NULL;
    int64_t n = number_at(relation, 0);

    sqlite3_free(sql);
    nsc_relation_free(relation);
    return n;
}

struct table_row {
    const char *table, *area, *holds, *reader, *stands_for;
    int64_t rows;
    struct times times;
};

static void add_tables(struct exploring *exploring)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(table_row, table, "table", "Table"),
        NSC_COL_TEXT(table_row, area, "area", "Area"),
        NSC_COL_COUNT(table_row, rows, "rows", "Rows"),
        NSC_COL_INSTANT(table_row, times.from, "from_ns", "From"),
        NSC_COL_INSTANT(table_row, times.to, "to_ns", "To"),
        NSC_COL_TEXT(table_row, stands_for, "stands_for", "In place of"),
        NSC_COL_TEXT(table_row, reader, "read_by", "Read by"),
        NSC_COL_TEXT(table_row, holds, "holds", "Holds"),
    };
    static const struct nsc_sheet_column brief[] = {
        NSC_COL_TEXT(table_row, table, "table", "Table"),
        NSC_COL_COUNT(table_row, rows, "rows", "Rows"),
        NSC_COL_TEXT(table_row, holds, "holds", "Holds"),
        NSC_COL_TEXT(table_row, reader, "read_by", "Read by"),
        NSC_COL_TEXT(table_row, stands_for, "stands_for", "In place of"),
    };
    bool is_brief = exploring->ask->brief;
    struct nsc_sheet *sheet = nsc_sheets_add(&exploring->out->sheets, "tables", "Tables",
                                             is_brief ? brief : columns, is_brief ? 5 : 8);

    for (size_t i = 0; i < exploring->tables.n; i++) {
        const struct table *table = &exploring->tables.at[i];

        NSC_ADD_ROW(sheet, table_row, .table = table->name,
                    .area = nsc_table_area_word(table->use->area), .holds = table->use->holds,
                    .reader = table->use->reader, .stands_for = table->stand_in,
                    .rows = count_rows(exploring, table->name),
                    .times = is_brief ? (struct times){NSC_UNKNOWN, NSC_UNKNOWN}
                                      : measure_times(exploring, table->name));
    }
    nsc_sheet_note(sheet,
                   "%s are unknown where counting takes longer than 2 s. Tables that nothing reads "
                   "have no reader.",
                   is_brief ? "Rows" : "Rows and times");
}

/* ---- columns ---- */

static bool has_table(const void *context, const char *name)
{
    const struct exploring *exploring = context;

    for (size_t i = 0; i < exploring->tables.n; i++)
        if (strcasecmp(exploring->tables.at[i].name, name) == 0 ||
            (exploring->tables.at[i].stand_in &&
             strcasecmp(exploring->tables.at[i].stand_in, name) == 0))
            return true;
    return false;
}

static void add_table_columns(const struct exploring *exploring, const struct table *table,
                              struct nsc_sheet *columns, struct nsc_sheet *references)
{
    sqlite3_stmt *info = NULL;
    int rc = nsc_source_prepare(&info, db_of(exploring), "PRAGMA table_xinfo(\"%w\")", table->name);

    while (rc == SQLITE_OK && nsc_source_step(info) == SQLITE_ROW) {
        struct nsc_explored_column column = {
            .table = table->name,
            .column = (const char *)sqlite3_column_text(info, 1),
            .type = (const char *)sqlite3_column_text(info, 2),
            .needed = sqlite3_column_int(info, 3) != 0,
            .is_key = sqlite3_column_int(info, 5) != 0,
        };

        if (column.column)
            nsc_columns_add(columns, references, &column, has_table, exploring);
    }
    sqlite3_finalize(info);
}

static void add_columns(struct exploring *exploring)
{
    struct nsc_sheets later = {0};
    struct nsc_sheet *references = nsc_references_sheet(&later);
    struct nsc_sheet *columns = nsc_columns_sheet(&exploring->out->sheets, false);

    for (size_t i = 0; i < exploring->tables.n; i++)
        add_table_columns(exploring, &exploring->tables.at[i], columns, references);
    *NSC_VEC_ADD(&exploring->out->sheets.list) = *references;
    NSC_VEC_FINI(&later.list); /* its sheet has moved */
}

/* ---- queries ---- */

/* Puts the export's names for {NAME}. False: the export lacks a table. */
static bool write_sql(struct nsc_buf *out, const struct exploring *exploring, const char *sql)
{
    while (*sql) {
        size_t n = strcspn(sql, "{");
        char *quoted;
        char name[64] = "";
        int id;

        nsc_buf_add(out, sql, n);
        sql += n;
        if (!*sql)
            break;
        n = strcspn(++sql, "}");
        memcpy(name, sql, n < sizeof name ? n : 0);
        sql += n + 1;
        id = nsc_table_find(name);
        if (id < 0 || !exploring->capture->schema.tables[id].usable)
            return false;
        quoted = sqlite3_mprintf("\"%w\"", exploring->capture->schema.tables[id].name);
        nsc_buf_puts(out, quoted ? quoted : "");
        sqlite3_free(quoted);
    }
    return true;
}

struct query_row {
    const char *title, *sql;
};

/* Moves the relation's sheet behind the others; the relation keeps its columns. */
static void add_result(struct exploring *exploring, const struct example *example,
                       struct nsc_relation *relation)
{
    struct nsc_sheet *sheet = NSC_VEC_ADD(&exploring->out->sheets.list);

    *NSC_VEC_ADD(&exploring->out->kept) = relation;
    *sheet = relation->sheet;
    memset(&relation->sheet.cells, 0, sizeof relation->sheet.cells);
    memset(&relation->sheet.notes, 0, sizeof relation->sheet.notes);
    memset(&relation->sheet.bytes, 0, sizeof relation->sheet.bytes);
    sheet->key = example->key;
    sheet->title = example->title;
}

static void add_queries(struct exploring *exploring)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(query_row, title, "title", "Question"),
        NSC_COL_TEXT(query_row, sql, "sql", "SQL"),
    };
    struct nsc_sheet list;
    size_t at = exploring->out->sheets.list.n;

    nsc_sheet_init(&list, "queries", "Queries to begin with", columns, 2);
    *NSC_VEC_ADD(&exploring->out->sheets.list) = list; /* the place; filled below */
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct nsc_buf sql = NSC_BUF_INIT(SIZE_MAX);
        struct nsc_relation *relation = NULL;
        bool is_listed = write_sql(&sql, exploring, examples[i].sql);

        if (is_listed && !exploring->ask->brief) {
            relation = ask(exploring, sql.bytes);
            is_listed = relation && nsc_sheet_rows(&relation->sheet) > 0;
        }
        if (is_listed)
            NSC_ADD_ROW(&list, query_row, .title = examples[i].title, .sql = sql.bytes);
        if (is_listed && relation)
            add_result(exploring, &examples[i], relation);
        else
            nsc_relation_free(relation);
        nsc_buf_fini(&sql);
    }
    exploring->out->sheets.list.at[at] = list;
}

enum nsc_status nsc_explore_export(struct nsc_explored *out, const struct nsc_explore_ask *ask,
                                   struct nsc_error *error)
{
    struct nsc_error own = {NSC_OK, ""};
    struct exploring exploring = {.out = out, .ask = ask, .error = &own};
    sqlite3_stmt *held = NULL; /* the schema is then read once */
    enum nsc_status status = nsc_capture_open(&exploring.capture, ask->path, ask->options, error);
    int rc;

    *out = (struct nsc_explored){0};
    if (status != NSC_OK)
        return status;
    rc = nsc_source_begin_read(&held, db_of(&exploring));
    if (rc != SQLITE_OK)
        (void)nsc_source_fail(exploring.capture->source, rc, "cannot read the schema of", &own);
    list_tables(&exploring);
    add_tables(&exploring);
    nsc_concepts_sheet(&out->sheets);
    add_columns(&exploring);
    add_queries(&exploring);
    for (size_t i = 0; i < exploring.tables.n; i++)
        free(exploring.tables.at[i].name);
    NSC_VEC_FINI(&exploring.tables);
    sqlite3_finalize(held);
    status = nsc_source_check(exploring.capture->source, own.status, &own);
    if (status != NSC_OK)
        (void)nsc_fail(error, status, "%s", own.text);
    nsc_capture_close(exploring.capture);
    if (status != NSC_OK) {
        nsc_explored_fini(out);
        *out = (struct nsc_explored){0};
    }
    return status;
}
