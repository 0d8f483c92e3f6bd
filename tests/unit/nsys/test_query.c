/*
 * Unit tests of queries: results, refusals, limits, and cancelling from another thread.
 * promises: A46
 */
#include "nsys/jobs/query.h"
#include "support/cm.h"
#include "support/make_db.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[NSC_TEST_PATH];
static char path[NSC_TEST_PATH];

static int set_up(void **state)
{
    char sql[4096];

    (void)state;
    nsc_test_folder_new(folder);
    nsc_test_path(path, folder, "a.sqlite");
    snprintf(sql, sizeof sql,
             "%s INSERT INTO StringIds VALUES (1, 'one'), (2, 'two'), (3, 'three');"
             "CREATE VIEW seen AS SELECT * FROM StringIds;",
             nsc_test_schema);
    nsc_test_db(path, sql);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    nsc_test_folder_free(folder);
    return 0;
}

static enum nsc_status ask(struct nsc_relation **out, const char *sql,
                           struct nsc_query_limits limits, struct nsc_error *error)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    const struct nsc_query_ask query = {
        .path = path, .options = &options, .sql = sql, .limits = limits};
    int column = 0;

    return nsc_query_run(out, &query, &column, error);
}

TEST(rows_have_their_kinds)
{
    struct nsc_relation *rows = NULL;
    struct nsc_error error = {0};

    assert_int_equal(ask(&rows,
                         "SELECT id, value, id / 2.0 AS half, NULL AS unknown, x'0102' AS bytes "
                         "FROM StringIds ORDER BY id DESC;",
                         NSC_QUERY_SCREEN, &error),
                     NSC_OK);
    assert_int_equal(nsc_sheet_rows(&rows->sheet), 3);
    assert_int_equal(rows->columns[0].kind, NSC_SHEET_ID);
    assert_int_equal(rows->columns[1].kind, NSC_SHEET_TEXT);
    assert_int_equal(rows->columns[2].kind, NSC_SHEET_NUMBER);
    assert_int_equal(rows->columns[2].decimals, 1);
    assert_string_equal(rows->columns[2].key, "half");
    assert_int_equal(nsc_sheet_at(&rows->sheet, 0, 0)->integer, 3);
    assert_false(nsc_sheet_at(&rows->sheet, 0, 3)->is_set);
    assert_int_equal(nsc_sheet_text(&rows->sheet, nsc_sheet_at(&rows->sheet, 0, 4)).n, 7);
    assert_false(rows->is_cut);
    nsc_relation_free(rows);
}

/* A log that another program made after the export was opened. */
TEST(a_loaded_export_is_asked_with_its_own_options)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_capture *loaded = NULL;
    struct nsc_relation *rows = NULL;
    struct nsc_error error = {0};
    int column = 0;
    char log[NSC_TEST_PATH + 8], shared[NSC_TEST_PATH + 8];
    FILE *file;

    assert_int_equal(nsc_capture_open(&loaded, path, &options, &error), NSC_OK);
    snprintf(log, sizeof log, "%s-wal", path);
    snprintf(shared, sizeof shared, "%s-shm", path);
    file = fopen(log, "wb");
    assert_non_null(file);
    assert_int_equal(fputs("a log", file) < 0, 0);
    assert_int_equal(fclose(file), 0);
    assert_int_not_equal(nsc_query_run(&rows,
                                       &(struct nsc_query_ask){.sql = "SELECT 1",
                                                               .limits = NSC_QUERY_SCREEN,
                                                               .loaded = loaded},
                                       &column, &error),
                         NSC_OK);
    assert_int_not_equal(access(shared, F_OK), 0);
    nsc_capture_close(loaded);
    assert_int_equal(unlink(log), 0);
}

TEST(everything_but_reading_is_refused)
{
    static const char *const refused[] = {
        "DELETE FROM StringIds",
        "INSERT INTO StringIds VALUES (4, 'four')",
        "CREATE TABLE a (b)",
        "CREATE TEMP TABLE a (b)",
        "DROP TABLE StringIds",
        "ATTACH 'other.sqlite' AS other",
        "VACUUM INTO 'copy.sqlite'",
        "PRAGMA journal_mode = wal",
        "PRAGMA query_only = off",
        "BEGIN",
        "SELECT load_extension('x')",
        "SELECT * FROM seen",
        "SELECT 1; SELECT 2",
        "SELECT missing FROM StringIds",
        "SELEC",
        "",
        "  ;  ",
    };
    char *before = nsc_test_listing(folder);
    char *after = NULL;

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct nsc_relation *rows = NULL;
        struct nsc_error error = {0};

        if (ask(&rows, refused[i], NSC_QUERY_SCREEN, &error) != NSC_EINVAL)
            fail_msg("not refused: %s", refused[i]);
        assert_null(rows);
        assert_true(error.text[0]);
        assert_null(strchr(error.text, '\n'));
    }
    after = nsc_test_listing(folder);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

