/*
 * The reference scan: statements over ranges of row ids, each worker on a connection of its own.
 *
 * A row too long for SQLite's limit does not stop the scan: its cells are fetched one by one, long
 * texts through the incremental interface. A read error is tried once more from the row after the
 * last good one.
 */
#include "nsyscope/open.h"

#include "core/die.h"
#include "nsys/scan.h"
#include "nsys/schema.h"
#include "nsys/source.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
#define TASK_ROWS 700
#else
#define TASK_ROWS 65536
#endif
#define TEXT_BYTES (1U << 20) /* of copied texts, after which a batch is handed on */

/* The rows gathered by one worker. Texts are copied: SQLite's are gone at the next step. */
struct worker {
    sqlite3 *db;
    sqlite3_stmt *rows;
    uint32_t n;
    int64_t rowid[NSC_SCAN_ROWS];
    uint8_t (*type)[NSC_SCAN_COLUMNS];
    int64_t (*value)[NSC_SCAN_ROWS];
    struct nsc_cell_text (*text)[NSC_SCAN_ROWS];
    size_t (*offset)[NSC_SCAN_ROWS]; /* of a text in bytes, until the batch is complete */
    char *bytes;
    size_t n_bytes, capacity;
};

struct run {
    struct nsc_source *source;
    const struct nsc_scan *scan;
    uint32_t first_task, n_tasks;
    int64_t lo, hi;
    uint64_t step; /* row ids a task */
    char *sql;
    struct worker *workers[NSC_SOURCE_WORKERS];
    _Atomic bool stopped;
    _Atomic int failed; /* the first result code that was no success */
};

static char *make_sql(const struct nsc_scan *scan)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    uint32_t c;

    sqlite3_str_appendf(sql, "SELECT %s", scan->table->rowid);
    for (c = 0; c < scan->n_columns; c++)
        sqlite3_str_appendf(sql, ", \"%w\"", scan->columns[c].name);
    sqlite3_str_appendf(sql, " FROM \"%w\" WHERE %s BETWEEN ?1 AND ?2", scan->table->name,
                        scan->table->rowid);
    return sqlite3_str_finish(sql);
}

/* Row ids may be anything; tasks are cut by them only where they are no sparser than the file's
 * size allows. */
static void cut_tasks(struct run *run)
{
    uint64_t span = (uint64_t)run->hi - (uint64_t)run->lo;
    uint64_t most = (uint64_t)run->source->stat.st_size;

    run->step = span > most ? 0 : TASK_ROWS;
    run->n_tasks = run->step ? (uint32_t)(span / run->step) + 1 : 1;
}

static struct worker *worker_new(struct run *run, unsigned index)
{
    uint32_t n = run->scan->n_columns ? run->scan->n_columns : 1;
    struct worker *worker = nsc_xcalloc(1, sizeof *worker);

    worker->type = nsc_xcalloc(NSC_SCAN_ROWS, sizeof *worker->type);
    worker->value = nsc_xcalloc(n, sizeof *worker->value);
    worker->text = nsc_xcalloc(n, sizeof *worker->text);
    worker->offset = nsc_xcalloc(n, sizeof *worker->offset);
    worker->db = nsc_source_connection(run->source, index, NULL);
    run->workers[index] = worker;
    return worker;
}

static void worker_free(struct worker *worker)
{
    if (!worker)
        return;
    sqlite3_finalize(worker->rows);
    free(worker->type);
    free(worker->value);
    free(worker->text);
    free(worker->offset);
    free(worker->bytes);
    free(worker);
}

/* Hands the batch on. False when the scan is to stop. */
static bool flush(struct run *run, struct worker *worker, unsigned index, uint32_t task)
{
    const struct nsc_scan *scan = run->scan;
    struct nsc_batch batch = {.n = worker->n,
                              .rowid = worker->rowid,
                              .type = (const uint8_t(*)[NSC_SCAN_COLUMNS])worker->type};
    uint32_t c, i;

    if (worker->n == 0)
        return true;
    for (c = 0; c < scan->n_columns; c++) {
        batch.value[c] = worker->value[c];
        batch.text[c] = worker->text[c];
        for (i = 0; scan->columns[c].wants_text && i < worker->n; i++)
            worker->text[c][i].bytes = worker->bytes + worker->offset[c][i];
    }
    nsc_progress_add(scan->progress, worker->n, 0);
    if (!scan->sink(scan->context, index, task, &batch) || nsc_progress_cancelled(scan->progress))
        run->stopped = true;
    worker->n = 0;
    worker->n_bytes = 0;
    return !run->stopped;
}

static void copy_text(struct worker *worker, uint32_t c, const void *bytes, size_t n,
                      uint64_t full_n)
{
    if (worker->n_bytes + n + 1 > worker->capacity) {
        worker->capacity = (worker->n_bytes + n + 1) * 2;
        worker->bytes = nsc_xrealloc(worker->bytes, worker->capacity, 1);
    }
    if (n)
        memcpy(worker->bytes + worker->n_bytes, bytes, n);
    worker->offset[c][worker->n] = worker->n_bytes;
    worker->text[c][worker->n].n = (uint32_t)n;
    worker->text[c][worker->n].full_n = full_n;
    worker->n_bytes += n;
}

