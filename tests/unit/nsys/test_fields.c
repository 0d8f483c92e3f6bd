/* Unit tests of columns outside of the index: of events, of whole tables, and missing ones. */
#include "core/progress.h"
#include "nsys/tables/fields.h"
#include "support/cm.h"
#include "support/make_db.h"

#include <stdio.h>
#include <string.h>

static char folder[NSC_TEST_PATH], path[NSC_TEST_PATH];
static struct nsc_capture *capture;
static struct nsc_trace *trace;

static const char *const rows =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, "
    "streamId INTEGER, copyKind INTEGER, BYTES INTEGER, nameId INTEGER, note TEXT, weight, "
    "made INTEGER GENERATED ALWAYS AS (start + 1) VIRTUAL);"
    "INSERT INTO StringIds VALUES (4, 'four'), (5, 'five');"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (rowid, start, end, deviceId, streamId, copyKind, "
    "BYTES, nameId, note, weight) VALUES"
    "(7, 300, 310, 0, 7, 1, 64, 4, 'a', 1.5),"
    "(9, 100, 110, 0, 7, 2, NULL, 5, NULL, 3),"
    "(12, 200, 190, 0, 7, 1, 77, 4, 'skipped', 9),"
    "(4000000, 200, 210, 1, 7, 8, 'text', 6, 'b', 'x'),"
    "(5000000000, 400, 410, 1, 7, 8, 13, 4, 'far', 1);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 1, 7, 9, 0, 4, 5, 132, 2, NULL);"
    "CREATE TABLE TARGET_INFO_GPU (deviceId INTEGER, name);"
    "INSERT INTO TARGET_INFO_GPU VALUES (3, 'three'), (1, 'one'), (2, 77);";

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
    nsc_trace_free(trace);
    nsc_capture_close(capture);
    nsc_test_folder_free(folder);
    return 0;
}

static struct nsc_fields *ask(enum nsc_kind kind, const struct nsc_field_ask asks[], uint32_t n)
{
    struct nsc_fields_query query = {.kind = kind, .asks = asks, .n_asks = n};
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_fields *fields = NULL;

    if (nsc_fields_read(&fields, capture, trace, &query, &error) != NSC_OK)
        fail_msg("%s", error.text);
    return fields;
}

/* The event that came from a row of the copies. */
static nsc_event copy_of(uint32_t source)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    for (nsc_event e = 0; e < events->n; e++)
        if (nsc_kind_is_copy(events->kind[e]) && events->source[e] == source)
            return e;
    fail_msg("no event of row %u", source);
    return NSC_NONE;
}

