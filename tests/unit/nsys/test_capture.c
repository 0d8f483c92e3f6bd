/*
 * Unit tests of loading: rows kept, rows skipped with reasons, tables left out, and refused files.
 * promises: A14 A15 A19 A20 A23 F6
 */
#include "nsyscope/open.h"

#include "support/cm.h"
#include "support/make_db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL "CUPTI_ACTIVITY_KIND_KERNEL"

/* globalTid of process 100, thread 5: hardware 0, VM 1. */
#define TID "281476654432261"
#define PID "281476654432256"

static char folder[NSC_TEST_PATH], path[NSC_TEST_PATH];
static struct nsc_capture *capture;
static struct nsc_trace *trace;

static int set_up(void **state)
{
    (void)state;
    nsc_test_folder_new(folder);
    nsc_test_path(path, folder, "x");
    capture = NULL;
    trace = NULL;
    return 0;
}

static void unload(void)
{
    nsc_trace_free(trace);
    nsc_capture_close(capture);
    trace = NULL;
    capture = NULL;
}

static int tear_down(void **state)
{
    (void)state;
    unload();
    nsc_test_folder_free(folder);
    return 0;
}

static void load(const struct nsc_open_options *options)
{
    struct nsc_error error = {NSC_OK, ""};

    unload();
    if (nsc_capture_open(&capture, path, options, &error) != NSC_OK ||
        nsc_capture_load(&trace, capture, NULL, &error) != NSC_OK)
        fail_msg("%s", error.text);
}

/* A new database with these rows, loaded. */
static void load_rows(const char *sql)
{
    nsc_test_db(path, nsc_test_schema);
    nsc_test_db(path, sql);
    load(NULL);
}

static const struct nsc_table_status *report(const char *name)
{
    uint32_t n, i;
    const struct nsc_table_status *reports = nsc_capture_tables(capture, &n);

    for (i = 0; i < n; i++)
        if (strcmp(reports[i].name, name) == 0)
            return &reports[i];
    fail_msg("no table %s", name);
    return NULL;
}

/* The only event of the kind; fails if there are more or none. */
static nsc_event only(enum nsc_kind kind)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event found = NSC_NONE;
    uint32_t i;

    for (i = 0; i < events->n; i++) {
        if (events->kind[i] != kind)
            continue;
        assert_int_equal(found, NSC_NONE);
        found = i;
    }
    assert_int_not_equal(found, NSC_NONE);
    return found;
}

static void expect_text(nsc_event event, bool brief, const char *want)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text = nsc_trace_event_text(trace, event, brief, scratch);

    assert_int_equal(text.n, strlen(want));
    assert_memory_equal(text.bytes, want, text.n);
}

static bool warned(const char *part)
{
    uint32_t n, i;
    const char *const *warnings = nsc_capture_warnings(capture, &n);

    for (i = 0; i < n; i++)
        if (strstr(warnings[i], part))
            return true;
    return false;
}

TEST_WITH(test_types, set_up, tear_down)
{
    nsc_test_db(path,
                "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); CREATE TABLE " KERNEL
                " (start, end, deviceId, streamId)");
    nsc_test_db(path,
                "INSERT INTO " KERNEL
                " VALUES ('abc', 20, 0, 7), (x'00', 20, 0, 7), (1.5, 20, 0, 7), (NULL, 20, 0, "
                "7), (9e999, 20, 0, 7), (-9e999, 20, 0, 7), ('0x10', 20, 0, 7), (10, ' 7 ', 0, 7), "
                "(10, '12abc', 0, "
                "7), (10, 20, NULL, 7), (10, 20, 0, 7)");
    load(NULL);
    assert_int_equal(report(KERNEL)->rows, 11);
    assert_int_equal(report(KERNEL)->events, 1);
    assert_int_equal(report(KERNEL)->skipped[NSC_SKIP_TYPE], 10);
    assert_true(warned("10 rows skipped (type)"));
}

