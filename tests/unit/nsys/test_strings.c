/*
 * Unit tests of string ids: sparse, dense, negative, repeated, too long, missing.
 * promises: A20
 */
#include "nsyscope/trace.h"

#include "nsys/tables/strings.h"
#include "support/cm.h"
#include "support/make_db.h"

#include <stdio.h>
#include <string.h>

struct fixture {
    char folder[NSC_TEST_PATH], path[NSC_TEST_PATH];
    struct nsc_source *source;
    struct nsc_pool *pool;
    struct nsc_schema schema;
    struct nsc_strings strings;
};

static struct fixture fixture;

static int set_up(void **state)
{
    (void)state;
    nsc_test_folder_new(fixture.folder);
    nsc_test_path(fixture.path, fixture.folder, "x");
    fixture.pool = nsc_pool_new(2);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    nsc_strings_fini(&fixture.strings);
    nsc_source_close(fixture.source);
    nsc_pool_free(fixture.pool);
    nsc_test_folder_free(fixture.folder);
    return 0;
}

static void read_strings(const char *sql)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_error error = {NSC_OK, ""};

    nsc_test_db(fixture.path, sql);
    assert_int_equal(nsc_source_open(&fixture.source, fixture.path, &options, &error), NSC_OK);
    assert_int_equal(nsc_schema_read(&fixture.schema, fixture.source, &error), NSC_OK);
    assert_int_equal(nsc_strings_read(&fixture.strings, fixture.source, &fixture.schema,
                                      fixture.pool, false, &error),
                     NSC_OK);
}

static void expect(int64_t id, const char *text)
{
    struct nsc_text found;

    assert_true(nsc_strings_find(&fixture.strings, id, &found));
    assert_int_equal(found.n, strlen(text));
    assert_memory_equal(found.bytes, text, found.n);
}

static void expect_none(int64_t id)
{
    struct nsc_text found;

    assert_false(nsc_strings_find(&fixture.strings, id, &found));
}

TEST_WITH(test_dense, set_up, tear_down)
{
    read_strings(
        "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); WITH RECURSIVE c(x) AS "
        "(SELECT 0 UNION ALL "
        "SELECT x + 1 FROM c WHERE x < 4999) INSERT INTO StringIds SELECT x, 'text ' || x FROM c");
    assert_non_null(fixture.strings.dense);
    assert_int_equal(fixture.strings.n, 5000);
    expect(0, "text 0");
    expect(777, "text 777");
    expect(4999, "text 4999");
    expect_none(5000);
    expect_none(-1);
    expect_none(INT64_MAX);
}

TEST_WITH(test_sparse, set_up, tear_down)
{
    read_strings(
        "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES "
        "(-9223372036854775808, 'least'), (-5, ''), (3436172, 'mid'), (9223372036854775807, "
        "'most')");
    assert_null(fixture.strings.dense);
    expect(INT64_MIN, "least");
    expect(-5, "");
    expect(3436172, "mid");
    expect(INT64_MAX, "most");
    expect_none(0);
}

TEST_WITH(test_repeated_and_wrong, set_up, tear_down)
{
    read_strings("CREATE TABLE StringIds (id, value); INSERT INTO StringIds VALUES (7, 'first'), "
                 "(7, 'second'), ('8', "
                 "'text id'), (9, NULL), (10, 5), (11, x'4142'), (12, 'a' || char(0) || 'b')");
    expect(7, "first");
    expect_none(8);
    expect_none(9);
    expect_none(10);
    expect_none(11);
    assert_int_equal(fixture.strings.n, 2);
    assert_int_equal(fixture.strings.offset[2] - fixture.strings.offset[1], 3);
}

/* Longer than any value that SQLite returns, but the only row that is cut. */
TEST_WITH(test_long, set_up, tear_down)
{
    struct nsc_text text;

    read_strings("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO "
                 "StringIds VALUES (1, 'a'), (2, "
                 "replace(hex(zeroblob(50000000)), '0', 'x')), (3, 'c'), (4, "
                 "replace(hex(zeroblob(3000)), '0', 'y'))");
    expect(1, "a");
    expect(3, "c");
    assert_true(nsc_strings_find(&fixture.strings, 2, &text));
    assert_true(text.n <= NSC_NAME_BYTES);
    assert_memory_equal(text.bytes + text.n - 16, "100000000 bytes]", 16);
    assert_true(nsc_strings_find(&fixture.strings, 4, &text));
    assert_memory_equal(text.bytes + text.n - 11, "6000 bytes]", 11);
}

TEST_WITH(test_utf16, set_up, tear_down)
{
    read_strings("PRAGMA encoding = 'UTF-16le'; CREATE TABLE StringIds (id INTEGER PRIMARY KEY, "
                 "value TEXT); INSERT INTO "
                 "StringIds VALUES (1, 'dom\u00e4ne')");
    expect(1, "dom\u00e4ne");
}

/* The number of the first page of a long text: after the number of the next, it holds only c. */
static long find_overflow(FILE *file, char c)
{
    char page[512];

    rewind(file);
    for (long number = 1; fread(page, sizeof page, 1, file) == 1; number++)
        if (page[4] == c && page[300] == c && page[511] == c)
            return number;
    return 0;
}

/* A text that continues in the pages of a longer one: SQLite reads it without an error. */
TEST_WITH(test_pages_of_another_text, set_up, tear_down)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_error error = {NSC_OK, ""};
    unsigned char next[4];
    FILE *file;
    long from;
    long to;

    nsc_test_db(fixture.path,
                "PRAGMA page_size = 512; CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value "
                "TEXT); INSERT INTO StringIds VALUES (1, replace(hex(zeroblob(3000)), '0', 'a')), "
                "(2, replace(hex(zeroblob(700)), '0', 'b'))");
    file = fopen(fixture.path, "r+b");
    assert_non_null(file);
    from = find_overflow(file, 'a');
    to = find_overflow(file, 'b');
    assert_true(from > 0 && to > 0);
    assert_int_equal(fseek(file, (from - 1) * 512, SEEK_SET), 0);
    assert_int_equal(fread(next, sizeof next, 1, file), 1);
    assert_int_equal(fseek(file, (to - 1) * 512, SEEK_SET), 0);
    assert_int_equal(fwrite(next, sizeof next, 1, file), 1);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(nsc_source_open(&fixture.source, fixture.path, &options, &error), NSC_OK);
    assert_int_equal(nsc_schema_read(&fixture.schema, fixture.source, &error), NSC_OK);
    assert_int_equal(nsc_strings_read(&fixture.strings, fixture.source, &fixture.schema,
                                      fixture.pool, false, &error),
                     NSC_EDAMAGED);
}