TEST(test_cells)
{
    static const struct nsc_field_ask asks[] = {
        {"bytes", NSC_FIELD_INT},    {"nameId", NSC_FIELD_STRING}, {"note", NSC_FIELD_TEXT},
        {"weight", NSC_FIELD_REAL},  {"absent", NSC_FIELD_INT},    {"made", NSC_FIELD_INT},
        {"copyKind", NSC_FIELD_INT},
    };
    struct nsc_fields *fields = ask(NSC_KIND_COPY_DTOH, asks, 7);
    uint32_t seven = nsc_fields_find(fields, copy_of(7));
    uint32_t nine = nsc_fields_find(fields, copy_of(9));
    uint32_t big = nsc_fields_find(fields, copy_of(4000000));
    uint32_t far = nsc_fields_find(fields, copy_of(NSC_NONE));
    int64_t value;

    assert_int_equal(fields->n, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(nsc_fields_find(fields, fields->event[i]), i);
    assert_true(nsc_fields_int(&value, fields, 0, seven));
    assert_int_equal(value, 64);
    assert_false(nsc_fields_int(&value, fields, 0, nine));
    assert_false(nsc_fields_int(&value, fields, 0, big));
    assert_int_equal(value, 0);
    assert_false(nsc_fields_int(&value, fields, 0, far));
    assert_string_equal(nsc_fields_text(fields, 1, seven).bytes, "four");
    assert_string_equal(nsc_fields_text(fields, 1, nine).bytes, "five");
    assert_false(nsc_fields_int(&value, fields, 1, big));
    assert_string_equal(nsc_fields_text(fields, 2, big).bytes, "b");
    assert_int_equal(nsc_fields_text(fields, 2, nine).n, 0);
    assert_false(nsc_fields_has(fields, 4));
    assert_false(nsc_fields_has(fields, 5));
    assert_false(nsc_fields_int(&value, fields, 4, seven));
    assert_true(nsc_fields_int(&value, fields, 6, big));
    assert_int_equal(value, 8);
    nsc_fields_free(fields);
}

TEST(test_other_kinds)
{
    static const struct nsc_field_ask asks[] = {{"gridX", NSC_FIELD_INT}, {"gridZ", NSC_FIELD_INT}};
    struct nsc_fields *fields = ask(NSC_KIND_KERNEL, asks, 2);
    int64_t value;

    assert_int_equal(fields->n, 1);
    assert_int_equal(nsc_fields_find(fields, copy_of(7)), NSC_NONE);
    assert_true(nsc_fields_int(&value, fields, 0, 0));
    assert_int_equal(value, 132);
    assert_false(nsc_fields_int(&value, fields, 1, 0));
    assert_false(nsc_fields_int(&value, fields, 0, NSC_NONE));
    nsc_fields_free(fields);
    fields = ask(NSC_KIND_MEMSET, asks, 2);
    assert_int_equal(fields->n, 0);
    assert_false(nsc_fields_has(fields, 0));
    nsc_fields_free(fields);
    assert_false(nsc_fields_has(NULL, 0));
    nsc_fields_free(NULL);
}

TEST(test_table)
{
    static const struct nsc_field_ask asks[] = {{"id", NSC_FIELD_INT}, {"name", NSC_FIELD_TEXT}};
    struct nsc_fields_query query = {.table = "target_info_gpu", .asks = asks, .n_asks = 2};
    struct nsc_fields *fields;
    int64_t value;

    assert_int_equal(nsc_fields_read_table(&fields, capture, &query, NULL), NSC_OK);
    assert_int_equal(fields->n, 3);
    assert_true(nsc_fields_int(&value, fields, 0, 0));
    assert_int_equal(value, 3);
    assert_string_equal(nsc_fields_text(fields, 1, 1).bytes, "one");
    assert_false(nsc_fields_int(&value, fields, 1, 2)); /* a number is no text */
    assert_string_equal(nsc_fields_text(fields, 1, 2).bytes, "");
    nsc_fields_free(fields);
    query.table = "NO_SUCH_TABLE";
    assert_int_equal(nsc_fields_read_table(&fields, capture, &query, NULL), NSC_OK);
    assert_int_equal(fields->n, 0);
    assert_false(nsc_fields_has(fields, 0));
    nsc_fields_free(fields);
}

/* An export whose trace this connection has not loaded has texts of string ids too. */
TEST(test_strings_without_a_load)
{
    static const struct nsc_field_ask asks[] = {{"nameId", NSC_FIELD_STRING}};
    struct nsc_fields_query query = {
        .table = "CUPTI_ACTIVITY_KIND_MEMCPY", .asks = asks, .n_asks = 1};
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_capture *other = NULL;
    struct nsc_fields *fields = NULL;

    assert_int_equal(nsc_capture_open(&other, path, NULL, &error), NSC_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(nsc_fields_read_table(&fields, other, &query, &error), NSC_OK);
        assert_string_equal(nsc_fields_text(fields, 0, 0).bytes, "four");
        assert_string_equal(nsc_fields_text(fields, 0, 1).bytes, "five");
        nsc_fields_free(fields);
    }
    nsc_capture_close(other);
}

TEST(test_cancel)
{
    static const struct nsc_field_ask asks[] = {{"bytes", NSC_FIELD_INT}};
    struct nsc_progress *progress = nsc_progress_new();
    struct nsc_fields_query query = {.kind = NSC_KIND_COPY_HTOD,
                                     .table = "TARGET_INFO_GPU",
                                     .asks = (struct nsc_field_ask[]){{"name", NSC_FIELD_TEXT}},
                                     .n_asks = 1,
                                     .progress = progress};
    struct nsc_fields *fields;

    nsc_progress_cancel(progress);
    assert_int_equal(nsc_fields_read_table(&fields, capture, &query, NULL), NSC_ECANCELLED);
    assert_null(fields);
    query.asks = asks;
    assert_int_equal(nsc_fields_read(&fields, capture, trace, &query, NULL), NSC_ECANCELLED);
    assert_null(fields);
    nsc_progress_free(progress);
}

/* A row that existed when the trace was made and is gone. */
TEST(test_changed)
{
    static const struct nsc_field_ask asks[] = {{"bytes", NSC_FIELD_INT}};
    struct nsc_fields_query query = {.kind = NSC_KIND_COPY_HTOD, .asks = asks, .n_asks = 1};
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_capture *other;
    struct nsc_fields *fields;
    char copy[NSC_TEST_PATH];

    nsc_test_path(copy, folder, "y");
    nsc_test_db(copy, nsc_test_schema);
    nsc_test_db(copy, rows);
    nsc_test_db(copy, "DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE rowid = 9");
    assert_int_equal(nsc_capture_open(&other, copy, NULL, &error), NSC_OK);
    assert_int_equal(nsc_fields_read(&fields, other, trace, &query, &error), NSC_EDAMAGED);
    assert_null(fields);
    assert_non_null(strstr(error.text, "load it again"));
    nsc_capture_close(other);
}

/* n copies, of which every second one ends with the trace, and of these every second one has no
 * size. */
static struct nsc_capture *open_copies(const char *name, int n)
{
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_capture *out;
    char file[NSC_TEST_PATH], insert[200];

    nsc_test_path(file, folder, name);
    nsc_test_db(file, nsc_test_schema);
    nsc_test_db(file, "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, "
                      "deviceId INTEGER, streamId INTEGER, copyKind INTEGER, bytes INTEGER)");
    for (int i = 1; i <= n; i++) {
        snprintf(insert, sizeof insert,
                 "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (%d, %d, 0, 7, 1, %s)", 10 * i,
                 i % 2 ? 10 * i + 5 : 5000, i % 4 ? "77" : "NULL");
        nsc_test_db(file, insert);
    }
    assert_int_equal(nsc_capture_open(&out, file, NULL, &error), NSC_OK);
    return out;
}

static bool ends_last(const struct nsc_trace *of, nsc_event event)
{
    return nsc_event_end(nsc_trace_events(of), event) == 5000;
}

/* Few rows are looked up, many are scanned. */
static void check_last(const char *name, const char *cut, int n)
{
    static const struct nsc_field_ask asks[] = {{"bytes", NSC_FIELD_INT}};
    struct nsc_fields_query query = {
        .kind = NSC_KIND_COPY_HTOD, .asks = asks, .n_asks = 1, .wants = ends_last};
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_capture *whole = open_copies(name, n), *less = open_copies(cut, 1);
    struct nsc_trace *all;
    struct nsc_fields *fields;
    int64_t bytes;

    assert_int_equal(nsc_capture_load(&all, whole, NULL, &error), NSC_OK);
    assert_int_equal(nsc_fields_read(&fields, whole, all, &query, &error), NSC_OK);
    assert_int_equal(fields->n, n / 2);
    for (uint32_t row = 0; row < fields->n; row++) {
        nsc_time start = nsc_trace_events(all)->start[fields->event[row]];

        assert_int_equal(start % 20, 0);
        assert_int_equal(nsc_fields_int(&bytes, fields, 0, row), start % 40 != 0);
        assert_int_equal(bytes, start % 40 ? 77 : 0);
    }
    nsc_fields_free(fields);
    assert_int_equal(nsc_fields_read(&fields, less, all, &query, &error), NSC_EDAMAGED);
    assert_non_null(strstr(error.text, "load it again"));
    nsc_trace_free(all);
    nsc_capture_close(whole);
    nsc_capture_close(less);
}

TEST(test_last)
{
    check_last("few", "none", 8);
    check_last("many", "no more", 80);
}

static bool is_far_apart(const struct nsc_trace *of, nsc_event event)
{
    return nsc_trace_events(of)->start[event] % 1500 == 0;
}

/* Rows far apart: the scan reads only the pages that hold them. */
TEST(test_sparse)
{
    static const struct nsc_field_ask asks[] = {{"bytes", NSC_FIELD_INT}};
    struct nsc_fields_query query = {
        .kind = NSC_KIND_COPY_HTOD, .asks = asks, .n_asks = 1, .wants = is_far_apart};
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_capture *sparse;
    struct nsc_trace *all;
    struct nsc_fields *fields;
    char file[NSC_TEST_PATH];
    int64_t bytes;

    nsc_test_path(file, folder, "sparse");
    nsc_test_db(file, nsc_test_schema);
    nsc_test_db(file, "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, "
                      "deviceId INTEGER, streamId INTEGER, copyKind INTEGER, bytes INTEGER);"
                      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) "
                      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY "
                      "SELECT 10 * i, 10 * i + 5, 0, 7, 1, i FROM n");
    assert_int_equal(nsc_capture_open(&sparse, file, NULL, &error), NSC_OK);
    assert_int_equal(nsc_capture_load(&all, sparse, NULL, &error), NSC_OK);
    assert_int_equal(nsc_fields_read(&fields, sparse, all, &query, &error), NSC_OK);
    assert_int_equal(fields->n, 20);
    for (uint32_t row = 0; row < fields->n; row++) {
        assert_true(nsc_fields_int(&bytes, fields, 0, row));
        assert_int_equal(10 * bytes, nsc_trace_events(all)->start[fields->event[row]]);
    }
    nsc_fields_free(fields);
    nsc_trace_free(all);
    nsc_capture_close(sparse);
}

