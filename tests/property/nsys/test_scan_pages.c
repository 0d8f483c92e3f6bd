/*
 * Property tests of direct reading: tables in every layout that SQLite writes give the rows of
 * sqlite3_step, and only unusual ones fall back.
 */
#include "core/buf.h"
#include "core/die.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/scan_rows.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder and the random numbers of a test. */
struct fixture {
    char folder[64];
    char path[96];
    struct dice dice;
};

static uint64_t next_random(struct fixture *f)
{
    return dice_next(&f->dice);
}

static uint32_t below(struct fixture *f, uint32_t n)
{
    return (uint32_t)dice_below(&f->dice, n);
}

static int set_up(void **state)
{
    struct fixture *f = nsc_xcalloc(1, sizeof *f);

    f->dice = dice_new(20240607);
    snprintf(f->folder, sizeof f->folder, "/tmp/nsyscope-pages-XXXXXX");
    *state = f;
    if (!mkdtemp(f->folder))
        return -1;
    snprintf(f->path, sizeof f->path, "%s/t.sqlite", f->folder);
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    unlink(f->path);
    rmdir(f->folder);
    free(f);
    return 0;
}

static void execute(sqlite3 *db, const char *sql)
{
    char *error = NULL;

    if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
        fail_msg("%s: %s", sql, error);
}

static sqlite3 *create(struct fixture *f)
{
    sqlite3 *db = NULL;

    unlink(f->path);
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    execute(db, "PRAGMA synchronous=OFF");
    return db;
}

/* Integers of every stored width, of both signs. */
static int64_t random_integer(struct fixture *f)
{
    static const unsigned width[] = {1, 8, 16, 24, 32, 48, 64};
    unsigned bits = width[below(f, 7)];
    int64_t value = (int64_t)(next_random(f) >> (64 - bits));

    return below(f, 2) ? value : -(value / 2);
}

static void bind_text(struct fixture *f, sqlite3_stmt *insert, int i, uint32_t n, bool blob)
{
    char *bytes = nsc_xmalloc((size_t)n + 1);

    for (uint32_t k = 0; k < n; k++)
        bytes[k] = (char)('a' + below(f, 26));
    if (blob)
        sqlite3_bind_blob(insert, i, bytes, (int)n, SQLITE_TRANSIENT);
    else
        sqlite3_bind_text(insert, i, bytes, (int)n, SQLITE_TRANSIENT);
    free(bytes);
}

static uint32_t random_length(struct fixture *f)
{
    static const uint32_t most[] = {1, 5, 56, 60, 300, 3000, 9000, 140000};
    uint32_t i = below(f, 100);

    return below(f, most[i < 40   ? 2
                         : i < 60 ? 3
                         : i < 80 ? 4
                         : i < 90 ? i % 3
                         : i < 99 ? 5 + i % 2
                                  : 7]);
}

static void bind_any(struct fixture *f, sqlite3_stmt *insert, int i)
{
    static const double reals[] = {0.5, -1e300, 1e-310, 3.0, (double)INFINITY, -(double)INFINITY};

    switch (below(f, 6)) {
    case 0:
        sqlite3_bind_null(insert, i);
        break;
    case 1:
        sqlite3_bind_double(insert, i, reals[below(f, 6)]);
        break;
    case 2:
        bind_text(f, insert, i, random_length(f), true);
        break;
    case 3:
        bind_text(f, insert, i, random_length(f), false);
        break;
    default:
        sqlite3_bind_int64(insert, i, random_integer(f));
    }
}

/* Rows of t(a, b, c, d, e, f): numbers first, a short text, a text of any length. */
static void fill(struct fixture *f, sqlite3 *db, uint32_t n)
{
    sqlite3_stmt *insert = NULL;

    execute(db, "BEGIN");
    sqlite3_prepare_v2(db, "INSERT INTO t(a,b,c,d,e,f) VALUES(?,?,?,?,?,?)", -1, &insert, NULL);
    assert_non_null(insert);
    for (uint32_t i = 0; i < n; i++) {
        for (int c = 1; c <= 4; c++)
            sqlite3_bind_int64(insert, c, random_integer(f));
        if (below(f, 4) == 0)
            sqlite3_bind_null(insert, 3);
        if (below(f, 4) == 0)
            sqlite3_bind_double(insert, 4, 0.25 * (double)below(f, 100) + 0.1);
        bind_text(f, insert, 5, below(f, 70), below(f, 8) == 0);
        bind_text(f, insert, 6, random_length(f), false);
        sqlite3_step(insert);
        assert_int_equal(sqlite3_reset(insert), SQLITE_OK);
    }
    sqlite3_finalize(insert);
    execute(db, "COMMIT");
}

