/*
 * The screen of every export of a folder agrees with plain SQL: devices, streams, NVTX rows and
 * depths, and bins of streams and devices to the nanosecond.
 */
#include "nsyscope/open.h"

#include "support/cm.h"
#include "support/reference.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_TABLES  4
#define N_STREAMS 4 /* of an export, whose bins are compared */
#define COLUMNS   61

static const char *const tables[N_TABLES] = {
    "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"};

struct subject {
    const char *path;
    sqlite3 *db;
    struct nsc_trace *trace;
    char work[2048]; /* a subquery with the columns s, e, p, d, c, m: all GPU work */
};

struct row {
    int64_t start, end, device, stream;
};

struct rows {
    struct row *at;
    size_t n;
};

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    return statement;
}

static int64_t ask(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = prepare(db, sql);
    int64_t value;

    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

static bool has_column(sqlite3 *db, const char *table, const char *column)
{
    char sql[256];

    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM pragma_table_info('%s') WHERE name = '%s' COLLATE NOCASE", table,
             column);
    return ask(db, sql) != 0;
}

/* Tables written by other tools lack columns; events then have 0. */
static const char *column_or_0(sqlite3 *db, const char *table, const char *column)
{
    return has_column(db, table, column) ? column : "0";
}

static bool init_work(struct subject *subject)
{
    size_t n = 0;

    for (size_t i = 0; i < N_TABLES; i++) {
        if (!has_column(subject->db, tables[i], "streamId"))
            continue;
        n += (size_t)snprintf(subject->work + n, sizeof subject->work - n,
                              "%s SELECT start s, end e, coalesce(%s, 0) >> 24 p, deviceId d, "
                              "%s c, streamId m FROM %s",
                              n ? " UNION ALL" : "",
                              column_or_0(subject->db, tables[i], "globalPid"),
                              column_or_0(subject->db, tables[i], "contextId"), tables[i]);
    }
    return n != 0;
}

/* ---- rows of the screen ---- */

static uint32_t count_tracks(const struct subject *subject, enum nsc_track_kind kind)
{
    uint32_t n = 0, found = 0;
    const struct nsc_track *all = nsc_trace_tracks(subject->trace, &n);

    for (uint32_t i = 0; i < n; i++)
        found += all[i].kind == kind;
    return found;
}

/* Devices that have streams. */
static uint32_t count_devices(const struct subject *subject)
{
    uint32_t n = 0, found = 0;
    const struct nsc_track *all = nsc_trace_tracks(subject->trace, &n);

    for (uint32_t i = 0; i < n; i++) {
        bool has_stream = false;

        for (uint32_t k = i + 1; all[i].kind == NSC_TRACK_DEVICE && k < all[i].skip; k++)
            has_stream |= all[k].kind == NSC_TRACK_STREAM;
        found += has_stream;
    }
    return found;
}

static void check_devices(const struct subject *subject)
{
    bool mapped = has_column(subject->db, "TARGET_INFO_CUDA_DEVICE", "gpuId");
    char sql[4096];

    snprintf(sql, sizeof sql,
             mapped ? "SELECT count(DISTINCT coalesce((SELECT gpuId FROM TARGET_INFO_CUDA_DEVICE "
                      "WHERE cudaId = d AND pid = (p & 16777215)), d)) FROM (%s)"
                    : "SELECT count(DISTINCT d) FROM (%s)",
             subject->work);
    assert_int_equal(count_devices(subject), ask(subject->db, sql));
    snprintf(sql, sizeof sql, "SELECT count(*) FROM (SELECT DISTINCT p, d, c, m FROM (%s))",
             subject->work);
    assert_int_equal(count_tracks(subject, NSC_TRACK_STREAM), ask(subject->db, sql));
}

/* The greatest number of open ranges, for rows in order of start: the nesting depth. */
static uint32_t measure_depth(sqlite3_stmt *rows, int64_t end_of_trace)
{
    int64_t *ends = NULL;
    uint32_t n = 0, capacity = 0, deepest = 0, i, kept;

    while (sqlite3_step(rows) == SQLITE_ROW) {
        int64_t start = sqlite3_column_int64(rows, 0), end = end_of_trace;

        if (sqlite3_column_type(rows, 1) == SQLITE_INTEGER)
            end = sqlite3_column_int64(rows, 1);
        for (i = kept = 0; i < n; i++)
            if (ends[i] > start)
                ends[kept++] = ends[i];
        n = kept;
        if (n == capacity) {
            capacity = capacity * 2 + 16;
            ends = realloc(ends, capacity * sizeof *ends);
            assert_non_null(ends);
        }
        ends[n++] = end;
        deepest = n > deepest ? n : deepest;
    }
    free(ends);
    return deepest;
}