TEST_WITH(test_extreme_times, set_up, tear_down)
{
    const struct nsc_events *events;

    load_rows(
        "INSERT INTO " KERNEL
        " (start, end, deviceId, contextId, streamId, demangledName, shortName) VALUES "
        "(-9223372036854775808, 9223372036854775807, 0, 1, 7, 0, 0), (0, 9223372036854775807, 0, "
        "1, 7, 0, 0), "
        "(-9223372036854775808, 0, 0, 1, 7, 0, 0), (5, 4, 0, 1, 7, 0, 0), (-7, -7, 0, 1, 7, 0, 0), "
        "(-9223372036854775808, -9223372036854775807, 0, 1, 7, 0, 0), (0, 9223372036854775806, 0, "
        "1, 8, 0, "
        "0)");
    assert_int_equal(report(KERNEL)->skipped[NSC_SKIP_OVERFLOW], 2);
    assert_int_equal(report(KERNEL)->skipped[NSC_SKIP_NEGATIVE], 1);
    assert_int_equal(report(KERNEL)->events, 4);
    events = nsc_trace_events(trace);
    assert_int_equal(events->n, 4);
}

TEST_WITH(test_missing_strings, set_up, tear_down)
{
    load_rows("INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'); INSERT INTO " KERNEL
              " (start, end, deviceId, contextId, streamId, globalPid, correlationId, "
              "demangledName, shortName) VALUES "
              "(10, 20, 0, 1, 7, " PID
              ", 42, 9223372036854775807, -3); INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES "
              "(1, 5, 0, " TID ", 42, 1)");
    assert_int_equal(report(KERNEL)->missing_names, 1);
    expect_text(only(NSC_KIND_KERNEL), true, "[string -3 missing]");
    expect_text(only(NSC_KIND_KERNEL), false, "[string 9223372036854775807 missing]");
    expect_text(only(NSC_KIND_API_RUNTIME), false, "cudaLaunchKernel_v7000");
    expect_text(only(NSC_KIND_API_RUNTIME), true, "cudaLaunchKernel");
    assert_int_equal(nsc_trace_events(trace)->link[only(NSC_KIND_KERNEL)],
                     only(NSC_KIND_API_RUNTIME));
}

TEST_WITH(test_api_classes, set_up, tear_down)
{
    load_rows("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 5, 0, " TID
              ", 1, 1), (6, 7, 1, " TID ", 2, 1), (1, 6, 67, " TID ", 1, 1)");
    assert_int_equal(report("CUPTI_ACTIVITY_KIND_RUNTIME")->skipped[NSC_SKIP_DUPLICATE], 1);
    (void)only(NSC_KIND_API_RUNTIME);
    (void)only(NSC_KIND_API_DRIVER);
}

/* Texts of one id, in turn with other ids and colors that share their place in a memory of texts. */
TEST_WITH(test_texts_by_id, set_up, tear_down)
{
    static const char *const want[] = {"step 7", "other 8", "step 7", "[string 2049 missing]",
                                       "step 7", "step 7",  "inline"};
    static const bool colored[] = {false, false, false, false, true, false, false};
    const struct nsc_names *names;
    const struct nsc_events *events;

    load_rows("INSERT INTO StringIds VALUES (1, 'step 7'), (1025, 'other 8'); "
              "INSERT INTO NVTX_EVENTS (start, end, eventType, text, textId, color, globalTid) "
              "VALUES (1, 2, 59, NULL, 1, NULL, " TID "), (3, 4, 59, NULL, 1025, NULL, " TID
              "), (5, 6, 59, NULL, 1, NULL, " TID "), (7, 8, 59, NULL, 2049, NULL, " TID
              "), (9, 10, 59, NULL, 1, 255, " TID "), (11, 12, 59, NULL, 1, NULL, " TID
              "), (13, 14, 59, 'inline', 1, NULL, " TID ")");
    events = nsc_trace_events(trace);
    names = nsc_trace_names(trace);
    assert_int_equal(events->n, 7);
    for (nsc_event i = 0; i < events->n; i++) {
        expect_text(i, false, want[i]);
        assert_int_equal((names->flags[events->name[i]] & NSC_NAME_COLORED) != 0, colored[i]);
    }
    assert_int_equal(report("NVTX_EVENTS")->missing_names, 1);
}

