/*
 * Every export of a folder, loaded by pages and by SQLite, equals plain SQL: rows, times, and the
 * events of each stream.
 */
#include "nsyscope/open.h"

#include "support/cm.h"
#include "support/reference.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The figures compared for a table: rows kept, sum of durations, first start, last end. */
struct figures {
    int64_t rows, busy, first, last;
};

struct subject {
    const char *path;
    sqlite3 *db;
    struct nsc_capture *capture;
    struct nsc_trace *trace;
};

static bool has_column(sqlite3 *db, const char *table, const char *column)
{
    char *sql =
        sqlite3_mprintf("SELECT 1 FROM pragma_table_info(%Q) WHERE name = %Q", table, column);
    sqlite3_stmt *statement = NULL;
    bool found;

    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    found = sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return found;
}

static struct figures ask(sqlite3 *db, const char *sql)
{
    struct figures figures;
    sqlite3_stmt *row = NULL;

    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    figures = (struct figures){sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1),
                               sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3)};
    sqlite3_finalize(row);
    return figures;
}

/* The rows of a table that become events, as a subquery with columns s and e. The times exclude
 * open ranges. */
static const char *rows_of(sqlite3 *db, const char *table)
{
    static char sql[512];

    if (strcmp(table, "NVTX_EVENTS") == 0)
        return "SELECT start s, CASE eventType WHEN 34 THEN start ELSE end END e FROM NVTX_EVENTS "
               "WHERE "
               "eventType IN (34, 59, 60)";
    if (strcmp(table, "SCHED_EVENTS") == 0)
        return "SELECT s, e FROM (SELECT start s, isSchedIn i, coalesce(lead(start) OVER "
               "(PARTITION BY globalTid ORDER "
               "BY start, rowid), (SELECT max(start) FROM SCHED_EVENTS)) e FROM SCHED_EVENTS) "
               "WHERE i";
    if (strcmp(table, "OSRT_API") == 0 && has_column(db, table, "nestingLevel") &&
        has_column(db, table, "eventClass"))
        return "SELECT start s, end e FROM OSRT_API WHERE NOT (nestingLevel IS NULL AND eventClass "
               "<> 27)";
    if (strcmp(table, "CUPTI_ACTIVITY_KIND_RUNTIME") == 0 && has_column(db, table, "eventClass"))
        return "SELECT start s, end e FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE eventClass <> 67";
    if (strcmp(table, "GENERIC_EVENTS") == 0)
        return "SELECT timestamp s, timestamp e FROM GENERIC_EVENTS WHERE typeId NOT IN (SELECT "
               "typeId FROM TARGET_INFO_GPU_METRICS)";
    snprintf(sql, sizeof sql, "SELECT start s, %s e FROM %s",
             has_column(db, table, "end") ? "end" : "start", table);
    return sql;
}

static struct figures by_sql(sqlite3 *db, const char *table)
{
    char sql[1024];

    snprintf(sql, sizeof sql,
             "SELECT count(*), coalesce(sum(e - s), 0), coalesce(min(s), 0), coalesce(max(e), 0) "
             "FROM (%s)",
             rows_of(db, table));
    return ask(db, sql);
}

static bool is_open(const struct subject *subject, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(subject->trace);
    char sql[128];

    if (!nsc_kind_is_nvtx(events->kind[event]) || events->kind[event] == NSC_KIND_NVTX_MARK)
        return false;
    if (nsc_event_end(events, event) < nsc_trace_extent(subject->trace).t1)
        return false;
    snprintf(sql, sizeof sql, "SELECT end IS NULL, 0, 0, 0 FROM NVTX_EVENTS WHERE rowid = %u",
             events->source[event]);
    return ask(subject->db, sql).rows != 0;
}

static struct figures by_trace(const struct subject *subject, const char *table)
{
    const struct nsc_events *events = nsc_trace_events(subject->trace);
    struct figures figures = {0, 0, 0, 0};
    bool any = false;
    uint32_t i;

    for (i = 0; i < events->n; i++) {
        nsc_time end = nsc_event_end(events, i);

        if (strcmp(nsc_kind_table((enum nsc_kind)events->kind[i]), table) != 0)
            continue;
        figures.rows++;
        if (figures.rows == 1 || events->start[i] < figures.first)
            figures.first = events->start[i];
        if (is_open(subject, i))
            continue;
        figures.busy += end - events->start[i];
        if (!any || end > figures.last)
            figures.last = end;
        any = true;
    }
    return figures;
}

/* Every row is an event, or skipped with a reason; except NVTX rows that name things, and a switch
 * out of a thread. */
static void check_counts(const struct nsc_table_status *report)
{
    uint64_t rows = report->events;
    int skip;

    for (skip = 0; skip < NSC_N_SKIPS; skip++)
        rows += report->skipped[skip];
    if (strcmp(report->name, "NVTX_EVENTS") == 0 || strcmp(report->name, "SCHED_EVENTS") == 0)
        assert_true(rows <= report->rows);
    else
        assert_int_equal(rows, report->rows);
}