/* The required result of a comparison: DONE, FALLBACK, or (FAILED) either. */
static void compare(struct fixture *f, const char *table, bool texts, enum nsc_scan_result expected)
{
    struct scan_file file;
    struct scan_subject subject;
    struct scan_outcome step;

    assert_true(scan_file_open(&file, f->path));
    assert_true(scan_subject_find(&subject, &file, table, texts));
    scan_rows_step(&step, &file, &subject);
    assert_int_equal(step.result, NSC_SCAN_DONE);
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        struct scan_outcome pages;

        scan_rows_pages(&pages, &file, &subject, threads);
        if (!scan_rows_agree(&pages, &step))
            fail_msg("%s: rows differ", table);
        if (expected != NSC_SCAN_FAILED && pages.result != expected)
            fail_msg("%s: result %d: %s", table, (int)pages.result, pages.reason);
        if (pages.result == NSC_SCAN_FALLBACK)
            assert_true(pages.reason[0] != '\0');
        scan_outcome_fini(&pages);
    }
    scan_outcome_fini(&step);
    scan_subject_free(&subject);
    scan_file_close(&file);
}

static void compare_both(struct fixture *f, const char *table, enum nsc_scan_result expected)
{
    compare(f, table, false, expected);
    compare(f, table, true, expected);
}

TEST_WITH(test_page_sizes, set_up, tear_down)
{
    struct fixture *f = *state;

    for (unsigned size = 512; size <= 65536; size *= 2) {
        for (int vacuum = 0; vacuum < 3; vacuum++) {
            sqlite3 *db = create(f);
            char sql[128];

            snprintf(sql, sizeof sql, "PRAGMA page_size=%u; PRAGMA auto_vacuum=%d", size, vacuum);
            execute(db, sql);
            execute(db, "CREATE TABLE t(a,b,c,d,e,f)");
            fill(f, db, 1500);
            execute(db, "CREATE TABLE other AS SELECT * FROM t LIMIT 300");
            fill(f, db, 500);
            execute(db, "DELETE FROM t WHERE abs(random()) % 3 = 0");
            execute(db, "UPDATE t SET a = a / 3, e = 'x' WHERE abs(random()) % 3 = 0");
            execute(db, "PRAGMA incremental_vacuum(20)");
            sqlite3_close(db);
            compare_both(f, "t", NSC_SCAN_DONE);
            compare_both(f, "other", NSC_SCAN_DONE);
        }
    }
}

TEST_WITH(test_reserved_bytes, set_up, tear_down)
{
    struct fixture *f = *state;

    for (int reserved = 1; reserved <= 32; reserved += 31) {
        sqlite3 *db = create(f);
        int n = reserved;

        execute(db, "PRAGMA page_size=1024");
        assert_int_equal(sqlite3_file_control(db, NULL, SQLITE_FCNTL_RESERVE_BYTES, &n), SQLITE_OK);
        execute(db, "CREATE TABLE t(a,b,c,d,e,f)");
        fill(f, db, 1000);
        sqlite3_close(db);
        compare_both(f, "t", NSC_SCAN_DONE);
    }
}

/* Any value in any column: equal rows; only values far into a long row fall back. */
TEST_WITH(test_any_values, set_up, tear_down)
{
    struct fixture *f = *state;

    for (int round = 0; round < 6; round++) {
        sqlite3 *db = create(f);
        sqlite3_stmt *insert = NULL;

        execute(db, round % 2 ? "PRAGMA page_size=512" : "PRAGMA page_size=65536");
        execute(db, "CREATE TABLE t(a,b,c,d,e,f); BEGIN");
        sqlite3_prepare_v2(db, "INSERT INTO t VALUES(?,?,?,?,?,?)", -1, &insert, NULL);
        for (int i = 0; i < 400; i++) {
            for (int c = 1; c <= 6; c++)
                bind_any(f, insert, c);
            sqlite3_step(insert);
            sqlite3_reset(insert);
        }
        sqlite3_finalize(insert);
        execute(db, "COMMIT");
        sqlite3_close(db);
        compare_both(f, "t", NSC_SCAN_FAILED);
    }
}

