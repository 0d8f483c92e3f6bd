/*
 * One event's row as people read it.
 */
#include "nsyscope/open.h"

#include "support/cm.h"
#include "support/make_db.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static char folder[NSC_TEST_PATH], path[NSC_TEST_PATH];
static struct nsc_capture *capture;
static struct nsc_trace *trace;
static struct nsc_details details;

static const char *const rows =
    "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);"
    "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2024.5.1.113');"
    "INSERT INTO StringIds VALUES (1, 'void k<int>(int*)'), (2, 'k'), (3, 'esc\033[31m');"
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000000000, 1000002500, 0, 1, 7, 9, "
    "281476654432256, 1, 2, 132, 1, 1);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, "
    "streamId INTEGER, bytes "
    "INTEGER, copyKind INTEGER, srcKind INTEGER, vacant INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (0, 1000000000, 0, 7, 1073741824, 1, 0, NULL);"
    "CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER PRIMARY KEY, name TEXT, label TEXT);"
    "INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, 'X', 'Own label');"
    "INSERT INTO NVTX_EVENTS (start, eventType, text, globalTid, domainId, category, color, end) "
    "VALUES (0, 75, 'Dom', "
    "281476654432261, 2, NULL, NULL, NULL), (0, 33, 'Cat', 281476654432261, 2, 6, NULL, NULL), (5, "
    "59, 'r\033]0;x', "
    "281476654432261, 2, 6, 4278255360, 8), (5, 60, NULL, 281476654432261, 3, 7, NULL, 8);"
    "UPDATE NVTX_EVENTS SET textId = 3 WHERE rowid = 4;"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, syncType "
    "INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1, 2, 3);"
    "CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, "
    "nameId "
    "INTEGER NOT NULL, callchainId INTEGER);"
    "INSERT INTO OSRT_API VALUES (10, 20, 281476654432261, 2, 5), (30, 40, 281476654432261, 2, 6);"
    "CREATE TABLE OSRT_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER, stackDepth INTEGER);"
    "INSERT INTO StringIds VALUES (10, 'inner'), (11, '/usr/lib/libx.so'), (12, 'outer\033[1m');"
    "INSERT INTO OSRT_CALLCHAINS VALUES (5, 12, 99, 1), (5, 10, 11, 0), (7, 10, 11, 0);"
    "CREATE TABLE TARGET_INFO_GPU (id INTEGER, maxWarpsPerSm INTEGER, maxBlocksPerSm INTEGER, "
    "maxRegistersPerSm INTEGER, maxShmemPerSm INTEGER, threadsPerWarp INTEGER, computeMajor "
    "INTEGER);"
    "INSERT INTO TARGET_INFO_GPU VALUES (0, 64, 32, 65536, 98304, 32, 7);"
    "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN blockX INTEGER DEFAULT 128;"
    "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN blockY INTEGER DEFAULT 1;"
    "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN blockZ INTEGER DEFAULT 1;"
    "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN registersPerThread INTEGER DEFAULT 255;"
    "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN staticSharedMemory INTEGER DEFAULT 0;"
    "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN dynamicSharedMemory INTEGER DEFAULT "
    "33280;";

static int set_up(void **state)
{
    struct nsc_error error = {NSC_OK, ""};

    (void)state;
    nsc_test_folder_new(folder);
    nsc_test_path(path, folder, "x");
    nsc_test_db(path, nsc_test_schema);
    nsc_test_db(path, rows);
    assert_int_equal(nsc_capture_open(&capture, path, NULL, &error), NSC_OK);
    assert_int_equal(nsc_capture_load(&trace, capture, NULL, &error), NSC_OK);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    nsc_details_fini(&details);
    nsc_trace_free(trace);
    nsc_capture_close(capture);
    nsc_test_folder_free(folder);
    return 0;
}

static void fetch(enum nsc_kind kind, uint32_t source)
{
    struct nsc_error error = {NSC_OK, ""};

    nsc_details_fini(&details);
    if (nsc_capture_details(&details, capture, kind, source, &error) != NSC_OK)
        fail_msg("%s", error.text);
}

/* The detail of that name reads so; NULL: there is none. */
static void expect(const char *name, const char *value)
{
    uint32_t i;

    for (i = 0; i < details.n; i++) {
        assert_null(strchr(details.at[i].value, '\033'));
        if (strcmp(details.at[i].name, name) != 0)
            continue;
        assert_non_null(value);
        assert_string_equal(details.at[i].value, value);
        return;
    }
    assert_null(value);
}

TEST_WITH(test_kernel, set_up, tear_down)
{
    fetch(NSC_KIND_KERNEL, 1);
    expect("duration", "2.50 \u00b5s");
    expect("grid", "132x1x1");
    expect("block", "128x1x1");
    expect("cluster", NULL);
    expect("start", "1.000 000 000 s");
    expect("demangledName", "void k<int>(int*)");
    expect("shortName", "k");
    expect("globalPid", "process 100");
    expect("correlationId", "9");
}