/* ---- whole tables ---- */

static struct nsc_fields *read_table(const char *file, bool no_pages,
                                     const struct nsc_fields_query *query)
{
    struct nsc_open_options options = {.no_pages = no_pages, .threads = 3};
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_capture *opened;
    struct nsc_fields *fields;

    assert_int_equal(nsc_capture_open(&opened, file, &options, &error), NSC_OK);
    assert_int_equal(nsc_fields_read_table(&fields, opened, query, &error), NSC_OK);
    nsc_capture_close(opened);
    return fields;
}

/* Both ways of reading give row * 3, and its text or bytes, in the order of the row ids. */
static void check_both_ways(const char *file, const struct nsc_fields_query *query, uint32_t n)
{
    for (int no_pages = 0; no_pages < 2; no_pages++) {
        struct nsc_fields *fields = read_table(file, no_pages, query);

        assert_int_equal(fields->n, n);
        for (uint32_t row = 0; row < n; row++) {
            int64_t id = 0, value = 0;
            char want[32] = "";

            assert_true(nsc_fields_int(&id, fields, 0, row));
            assert_int_equal(id, (query->only ? 4 : 1) * (row + 1));
            assert_true(nsc_fields_int(&value, fields, 1, row));
            assert_int_equal(value, 3 * id);
            if (id % 4 == 0)
                snprintf(want, sizeof want, "text %d", (int)id);
            assert_string_equal(nsc_fields_text(fields, 2, row).bytes, want);
        }
        nsc_fields_free(fields);
    }
}

