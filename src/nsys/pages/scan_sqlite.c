/*
 * The reference scan: one statement reads the whole table in the order of its b-tree.
 *
 * It never seeks by row id first: in a damaged tree a seek may silently miss rows. It requires that
 * row ids ascend as they lie. A row too long for SQLite's limit does not stop the scan: its cells
 * are fetched one by one, long texts through the incremental interface. A read error is retried
 * once. After either, the scan continues at the next row, which a second statement over row ids
 * alone finds.
 */

#include "core/die.h"
#include "nsys/pages/scan.h"
#include "nsys/pages/source.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES (1U << 20) /* bytes of copied texts, after which a batch is handed on */

/* The rows of a batch. Copies texts, because SQLite's are gone at the next step. */
struct worker {
    sqlite3 *db;
    sqlite3_stmt *rows;
    uint32_t n;
    int64_t rowid[NSC_SCAN_ROWS];
    uint8_t (*type)[NSC_SCAN_COLUMNS];
    int64_t (*value)[NSC_SCAN_ROWS];
    struct nsc_cell_text (*text)[NSC_SCAN_ROWS];
    size_t (*offset)[NSC_SCAN_ROWS]; /* of a text among the copied bytes, until the batch is
                                      * complete */
    char *bytes;
    size_t n_bytes, capacity;
    sqlite3_stmt *keys; /* second statement, over row ids alone; NULL until needed */
    int64_t key;        /* the last of them */
    int64_t last;       /* the last row taken */
    bool has_key, has_last;
};

struct run {
    struct nsc_source *source;
    const struct nsc_scan *scan;
    uint32_t task;
    struct worker *worker;
    bool stopped;
};

/* NOT INDEXED, because an index would change the order. from_row: starts at a row id, the
 * statement's one parameter. */
static char *make_sql(const struct nsc_scan *scan, bool from_row)
{
    const struct nsc_scan_table *table = scan->table;
    sqlite3_str *sql = sqlite3_str_new(NULL);
    uint32_t c;

    sqlite3_str_appendf(sql, "SELECT %s", table->rowid);
    for (c = 0; c < scan->n_columns; c++)
        sqlite3_str_appendf(sql, ", \"%w\"", scan->columns[c].name);
    sqlite3_str_appendf(sql, " FROM \"%w\" NOT INDEXED", table->name);
    if (from_row)
        sqlite3_str_appendf(sql, " WHERE %s >= ?1", table->rowid);
    return sqlite3_str_finish(sql);
}

static struct worker *worker_new(const struct run *run)
{
    uint32_t n = run->scan->n_columns ? run->scan->n_columns : 1;
    struct worker *worker = nsc_xcalloc(1, sizeof *worker);

    worker->type = nsc_xcalloc(NSC_SCAN_ROWS, sizeof *worker->type);
    worker->value = nsc_xcalloc(n, sizeof *worker->value);
    worker->text = nsc_xcalloc(n, sizeof *worker->text);
    worker->offset = nsc_xcalloc(n, sizeof *worker->offset);
    worker->db = nsc_source_second(run->source);
    return worker;
}

static void worker_free(struct worker *worker)
{
    if (!worker)
        return;
    sqlite3_finalize(worker->rows);
    sqlite3_finalize(worker->keys);
    free(worker->type);
    free(worker->value);
    free(worker->text);
    free(worker->offset);
    free(worker->bytes);
    free(worker);
}

/* Hands the batch on. False stops the scan. */
static bool flush(struct run *run)
{
    struct worker *worker = run->worker;
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
    if (!scan->sink(scan->context, 0, run->task, &batch) ||
        nsc_progress_is_cancelled(scan->progress))
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

/* Stores column `at` of the statement as cell c of the current row. */
static void take_cell(struct worker *worker, uint32_t c, sqlite3_stmt *row, int at,
                      const struct nsc_scan_column *column)
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
    if ((column->wants_text && type == SQLITE_TEXT) ||
        (column->wants_blob && type == SQLITE_BLOB)) {
        const void *bytes = type == SQLITE_BLOB ? sqlite3_column_blob(row, at)
                                                : (const void *)sqlite3_column_text(row, at);
        size_t n = bytes ? (size_t)sqlite3_column_bytes(row, at) : 0;

        copy_text(worker, c, bytes, n < NSC_SCAN_TEXT_LIMIT ? n : NSC_SCAN_TEXT_LIMIT, n);
    } else if (column->wants_text) {
        copy_text(worker, c, "", 0, 0);
    }
}