TEST_WITH(test_nvtx, set_up, tear_down)
{
    const struct nsc_events *events;

    load_rows("INSERT INTO StringIds VALUES (1, 'registered'); INSERT INTO NVTX_EVENTS (start, "
              "end, eventType, text, textId, "
              "globalTid, domainId, color) VALUES (-50, NULL, 75, 'Dom', NULL, " TID
              ", 1, NULL), (10, 90, 59, 'a' || "
              "char(0) || 'b', NULL, " TID ", 0, NULL), (20, NULL, 60, NULL, 1, " TID
              ", 1, 4278255360), (30, NULL, 34, "
              "'mark', NULL, " TID ", 1, NULL), (40, 41, 35, 'half', NULL, " TID
              ", 0, NULL), (50, NULL, 39, 'renamed', "
              "NULL, " TID ", 0, NULL), (60, NULL, 76, NULL, NULL, " TID ", 1, NULL)");
    events = nsc_trace_events(trace);
    assert_int_equal(report("NVTX_EVENTS")->rows, 7);
    assert_int_equal(report("NVTX_EVENTS")->events, 3);
    assert_int_equal(report("NVTX_EVENTS")->skipped[NSC_SKIP_KIND], 1);
    assert_int_equal(nsc_event_end(events, only(NSC_KIND_NVTX_SPAN)), 90);
    assert_int_equal(nsc_event_duration(events, only(NSC_KIND_NVTX_MARK)), 0);
    expect_text(only(NSC_KIND_NVTX_SPAN), false, "registered");
    {
        char scratch[NSC_NAME_BYTES];
        struct nsc_text text =
            nsc_trace_event_text(trace, only(NSC_KIND_NVTX_RANGE), false, scratch);

        assert_int_equal(text.n, 3);
        assert_memory_equal(text.bytes, "a\0b", 3);
    }
    {
        uint32_t n, i;
        const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
        bool found = false;

        for (i = 0; i < n; i++) {
            struct nsc_text label = nsc_trace_string(trace, tracks[i].label);

            found |= tracks[i].kind == NSC_TRACK_THREAD && strstr(label.bytes, "renamed");
            if (tracks[i].kind == NSC_TRACK_SPANS)
                assert_non_null(strstr(label.bytes, "Dom"));
        }
        assert_true(found);
    }
}

TEST_WITH(test_copies, set_up, tear_down)
{
    static const struct {
        int copy;
        enum nsc_kind kind;
    } cases[] = {{1, NSC_KIND_COPY_HTOD},  {11, NSC_KIND_COPY_HTOD}, {3, NSC_KIND_COPY_HTOD},
                 {2, NSC_KIND_COPY_DTOH},  {12, NSC_KIND_COPY_DTOH}, {4, NSC_KIND_COPY_DTOH},
                 {8, NSC_KIND_COPY_DTOD},  {13, NSC_KIND_COPY_DTOD}, {5, NSC_KIND_COPY_DTOD},
                 {6, NSC_KIND_COPY_DTOD},  {7, NSC_KIND_COPY_DTOD},  {10, NSC_KIND_COPY_PTOP},
                 {0, NSC_KIND_COPY_OTHER}, {9, NSC_KIND_COPY_OTHER}, {99, NSC_KIND_COPY_OTHER}};
    const struct nsc_events *events;
    size_t i;

    nsc_test_db(path, "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); CREATE TABLE "
                      "CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, "
                      "streamId INTEGER, "
                      "copyKind INTEGER)");
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        char sql[128];

        snprintf(sql, sizeof sql,
                 "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (%zu, %zu, 0, 7, %d)", i * 10,
                 i * 10 + 5, cases[i].copy);
        nsc_test_db(path, sql);
    }
    load(NULL);
    events = nsc_trace_events(trace);
    assert_int_equal(events->n, sizeof cases / sizeof *cases);
    for (i = 0; i < events->n; i++)
        assert_int_equal(events->kind[i], cases[events->start[i] / 10].kind);
}

static const char *const some_kernels =
    "WITH RECURSIVE c(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM c WHERE x < 9999) INSERT "
    "INTO " KERNEL " (start, end, deviceId, contextId, streamId, globalPid, demangledName, "
    "shortName) SELECT x * 100, x * 100 + 50, x % "
    "4, 1, 7, ((1 << 24) + 100 + x % 2) << 24, 0, 0 FROM c";

