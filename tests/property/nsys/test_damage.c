/*
 * One page of an export damaged in many ways: what is answered is what plain SQL reads of the same
 * file row by row, or it is refused as damaged; and the same on every run with any number of
 * threads. A page that lost a row is refused, though SQL reads the rest and says nothing.
 */
#include "nsyscope/open.h"

#include "nsys/generate/generate.h"
#include "support/cm.h"
#include "support/dice.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KERNELS = 400, ROUNDS = 250, HITS = 4 };

static const char *const tables[] = {"CUPTI_ACTIVITY_KIND_KERNEL",
                                     "CUPTI_ACTIVITY_KIND_RUNTIME",
                                     "CUPTI_ACTIVITY_KIND_MEMCPY",
                                     "NVTX_EVENTS",
                                     "StringIds",
                                     "PROCESSES"};

#define N_TABLES (sizeof tables / sizeof *tables)

struct bytes {
    unsigned char *at;
    size_t n;
    size_t page;
};

struct fixture {
    char path[64];
    struct bytes whole;
    uint32_t leaves[N_TABLES][4096];
    uint32_t n_leaves[N_TABLES];
    uint32_t root[N_TABLES];
};

static uint32_t read_be(const unsigned char *at, int n)
{
    uint32_t value = 0;

    for (int i = 0; i < n; i++)
        value = value << 8 | at[i];
    return value;
}

static void find_leaves(struct fixture *f, size_t table, uint32_t page)
{
    const unsigned char *at = f->whole.at + (size_t)(page - 1) * f->whole.page;

    if (at[0] == 13) {
        f->leaves[table][f->n_leaves[table]++] = page;
        return;
    }
    for (uint32_t i = 0; i < read_be(at + 3, 2); i++)
        find_leaves(f, table, read_be(at + read_be(at + 12 + 2 * (size_t)i, 2), 4));
    find_leaves(f, table, read_be(at + 8, 4));
}

static void load_file(struct fixture *f)
{
    FILE *file = fopen(f->path, "rb");

    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    f->whole.n = (size_t)ftell(file);
    rewind(file);
    f->whole.at = malloc(f->whole.n);
    assert_non_null(f->whole.at);
    assert_int_equal(fread(f->whole.at, 1, f->whole.n, file), f->whole.n);
    fclose(file);
    f->whole.page = read_be(f->whole.at + 16, 2);
    f->whole.page = f->whole.page == 1 ? 65536 : f->whole.page;
}

static void save_file(const struct fixture *f, const struct bytes *bytes)
{
    FILE *file = fopen(f->path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes->at, 1, bytes->n, file), bytes->n);
    assert_int_equal(fclose(file), 0);
}

static int begin(void **state)
{
    static struct fixture f = {.path = "/tmp/nsc_damage_XXXXXX"};
    struct nsc_generate_options options = NSC_GENERATE_OPTIONS_INIT;
    sqlite3 *db = NULL;

    close(mkstemp(f.path));
    options.kernels = KERNELS;
    options.force = true;
    assert_int_equal(nsc_generate(f.path, &options, NULL, NULL), NSC_OK);
    load_file(&f);
    assert_int_equal(sqlite3_open(f.path, &db), SQLITE_OK);
    for (size_t i = 0; i < N_TABLES; i++) {
        char *sql =
            sqlite3_mprintf("SELECT rootpage FROM sqlite_master WHERE name = %Q", tables[i]);
        sqlite3_stmt *row = NULL;

        assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_step(row), SQLITE_ROW);
        f.root[i] = (uint32_t)sqlite3_column_int(row, 0);
        find_leaves(&f, i, f.root[i]);
        sqlite3_finalize(row);
        sqlite3_free(sql);
    }
    sqlite3_close(db);
    *state = &f;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    free(f->whole.at);
    return getenv("NSC_KEEP") ? 0 : unlink(f->path);
}

/* ---- what the program says ---- */

struct answer {
    enum nsc_status status;
    uint32_t n_events;
    uint64_t mix; /* of what was loaded */
    char text[240];
};

struct subject {
    struct nsc_capture *capture;
    struct nsc_trace *trace;
};

static struct answer ask(struct subject *out, const char *path, unsigned threads, bool no_pages)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_error error = {NSC_OK, ""};
    struct answer answer = {.mix = 1};

    *out = (struct subject){NULL, NULL};
    options.threads = threads;
    options.no_pages = no_pages;
    answer.status = nsc_capture_open(&out->capture, path, &options, &error);
    if (answer.status == NSC_OK)
        answer.status = nsc_capture_load(&out->trace, out->capture, NULL, &error);
    memcpy(answer.text, error.text, sizeof answer.text);
    if (answer.status == NSC_OK) {
        const struct nsc_events *events = nsc_trace_events(out->trace);

        answer.n_events = events->n;
        for (uint32_t i = 0; i < events->n; i++)
            answer.mix = answer.mix * 0x100000001b3u ^ (uint64_t)events->start[i] ^
                         (uint64_t)nsc_event_end(events, i) << 7 ^ events->name[i] ^
                         (uint64_t)events->source[i] << 32;
    }
    return answer;
}