/* Column at of the statement becomes cell c of the row that is being gathered. */
static void take_cell(struct worker *worker, uint32_t c, sqlite3_stmt *row, int at, bool wants_text)
{
    static const uint8_t types[] = {[SQLITE_INTEGER] = NSC_CELL_INT,
                                    [SQLITE_FLOAT] = NSC_CELL_REAL,
                                    [SQLITE_TEXT] = NSC_CELL_TEXT,
                                    [SQLITE_BLOB] = NSC_CELL_BLOB,
                                    [SQLITE_NULL] = NSC_CELL_NULL};
    int type = sqlite3_column_type(row, at);
    double real;

    worker->type[worker->n][c] = types[type];
    worker->value[c][worker->n] = 0;
    if (type == SQLITE_INTEGER) {
        worker->value[c][worker->n] = sqlite3_column_int64(row, at);
    } else if (type == SQLITE_FLOAT) {
        real = sqlite3_column_double(row, at);
        memcpy(&worker->value[c][worker->n], &real, sizeof real);
    }
    if (wants_text && type == SQLITE_TEXT) {
        const void *bytes = sqlite3_column_text(row, at);
        size_t n = bytes ? (size_t)sqlite3_column_bytes(row, at) : 0;

        copy_text(worker, c, bytes, n < NSC_SCAN_TEXT_LIMIT ? n : NSC_SCAN_TEXT_LIMIT, n);
    } else if (wants_text) {
        copy_text(worker, c, "", 0, 0);
    }
}

/* What is still to be read of a task: [lo, hi], or nothing. */
struct range {
    int64_t lo, hi;
    bool empty;
};

static void advance(struct range *range, int64_t rowid)
{
    if (rowid >= range->hi)
        range->empty = true;
    else
        range->lo = rowid + 1;
}

/* ---- rows beyond SQLite's limit of length ---- */

static sqlite3_stmt *prepare_one(struct worker *worker, const char *format, const char *what,
                                 const struct run *run)
{
    const struct nsc_scan_table *table = run->scan->table;
    sqlite3_stmt *statement = NULL;
    char *sql = sqlite3_mprintf(format, what, table->name, table->rowid, table->rowid);

    if (sql)
        (void)sqlite3_prepare_v2(worker->db, sql, -1, &statement, NULL);
    sqlite3_free(sql);
    return statement;
}

static int find_row(struct run *run, struct worker *worker, int64_t *rowid,
                    const struct range *range)
{
    sqlite3_stmt *statement =
        prepare_one(worker, "SELECT %s FROM \"%w\" WHERE %s BETWEEN ?1 AND ?2 ORDER BY %s LIMIT 1",
                    run->scan->table->rowid, run);
    int rc;

    sqlite3_bind_int64(statement, 1, range->lo);
    sqlite3_bind_int64(statement, 2, range->hi);
    rc = statement ? sqlite3_step(statement) : SQLITE_ERROR;
    if (rc == SQLITE_ROW)
        *rowid = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return rc;
}

/* The first bytes of a text too long to be a value. UTF-16 is left out: its bytes are no text
 * here. */
static void take_long_text(struct run *run, struct worker *worker, uint32_t c, int64_t rowid)
{
    const struct nsc_scan *scan = run->scan;
    char *head = nsc_xmalloc(NSC_SCAN_TEXT_LIMIT);
    sqlite3_blob *blob = NULL;
    int n = 0, all = 0;

    if (sqlite3_blob_open(worker->db, "main", scan->table->name, scan->columns[c].name, rowid, 0,
                          &blob) == SQLITE_OK) {
        all = sqlite3_blob_bytes(blob);
        n = !scan->table->utf8 ? 0 : all < NSC_SCAN_TEXT_LIMIT ? all : NSC_SCAN_TEXT_LIMIT;
        if (n && sqlite3_blob_read(blob, head, n, 0) != SQLITE_OK)
            n = 0;
    }
    sqlite3_blob_close(blob);
    worker->type[worker->n][c] = NSC_CELL_TEXT;
    copy_text(worker, c, head, (size_t)n, (uint64_t)all);
    free(head);
}

static void take_lone_cell(struct run *run, struct worker *worker, uint32_t c, int64_t rowid)
{
    const struct nsc_scan_column *column = &run->scan->columns[c];
    sqlite3_stmt *statement =
        prepare_one(worker, "SELECT \"%w\" FROM \"%w\" WHERE %s = ?1 /* %s */", column->name, run);

    worker->type[worker->n][c] = NSC_CELL_BLOB;
    worker->value[c][worker->n] = 0;
    sqlite3_bind_int64(statement, 1, rowid);
    if (statement && sqlite3_step(statement) == SQLITE_ROW)
        take_cell(worker, c, statement, 0, column->wants_text);
    else if (column->wants_text)
        take_long_text(run, worker, c, rowid);
    sqlite3_finalize(statement);
}

