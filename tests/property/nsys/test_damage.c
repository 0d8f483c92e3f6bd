/*
 * One page of an export damaged in many ways: the answer equals plain SQL on the same file row by
 * row, or the file is refused as damaged; the same on every run with any number of threads. A page
 * that lost a row is refused, although SQL reads the rest without an error.
 */
#include "support/cm.h"
#include "support/damage.h"
#include "support/dice.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS = 400, HITS = 4 };

static int begin(void **state)
{
    static struct damage_file f;

    damage_open(&f, KERNELS, NULL);
    *state = &f;
    return 0;
}

static int end(void **state)
{
    damage_close(*state);
    return 0;
}

/* Any reader gives the same text, rows and status, every time. */
static void check_same(const struct damage_file *f, const struct damage_answer *first)
{
    static const unsigned threads[] = {1, 2, 7, 7};

    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct damage_answer answer = damage_ask(f, threads[i], false);

        if (answer.status != first->status || answer.n_events != first->n_events ||
            answer.mix != first->mix || strcmp(answer.text, first->text) != 0)
            fail_msg("%u threads: %u events, %s; first: %u events, %s", threads[i], answer.n_events,
                     answer.text, first->n_events, first->text);
    }
}

TEST(test_damage_is_never_silent)
{
    struct damage_file *f = *state;
    struct dice dice = dice_new(4711);
    int rounds = getenv("NSC_LONG") ? 250 : 80;
    unsigned refused = 0;

    for (int round = 0; round < rounds; round++) {
        uint8_t ops[4 + HITS * DAMAGE_OP];
        size_t n = 4 + DAMAGE_OP * (1 + (size_t)dice_below(&dice, HITS));

        for (size_t i = 0; i < n; i++)
            ops[i] = (uint8_t)dice_next(&dice);
        damage_mend(f);
        damage_apply(f, ops, n);
        damage_save(f);
        for (int no_pages = 0; no_pages < 2; no_pages++) {
            struct damage_answer answer = damage_ask(f, 2, no_pages);

            refused += answer.status != NSC_OK;
            if (!no_pages && round % 4 == 0)
                check_same(f, &answer);
        }
    }
    printf("%u of %d refused\n", refused, 2 * rounds);
    assert_true(refused > (unsigned)rounds / 10);
}

/* A cell count that is too low by `lost`, which hides rows or whole leaves. */
static void check_lost(struct damage_file *f, uint32_t page, uint32_t lost)
{
    unsigned char *at = damage_page(f, page);
    uint32_t cells;

    damage_mend(f);
    cells = damage_be(at + 3, 2);
    if (cells <= lost)
        return;
    at[3] = (unsigned char)((cells - lost) >> 8);
    at[4] = (unsigned char)(cells - lost);
    damage_save(f);
    for (int no_pages = 0; no_pages < 2; no_pages++)
        if (damage_ask(f, 2, no_pages).status != NSC_EDAMAGED)
            fail_msg("page %u lost %u cells in silence", page, lost);
}

TEST(test_lost_rows_are_damage)
{
    struct damage_file *f = *state;

    for (size_t i = 0; i < DAMAGE_TABLES; i++) {
        for (uint32_t leaf = 0; leaf < f->n_leaves[i]; leaf += 1 + f->n_leaves[i] / 5)
            check_lost(f, f->leaves[i][leaf], 1 + leaf % 3);
        if (f->n_leaves[i] > 1)
            check_lost(f, f->root[i], 1);
    }
}