TEST(test_large_tables)
{
    static const struct nsc_field_ask asks[] = {
        {"rowid", NSC_FIELD_INT}, {"value", NSC_FIELD_INT}, {"data", NSC_FIELD_BYTES}};
    static const struct nsc_field_ask empty[] = {{"none", NSC_FIELD_INT}};
    struct nsc_fields_query all = {.table = "MANY", .asks = asks, .n_asks = 3};
    struct nsc_fields_query some = {.table = "MANY", .asks = asks, .n_asks = 3, .only = "data"};
    struct nsc_fields_query none = {.table = "MANY", .asks = empty, .n_asks = 1, .only = "none"};
    char file[NSC_TEST_PATH];

    nsc_test_path(file, folder, "large");
    nsc_test_db(file, nsc_test_schema);
    nsc_test_db(file, "CREATE TABLE MANY (none INTEGER, value INTEGER, data TEXT);"
                      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60000) "
                      "INSERT INTO MANY SELECT NULL, 3 * i, CASE WHEN i % 4 = 0 THEN 'text ' || i "
                      "END FROM n");
    check_both_ways(file, &all, 60000);
    check_both_ways(file, &some, 15000);
    for (int no_pages = 0; no_pages < 2; no_pages++) {
        struct nsc_fields *fields = read_table(file, no_pages, &none);

        assert_int_equal(fields->n, 0);
        nsc_fields_free(fields);
    }
    nsc_test_db(file, "UPDATE MANY SET data = CAST(data AS BLOB) WHERE rowid % 8 = 0");
    check_both_ways(file, &all, 60000);
    check_both_ways(file, &some, 15000);
}

TEST_MAIN
{
    return nsc_test_run(set_up, tear_down);
}
