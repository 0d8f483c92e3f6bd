/*
 * Unit tests of schemas: only plain tables with the needed columns are read, and the report says
 * why others are not.
 */
#include "nsyscope/open.h"

#include "support/cm.h"
#include "support/make_db.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#define KERNEL  "CUPTI_ACTIVITY_KIND_KERNEL"
#define COLUMNS "start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER"

static char folder[NSC_TEST_PATH], path[NSC_TEST_PATH];

static int set_up(void **state)
{
    (void)state;
    nsc_test_folder_new(folder);
    nsc_test_path(path, folder, "x");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    nsc_test_folder_free(folder);
    return 0;
}

static const struct nsc_table_status *find(const struct nsc_capture *capture, const char *name)
{
    uint32_t n, i;
    const struct nsc_table_status *reports = nsc_capture_tables(capture, &n);

    for (i = 0; i < n; i++)
        if (strcmp(reports[i].name, name) == 0)
            return &reports[i];
    fail_msg("no table %s", name);
    return NULL;
}

/* Makes the database, loads it, and expects this of the kernel table. */
static void expect(const char *sql, enum nsc_table_state status, const char *note, uint64_t events)
{
    struct nsc_error error = {NSC_OK, ""};
    const struct nsc_table_status *report;
    struct nsc_capture *capture;
    struct nsc_trace *trace = NULL;

    nsc_test_db(path, "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)");
    nsc_test_db(path, sql);
    if (nsc_capture_open(&capture, path, NULL, &error) != NSC_OK ||
        nsc_capture_load(&trace, capture, NULL, &error) != NSC_OK)
        fail_msg("%s", error.text);
    report = find(capture, KERNEL);
    assert_string_equal(report->note, note);
    assert_int_equal(report->status, status);
    assert_int_equal(report->events, events);
    nsc_trace_free(trace);
    nsc_capture_close(capture);
}

TEST_WITH(test_no_nsight_tables, set_up, tear_down)
{
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_capture *capture;

    nsc_test_db(path, "CREATE TABLE other (a)");
    assert_int_equal(nsc_capture_open(&capture, path, NULL, &error), NSC_EFORMAT);
    assert_non_null(strstr(error.text, "no Nsight Systems tables"));
}

TEST_WITH(test_view, set_up, tear_down)
{
    expect("CREATE VIEW " KERNEL
           " AS WITH RECURSIVE c(start, end) AS (SELECT 1, 2 UNION ALL SELECT start + 1, end + 1 "
           "FROM c) SELECT start, end, 0 deviceId, 0 streamId FROM c",
           NSC_TABLE_IGNORED, "ignored: view", 0);
}

TEST_WITH(test_virtual_table, set_up, tear_down)
{
    expect("CREATE VIRTUAL TABLE " KERNEL " USING fts5(start, end, deviceId, streamId)",
           NSC_TABLE_IGNORED, "ignored: virtual table", 0);
}

TEST_WITH(test_generated_column, set_up, tear_down)
{
    expect("CREATE TABLE " KERNEL
           " (start INTEGER, end INTEGER AS (length(hex(zeroblob(100000000)))), deviceId "
           "INTEGER, streamId INTEGER); INSERT INTO " KERNEL " VALUES (1, 0, 7)",
           NSC_TABLE_IGNORED, "ignored: generated column end", 0);
}

TEST_WITH(test_shadowed_row_ids, set_up, tear_down)
{
    expect("CREATE TABLE " KERNEL " (" COLUMNS
           ", contextId, correlationId, globalPid, demangledName, shortName, rowid "
           "TEXT, oid TEXT); INSERT INTO " KERNEL
           " VALUES (1, 2, 0, 7, 0, 0, 0, 0, 0, 'evil', 'evil')",
           NSC_TABLE_LOADED, "", 1);
}

TEST_WITH(test_all_row_ids_shadowed, set_up, tear_down)
{
    expect("CREATE TABLE " KERNEL " (" COLUMNS ", rowid, _rowid_, oid); INSERT INTO " KERNEL
           " VALUES (1, 2, 0, 7, 1, 1, 1)",
           NSC_TABLE_IGNORED, "ignored: columns hide the row id", 0);
}

TEST_WITH(test_without_row_ids, set_up, tear_down)
{
    expect("CREATE TABLE " KERNEL " (" COLUMNS
           ", PRIMARY KEY (start)) WITHOUT ROWID; INSERT INTO " KERNEL " VALUES (1, 2, 0, 7)",
           NSC_TABLE_IGNORED, "ignored: table without row ids", 0);
}