TEST(errors_say_where)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_query_ask query = {.path = path,
                                  .options = &options,
                                  .sql = "SELECT missing FROM StringIds",
                                  .limits = NSC_QUERY_SCREEN};
    struct nsc_relation *rows = NULL;
    struct nsc_error error = {0};
    int column = 0;

    assert_int_equal(nsc_query_run(&rows, &query, &column, &error), NSC_EINVAL);
    assert_int_equal(column, 7);
    assert_non_null(strstr(error.text, "no such column: missing, at column 8"));
    query.sql = "SELECT 1; SELECT 2";
    assert_int_equal(nsc_query_run(&rows, &query, &column, &error), NSC_EINVAL);
    assert_int_equal(column, 9);
}

TEST(limits_are_told)
{
    static const char endless[] =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    struct nsc_query_limits few = {10, 1 << 20, 0};
    struct nsc_query_limits small = {1 << 20, 1000, 0};
    struct nsc_query_limits brief = {UINT64_MAX, UINT64_MAX, 1};
    struct nsc_relation *rows = NULL;
    struct nsc_error error = {0};

    assert_int_equal(ask(&rows, endless, few, &error), NSC_OK);
    assert_true(rows->is_cut);
    assert_int_equal(nsc_sheet_rows(&rows->sheet), 10);
    assert_int_equal(rows->sheet.notes.n, 1);
    assert_non_null(strstr(rows->sheet.notes.at[0], "only the first 10 rows"));
    nsc_relation_free(rows);
    assert_int_equal(ask(&rows, endless, small, &error), NSC_OK);
    assert_true(rows->is_cut);
    nsc_relation_free(rows);
    assert_int_equal(ask(&rows, endless, brief, &error), NSC_OK);
    assert_true(rows->is_cut);
    nsc_relation_free(rows);
    /* Exactly as many as the limit are all of them. */
    few.rows = 3;
    assert_int_equal(ask(&rows, "SELECT * FROM StringIds", few, &error), NSC_OK);
    assert_false(rows->is_cut);
    nsc_relation_free(rows);
}

/* No function of a query may take long after its time limit. */
TEST(values_are_bounded_where_time_is)
{
    static const char *const refused[] = {
        "SELECT zeroblob(30000000)",
        "SELECT hex(zeroblob(60000))",
        "SELECT replace(printf('%.*c', 60000, 'a'), 'a', 'aaaaaaaaaa')",
        "SELECT group_concat(printf('%.*c', 60000, 'a')) FROM StringIds",
        "SELECT value LIKE printf('%.*c', 2000, '%') FROM StringIds",
    };
    const struct nsc_query_limits brief = {100, 1 << 20, 50};
    const struct nsc_query_limits patient = {100, (uint64_t)4 << 30, 0};
    struct nsc_relation *rows = NULL;
    struct nsc_error error = {0};

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (ask(&rows, refused[i], brief, &error) != NSC_EINVAL)
            fail_msg("not refused: %s", refused[i]);
        assert_true(strstr(error.text, "64 KiB") || strstr(error.text, "pattern too complex"));
    }
    /* printf makes NULL of what is too long. */
    assert_int_equal(ask(&rows, "SELECT printf('%.*f', 50000000, 1)", brief, &error), NSC_OK);
    assert_false(nsc_sheet_at(&rows->sheet, 0, 0)->is_set);
    nsc_relation_free(rows);
    assert_int_equal(ask(&rows, "SELECT length(printf('%.*c', 2000000, 'a'))", patient, &error),
                     NSC_OK);
    assert_int_equal(nsc_sheet_at(&rows->sheet, 0, 0)->integer, 2000000);
    nsc_relation_free(rows);
}

static void *cancel(void *progress)
{
    usleep(20000);
    nsc_progress_cancel(progress);
    return NULL;
}

TEST(another_thread_cancels)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_progress *progress = nsc_progress_new();
    struct nsc_query_limits limits = {UINT64_MAX, UINT64_MAX, 0};
    struct nsc_relation *rows = NULL;
    struct nsc_error error = {0};
    const struct nsc_query_ask query = {
        .path = path,
        .options = &options,
        .sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
               "FROM n) SELECT count(*) FROM n",
        .limits = limits,
        .progress = progress};
    pthread_t thread;
    int column = 0;

    assert_int_equal(pthread_create(&thread, NULL, cancel, progress), 0);
    assert_int_equal(nsc_query_run(&rows, &query, &column, &error), NSC_ECANCELLED);
    assert_null(rows);
    pthread_join(thread, NULL);
    nsc_progress_free(progress);
}

TEST_MAIN
{
    return nsc_test_run(set_up, tear_down);
}