static uint32_t sql_depth(const struct subject *subject, const struct nsc_track *track)
{
    int64_t thread = (int64_t)(track->process << 24 | track->tid);
    int64_t end = nsc_trace_extent(subject->trace).t1;
    sqlite3_stmt *rows = NULL;
    char sql[512];
    uint32_t depth;

    snprintf(sql, sizeof sql,
             "SELECT start, end FROM NVTX_EVENTS WHERE eventType = 59 AND globalTid = %lld AND "
             "coalesce(domainId, 0) = %lld ORDER BY start, coalesce(end, %lld) DESC, rowid",
             (long long)thread, (long long)track->domain, (long long)end);
    rows = prepare(subject->db, sql);
    depth = measure_depth(rows, end);
    sqlite3_finalize(rows);
    return depth;
}

static void check_nvtx(const struct subject *subject)
{
    static const struct {
        enum nsc_track_kind kind;
        int type;
    } kinds[] = {{NSC_TRACK_NVTX, 59}, {NSC_TRACK_SPANS, 60}, {NSC_TRACK_MARKS, 34}};
    uint32_t n = 0;
    const struct nsc_track *all = nsc_trace_tracks(subject->trace, &n);

    if (!has_column(subject->db, "NVTX_EVENTS", "domainId"))
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char sql[256];

        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM (SELECT DISTINCT globalTid, coalesce(domainId, 0) FROM "
                 "NVTX_EVENTS WHERE eventType = %d)",
                 kinds[i].type);
        assert_int_equal(count_tracks(subject, kinds[i].kind), ask(subject->db, sql));
    }
    for (uint32_t i = 0; i < n; i++)
        if (all[i].kind == NSC_TRACK_NVTX && all[i].n_lanes != sql_depth(subject, &all[i]))
            fail_msg("%s: NVTX of thread %u, domain %lld: %u levels, SQL says %u", subject->path,
                     all[i].tid, (long long)all[i].domain, all[i].n_lanes,
                     sql_depth(subject, &all[i]));
}

/* ---- bins ---- */

static struct rows read_rows(const struct subject *subject)
{
    char sql[4096];
    sqlite3_stmt *statement = NULL;
    struct rows rows = {NULL, 0};

    snprintf(sql, sizeof sql, "SELECT count(*) FROM (%s)", subject->work);
    rows.at = calloc((size_t)ask(subject->db, sql) + 1, sizeof *rows.at);
    assert_non_null(rows.at);
    snprintf(sql, sizeof sql, "SELECT s, e, d, m FROM (%s)", subject->work);
    statement = prepare(subject->db, sql);
    while (sqlite3_step(statement) == SQLITE_ROW)
        rows.at[rows.n++] =
            (struct row){sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 1),
                         sqlite3_column_int64(statement, 2), sqlite3_column_int64(statement, 3)};
    sqlite3_finalize(statement);
    return rows;
}

/* What bins must say of a column. */
struct column {
    int64_t busy, events, longest;
};

static struct column expect_column(const struct rows *rows, const struct row *which,
                                   bool any_stream, struct nsc_window w)
{
    struct column column = {0, 0, 0};

    for (size_t i = 0; i < rows->n; i++) {
        const struct row *row = &rows->at[i];
        int64_t touch = row->end > row->start ? row->end : row->start + 1;

        if (row->device != which->device || (!any_stream && row->stream != which->stream) ||
            row->start >= w.t1 || touch <= w.t0)
            continue;
        column.events++;
        column.busy +=
            (row->end < w.t1 ? row->end : w.t1) - (row->start > w.t0 ? row->start : w.t0);
        if (row->end - row->start > column.longest)
            column.longest = row->end - row->start;
    }
    return column;
}

static void check_line(const char *line, const struct subject *subject, const struct rows *rows,
                       const struct row *which, bool any_stream)
{
    long long t0, t1, busy, events, longest;
    const char *comma = strrchr(line, ',');
    struct column want;

    assert_non_null(comma);
    assert_int_equal(sscanf(line, "%lld,%lld,%lld,%lld,", &t0, &t1, &busy, &events), 4);
    longest = strtoll(comma + 1, NULL, 10);
    want = expect_column(rows, which, any_stream, (struct nsc_window){t0, t1});
    if (want.busy != busy || want.events != events || want.longest != longest)
        fail_msg(
            "%s: device %lld stream %lld [%lld, %lld): busy %lld/%lld events %lld/%lld longest "
            "%lld/%lld",
            subject->path, (long long)which->device, (long long)which->stream, t0, t1, busy,
            (long long)want.busy, events, (long long)want.events, longest, (long long)want.longest);
}