/* Samples of GPU metrics have no events: their number, and the sum of their values. */
static void check_metrics(const struct subject *subject)
{
    int64_t rows = 0, sum = 0;
    struct figures want;
    uint32_t n, i, k;
    const struct nsc_counter *counters = nsc_trace_counters(subject->trace, &n);

    if (!has_column(subject->db, "GPU_METRICS", "value"))
        return;
    want = ask(subject->db, "SELECT count(*), coalesce(sum(value), 0), 0, 0 FROM GPU_METRICS");
    for (i = 0; i < n; i++)
        for (k = 0; k < counters[i].n; k++) {
            rows++;
            sum += counters[i].value[k];
        }
    assert_int_equal(rows, want.rows);
    assert_int_equal(sum, want.busy);
}

static void check_tables(const struct subject *subject)
{
    uint32_t n, i;
    const struct nsc_table_status *reports = nsc_capture_tables(subject->capture, &n);

    for (i = 0; i < n; i++) {
        struct figures want, got;
        bool is_event_table = false;
        int kind;

        for (kind = 1; kind < NSC_N_KINDS; kind++)
            is_event_table |= strcmp(nsc_kind_table((enum nsc_kind)kind), reports[i].name) == 0;
        if (!is_event_table || reports[i].status != NSC_TABLE_LOADED)
            continue;
        want = by_sql(subject->db, reports[i].name);
        got = by_trace(subject, reports[i].name);
        if (memcmp(&want, &got, sizeof want) != 0)
            fail_msg("%s %s: rows %lld/%lld busy %lld/%lld first %lld/%lld last %lld/%lld",
                     subject->path, reports[i].name, (long long)got.rows, (long long)want.rows,
                     (long long)got.busy, (long long)want.busy, (long long)got.first,
                     (long long)want.first, (long long)got.last, (long long)want.last);
        assert_int_equal(reports[i].events, want.rows);
        check_counts(&reports[i]);
    }
}

/* Tables written by other tools lack columns; events then have 0. */
static const char *column_or_0(sqlite3 *db, const char *table, const char *column)
{
    return has_column(db, table, column) ? column : "0";
}

/* Rows of a stream in the four tables of GPU work. */
static int64_t stream_rows(sqlite3 *db, const struct nsc_track *track)
{
    static const char *const tables[] = {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
                                         "CUPTI_ACTIVITY_KIND_MEMSET",
                                         "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"};
    int64_t rows = 0;
    size_t i;

    for (i = 0; i < sizeof tables / sizeof *tables; i++) {
        char sql[384];

        if (!has_column(db, tables[i], "streamId"))
            continue;
        snprintf(sql, sizeof sql,
                 "SELECT count(*), 0, 0, 0 FROM %s WHERE coalesce(%s, 0) >> 24 = %lld AND "
                 "deviceId = %lld AND "
                 "%s = %lld AND streamId = %lld",
                 tables[i], column_or_0(db, tables[i], "globalPid"), (long long)track->process,
                 (long long)track->device, column_or_0(db, tables[i], "contextId"),
                 (long long)track->context, (long long)track->stream);
        rows += ask(db, sql).rows;
    }
    return rows;
}

static void check_streams(const struct subject *subject)
{
    uint32_t n, i, l;
    const struct nsc_track *tracks = nsc_trace_tracks(subject->trace, &n);
    const struct nsc_lane *lanes = nsc_trace_lanes(subject->trace, &l);

    for (i = 0; i < n; i++) {
        int64_t rows = 0;

        if (tracks[i].kind != NSC_TRACK_STREAM)
            continue;
        for (l = tracks[i].first_lane; l < tracks[i].first_lane + tracks[i].n_lanes; l++)
            rows += lanes[l].n;
        assert_int_equal(rows, stream_rows(subject->db, &tracks[i]));
    }
}

static void check_export(const char *path, bool no_pages)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct subject subject = {.path = path};
    struct nsc_error error = {NSC_OK, ""};
    char *uri = sqlite3_mprintf("file:%s?immutable=1", path);

    options.no_pages = no_pages;
    assert_int_equal(
        sqlite3_open_v2(uri, &subject.db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL), SQLITE_OK);
    if (nsc_capture_open(&subject.capture, path, &options, &error) != NSC_OK ||
        nsc_capture_load(&subject.trace, subject.capture, NULL, &error) != NSC_OK)
        fail_msg("%s: %s", path, error.text);
    check_tables(&subject);
    check_streams(&subject);
    check_metrics(&subject);
    assert_false(nsc_capture_has_changed(subject.capture));
    nsc_trace_free(subject.trace);
    nsc_capture_close(subject.capture);
    sqlite3_close(subject.db);
    sqlite3_free(uri);
}

static void check_both_readers(const char *path)
{
    check_export(path, false);
    check_export(path, true);
}

TEST(test_every_export)
{
    assert_true(nsc_test_each_export(check_both_readers) > 0);
}

TEST_MAIN
{
    return nsc_test_exports() ? nsc_test_run(NULL, NULL) : NSC_TEST_SKIPPED;
}