/* Numbers in as many columns as a scan may have. */
TEST_WITH(test_column_counts, set_up, tear_down)
{
    struct fixture *f = *state;

    for (unsigned n = 1; n <= NSC_SCAN_COLUMNS; n++) {
        sqlite3 *db = create(f);
        struct nsc_buf sql = NSC_BUF_INIT(SIZE_MAX);

        nsc_buf_puts(&sql, "CREATE TABLE t(c0");
        for (unsigned c = 1; c < n; c++)
            nsc_buf_printf(&sql, ", c%u", c);
        nsc_buf_puts(&sql, "); BEGIN");
        for (int row = 0; row < 100; row++) {
            nsc_buf_puts(&sql, "; INSERT INTO t VALUES(");
            for (unsigned c = 0; c < n; c++)
                nsc_buf_printf(&sql, "%s%lld", c ? ", " : "",
                               (long long)random_integer(f) / (1 + (row % 7)));
            nsc_buf_puts(&sql, ")");
        }
        nsc_buf_puts(&sql, "; COMMIT");
        execute(db, sql.bytes);
        nsc_buf_fini(&sql);
        sqlite3_close(db);
        compare_both(f, "t", NSC_SCAN_DONE);
    }
}

TEST_WITH(test_row_ids, set_up, tear_down)
{
    struct fixture *f = *state;
    sqlite3 *db = create(f);
    sqlite3_stmt *insert = NULL;

    execute(db, "PRAGMA page_size=512");
    execute(db, "CREATE TABLE t(name TEXT, id INTEGER PRIMARY KEY, n INT)");
    execute(db, "INSERT INTO t VALUES('least', -9223372036854775808, 1),"
                "('most', 9223372036854775807, 2), ('zero', 0, 3), ('before', -1, 4); BEGIN");
    sqlite3_prepare_v2(db, "INSERT OR IGNORE INTO t VALUES('x', ?, 5)", -1, &insert, NULL);
    for (int i = 0; i < 3000; i++) {
        sqlite3_bind_int64(insert, 1, random_integer(f));
        sqlite3_step(insert);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    execute(db, "COMMIT; CREATE TABLE none(a, b); CREATE TABLE one(a INTEGER PRIMARY KEY);"
                "INSERT INTO one VALUES(-5)");
    sqlite3_close(db);
    compare_both(f, "t", NSC_SCAN_DONE);
    compare_both(f, "none", NSC_SCAN_DONE);
    compare_both(f, "one", NSC_SCAN_DONE);
    compare_both(f, "sqlite_schema", NSC_SCAN_DONE);
}

TEST_WITH(test_wal_checkpointed, set_up, tear_down)
{
    struct fixture *f = *state;
    sqlite3 *db = create(f);

    execute(db, "PRAGMA journal_mode=WAL");
    execute(db, "CREATE TABLE t(a,b,c,d,e,f)");
    fill(f, db, 1000);
    execute(db, "PRAGMA wal_checkpoint(TRUNCATE)");
    sqlite3_close(db);
    compare_both(f, "t", NSC_SCAN_DONE);
}

TEST_WITH(test_utf16, set_up, tear_down)
{
    struct fixture *f = *state;
    sqlite3 *db = create(f);

    execute(db, "PRAGMA encoding='UTF-16le'");
    execute(db, "CREATE TABLE t(a,b,c,d,e,f)");
    fill(f, db, 300);
    sqlite3_close(db);
    compare(f, "t", false, NSC_SCAN_DONE);
    compare(f, "t", true, NSC_SCAN_FALLBACK);
}

/* Tables whose rows differ from the contents of the page. */
TEST_WITH(test_falls_back, set_up, tear_down)
{
    static const char *const tables[] = {
        "CREATE TABLE t(a); INSERT INTO t VALUES(1); ALTER TABLE t ADD COLUMN b INT DEFAULT 7",
        "CREATE TABLE t(a REAL); INSERT INTO t VALUES(1), (2.5)",
        "CREATE TABLE t(a, b DOUBLE PRECISION); INSERT INTO t VALUES(1, 4)",
        "CREATE TABLE t(a, b AS (a + 1) STORED, c); INSERT INTO t VALUES(1, 4)",
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        sqlite3 *db = create(f);

        execute(db, tables[i]);
        sqlite3_close(db);
        compare_both(f, "t", NSC_SCAN_FALLBACK);
    }
}

TEST_WITH(test_without_rowid, set_up, tear_down)
{
    struct fixture *f = *state;
    sqlite3 *db = create(f);
    struct scan_file file;
    struct scan_subject subject;
    struct scan_outcome pages;

    execute(db, "CREATE TABLE t(a TEXT PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO t VALUES(1, 2)");
    sqlite3_close(db);
    assert_true(scan_file_open(&file, f->path));
    assert_true(scan_subject_find(&subject, &file, "t", false));
    scan_rows_pages(&pages, &file, &subject, 1);
    assert_int_equal(pages.result, NSC_SCAN_FALLBACK);
    assert_int_equal(pages.n_rows, 0);
    scan_outcome_fini(&pages);
    scan_subject_free(&subject);
    scan_file_close(&file);
}

/* Virtual generated columns are not stored; the ordinals of other columns still hold. */
TEST_WITH(test_generated, set_up, tear_down)
{
    struct fixture *f = *state;
    sqlite3 *db = create(f);

    execute(db, "CREATE TABLE t(a, b AS (a + 1), c INT); INSERT INTO t VALUES(1, 4), (2, 'x')");
    sqlite3_close(db);
    compare_both(f, "t", NSC_SCAN_DONE);
}

/* A sink that stops, cancels or touches the file after some batches. */
struct meddler {
    struct nsc_progress progress;
    const char *path;
    int action; /* 0 stops, 1 cancels, 2 grows the file */
    _Atomic unsigned batches;
};

static bool meddle(void *context, unsigned worker, uint32_t task, const struct nsc_batch *batch)
{
    struct meddler *meddler = context;

    (void)worker;
    (void)task;
    (void)batch;
    if (meddler->batches++ != 2)
        return true;
    if (meddler->action == 1)
        meddler->progress.cancel = true;
    if (meddler->action == 2) {
        int fd = open(meddler->path, O_WRONLY | O_APPEND);

        assert_int_equal(write(fd, "x", 1), 1);
        close(fd);
    }
    return meddler->action != 0;
}

TEST_WITH(test_interrupted, set_up, tear_down)
{
    struct fixture *f = *state;
    sqlite3 *db = create(f);
    struct nsc_pool *pool = nsc_pool_new(2);

    execute(db, "PRAGMA page_size=512");
    execute(db, "CREATE TABLE t(a,b,c,d,e,f)");
    fill(f, db, 2000);
    sqlite3_close(db);
    for (int action = 0; action < 3; action++) {
        struct meddler meddler = {.path = f->path, .action = action};
        struct scan_file file;
        struct scan_subject subject;
        struct nsc_scan scan = {&subject.table, subject.columns,   4,    meddle,
                                &meddler,       &meddler.progress, NULL, NULL};
        uint32_t n_tasks = 0;
        char reason[80];

        assert_true(scan_file_open(&file, f->path));
        assert_true(scan_subject_find(&subject, &file, "t", false));
        assert_int_equal(nsc_scan_pages(&file.source, pool, &scan, 0, &n_tasks, reason),
                         action == 2 ? NSC_SCAN_FALLBACK : NSC_SCAN_STOPPED);
        if (action == 2) {
            assert_string_equal(reason, "the file changed");
            assert_int_equal(meddler.progress.rows, 0);
        }
        scan_subject_free(&subject);
        scan_file_close(&file);
    }
    nsc_pool_free(pool);
}

struct wishing {
    _Atomic uint32_t n, n_wanted; /* rows that the sink got */
};

static bool is_wished(int64_t rowid)
{
    return (rowid >= 700 && rowid < 760) || rowid == 1500;
}

static bool wants_wished(const void *context, int64_t first, int64_t last)
{
    (void)context;
    return (first < 760 && last >= 700) || (first <= 1500 && last >= 1500);
}

static bool count_wished(void *context, unsigned worker, uint32_t task,
                         const struct nsc_batch *batch)
{
    struct wishing *wishing = context;

    (void)worker;
    (void)task;
    wishing->n += batch->n;
    for (uint32_t i = 0; i < batch->n; i++)
        wishing->n_wanted += is_wished(batch->rowid[i]);
    return true;
}

/* All wanted rows, and few others. */
TEST_WITH(test_wanted, set_up, tear_down)
{
    struct fixture *f = *state;
    sqlite3 *db = create(f);
    struct nsc_pool *pool = nsc_pool_new(2);
    struct wishing wishing = {0, 0};
    struct scan_file file;
    struct scan_subject subject;
    struct nsc_scan scan = {&subject.table, subject.columns, 4, count_wished, &wishing, NULL,
                            NULL,           wants_wished};
    uint32_t n_tasks = 0;
    char reason[80];

    execute(db, "PRAGMA page_size=512");
    execute(db, "CREATE TABLE t(a,b,c,d,e,f)");
    execute(db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000) "
                "INSERT INTO t SELECT i, i, i, i, i, i FROM n");
    sqlite3_close(db);
    assert_true(scan_file_open(&file, f->path));
    assert_true(scan_subject_find(&subject, &file, "t", false));
    assert_int_equal(nsc_scan_pages(&file.source, pool, &scan, 0, &n_tasks, reason), NSC_SCAN_DONE);
    assert_int_equal(wishing.n_wanted, 61);
    assert_true(wishing.n < 200);
    scan_subject_free(&subject);
    scan_file_close(&file);
    nsc_pool_free(pool);
}