/* One call of the program gives all columns, which must be adjacent. */
static void check_bins(const struct subject *subject, const struct rows *rows,
                       const struct row *which, bool any_stream, struct nsc_window w)
{
    char command[5000], line[20000];
    char stream[32] = "";
    unsigned n = 0;
    FILE *pipe = NULL;

    if (!any_stream)
        snprintf(stream, sizeof stream, ":%lld", (long long)which->stream);
    snprintf(command, sizeof command, "'%s' bins '%s' --%s %lld%s --window %lld %lld --columns %d",
             NSC_PROGRAM, subject->path, any_stream ? "device" : "stream", (long long)which->device,
             stream, (long long)w.t0, (long long)w.t1, COLUMNS);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(line, sizeof line, pipe));
    assert_string_equal(line, "start_ns,end_ns,busy_ns,events,longest_name,longest_ns\n");
    for (; fgets(line, sizeof line, pipe); n++)
        check_line(line, subject, rows, which, any_stream);
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(n, COLUMNS);
}

/* The whole trace with room on both sides; a hundredth; a microsecond around one event. */
static void check_zooms(const struct subject *subject, const struct rows *rows,
                        const struct row *which, bool any_stream)
{
    struct nsc_window all = nsc_trace_extent(subject->trace);
    int64_t length = all.t1 - all.t0;
    struct nsc_window windows[] = {{all.t0 - length / 7, all.t1 + 12345},
                                   {which->start - length / 200, which->start + length / 200 + 1},
                                   {which->start - 500, which->start + 501},
                                   {which->end - 20, which->end + 77}};

    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
        check_bins(subject, rows, which, any_stream, windows[i]);
}

static void check_all_bins(const struct subject *subject)
{
    struct rows rows = read_rows(subject);
    struct row done[N_STREAMS];
    size_t n = 0;

    for (size_t i = 0; i < rows.n && n < N_STREAMS; i++) {
        const struct row *row = &rows.at[(i * 7919 + rows.n / 3) % rows.n];
        bool seen = false, seen_device = false;

        for (size_t k = 0; k < n; k++) {
            seen_device |= done[k].device == row->device;
            seen |= done[k].device == row->device && done[k].stream == row->stream;
        }
        if (seen)
            continue;
        done[n++] = *row;
        check_zooms(subject, &rows, row, false);
        if (!seen_device)
            check_zooms(subject, &rows, row, true);
    }
    free(rows.at);
}

/* ---- screens ---- */

/* The screen itself, tall enough for everything: a header per device, and a line per stream. */
static void check_screen(const struct subject *subject)
{
    char command[5000], line[20000];
    uint32_t devices = 0, streams = 0;
    FILE *pipe = NULL;

    snprintf(command, sizeof command,
             "'%s' render '%s' --tables kernel,copy,memset,graph --size 160x900 --keys ')'",
             NSC_PROGRAM, subject->path);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    while (fgets(line, sizeof line, pipe)) {
        devices += strncmp(line, " ▾ GPU", strlen(" ▾ GPU")) == 0;
        streams += strncmp(line, "   S", 4) == 0;
    }
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(devices, count_devices(subject));
    assert_true(streams >= count_tracks(subject, NSC_TRACK_STREAM));
}

static void check_export(const char *path)
{
    struct subject subject = {.path = path};
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_capture *capture = NULL;
    char *uri = NULL;

    if (nsc_test_leaves_out(path))
        return;
    uri = sqlite3_mprintf("file:%s?immutable=1", path);
    assert_int_equal(
        sqlite3_open_v2(uri, &subject.db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL), SQLITE_OK);
    if (nsc_capture_open(&capture, path, NULL, &error) != NSC_OK ||
        nsc_capture_load(&subject.trace, capture, NULL, &error) != NSC_OK)
        fail_msg("%s: %s", path, error.text);
    check_nvtx(&subject);
    if (init_work(&subject)) {
        check_devices(&subject);
        check_all_bins(&subject);
        check_screen(&subject);
    }
    nsc_trace_free(subject.trace);
    nsc_capture_close(capture);
    sqlite3_close(subject.db);
    sqlite3_free(uri);
}

TEST(test_every_export)
{
    assert_true(nsc_test_each_export(check_export) > 0);
}

TEST_MAIN
{
    return nsc_test_exports() ? nsc_test_run(NULL, NULL) : NSC_TEST_SKIPPED;
}
