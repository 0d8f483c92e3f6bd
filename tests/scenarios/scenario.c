/*
 * Small exports with a known truth: written by SQL, queried by command lines, read back by SQLite's
 * JSON functions.
 */
#include "scenarios/scenario.h"

#include "support/make_db.h"

#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scenario {
    char folder[NSC_TEST_PATH], path[NSC_TEST_PATH], answer[NSC_TEST_PATH];
    sqlite3 *db;     /* of the export; NULL while the program reads it */
    sqlite3 *memory; /* for what SQLite computes of an answer */
    char *output;
    char text[4096];
    int64_t first_pid;
    int64_t n_samples; /* of the CPU */
    int n_domains, n_records, n_calls;
    struct scenario *others[64]; /* borrowed: '@2', '@3' ... */
    int n_others;
};

static const char *const tables =
    "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL UNIQUE);"
    "CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);"
    "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'),"
    " ('EXPORT_PRODUCT_VERSION', '2026.2.1.210'), ('EXPORT_SCHEMA_VERSION', '3.25.0'),"
    " ('EXPORT_SCHEMA_VERSION_MAJOR', '3'), ('EXPORT_SCHEMA_VERSION_MINOR', '25');"
    "CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT,"
    " busLocation TEXT NOT NULL, cuDevice INTEGER, uuid TEXT, smCount INTEGER,"
    " chipName TEXT, memoryBandwidth INTEGER, totalMemory INTEGER, clockRate INTEGER);"
    "CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);"
    "CREATE TABLE PROCESSES (globalPid INTEGER UNIQUE, pid INTEGER, name TEXT);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    " deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER,"
    " streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,"
    " demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER,"
    " launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER NOT NULL,"
    " gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL,"
    " blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL,"
    " staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL,"
    " localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL,"
    " gridId INTEGER NOT NULL, graphNodeId INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    " deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER,"
    " streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL,"
    " copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER, virtualAddress INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    " deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER,"
    " streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, value INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL, memKind INTEGER, graphNodeId INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    " deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER,"
    " streamId INTEGER NOT NULL, correlationId INTEGER NOT NULL, globalPid INTEGER,"
    " graphId INTEGER NOT NULL, graphExecId INTEGER NOT NULL);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    " eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER,"
    " nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL,"
    " end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,"
    " greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,"
    " globalPid INTEGER, syncType INTEGER NOT NULL, eventId INTEGER NOT NULL,"
    " eventSyncId INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INTEGER NOT NULL,"
    " contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL,"
    " correlationId INTEGER, globalPid INTEGER, eventId INTEGER NOT NULL, eventSyncId INTEGER);"
    "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,"
    " rangeId INTEGER, category INTEGER, color INTEGER, text TEXT, globalTid INTEGER,"
    " endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, jsonTextId INTEGER,"
    " jsonText TEXT, binaryData TEXT);"
    "CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    " eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER,"
    " nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, nestingLevel INTEGER,"
    " callchainId INTEGER);"
    "BEGIN;";

/* ---- what happened ---- */

struct scenario *scenario_new(void)
{
    struct scenario *s = calloc(1, sizeof *s);

    assert_non_null(s);
    nsc_test_folder_new(s->folder);
    nsc_test_path(s->path, s->folder, "scenario.sqlite");
    nsc_test_path(s->answer, s->folder, "answer");
    nsc_test_db(s->path, "SELECT 1");
    assert_int_equal(sqlite3_open(":memory:", &s->memory), SQLITE_OK);
    scenario_sql(s, "%s", tables);
    return s;
}

void scenario_free(struct scenario *s)
{
    sqlite3_close(s->db);
    sqlite3_close(s->memory);
    free(s->output);
    nsc_test_folder_free(s->folder);
    free(s);
}

int scenario_setup(void **state)
{
    *state = scenario_new();
    return 0;
}

int scenario_teardown(void **state)
{
    scenario_free(*state);
    return 0;
}