static void forget(struct subject *subject)
{
    nsc_trace_free(subject->trace);
    nsc_capture_close(subject->capture);
}

/* ---- what plain SQL says ---- */

struct row {
    int64_t start, end;
    bool is_there, is_whole; /* both are integers */
};

struct truth {
    struct row row[1 << 16]; /* by row id */
    uint64_t n;
    bool is_ordered;
    int rc; /* of the last step */
};

static void read_truth(struct truth *out, sqlite3 *db, const char *table)
{
    bool is_meta = strcmp(table, "StringIds") == 0 || strcmp(table, "PROCESSES") == 0;
    char *sql = sqlite3_mprintf("SELECT rowid, %s FROM %s NOT INDEXED",
                                is_meta ? "*" : "start, end", table);
    sqlite3_stmt *row = NULL;
    int64_t last = INT64_MIN;
    int rc;

    memset(out, 0, sizeof *out);
    out->is_ordered = true;
    rc = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
    sqlite3_free(sql);
    while (rc == SQLITE_OK || rc == SQLITE_ROW) {
        int64_t id;

        rc = sqlite3_step(row);
        if (rc != SQLITE_ROW)
            break;
        id = sqlite3_column_int64(row, 0);
        out->is_ordered &= out->n == 0 || id > last;
        last = id;
        out->n++;
        if (id < 0 || id >= 1 << 16)
            continue;
        out->row[id] =
            (struct row){sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 2), true,
                         sqlite3_column_type(row, 1) == SQLITE_INTEGER &&
                             sqlite3_column_type(row, 2) == SQLITE_INTEGER};
    }
    out->rc = rc;
    sqlite3_finalize(row);
}

static void check_table(const struct subject *subject, sqlite3 *db, const char *table,
                        struct truth *truth)
{
    const struct nsc_events *events = nsc_trace_events(subject->trace);
    uint32_t n;
    const struct nsc_table_status *reports = nsc_capture_tables(subject->capture, &n);
    uint32_t r = 0;
    uint64_t counted;

    while (r < n && strcmp(reports[r].name, table) != 0)
        r++;
    assert_true(r < n);
    read_truth(truth, db, table);
    if (truth->rc != SQLITE_DONE || !truth->is_ordered)
        fail_msg("%s is answered from; SQL ends with %d after %llu rows, %s", table, truth->rc,
                 (unsigned long long)truth->n, truth->is_ordered ? "in order" : "out of order");
    if (strcmp(table, "StringIds") == 0 || strcmp(table, "PROCESSES") == 0)
        return;
    if (reports[r].rows != truth->n)
        fail_msg("%s: %llu rows, SQL says %llu", table, (unsigned long long)reports[r].rows,
                 (unsigned long long)truth->n);
    counted = reports[r].events;
    for (int skip = 0; skip < NSC_N_SKIPS; skip++)
        counted += reports[r].skipped[skip];
    if (strcmp(table, "NVTX_EVENTS") != 0)
        assert_int_equal(counted, truth->n);
    for (uint32_t i = 0; i < events->n; i++) {
        const struct row *row = &truth->row[events->source[i] & 0xffff];

        if (strcmp(nsc_kind_table((enum nsc_kind)events->kind[i]), table) != 0 ||
            strcmp(table, "NVTX_EVENTS") == 0 || events->source[i] > 0xffff)
            continue;
        if (!row->is_there || !row->is_whole || row->start != events->start[i] ||
            row->end != nsc_event_end(events, i))
            fail_msg("%s: row %u is another one to SQL", table, events->source[i]);
    }
}

static void check_answer(const struct fixture *f, const struct subject *subject)
{
    static struct truth truth;
    char uri[128];
    sqlite3 *db = NULL;

    snprintf(uri, sizeof uri, "file:%s?immutable=1", f->path);
    assert_int_equal(sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA cell_size_check=ON", NULL, NULL, NULL), SQLITE_OK);
    for (size_t i = 0; i < N_TABLES; i++)
        check_table(subject, db, tables[i], &truth);
    sqlite3_close(db);
}

/* ---- damage ---- */

/* In the header, the cell pointers or the rows of a leaf: bits, bytes, runs of zeros, cells
 * exchanged. */
static void damage(struct bytes *out, const struct fixture *f, struct dice *dice)
{
    size_t table = dice_below(dice, N_TABLES);
    uint32_t page = f->leaves[table][dice_below(dice, f->n_leaves[table])];
    unsigned char *at = out->at + (size_t)(page - 1) * f->whole.page;
    uint64_t hits = 1 + dice_below(dice, HITS);
    uint32_t cells = read_be(at + 3, 2);

    for (uint64_t i = 0; i < hits; i++) {
        size_t where = dice_below(dice, f->whole.page);
        uint64_t a = 8 + 2 * dice_below(dice, cells), b = 8 + 2 * dice_below(dice, cells);
        unsigned char kept[2] = {at[a], at[a + 1]};

        switch (dice_below(dice, 6)) {
        case 0:
            at[dice_below(dice, 8)] ^= (unsigned char)(1u << dice_below(dice, 8));
            break;
        case 1:
            at[a + dice_below(dice, 2)] = (unsigned char)dice_next(dice);
            break;
        case 2:
            memmove(at + a, at + b, 2);
            memcpy(at + b, kept, 2);
            break;
        case 3: /* the row id, behind a size of a byte or two */
            at[read_be(at + a, 2) % (f->whole.page - 4) + 1 + dice_below(dice, 3)] =
                (unsigned char)dice_next(dice);
            break;
        case 4:
            memset(at + where, 0, dice_below(dice, 64) % (f->whole.page - where));
            break;
        default:
            at[where] = (unsigned char)dice_next(dice);
        }
    }
}

/* The same text, rows and status whoever reads, as often as it is asked. */
static void check_same(const struct fixture *f, const struct answer *first)
{
    static const unsigned threads[] = {1, 2, 7, 7};

    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct subject subject;
        struct answer answer = ask(&subject, f->path, threads[i], false);

        if (answer.status != first->status || answer.n_events != first->n_events ||
            answer.mix != first->mix || strcmp(answer.text, first->text) != 0)
            fail_msg("%u threads: %u events, %s; first: %u events, %s", threads[i], answer.n_events,
                     answer.text, first->n_events, first->text);
        forget(&subject);
    }
}