/* Changes some bytes, mostly in the structure: page and cell headers, cell pointers. */
static void mutate(struct fixture *f, uint8_t *bytes, size_t n, uint32_t page_size)
{
    uint32_t changes = 1 + below(f, 4);

    for (uint32_t i = 0; i < changes; i++) {
        size_t page = next_random(f) % (n / page_size) * page_size;
        uint32_t span = below(f, 2) ? 24 : page_size;
        uint8_t value = (uint8_t)next_random(f);

        bytes[page + below(f, span)] = below(f, 3) ? value : (uint8_t)(below(f, 2) * 255);
    }
}

/* Compares all tables of a damaged file; counts the comparisons in which both gave rows. */
static void compare_damaged(struct fixture *f, unsigned *n_equal, unsigned *n_fallback)
{
    struct scan_file file;
    struct scan_subject subject;
    struct scan_outcome step;
    struct scan_outcome pages;

    if (!scan_file_open(&file, f->path))
        return;
    if (scan_subject_find(&subject, &file, "t", true)) {
        scan_rows_step(&step, &file, &subject);
        scan_rows_pages(&pages, &file, &subject, 1 + below(f, 2));
        if (!scan_rows_agree(&pages, &step))
            fail_msg("a damaged file reads differently");
        *n_equal += pages.result == NSC_SCAN_DONE;
        *n_fallback += pages.result == NSC_SCAN_FALLBACK;
        scan_outcome_fini(&pages);
        scan_outcome_fini(&step);
        scan_subject_free(&subject);
    }
    scan_file_close(&file);
}