static sqlite3 *open_export(struct scenario *s)
{
    if (s->db)
        return s->db;
    assert_int_equal(sqlite3_open(s->path, &s->db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(s->db, "PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY;",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    return s->db;
}

void scenario_sql(struct scenario *s, const char *format, ...)
{
    va_list values;
    char *sql, *message = NULL;

    va_start(values, format);
    sql = sqlite3_vmprintf(format, values);
    va_end(values);
    assert_non_null(sql);
    (void)open_export(s);
    if (sqlite3_get_autocommit(s->db) && strcmp(sql, tables) != 0)
        (void)sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL);
    if (sqlite3_exec(s->db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", message, sql);
    sqlite3_free(sql);
}

static int64_t last_row(struct scenario *s)
{
    return sqlite3_last_insert_rowid(s->db);
}

int64_t scenario_string(struct scenario *s, const char *text)
{
    sqlite3_stmt *row = NULL;
    int64_t id;

    (void)open_export(s);
    assert_int_equal(
        sqlite3_prepare_v2(s->db, "SELECT id FROM StringIds WHERE value = ?1", -1, &row, NULL),
        SQLITE_OK);
    sqlite3_bind_text(row, 1, text, -1, SQLITE_STATIC);
    id = sqlite3_step(row) == SQLITE_ROW ? sqlite3_column_int64(row, 0) : -1;
    sqlite3_finalize(row);
    if (id >= 0)
        return id;
    char *quoted = sqlite3_mprintf("%Q", text);

    scenario_sql(s, "INSERT INTO StringIds (value) VALUES (%s)", quoted);
    sqlite3_free(quoted);
    return last_row(s);
}

void scenario_gpu(struct scenario *s, int device, const char *model)
{
    scenario_sql(s,
                 "INSERT INTO TARGET_INFO_GPU (vmId, id, name, busLocation, cuDevice, uuid) VALUES "
                 "(0, %d, '%s', '0000:%02x:00.0', %d, 'GPU-%d')",
                 device, model, 0x19 + device, device, device);
}

int64_t scenario_thread(struct scenario *s, int pid, int tid, const char *name)
{
    int64_t thread = (int64_t)pid << 24 | tid;

    if (s->first_pid == 0)
        s->first_pid = pid;
    scenario_sql(s, "INSERT OR IGNORE INTO PROCESSES VALUES (%lld, %d, 'python')",
                 (long long)pid << 24, pid);
    scenario_sql(s, "INSERT INTO ThreadNames VALUES (%lld, 20, %lld)",
                 (long long)scenario_string(s, name), (long long)thread);
    return thread;
}

static void add_range(struct scenario *s, int64_t thread, int domain, const char *text,
                      int64_t start, int64_t end)
{
    char *quoted = sqlite3_mprintf("%Q", text);

    scenario_sql(s,
                 "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                 "VALUES (%lld, %lld, 59, %s, %lld, %d)",
                 (long long)start, (long long)end, quoted, (long long)thread, domain);
    sqlite3_free(quoted);
}

void scenario_range(struct scenario *s, int64_t thread, const char *text, int64_t start,
                    int64_t end)
{
    add_range(s, thread, 0, text, start, end);
}

void scenario_range_in(struct scenario *s, int64_t thread, const char *domain, const char *text,
                       int64_t start, int64_t end)
{
    char *sql = sqlite3_mprintf("SELECT domainId FROM NVTX_EVENTS WHERE eventType = 75 AND text = "
                                "%Q AND globalTid >> 24 = %lld",
                                domain, (long long)(thread >> 24));
    sqlite3_stmt *row = NULL;
    int id = 0;

    assert_int_equal(sqlite3_prepare_v2(open_export(s), sql, -1, &row, NULL), SQLITE_OK);
    if (sqlite3_step(row) == SQLITE_ROW)
        id = sqlite3_column_int(row, 0);
    sqlite3_finalize(row);
    sqlite3_free(sql);
    if (id == 0) {
        id = ++s->n_domains;
        scenario_sql(s,
                     "INSERT INTO NVTX_EVENTS (start, eventType, text, globalTid, domainId) VALUES "
                     "(%lld, 75, '%s', %lld, %d)",
                     (long long)start, domain, (long long)thread, id);
    }
    add_range(s, thread, id, text, start, end);
}

int64_t scenario_call(struct scenario *s, int64_t thread, const char *name, int64_t start,
                      int64_t end)
{
    int64_t call = ++s->n_calls;

    scenario_sql(s,
                 "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (%lld, %lld, 0, %lld, %lld, "
                 "%lld, 0, NULL)",
                 (long long)start, (long long)end, (long long)thread, (long long)call,
                 (long long)scenario_string(s, name));
    return call;
}

void scenario_os(struct scenario *s, int64_t thread, const char *name, int64_t start, int64_t end)
{
    scenario_sql(s, "INSERT INTO OSRT_API VALUES (%lld, %lld, 27, %lld, NULL, %lld, 0, NULL, NULL)",
                 (long long)start, (long long)end, (long long)thread,
                 (long long)scenario_string(s, name));
}

void scenario_sample(struct scenario *s, int64_t thread, int64_t t, const char *function)
{
    int64_t id = ++s->n_samples;

    scenario_sql(s, "CREATE TABLE IF NOT EXISTS COMPOSITE_EVENTS (id INTEGER NOT NULL PRIMARY KEY,"
                    " start INTEGER NOT NULL, cpu INTEGER, threadState INTEGER,"
                    " globalTid INTEGER, cpuCycles INTEGER NOT NULL);"
                    "CREATE TABLE IF NOT EXISTS SAMPLING_CALLCHAINS (id INTEGER NOT NULL,"
                    " symbol INTEGER NOT NULL, module INTEGER NOT NULL, unresolved INTEGER,"
                    " originalIP INTEGER, stackDepth INTEGER NOT NULL,"
                    " PRIMARY KEY (id, stackDepth))");
    scenario_sql(s, "INSERT INTO COMPOSITE_EVENTS VALUES (%lld, %lld, 0, 1, %lld, 100000)",
                 (long long)id, (long long)t, (long long)thread);
    scenario_sql(s, "INSERT INTO SAMPLING_CALLCHAINS VALUES (%lld, %lld, 1, 0, 0, 0)",
                 (long long)id, (long long)scenario_string(s, function));
    scenario_sql(s, "INSERT INTO SAMPLING_CALLCHAINS VALUES (%lld, %lld, 1, 0, 0, 1)",
                 (long long)id, (long long)scenario_string(s, "caller"));
}

void scenario_on_cpu(struct scenario *s, int64_t thread, int64_t start, int64_t end)
{
    scenario_sql(s, "CREATE TABLE IF NOT EXISTS SCHED_EVENTS (start INTEGER NOT NULL, cpu INTEGER "
                    "NOT NULL, isSchedIn INTEGER NOT NULL, globalTid INTEGER)");
    scenario_sql(s, "INSERT INTO SCHED_EVENTS VALUES (%lld, 0, 1, %lld), (%lld, 0, 0, %lld)",
                 (long long)start, (long long)thread, (long long)end, (long long)thread);
}

/* "device, context, NULL, stream, correlation, process" of work. Borrowed until the next call. */
static const char *place(struct scenario *s, int64_t call, int device, int stream)
{
    sqlite3_stmt *row = NULL;
    int64_t pid = s->first_pid ? s->first_pid : 1;

    assert_int_equal(sqlite3_prepare_v2(open_export(s),
                                        "SELECT globalTid >> 24 FROM CUPTI_ACTIVITY_KIND_RUNTIME "
                                        "WHERE correlationId = ?1 ORDER BY rowid DESC",
                                        -1, &row, NULL),
                     SQLITE_OK);
    sqlite3_bind_int64(row, 1, call);
    if (sqlite3_step(row) == SQLITE_ROW)
        pid = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    snprintf(s->text, sizeof s->text, "%d, %d, NULL, %d, nullif(%lld, 0), %lld", device, device + 1,
             stream, (long long)call, (long long)pid << 24);
    return s->text;
}

void scenario_kernel(struct scenario *s, int64_t call, int device, int stream, const char *name,
                     int64_t start, int64_t end)
{
    long long id = (long long)scenario_string(s, name);

    scenario_sql(s,
                 "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (%lld, %lld, %s, %lld, %lld, NULL, "
                 "1, 0, 32, 128, 1, 1, 256, 1, 1, 0, 0, 0, 0, %lld, NULL)",
                 (long long)start, (long long)end, place(s, call, device, stream), id, id,
                 (long long)call);
}

void scenario_copy(struct scenario *s, int64_t call, int device, int stream,
                   enum scenario_copy kind, bool pageable, int64_t bytes, int64_t start,
                   int64_t end)
{
    int host = pageable ? 0 : 1;

    scenario_sql(s,
                 "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (%lld, %lld, %s, %lld, %d, %d, "
                 "%d, NULL)",
                 (long long)start, (long long)end, place(s, call, device, stream), (long long)bytes,
                 (int)kind, kind == HOST_TO_DEVICE ? host : 2, kind == DEVICE_TO_HOST ? host : 2);
}

void scenario_memset(struct scenario *s, int64_t call, int device, int stream, int64_t bytes,
                     int64_t start, int64_t end)
{
    scenario_sql(
        s, "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (%lld, %lld, %s, 0, %lld, 2, NULL)",
        (long long)start, (long long)end, place(s, call, device, stream), (long long)bytes);
}

void scenario_graph(struct scenario *s, int64_t call, int device, int stream, int graph,
                    int64_t start, int64_t end)
{
    scenario_sql(s, "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (%lld, %lld, %s, %d, %d)",
                 (long long)start, (long long)end, place(s, call, device, stream), graph,
                 graph + 1);
}

int64_t scenario_record(struct scenario *s, int64_t call, int device, int stream, int event)
{
    int record = ++s->n_records;

    scenario_sql(s, "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (%s, %d, %d)",
                 place(s, call, device, stream), event, record);
    return record;
}

void scenario_wait(struct scenario *s, int64_t call, int type, int device, int stream, int event,
                   int64_t record, int64_t start, int64_t end)
{
    scenario_sql(s,
                 "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (%lld, %lld, %s, %d, %d, "
                 "nullif(%lld, 0))",
                 (long long)start, (long long)end, place(s, call, device, stream), type, event,
                 (long long)record);
}

int64_t scenario_launch(struct scenario *s, int64_t thread, int64_t launch, int device, int stream,
                        const char *name, int64_t start, int64_t end)
{
    int64_t call = scenario_call(s, thread, "cudaLaunchKernel_v7000", launch, launch + US(5));

    scenario_kernel(s, call, device, stream, name, start, end);
    return call;
}

/* ---- what the program says ---- */

const char *scenario_path(struct scenario *s)
{
    if (s->db && !sqlite3_get_autocommit(s->db))
        assert_int_equal(sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(s->db);
    s->db = NULL;
    return s->path;
}

void scenario_add(struct scenario *s, struct scenario *other)
{
    assert_true(s->n_others < 64);
    s->others[s->n_others++] = other;
}

/* The path for "@" or "@N" at c, which moves to its last byte. */
static const char *path_at(struct scenario *s, const char **c)
{
    char *end = NULL;
    long number = strtol(*c + 1, &end, 10);

    if (end == *c + 1)
        return scenario_path(s);
    *c = end - 1;
    assert_true(number >= 2 && number - 2 < s->n_others);
    return scenario_path(s->others[number - 2]);
}

static void read_answer(struct scenario *s)
{
    FILE *file = fopen(s->answer, "rb");
    long n;

    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    n = ftell(file);
    rewind(file);
    free(s->output);
    s->output = calloc((size_t)n + 1, 1);
    assert_non_null(s->output);
    assert_int_equal(fread(s->output, 1, (size_t)n, file), n);
    fclose(file);
}

int scenario_run(struct scenario *s, const char *arguments)
{
    sqlite3_str *command = sqlite3_str_new(NULL);
    char *line;
    int status;

    sqlite3_str_appendf(command, "LC_ALL=C.UTF-8 XDG_STATE_HOME='%s' '%s' ", s->folder,
                        NSC_PROGRAM);
    for (const char *c = arguments; *c; c++)
        if (*c == '@')
            sqlite3_str_appendf(command, "'%s'", path_at(s, &c));
        else
            sqlite3_str_appendchar(command, 1, *c);
    sqlite3_str_appendf(command, " >'%s' 2>&1 </dev/null", s->answer);
    line = sqlite3_str_finish(command);
    assert_non_null(line);
    status = system(line);
    sqlite3_free(line);
    read_answer(s);
    return status < 0 || status & 0xff ? -1 : status >> 8;
}

/* Runs SQL over the last answer, which is ?1. Returns a row, or NULL. The caller finalizes it. */
static sqlite3_stmt *step(struct scenario *s, const char *sql)
{
    sqlite3_stmt *row = NULL;

    if (sqlite3_prepare_v2(s->memory, sql, -1, &row, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(s->memory), sql);
    sqlite3_bind_text(row, 1, scenario_output(s), -1, SQLITE_STATIC);
    switch (sqlite3_step(row)) {
    case SQLITE_ROW:
        return row;
    case SQLITE_DONE:
        break;
    default:
        fail_msg("%s in %s", sqlite3_errmsg(s->memory), scenario_output(s));
    }
    sqlite3_finalize(row);
    return NULL;
}

/* Each sheet of the answer becomes a table with its key as name, and its columns. */
static void load_sheets(struct scenario *s)
{
    static const char *const make_tables =
        "SELECT coalesce(group_concat(sql, ''), '') FROM (SELECT "
        "'CREATE TABLE IF NOT EXISTS \"' || json_extract(sheet.value, '$.key') || '\" AS SELECT ' "
        "|| (SELECT group_concat('json_extract(value, ''$.\"' || json_extract(value, '$.key') || "
        "'\"'') AS \"' || json_extract(value, '$.key') || '\"', ', ') "
        "FROM json_each(sheet.value, '$.columns')) || "
        "' FROM json_each((SELECT body FROM scenario_answer), ''' || sheet.fullkey || '.rows'');' "
        "AS sql "
        "FROM json_each(?1, '$.sheets') AS sheet)";
    sqlite3_stmt *row;
    char *message = NULL;

    sqlite3_close(s->memory);
    assert_int_equal(sqlite3_open(":memory:", &s->memory), SQLITE_OK);
    assert_null(step(s, "CREATE TABLE scenario_answer (body TEXT)"));
    assert_null(step(s, "INSERT INTO scenario_answer VALUES (?1)"));
    row = step(s, make_tables);
    assert_non_null(row);
    if (sqlite3_exec(s->memory, (const char *)sqlite3_column_text(row, 0), NULL, NULL, &message) !=
        SQLITE_OK)
        fail_msg("%s: %s", message, (const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
}

void scenario_ask(struct scenario *s, const char *arguments)
{
    bool is_json = strstr(arguments, "--json") != NULL;
    char *line = sqlite3_mprintf("%s%s", arguments, is_json ? "" : " --format json");
    int status;

    assert_non_null(line);
    status = scenario_run(s, line);
    sqlite3_free(line);
    if (status != 0)
        fail_msg("%s: exit status %d\n%s", arguments, status, s->output);
    load_sheets(s);
}

/* The titles of the findings of analyze and of the report, which is the last answer, as one text;
 * the caller frees it. */
static char *join_titles(struct scenario *s, const char *sql)
{
    sqlite3_stmt *row = step(s, sql);
    char *titles;

    assert_non_null(row);
    titles = sqlite3_mprintf("%s", (const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    return titles;
}

/* The pane has "n/a" in a column if analyze says ": not assessable". */
static void check_pane(struct scenario *s)
{
    const char *at = scenario_output(s);
    int n = scenario_count(s, "findings", NULL);

    for (int i = 1; i <= n; i++) {
        char where[40];
        const char *title;

        snprintf(where, sizeof where, "number = %d", i);
        title = scenario_text(s, "findings", where,
                              "substr(replace(finding, ': not assessable', ''), 1, 100)");
        at = strstr(at, title);
        if (!at)
            fail_msg("not in the pane, or out of order: %s\n%s", title, scenario_output(s));
    }
}

void scenario_findings(struct scenario *s)
{
    char *ours;
    char *reported;

    scenario_ask(s, "analyze @");
    ours = join_titles(s, "SELECT coalesce(group_concat(severity || ' ' || finding, char(10)), '') "
                          "FROM (SELECT * FROM findings ORDER BY number)");
    assert_int_equal(scenario_run(s, "report @ --json"), 0);
    reported = join_titles(s, "SELECT coalesce(group_concat(json_extract(value, '$.severity') || "
                              "' ' || json_extract(value, '$.title'), char(10)), '') "
                              "FROM json_each(?1, '$.findings')");
    assert_string_equal(ours, reported);
    sqlite3_free(ours);
    sqlite3_free(reported);
    assert_int_equal(scenario_run(s, "render @ --size 400x120 -c findings"), 0);
    check_pane(s);
}

const char *scenario_output(struct scenario *s)
{
    return s->output ? s->output : "";
}

/* The first row of "SELECT what FROM sheet WHERE where"; NULL: no row. The caller finalizes it. */
static sqlite3_stmt *look(struct scenario *s, const char *what, const char *sheet,
                          const char *where)
{
    char *sql = sqlite3_mprintf("SELECT %s FROM \"%w\" WHERE %s", what, sheet, where ? where : "1");
    sqlite3_stmt *row;

    assert_non_null(sql);
    row = step(s, sql);
    sqlite3_free(sql);
    return row;
}

static sqlite3_stmt *look_cell(struct scenario *s, const char *sheet, const char *where,
                               const char *column)
{
    sqlite3_stmt *row = look(s, column, sheet, where);

    if (!row)
        fail_msg("no row of %s where %s in\n%s", sheet, where ? where : "1", scenario_output(s));
    return row;
}

int scenario_count(struct scenario *s, const char *sheet, const char *where)
{
    sqlite3_stmt *row = look(s, "count(*)", sheet, where);
    int n = sqlite3_column_int(row, 0);

    sqlite3_finalize(row);
    return n;
}

int64_t scenario_int(struct scenario *s, const char *sheet, const char *where, const char *column)
{
    sqlite3_stmt *row = look_cell(s, sheet, where, column);
    int64_t value = sqlite3_column_int64(row, 0);

    if (sqlite3_column_type(row, 0) != SQLITE_INTEGER)
        fail_msg("%s of %s is no integer in\n%s", column, sheet, scenario_output(s));
    sqlite3_finalize(row);
    return value;
}

double scenario_real(struct scenario *s, const char *sheet, const char *where, const char *column)
{
    sqlite3_stmt *row = look_cell(s, sheet, where, column);
    double value = sqlite3_column_double(row, 0);

    sqlite3_finalize(row);
    return value;
}

const char *scenario_text(struct scenario *s, const char *sheet, const char *where,
                          const char *column)
{
    sqlite3_stmt *row = look_cell(s, sheet, where, column);
    const char *text = (const char *)sqlite3_column_text(row, 0);

    snprintf(s->text, sizeof s->text, "%s", text ? text : "");
    sqlite3_finalize(row);
    return s->text;
}

int64_t scenario_sum(struct scenario *s, const char *sheet, const char *where, const char *column)
{
    char *what = sqlite3_mprintf("coalesce(sum(%s), 0)", column);
    sqlite3_stmt *row = look(s, what, sheet, where);
    int64_t value = sqlite3_column_int64(row, 0);

    sqlite3_free(what);
    sqlite3_finalize(row);
    return value;
}

void scenario_near(int64_t a, int64_t b, double percent)
{
    if (fabs((double)a - (double)b) > fabs((double)b) * percent / 100)
        fail_msg("%lld is not within %g %% of %lld", (long long)a, percent, (long long)b);
}