static void test_damage_is_never_silent(void **state)
{
    const struct fixture *f = *state;
    struct bytes copy = f->whole;
    struct dice dice = dice_new(4711);
    unsigned refused = 0;

    copy.at = malloc(copy.n);
    assert_non_null(copy.at);
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(copy.at, f->whole.at, copy.n);
        damage(&copy, f, &dice);
        save_file(f, &copy);
        for (int no_pages = 0; no_pages < 2; no_pages++) {
            struct subject subject;
            struct answer answer = ask(&subject, f->path, 2, no_pages);

            refused += answer.status != NSC_OK;
            if (answer.status == NSC_OK)
                check_answer(f, &subject);
            else if (answer.status != NSC_EDAMAGED)
                fail_msg("round %d: status %d: %s", round, (int)answer.status, answer.text);
            forget(&subject);
            if (!no_pages && round % 4 == 0)
                check_same(f, &answer);
        }
    }
    printf("%u of %d refused\n", refused, 2 * ROUNDS);
    assert_true(refused > ROUNDS / 10);
    free(copy.at);
}

/* A count of cells that is too low by `lost`: rows, or whole leaves, are out of sight. */
static void check_lost(const struct fixture *f, struct bytes *copy, uint32_t page, uint32_t lost)
{
    unsigned char *at = copy->at + (size_t)(page - 1) * f->whole.page;
    uint32_t cells = read_be(at + 3, 2);

    if (cells <= lost)
        return;
    memcpy(copy->at, f->whole.at, copy->n);
    at[3] = (unsigned char)((cells - lost) >> 8);
    at[4] = (unsigned char)(cells - lost);
    save_file(f, copy);
    for (int no_pages = 0; no_pages < 2; no_pages++) {
        struct subject subject;
        struct answer answer = ask(&subject, f->path, 2, no_pages);

        if (answer.status != NSC_EDAMAGED)
            fail_msg("page %u lost %u cells: status %d", page, lost, (int)answer.status);
        forget(&subject);
    }
}

static void test_lost_rows_are_damage(void **state)
{
    const struct fixture *f = *state;
    struct bytes copy = f->whole;

    copy.at = malloc(copy.n);
    assert_non_null(copy.at);
    memcpy(copy.at, f->whole.at, copy.n);
    for (size_t i = 0; i < N_TABLES; i++) {
        if (strcmp(tables[i], "PROCESSES") == 0) /* SQL alone reads these */
            continue;
        for (uint32_t leaf = 0; leaf < f->n_leaves[i]; leaf += 1 + f->n_leaves[i] / 5)
            check_lost(f, &copy, f->leaves[i][leaf], 1 + leaf % 3);
        if (f->n_leaves[i] > 1)
            check_lost(f, &copy, f->root[i], 1);
        memcpy(copy.at, f->whole.at, copy.n);
    }
    free(copy.at);
}

/* SQLite refuses such a page only when it first reads it: a second load must not pass. */
static void test_refused_page_stays_refused(void **state)
{
    const struct fixture *f = *state;
    struct bytes copy = f->whole;
    struct subject subject;

    copy.at = malloc(copy.n);
    assert_non_null(copy.at);
    memcpy(copy.at, f->whole.at, copy.n);
    copy.at[(size_t)(f->leaves[1][0] - 1) * f->whole.page + 8 + 2 * 16] = 0x8e;
    save_file(f, &copy);
    for (int no_pages = 0; no_pages < 2; no_pages++) {
        assert_int_equal(ask(&subject, f->path, 2, no_pages).status, NSC_EDAMAGED);
        forget(&subject);
    }
    free(copy.at);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_damage_is_never_silent),
                                              cmocka_unit_test(test_lost_rows_are_damage),
                                              cmocka_unit_test(test_refused_page_stays_refused)};

    return cmocka_run_group_tests(tests, begin, end);
}