/* The first row of the range cell by cell. SQLITE_DONE when there is none. */
static int take_long_row(struct run *run, struct worker *worker, struct range *range)
{
    int64_t rowid = 0;
    int rc = find_row(run, worker, &rowid, range);
    uint32_t c;

    if (rc != SQLITE_ROW)
        return rc;
    for (c = 0; c < run->scan->n_columns; c++)
        take_lone_cell(run, worker, c, rowid);
    worker->rowid[worker->n++] = rowid;
    advance(range, rowid);
    return SQLITE_ROW;
}

/* ---- ranges ---- */

static bool is_full(const struct worker *worker)
{
    return worker->n == NSC_SCAN_ROWS || worker->n_bytes > TEXT_BYTES;
}

/* Steps until the statement ends or fails; gives the code that ended it. */
static int step_rows(struct run *run, unsigned index, uint32_t task, struct range *range)
{
    struct worker *worker = run->workers[index];
    int rc;

    sqlite3_bind_int64(worker->rows, 1, range->lo);
    sqlite3_bind_int64(worker->rows, 2, range->hi);
    while ((rc = sqlite3_step(worker->rows)) == SQLITE_ROW) {
        int64_t rowid = sqlite3_column_int64(worker->rows, 0);
        uint32_t c;

        for (c = 0; c < run->scan->n_columns; c++)
            take_cell(worker, c, worker->rows, (int)c + 1, run->scan->columns[c].wants_text);
        worker->rowid[worker->n++] = rowid;
        advance(range, rowid);
        if (is_full(worker) && !flush(run, worker, index, task)) {
            rc = SQLITE_INTERRUPT;
            break;
        }
    }
    sqlite3_reset(worker->rows);
    return rc;
}

static int scan_range(struct run *run, unsigned index, uint32_t task, struct range range)
{
    struct worker *worker = run->workers[index];
    bool retried = false;
    int rc = SQLITE_OK;

    while (!range.empty && rc != SQLITE_DONE) {
        rc = step_rows(run, index, task, &range);
        if ((rc & 0xff) == SQLITE_TOOBIG && !range.empty)
            rc = take_long_row(run, worker, &range);
        if (rc == SQLITE_INTERRUPT || (rc != SQLITE_DONE && rc != SQLITE_ROW && retried))
            return rc;
        retried |= rc != SQLITE_DONE && rc != SQLITE_ROW;
        if (is_full(worker) && !flush(run, worker, index, task))
            return SQLITE_INTERRUPT;
    }
    return flush(run, worker, index, task) ? SQLITE_DONE : SQLITE_INTERRUPT;
}

static void run_task(void *context, unsigned index, uint32_t i)
{
    struct run *run = context;
    struct worker *worker = run->workers[index] ? run->workers[index] : worker_new(run, index);
    struct range range = {(int64_t)((uint64_t)run->lo + i * run->step), run->hi, false};
    int rc = SQLITE_OK;

    if (run->stopped || run->failed || nsc_progress_cancelled(run->scan->progress)) {
        run->stopped = true;
        return;
    }
    if (i + 1 < run->n_tasks)
        range.hi = (int64_t)((uint64_t)range.lo + run->step - 1);
    if (!worker->db)
        rc = SQLITE_CANTOPEN;
    else if (!worker->rows)
        rc = sqlite3_prepare_v2(worker->db, run->sql, -1, &worker->rows, NULL);
    if (rc == SQLITE_OK)
        rc = scan_range(run, index, run->first_task + i, range);
    if (rc != SQLITE_DONE && rc != SQLITE_INTERRUPT)
        run->failed = rc;
}

static enum nsc_scan_result end_run(struct run *run, struct nsc_error *error)
{
    unsigned i;

    for (i = 0; i < NSC_SOURCE_WORKERS; i++)
        worker_free(run->workers[i]);
    sqlite3_free(run->sql);
    if (run->failed) {
        char what[96];

        sqlite3_snprintf(sizeof what, what, "cannot read table %.64s of", run->scan->table->name);
        (void)nsc_source_fail(run->source, run->failed, what, error);
        return NSC_SCAN_FAILED;
    }
    return run->stopped ? NSC_SCAN_STOPPED : NSC_SCAN_DONE;
}

enum nsc_scan_result nsc_scan_sqlite(struct nsc_source *source, struct nsc_pool *pool,
                                     const struct nsc_scan *scan, uint32_t first_task,
                                     uint32_t *n_tasks, struct nsc_error *error)
{
    struct run run = {.source = source, .scan = scan, .first_task = first_task};
    int rc;

    *n_tasks = 0;
    if (!nsc_schema_rowids(source->db, scan->table, &run.lo, &run.hi, &rc)) {
        run.failed = rc;
        return end_run(&run, error);
    }
    cut_tasks(&run);
    run.sql = make_sql(scan);
    *n_tasks = run.n_tasks;
    if (run.sql)
        nsc_pool_run(pool, run.n_tasks, run_task, &run);
    else
        run.failed = SQLITE_NOMEM;
    return end_run(&run, error);
}