static struct nsc_window load_extent(bool no_pages)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_capture *capture = NULL;
    struct nsc_trace *trace = NULL;
    struct nsc_window extent;

    options.no_pages = no_pages;
    assert_int_equal(nsc_capture_open(&capture, path, &options, NULL), NSC_OK);
    assert_int_equal(nsc_capture_load(&trace, capture, NULL, NULL), NSC_OK);
    extent = nsc_trace_extent(trace);
    nsc_trace_free(trace);
    nsc_capture_close(capture);
    return extent;
}

/* INTEGER PRIMARY KEY DESC is not a row id, although the description of the table looks like
 * one. */
TEST_WITH(test_descending_key, set_up, tear_down)
{
    int no_pages;

    nsc_test_db(path,
                "CREATE TABLE " KERNEL " (start INTEGER PRIMARY KEY DESC, end INTEGER, deviceId "
                "INTEGER, streamId INTEGER); INSERT INTO " KERNEL
                " VALUES (500, 900, 0, 7), (1000, 1100, 0, 7)");
    for (no_pages = 0; no_pages < 2; no_pages++) {
        struct nsc_window extent = load_extent(no_pages);

        assert_int_equal(extent.t0, 500);
        assert_int_equal(extent.t1, 1100);
    }
}

TEST_WITH(test_missing_columns, set_up, tear_down)
{
    expect("CREATE TABLE " KERNEL " (" COLUMNS
           ", contextId, correlationId, globalPid, demangledName); INSERT INTO " KERNEL
           " VALUES (1, 2, 0, 7, 0, 0, 0, 0)",
           NSC_TABLE_LOADED, "missing columns: shortName", 1);
}

TEST_WITH(test_needed_column, set_up, tear_down)
{
    expect("CREATE TABLE " KERNEL " (start INTEGER, deviceId INTEGER, streamId INTEGER)",
           NSC_TABLE_IGNORED, "needs column end", 0);
}

TEST_WITH(test_absent_table, set_up, tear_down)
{
    expect("CREATE TABLE x (a)", NSC_TABLE_ABSENT, "nsys profile --trace=cuda", 0);
}

TEST_WITH(test_absent_but_traced, set_up, tear_down)
{
    expect("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (" COLUMNS ")", NSC_TABLE_ABSENT,
           "none recorded, although --trace=cuda was on", 0);
}

/* Graph creation is recorded with graphs as a whole and node by node. */
TEST_WITH(test_absent_graph_launches, set_up, tear_down)
{
    const struct nsc_table_status *at;
    struct nsc_capture *capture;
    uint32_t n;
    bool is_found = false;

    nsc_test_db(path, "CREATE TABLE CUDA_GRAPH_EVENTS (start INTEGER, end INTEGER)");
    assert_int_equal(nsc_capture_open(&capture, path, NULL, NULL), NSC_OK);
    at = nsc_capture_tables(capture, &n);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(at[i].name, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE") == 0) {
            assert_string_equal(at[i].note, "nsys profile --trace=cuda --cuda-graph-trace=graph");
            is_found = true;
        }
    assert_true(is_found);
    nsc_capture_close(capture);
}

TEST_WITH(test_other_case_and_order, set_up, tear_down)
{
    expect("CREATE TABLE cupti_activity_kind_kernel (extra, STREAMID INTEGER, shortName, \"End\" "
           "INTEGER, deviceid INTEGER, "
           "Start INTEGER, contextId, correlationId, globalPid, demangledName); INSERT INTO " KERNEL
           " VALUES (x'00', 7, 1, 20, 0, 10, 1, 1, 0, 1)",
           NSC_TABLE_LOADED, "", 1);
}

/* Names with any bytes are always quoted, and shown without control characters. */
TEST_WITH(test_hostile_names, set_up, tear_down)
{
    expect("CREATE TABLE \"a\"\"; DROP TABLE StringIds; --\" (x); CREATE TABLE \"b\033[31m\n\" "
           "(x); CREATE TABLE " KERNEL " (" COLUMNS
           ", contextId, correlationId, globalPid, demangledName, shortName, \"\"\"; DROP TABLE x; "
           "--\" "
           "INTEGER); INSERT INTO " KERNEL " VALUES (1, 2, 0, 7, 0, 0, 0, 0, 0, 0)",
           NSC_TABLE_LOADED, "", 1);
}

/* An index with an unknown function or collation affects at most its own table. */
TEST_WITH(test_unknown_collation, set_up, tear_down)
{
    sqlite3 *db;

    nsc_test_db(
        path,
        "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT)");
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, (int *)NULL);
    assert_int_equal(
        sqlite3_exec(
            db,
            "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE "
            "NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT COLLATE evil)'",
            NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    expect("CREATE TABLE " KERNEL " (" COLUMNS
           ", contextId, correlationId, globalPid, demangledName, shortName); INSERT INTO " KERNEL
           " VALUES (1, 2, 0, 7, 0, 0, 0, 0, 0)",
           NSC_TABLE_LOADED, "", 1);
}