static uint32_t root_of(const struct damage_file *f, const char *table)
{
    char sql[128];
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    uint32_t root;

    snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_schema WHERE name = '%s'", table);
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    root = (uint32_t)sqlite3_column_int(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(db);
    return root;
}

/* An empty leaf over the root of a table: its leaves are found among more pages than are looked at. */
TEST(test_lost_pages_among_others)
{
    static struct damage_file f;
    unsigned char *root;

    damage_open(&f, KERNELS,
                "CREATE TABLE LONG (t); INSERT INTO LONG VALUES (hex(zeroblob(10000)))");
    assert_int_equal(damage_ask(&f, 2, false).status, NSC_OK);
    root = damage_page(&f, root_of(&f, "CUPTI_ACTIVITY_KIND_KERNEL"));
    assert_int_equal(root[0], 5);
    memset(root, 0, f.copy.page);
    root[0] = 13;
    root[5] = (unsigned char)(f.copy.page >> 8);
    damage_save(&f);
    assert_non_null(strstr(damage_ask(&f, 2, false).text, "belong to no table"));
    damage_close(&f);
}

/* A row whose last fields do not use all of its bytes: SQLite notices only when it reads them. */
TEST(test_rows_longer_than_their_fields)
{
    struct damage_file *f = *state;
    unsigned char *page;
    unsigned char *header;

    damage_mend(f);
    damage_save(f);
    page = damage_page(f, root_of(f, "TARGET_INFO_GPU"));
    header = page + damage_be(page + 8, 2);
    while (*header++ & 0x80) /* the size */
        continue;
    header++;                   /* the row id */
    header[header[0] - 1] ^= 1; /* the type of the last field */
    damage_save(f);
    for (int no_pages = 0; no_pages < 2; no_pages++)
        assert_int_equal(damage_ask(f, 2, no_pages).status, NSC_EDAMAGED);
}

static const unsigned char *pass_varint(const unsigned char *at)
{
    while (*at++ & 0x80)
        continue;
    return at;
}

/* The serial types of row `cell` of a page; sets their number. Each takes one byte, or *n is 0. */
static unsigned char *types_of(unsigned char *page, uint32_t cell, uint32_t *n)
{
    unsigned char *header = page + damage_be(page + 8 + 2 * (size_t)cell, 2);

    header += pass_varint(pass_varint(header)) - header;
    *n = header[0] - 1U;
    for (uint32_t i = 1; i <= *n; i++)
        if (header[i] & 0x80)
            *n = 0;
    return header + 1;
}

static unsigned size_of(unsigned type)
{
    static const unsigned sizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};

    return type < 12 ? sizes[type] : (type - 12) / 2;
}

/* Any other type of another size, also of a field that no reader wants. */
TEST(test_types_of_another_size)
{
    struct damage_file *f = *state;
    struct dice dice = dice_new(16);

    for (int round = 0; round < 60; round++) {
        size_t table = dice_below(&dice, DAMAGE_TABLES);
        uint32_t leaf = f->leaves[table][dice_below(&dice, f->n_leaves[table])];
        unsigned char *page = damage_page(f, leaf);
        uint32_t n = 0;
        uint32_t cell = (uint32_t)dice_below(&dice, damage_be(page + 3, 2));
        uint32_t field;
        unsigned char *types;
        unsigned char was;

        damage_mend(f);
        types = types_of(page, cell, &n);
        if (!n)
            continue;
        field = (uint32_t)dice_below(&dice, n);
        was = types[field];
        types[field] = (unsigned char)dice_below(&dice, 128);
        if (size_of(types[field]) == size_of(was))
            continue;
        damage_save(f);
        for (int no_pages = 0; no_pages < 2; no_pages++)
            if (damage_ask(f, 2, no_pages).status != NSC_EDAMAGED)
                fail_msg("%s: row %u of page %u, type %u: %u to %u in silence",
                         damage_tables[table], cell, leaf, field, was, types[field]);
    }
}

/* NULL in place of a zero, in a column that forbids NULL: the row stays as long as it was. */
TEST(test_null_in_a_column_that_forbids_it)
{
    enum { RETURN_VALUE = 6 }; /* of CUPTI_ACTIVITY_KIND_RUNTIME: NOT NULL */
    struct damage_file *f = *state;
    unsigned char *page = damage_page(f, f->leaves[1][0]);
    uint32_t n = 0;
    unsigned char *types;

    damage_mend(f);
    types = types_of(page, 0, &n);
    assert_true(n > RETURN_VALUE);
    assert_int_equal(types[RETURN_VALUE], 8);
    types[RETURN_VALUE] = 0;
    damage_save(f);
    for (int no_pages = 0; no_pages < 2; no_pages++)
        assert_int_equal(damage_ask(f, 2, no_pages).status, NSC_EDAMAGED);
}

/* A sound page of another table in place of the only page of a small one: refused, or a warning on
 * every answer. So is an empty page that still has bytes of rows. */