static void write_file(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static uint8_t *read_whole(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;

    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file);
    rewind(file);
    bytes = nsc_xmalloc(*n);
    assert_int_equal(fread(bytes, 1, *n, file), *n);
    fclose(file);
    return bytes;
}

TEST_WITH(test_damaged, set_up, tear_down)
{
    struct fixture *f = *state;
    unsigned n_equal = 0;
    unsigned n_fallback = 0;

    for (uint32_t round = 0; round < 6; round++) {
        uint32_t page_size = 512U << round % 3;
        sqlite3 *db = create(f);
        uint8_t *sound = NULL;
        uint8_t *bytes = NULL;
        size_t n = 0;
        char sql[80];

        snprintf(sql, sizeof sql, "PRAGMA page_size=%u; PRAGMA auto_vacuum=%u", page_size,
                 round / 3);
        execute(db, sql);
        execute(db, "CREATE TABLE t(a,b,c,d,e,f)");
        fill(f, db, 40 + below(f, 100));
        sqlite3_close(db);
        sound = read_whole(f->path, &n);
        bytes = nsc_xmalloc(n);
        for (int i = 0; i < 200; i++) {
            memcpy(bytes, sound, n);
            mutate(f, bytes, n, page_size);
            write_file(f->path, bytes, below(f, 20) ? n : n - below(f, (uint32_t)n / 2));
            compare_damaged(f, &n_equal, &n_fallback);
        }
        free(bytes);
        free(sound);
    }
    /* Both results must occur, or the loop proves nothing. */
    assert_in_range(n_equal, 20, 1200);
    assert_in_range(n_fallback, 20, 1200);
}