TEST_WITH(test_copy, set_up, tear_down)
{
    fetch(NSC_KIND_COPY_HTOD, 1);
    expect("throughput", "1.0 GiB/s");
    expect("bytes", "1.0 GiB (1073741824)");
    expect("copyKind", "Host-to-Device (1)");
    expect("srcKind", "Own label (0)");
    expect("vacant", NULL);
}

TEST_WITH(test_range, set_up, tear_down)
{
    fetch(NSC_KIND_NVTX_RANGE, 3);
    expect("domainId", "Dom (2)");
    expect("category", "Cat (6)");
    expect("color", "#FF00FF00");
    expect("eventType", "NvtxPushPopRange (59)");
    expect("globalTid", "process 100, thread 5");
    fetch(NSC_KIND_NVTX_SPAN, 4);
    expect("domainId", "3");
    expect("category", "7");
    assert_int_not_equal(details.n, 0);
}

/* The types of synchronization of early exporters are not reliable. */
TEST_WITH(test_sync_type, set_up, tear_down)
{
    fetch(NSC_KIND_SYNC, 1);
    expect("syncType", "3");
}

TEST_WITH(test_no_row, set_up, tear_down)
{
    struct nsc_error error = {NSC_OK, ""};

    assert_int_equal(nsc_capture_details(&details, capture, NSC_KIND_KERNEL, 99, &error),
                     NSC_ENODATA);
    assert_int_equal(nsc_capture_details(&details, capture, NSC_KIND_KERNEL, NSC_NONE, NULL),
                     NSC_ENODATA);
    assert_int_equal(nsc_capture_details(&details, capture, NSC_KIND_SAMPLE, 1, NULL), NSC_ENODATA);
    assert_int_equal(nsc_capture_details(&details, capture, NSC_KIND_UNKNOWN, 1, NULL),
                     NSC_ENODATA);
}

/* From the innermost frame; a missing chain gives none. */
TEST_WITH(a_call_stack_is_told_frame_by_frame, set_up, tear_down)
{
    fetch(NSC_KIND_OSRT, 1);
    expect("#0", "inner  libx.so");
    expect("#1", "outer\342\220\233[1m  ");
    expect("#2", NULL);
    fetch(NSC_KIND_OSRT, 2);
    expect("#0", NULL);
}

TEST_WITH(occupancy_comes_from_the_device, set_up, tear_down)
{
    fetch(NSC_KIND_KERNEL, 1);
    expect("occupancy", "at most 12.5 %: 2 blocks, 8 of 64 warps an SM, limited by registers");
}

/* Overwrites the page of a table. */
static void damage(const char *file, const char *table)
{
    static const char zeros[4096];
    char sql[128];
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    FILE *out;

    snprintf(sql, sizeof sql, "SELECT rootpage - 1 FROM sqlite_schema WHERE name = '%s'", table);
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    out = fopen(file, "r+b");
    assert_non_null(out);
    assert_int_equal(fseek(out, sqlite3_column_int(row, 0) * (long)sizeof zeros, SEEK_SET), 0);
    sqlite3_finalize(row);
    sqlite3_close(db);
    assert_int_equal(fwrite(zeros, sizeof zeros, 1, out), 1);
    assert_int_equal(fclose(out), 0);
}

/* Read, it would be a payload without values. */
TEST_WITH(a_payload_says_that_its_schema_is_damaged, set_up, tear_down)
{
    struct nsc_error error = {NSC_OK, ""};
    bool is_told = false;

    nsc_trace_free(trace);
    trace = NULL;
    nsc_capture_close(capture);
    capture = NULL;
    nsc_test_db(path, "ALTER TABLE NVTX_EVENTS ADD COLUMN binaryData;"
                      "INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, domainId, "
                      "binaryData) VALUES (9, 10, 59, 281476654432261, 9, "
                      "'09000000000000000100000000000000180000000000000020000000000000000700000000"
                      "000000');"
                      "CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER NOT NULL, "
                      "schemaId INTEGER NOT NULL, idx INTEGER NOT NULL, type INTEGER, name TEXT, "
                      "offset INTEGER);"
                      "INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (9, 1, 0, 18, 'id', 0);");
    damage(path, "NVTX_PAYLOAD_SCHEMA_ENTRIES");
    assert_int_equal(nsc_capture_open(&capture, path, NULL, &error), NSC_OK);
    fetch(NSC_KIND_NVTX_RANGE, 5);
    for (uint32_t i = 0; i < details.n; i++)
        is_told |= strcmp(details.at[i].name, "payload") == 0 &&
                   strstr(details.at[i].value, "NVTX_PAYLOAD_SCHEMA_ENTRIES");
    assert_true(is_told);
}