TEST_WITH(test_trim, set_up, tear_down)
{
    static const int64_t gpus[] = {1, 3};
    static const uint32_t pids[] = {101};
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;

    load_rows(some_kernels);
    assert_int_equal(report(KERNEL)->events, 10000);
    options.has_trim = true;
    options.trim = (struct nsc_window){149, 501};
    load(&options);
    assert_int_equal(report(KERNEL)->events, 5);
    assert_int_equal(report(KERNEL)->trimmed, 9995);
    options.trim = (struct nsc_window){150, 500};
    load(&options);
    assert_int_equal(report(KERNEL)->events, 3);
    options.has_trim = false;
    options.gpus = gpus;
    options.n_gpus = 2;
    load(&options);
    assert_int_equal(report(KERNEL)->events, 5000);
    options.n_gpus = 0;
    options.gpus = NULL;
    options.pids = pids;
    options.n_pids = 1;
    load(&options);
    assert_int_equal(report(KERNEL)->events, 5000);
}

TEST_WITH(test_tables, set_up, tear_down)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_capture *none;

    load_rows("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 5, 0, " TID
              ", 1, 1); INSERT INTO " KERNEL
              " (start, end, deviceId, contextId, streamId, demangledName, shortName) VALUES (1, "
              "2, 0, 1, 7, 0, 0)");
    assert_int_equal(nsc_trace_events(trace)->n, 2);
    options.tables = "nvtx,API";
    load(&options);
    assert_int_equal(report(KERNEL)->status, NSC_TABLE_EXCLUDED);
    assert_int_equal(nsc_trace_events(trace)->n, 1);
    options.tables = KERNEL;
    load(&options);
    (void)only(NSC_KIND_KERNEL);
    options.tables = "nonsense";
    assert_int_equal(nsc_capture_open(&none, path, &options, &error), NSC_EINVAL);
}

TEST_WITH(test_memory, set_up, tear_down)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_trace *none;

    load_rows(some_kernels);
    options.memory = ((uint64_t)24 << 18) + 100000;
    unload();
    assert_int_equal(nsc_capture_open(&capture, path, &options, &error), NSC_OK);
    assert_int_equal(nsc_capture_load(&none, capture, NULL, &error), NSC_ENOMEM);
    assert_non_null(strstr(error.text, "--trim"));
    /* What is left out does not count, and what is not is noticed on the way. */
    options.has_trim = true;
    options.trim = (struct nsc_window){0, 1000};
    load(&options);
    assert_int_equal(nsc_trace_events(trace)->n, 10);
    options.trim = (struct nsc_window){0, 900000};
    unload();
    error = (struct nsc_error){NSC_OK, ""};
    assert_int_equal(nsc_capture_open(&capture, path, &options, &error), NSC_OK);
    assert_int_equal(nsc_capture_load(&none, capture, NULL, &error), NSC_ENOMEM);
}

TEST_WITH(test_cancel, set_up, tear_down)
{
    struct nsc_progress *progress = nsc_progress_new();
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_trace *none;

    load_rows(some_kernels);
    nsc_progress_cancel(progress);
    assert_int_equal(nsc_capture_load(&none, capture, progress, &error), NSC_ECANCELLED);
    nsc_progress_free(progress);
    progress = nsc_progress_new();
    error = (struct nsc_error){NSC_OK, ""};
    assert_int_equal(nsc_capture_load(&none, capture, progress, &error), NSC_OK);
    assert_int_equal(nsc_progress_view(progress).rows, 10000);
    assert_int_equal(nsc_progress_view(progress).rows_total, 10000);
    assert_int_equal(nsc_progress_view(progress).events, 10000);
    assert_int_equal(nsc_progress_view(progress).phase, NSC_PHASE_DONE);
    nsc_trace_free(none);
    nsc_progress_free(progress);
}

TEST_WITH(test_far_row_ids, set_up, tear_down)
{
    load_rows(
        "INSERT INTO " KERNEL
        " (rowid, start, end, deviceId, contextId, streamId, demangledName, shortName) VALUES "
        "(-9223372036854775808, 1, 2, 0, 1, 7, 0, 0), (9223372036854775807, 3, 4, 0, 1, 7, 0, 0)");
    assert_int_equal(report(KERNEL)->events, 2);
    assert_int_equal(nsc_trace_events(trace)->source[0], NSC_NONE);
}