TEST(test_page_of_another_table)
{
    static const char *const small[] = {"StringIds", "TARGET_INFO_GPU", "PROCESSES",
                                        "META_DATA_EXPORT"};
    static const char *const others[] = {
        "CUPTI_ACTIVITY_KIND_MEMCPY", "PROCESSES", "TARGET_INFO_GPU", "ThreadNames", "StringIds",
        "ENUM_CUDA_MEMCPY_OPER"};
    struct damage_file *f = *state;

    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        for (size_t k = 0; k <= sizeof others / sizeof *others; k++) {
            const char *other = k < sizeof others / sizeof *others ? others[k] : "nothing";
            struct damage_answer answer;
            unsigned char *page;

            damage_mend(f);
            damage_save(f);
            page = damage_page(f, root_of(f, small[i]));
            if (page[0] != 13 || strcmp(small[i], other) == 0)
                continue;
            if (k < sizeof others / sizeof *others)
                memcpy(page, damage_page(f, root_of(f, other)), f->copy.page);
            else
                memcpy(page, "\x0d\0\0\0\0\x10\0", 8);
            damage_save(f);
            answer = damage_ask(f, 2, false);
            if (answer.status == NSC_OK && answer.n_damage == 0)
                fail_msg("%s holds a page of %s in silence", small[i], other);
        }
    }
}

/* A leaf copied over the root: SQLite takes its rows for the whole table. */
TEST(test_leaf_in_place_of_the_root)
{
    struct damage_file *f = *state;

    for (size_t i = 0; i < DAMAGE_TABLES; i++) {
        damage_mend(f);
        if (f->n_leaves[i] < 2)
            continue;
        memcpy(damage_page(f, f->root[i]), damage_page(f, f->leaves[i][0]), f->copy.page);
        damage_save(f);
        for (int no_pages = 0; no_pages < 2; no_pages++)
            if (damage_ask(f, 2, no_pages).status != NSC_EDAMAGED)
                fail_msg("%s: its root is lost in silence", damage_tables[i]);
    }
}

/* SQLite refuses such a page only at its first read: a second load must be refused too. */
TEST(test_refused_page_stays_refused)
{
    struct damage_file *f = *state;

    damage_mend(f);
    damage_page(f, f->leaves[1][0])[8 + 2 * 16] = 0x8e;
    damage_save(f);
    for (int no_pages = 0; no_pages < 2; no_pages++)
        assert_int_equal(damage_ask(f, 2, no_pages).status, NSC_EDAMAGED);
}

/* Lowers the cell count of each leaf of sqlite_schema by one: its last table is not listed. */
static unsigned lose_tables(struct damage_file *f)
{
    const unsigned char *root = damage_page(f, 1);
    uint32_t n = damage_be(root + 103, 2);
    unsigned failures = 0;

    assert_int_equal(root[100], 5); /* an interior page */
    for (uint32_t i = 0; i <= n; i++) {
        uint32_t leaf =
            damage_be(i < n ? root + damage_be(root + 112 + 2 * (size_t)i, 2) : root + 108, 4);
        unsigned char *page = damage_page(f, leaf);

        assert_int_equal(page[0], 13);
        page[4]--;
        damage_save(f);
        for (int no_pages = 0; no_pages < 2; no_pages++)
            failures += damage_ask(f, 2, no_pages).status != NSC_EDAMAGED;
        page[4]++;
    }
    return failures;
}

/* In files of every kind of auto_vacuum, with and without free pages. */
TEST(test_table_that_the_schema_lost)
{
    static const char *const kinds[] = {
        "PRAGMA page_size=1024; VACUUM",
        "PRAGMA page_size=1024; PRAGMA auto_vacuum=1; VACUUM",
        "PRAGMA page_size=512; PRAGMA auto_vacuum=1; VACUUM",
        ("PRAGMA page_size=1024; PRAGMA auto_vacuum=2; VACUUM;"
         "CREATE TABLE gone AS SELECT * FROM CUPTI_ACTIVITY_KIND_RUNTIME; DROP TABLE gone"),
    };
    static struct damage_file f;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        unsigned failures;

        damage_open(&f, KERNELS, kinds[i]);
        damage_save(&f);
        for (int no_pages = 0; no_pages < 2; no_pages++)
            assert_int_equal(damage_ask(&f, 2, no_pages).status, NSC_OK);
        failures = lose_tables(&f);
        if (failures)
            fail_msg("%s: %u tables are lost in silence", kinds[i], failures);
        damage_close(&f);
    }
}

TEST_MAIN
{
    return nsc_test_run(begin, end);
}