/* Adds a row id. False unless it is greater than the last one. */
static bool take_rowid(struct worker *worker, int64_t rowid)
{
    if (worker->has_last && rowid <= worker->last)
        return false;
    worker->rowid[worker->n++] = rowid;
    worker->last = rowid;
    worker->has_last = true;
    return true;
}

/* ---- rows beyond SQLite's limit of length ---- */

static sqlite3_stmt *prepare_one(struct worker *worker, const char *format, const char *what,
                                 const struct run *run)
{
    const struct nsc_scan_table *table = run->scan->table;
    sqlite3_stmt *statement = NULL;

    (void)nsc_source_prepare(&statement, worker->db, format, what, table->name, table->rowid);
    return statement;
}

/* Sets worker->key to the next row id in the order of the b-tree. */
static int step_keys(struct worker *worker)
{
    int rc = nsc_source_step(worker->keys);
    int64_t key = rc == SQLITE_ROW ? sqlite3_column_int64(worker->keys, 0) : 0;

    if (rc != SQLITE_ROW)
        return rc;
    if (worker->has_key && key <= worker->key)
        return SQLITE_CORRUPT;
    worker->key = key;
    worker->has_key = true;
    return rc;
}

/* Opens the statement over row ids. Reads all of them first: seeking by row id is safe only if all
 * ascend. */
static int open_keys(const struct run *run, struct worker *worker)
{
    int rc = SQLITE_ROW;

    worker->keys =
        prepare_one(worker, "SELECT %s FROM \"%w\" NOT INDEXED", run->scan->table->rowid, run);
    if (!worker->keys)
        return sqlite3_errcode(worker->db);
    while (rc == SQLITE_ROW)
        rc = step_keys(worker);
    sqlite3_reset(worker->keys);
    worker->has_key = false;
    return rc;
}

/* Sets worker->key to the first row id after the rows taken: SQLITE_ROW, or the reason why there is
 * none. */
static int find_next(const struct run *run, struct worker *worker)
{
    int rc = worker->keys ? SQLITE_DONE : open_keys(run, worker);

    if (rc != SQLITE_DONE)
        return rc;
    do
        rc = step_keys(worker);
    while (rc == SQLITE_ROW && worker->has_last && worker->key <= worker->last);
    return rc;
}

/* Stores the first bytes of a text that is too long for a value. Skips UTF-16, whose bytes are not
 * text here. */
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
        prepare_one(worker, "SELECT \"%w\" FROM \"%w\" WHERE %s = ?1", column->name, run);

    worker->type[worker->n][c] = NSC_CELL_BLOB;
    worker->value[c][worker->n] = 0;
    sqlite3_bind_int64(statement, 1, rowid);
    if (statement && nsc_source_step(statement) == SQLITE_ROW)
        take_cell(worker, c, statement, 0, column);
    else if (column->wants_text)
        take_long_text(run, worker, c, rowid);
    sqlite3_finalize(statement);
}

/* Stores the row of worker->key cell by cell. */
static void take_long_row(struct run *run)
{
    struct worker *worker = run->worker;

    for (uint32_t c = 0; c < run->scan->n_columns; c++)
        take_lone_cell(run, worker, c, worker->key);
    (void)take_rowid(worker, worker->key); /* cannot fail: find_next returns greater ids only */
}

/* ---- the table ---- */

static bool is_full(const struct worker *worker)
{
    return worker->n == NSC_SCAN_ROWS || worker->n_bytes > TEXT_BYTES;
}

/* Steps until the statement ends or fails; returns SQLite's code. is_next: the first row must be
 * worker->key. */