TEST_WITH(test_utf16, set_up, tear_down)
{
    nsc_test_db(path, "PRAGMA encoding = 'UTF-16be'; CREATE TABLE NVTX_EVENTS (start INTEGER, end "
                      "INTEGER, eventType "
                      "INTEGER, text TEXT, textId INTEGER, globalTid INTEGER, domainId INTEGER); "
                      "INSERT INTO NVTX_EVENTS "
                      "VALUES (1, 2, 59, 'dom\u00e4ne', NULL, " TID ", 0)");
    load(NULL);
    expect_text(only(NSC_KIND_NVTX_RANGE), false, "dom\u00e4ne");
    assert_false(report("NVTX_EVENTS")->by_pages);
}

TEST_WITH(test_no_events, set_up, tear_down)
{
    load_rows("INSERT INTO StringIds VALUES (1, 'x')");
    assert_int_equal(nsc_trace_events(trace)->n, 0);
    assert_true(warned("holds no events"));
}

TEST_WITH(test_scheduling, set_up, tear_down)
{
    const struct nsc_events *events;

    nsc_test_db(path, "CREATE TABLE SCHED_EVENTS (start INTEGER, cpu INTEGER, isSchedIn INTEGER, "
                      "globalTid INTEGER); INSERT "
                      "INTO SCHED_EVENTS VALUES (30, 2, 0, " TID "), (10, 2, 1, " TID
                      "), (40, 3, 1, " TID "), (60, 0, 0, 281476654432300)");
    load(NULL);
    events = nsc_trace_events(trace);
    assert_int_equal(events->n, 2);
    assert_int_equal(events->start[0], 10);
    assert_int_equal(nsc_event_end(events, 0), 30);
    assert_int_equal(nsc_event_end(events, 1), 60);
    expect_text(1, false, "CPU 3");
}

TEST_WITH(test_counters, set_up, tear_down)
{
    const struct nsc_counter *counters;
    uint32_t n;

    nsc_test_db(path, "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER, globalPid "
                      "INTEGER, deviceId INTEGER, bytes "
                      "INTEGER, memKind INTEGER, memoryOperationType INTEGER); INSERT INTO "
                      "CUDA_GPU_MEMORY_USAGE_EVENTS "
                      "VALUES (10, " PID ", 0, 100, 2, 0), (20, " PID ", 0, 50, 2, 0), (30, " PID
                      ", 0, 100, 2, 1)");
    nsc_test_db(path, "CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER, metricId "
                      "INTEGER, value INTEGER); CREATE "
                      "TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, metricId INTEGER, metricName "
                      "TEXT); INSERT INTO "
                      "TARGET_INFO_GPU_METRICS VALUES (256, 5, 'GPC Clock Frequency'); INSERT INTO "
                      "GPU_METRICS VALUES (10, "
                      "256, 5, -2000000000)");
    load(NULL);
    counters = nsc_trace_counters(trace, &n);
    assert_int_equal(n, 2);
    {
        const struct nsc_counter *memory = counters[0].is_bytes ? &counters[0] : &counters[1];
        const struct nsc_counter *clock = counters[0].is_bytes ? &counters[1] : &counters[0];

        assert_int_equal(memory->n, 3);
        assert_int_equal(memory->value[1], 150);
        assert_int_equal(memory->value[2], 50);
        assert_int_equal(clock->value[0], 2294967296);
    }
}

/* The same file gives the same trace with any reader, every time. */
TEST_WITH(test_same_again, set_up, tear_down)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_trace *first;
    struct nsc_capture *opened;
    unsigned threads;

    load_rows(some_kernels);
    first = trace;
    opened = capture;
    trace = NULL;
    capture = NULL;
    options.no_pages = true;
    for (threads = 1; threads <= 3; threads++) {
        const struct nsc_events *a = nsc_trace_events(first), *b;

        options.threads = threads;
        load(&options);
        b = nsc_trace_events(trace);
        assert_int_equal(a->n, b->n);
        assert_memory_equal(a->start, b->start, a->n * sizeof *a->start);
        assert_memory_equal(a->source, b->source, a->n * sizeof *a->source);
        assert_memory_equal(a->name, b->name, a->n * sizeof *a->name);
        assert_memory_equal(a->kind, b->kind, a->n);
    }
    nsc_trace_free(first);
    nsc_capture_close(opened);
}