/* A NaN in the file, which SQLite itself never writes, reads as NULL. */
TEST_WITH(test_nan, set_up, tear_down)
{
    static const uint8_t real[] = {0x3f, 0xf8, 0, 0, 0, 0, 0, 0};
    struct fixture *f = *state;
    sqlite3 *db = create(f);
    uint8_t *bytes = NULL;
    size_t n = 0;
    size_t at = 0;

    execute(db, "CREATE TABLE t(a, b); INSERT INTO t VALUES(1.5, 7)");
    sqlite3_close(db);
    bytes = read_whole(f->path, &n);
    while (at + sizeof real < n && memcmp(bytes + at, real, sizeof real) != 0)
        at++;
    assert_true(at + sizeof real < n);
    bytes[at] = 0x7f;
    bytes[at + 7] = 1;
    write_file(f->path, bytes, n);
    free(bytes);
    compare_both(f, "t", NSC_SCAN_DONE);
}

/* One leaf twice, in one task or in two adjacent ones: SQLite gives its rows twice, pages must
 * not. */
TEST_WITH(test_leaf_twice, set_up, tear_down)
{
    struct fixture *f = *state;
    sqlite3 *db = create(f);
    uint8_t *bytes = NULL;
    uint8_t *root = NULL;
    size_t n = 0;
    unsigned n_cells = 0;

    execute(db, "PRAGMA page_size=512; CREATE TABLE t(a);"
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 140)"
                "INSERT INTO t SELECT zeroblob(200) FROM n");
    sqlite3_close(db);
    bytes = read_whole(f->path, &n);
    root = bytes + 512;
    assert_int_equal(root[0], 5);
    n_cells = (unsigned)root[3] << 8 | root[4];
    assert_in_range(n_cells, 34, 80);
    for (unsigned i = 0; i + 1 < n_cells; i++) {
        uint8_t *one = root + ((unsigned)root[12 + 2 * i] << 8 | root[13 + 2 * i]);
        uint8_t *two = root + ((unsigned)root[14 + 2 * i] << 8 | root[15 + 2 * i]);
        uint8_t kept[4];

        memcpy(kept, two, 4);
        memcpy(two, one, 4);
        write_file(f->path, bytes, n);
        memcpy(two, kept, 4);
        compare_both(f, "t", NSC_SCAN_FALLBACK);
    }
    free(bytes);
}

/* A leaf whose last row lies beyond what the inner page says of it. */
TEST_WITH(test_row_beyond_its_key, set_up, tear_down)
{
    struct fixture *f = *state;
    sqlite3 *db = create(f);
    uint8_t *bytes = NULL;
    uint8_t *root = NULL;
    size_t n = 0;
    unsigned n_cells = 0;

    execute(db, "PRAGMA page_size=512; CREATE TABLE t(a);"
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)"
                "INSERT INTO t(rowid, a) SELECT i + 1000, zeroblob(200) FROM n");
    sqlite3_close(db);
    bytes = read_whole(f->path, &n);
    root = bytes + 512;
    assert_int_equal(root[0], 5);
    n_cells = (unsigned)root[3] << 8 | root[4];
    assert_in_range(n_cells, 34, 80);
    for (unsigned i = 0; i < n_cells; i++) {
        uint8_t *cell = root + ((unsigned)root[12 + 2 * i] << 8 | root[13 + 2 * i]);
        uint8_t *low = &cell[5]; /* after a page number, of a number of two bytes */

        if (*low == 0)
            continue;
        --*low;
        write_file(f->path, bytes, n);
        ++*low;
        compare_both(f, "t", NSC_SCAN_FALLBACK);
    }
    free(bytes);
}