static int step_rows(struct run *run, bool is_next)
{
    struct worker *worker = run->worker;
    int rc;

    while ((rc = nsc_source_step(worker->rows)) == SQLITE_ROW) {
        int64_t rowid = sqlite3_column_int64(worker->rows, 0);

        if (is_next && rowid != worker->key)
            return SQLITE_CORRUPT;
        is_next = false;
        for (uint32_t c = 0; c < run->scan->n_columns; c++)
            take_cell(worker, c, worker->rows, (int)c + 1, &run->scan->columns[c]);
        if (!take_rowid(worker, rowid))
            return SQLITE_CORRUPT;
        if (is_full(worker) && !flush(run))
            return SQLITE_INTERRUPT;
    }
    return rc == SQLITE_DONE && is_next ? SQLITE_CORRUPT : rc;
}

/* Prepares the statement: from the first row, or (is_next) from worker->key. */
static int prepare_rows(const struct run *run, bool is_next)
{
    struct worker *worker = run->worker;
    char *sql = make_sql(run->scan, is_next);
    int rc;

    sqlite3_finalize(worker->rows);
    worker->rows = NULL;
    rc = sql ? sqlite3_prepare_v2(worker->db, sql, -1, &worker->rows, NULL) : SQLITE_NOMEM;
    if (nsc_source_can_retry(rc)) /* the schema was not read */
        rc = sqlite3_prepare_v2(worker->db, sql, -1, &worker->rows, NULL);
    if (rc == SQLITE_OK && is_next)
        rc = sqlite3_bind_int64(worker->rows, 1, worker->key);
    sqlite3_free(sql);
    return rc;
}

/* Continues after a row that is too long, which it takes, or after a failed read. Sets worker->key
 * to the next row. */
static int go_on(struct run *run, int rc)
{
    struct worker *worker = run->worker;
    bool is_long = (rc & 0xff) == SQLITE_TOOBIG;

    if (!is_long) {
        sqlite3_finalize(worker->keys);
        worker->keys = NULL;
        worker->has_key = false;
        sqlite3_reset(worker->rows);
        nsc_source_forget_pages(worker->db);
    }
    rc = find_next(run, worker);
    if (rc != SQLITE_ROW || !is_long)
        return rc;
    take_long_row(run);
    if (is_full(worker) && !flush(run))
        return SQLITE_INTERRUPT;
    return find_next(run, worker);
}

static int scan_rows(struct run *run)
{
    bool retried = false;
    int rc = run->worker->db ? prepare_rows(run, false) : SQLITE_CANTOPEN;
    bool is_next = false;

    while (rc == SQLITE_OK) {
        rc = step_rows(run, is_next);
        if (rc == SQLITE_DONE || rc == SQLITE_INTERRUPT)
            break;
        if ((rc & 0xff) != SQLITE_TOOBIG && retried)
            break;
        retried |= (rc & 0xff) != SQLITE_TOOBIG;
        rc = go_on(run, rc);
        if (rc != SQLITE_ROW)
            break;
        is_next = true;
        rc = prepare_rows(run, true);
    }
    if (rc == SQLITE_DONE && !flush(run))
        rc = SQLITE_INTERRUPT;
    return rc;
}

enum nsc_scan_result nsc_scan_sqlite(struct nsc_source *source, const struct nsc_scan *scan,
                                     uint32_t task, struct nsc_error *error)
{
    struct run run = {.source = source, .scan = scan, .task = task};
    char what[96];
    int rc;

    if (!nsc_scan_check(source, scan, error))
        return NSC_SCAN_FAILED;
    run.worker = worker_new(&run);
    rc = scan_rows(&run);
    worker_free(run.worker);
    if (rc == SQLITE_DONE)
        return NSC_SCAN_DONE;
    if (rc == SQLITE_INTERRUPT || run.stopped || nsc_progress_is_cancelled(scan->progress))
        return NSC_SCAN_STOPPED;
    sqlite3_snprintf(sizeof what, what, "cannot read table %.64s of", scan->table->name);
    (void)nsc_source_fail(source, rc, what, error);
    return NSC_SCAN_FAILED;
}
