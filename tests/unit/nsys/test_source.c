/*
 * Unit tests of opening: other files are refused in one line, and exports are opened without any
 * change in their folder.
 * promises: A25 A26 A28 A32 A36 A37 A39 A40
 */
#include "nsys/pages/source.h"
#include "support/cm.h"
#include "support/make_db.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char folder[NSC_TEST_PATH];

static int set_up(void **state)
{
    (void)state;
    nsc_test_folder_new(folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    nsc_test_folder_free(folder);
    return 0;
}

static enum nsc_status try_open(const char *path, bool wal, struct nsc_error *error)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_source *source;
    enum nsc_status status;

    options.wal = wal;
    *error = (struct nsc_error){NSC_OK, ""};
    status = nsc_source_open(&source, path, &options, error);
    nsc_source_close(source);
    return status;
}

/* Opening gives this status, and a line that contains this text. */
static void expect(const char *path, enum nsc_status status, const char *text)
{
    struct nsc_error error;

    assert_int_equal(try_open(path, false, &error), status);
    if (text && !strstr(error.text, text))
        fail_msg("\"%s\" is not in \"%s\"", text, error.text);
    assert_null(strchr(error.text, '\n'));
    assert_null(strchr(error.text, '\033'));
}

TEST_WITH(test_no_database, set_up, tear_down)
{
    char path[NSC_TEST_PATH];

    expect("/dev/null", NSC_EFORMAT, "character device");
    expect("/dev/zero", NSC_EFORMAT, "character device");
    expect(folder, NSC_EFORMAT, "directory");
    nsc_test_path(path, folder, "missing");
    expect(path, NSC_EFORMAT, "No such file");
    nsc_test_path(path, folder, "empty");
    nsc_test_file(path, "", 0);
    expect(path, NSC_EFORMAT, "is empty");
    nsc_test_path(path, folder, "text");
    nsc_test_file(path, "hello\n", 6);
    expect(path, NSC_EFORMAT, "not an SQLite export");
    nsc_test_path(path, folder, "packed");
    nsc_test_file(path, "\x1f\x8b\x08\x00", 4);
    expect(path, NSC_EFORMAT, "gzip");
    nsc_test_path(path, folder, "header");
    nsc_test_file(path, "SQLite format 3", 16);
    expect(path, NSC_EFORMAT, "cut off");
}

TEST_WITH(test_special_files, set_up, tear_down)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    char path[NSC_TEST_PATH];

    nsc_test_path(path, folder, "fifo");
    assert_int_equal(mkfifo(path, 0600), 0);
    expect(path, NSC_EFORMAT, "a pipe");
    nsc_test_path(path, folder, "socket");
    snprintf(address.sun_path, sizeof address.sun_path, "%.100s", path);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    expect(path, NSC_EFORMAT, "a socket");
    close(fd);
    nsc_test_path(path, folder, "loop");
    assert_int_equal(symlink(path, path), 0);
    expect(path, NSC_EFORMAT, "cannot open");
}

TEST_WITH(test_report_names_the_command, set_up, tear_down)
{
    char path[NSC_TEST_PATH], want[3 * NSC_TEST_PATH];

    nsc_test_path(path, folder, "a.nsys-rep");
    nsc_test_file(path, "whatever", 8);
    snprintf(want, sizeof want, "nsys export --type sqlite -o %s/a.sqlite %s", folder, path);
    expect(path, NSC_EFORMAT, want);
    nsc_test_path(path, folder, "b.qdrep");
    nsc_test_file(path, "whatever", 8);
    expect(path, NSC_EFORMAT, "/b.sqlite ");
}

/* Each name is a separate file, even if it looks like a URI; nothing else appears. */
TEST_WITH(test_odd_names, set_up, tear_down)
{
    static const char *const names[] = {"a?mode=rwc", "b#x", "c%41",   "d e", "e\nf",
                                        "g\033[31m",  "-h",  "file:i", "j&k"};
    size_t i;

    for (i = 0; i < sizeof names / sizeof *names; i++) {
        char path[NSC_TEST_PATH], *before, *after;

        nsc_test_path(path, folder, names[i]);
        nsc_test_db(path, nsc_test_schema);
        before = nsc_test_listing(folder);
        expect(path, NSC_OK, NULL);
        after = nsc_test_listing(folder);
        assert_string_equal(before, after);
        free(before);
        free(after);
    }
}

TEST_WITH(test_cut_file, set_up, tear_down)
{
    char path[NSC_TEST_PATH], cut[NSC_TEST_PATH];
    struct stat stat_buf;
    char *bytes;
    FILE *file;
    long at;

    nsc_test_path(path, folder, "whole");
    nsc_test_path(cut, folder, "cut");
    nsc_test_db(path, nsc_test_schema);
    assert_int_equal(stat(path, &stat_buf), 0);
    bytes = malloc((size_t)stat_buf.st_size);
    file = fopen(path, "rb");
    assert_int_equal(fread(bytes, 1, (size_t)stat_buf.st_size, file), stat_buf.st_size);
    fclose(file);
    for (at = 4095; at < stat_buf.st_size; at += 1) {
        nsc_test_file(cut, bytes, (size_t)at);
        expect(cut, NSC_EDAMAGED, "is cut at");
        if (at % 4096 == 1)
            at += 4093;
    }
    free(bytes);
}

static void make_wal(const char *path, bool keep)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)NULL);
    assert_int_equal(sqlite3_exec(db, nsc_test_schema, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

TEST_WITH(test_log_header_without_log, set_up, tear_down)
{
    char path[NSC_TEST_PATH], *before, *after;

    nsc_test_path(path, folder, "wal");
    make_wal(path, false);
    before = nsc_test_listing(folder);
    assert_null(strstr(before, "wal-wal"));
    expect(path, NSC_OK, NULL);
    after = nsc_test_listing(folder);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

TEST_WITH(test_log_beside, set_up, tear_down)
{
    char path[NSC_TEST_PATH], *before, *after;
    struct nsc_error error;

    nsc_test_path(path, folder, "wal");
    make_wal(path, true);
    before = nsc_test_listing(folder);
    assert_non_null(strstr(before, "wal-wal"));
    expect(path, NSC_EFORMAT, "wal_checkpoint(truncate)");
    after = nsc_test_listing(folder);
    assert_string_equal(before, after);
    assert_int_equal(try_open(path, true, &error), NSC_OK);
    free(before);
    free(after);
}

TEST_WITH(test_journal_beside, set_up, tear_down)
{
    static const unsigned char hot[16] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    char path[NSC_TEST_PATH], journal[NSC_TEST_PATH], *before, *after;

    nsc_test_path(path, folder, "x");
    nsc_test_path(journal, folder, "x-journal");
    nsc_test_db(path, nsc_test_schema);
    nsc_test_file(journal, hot, sizeof hot);
    before = nsc_test_listing(folder);
    expect(path, NSC_EFORMAT, "x-journal is beside it");
    after = nsc_test_listing(folder);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

TEST_WITH(test_written_by_another, set_up, tear_down)
{
    char path[NSC_TEST_PATH];
    sqlite3 *db;

    nsc_test_path(path, folder, "busy");
    nsc_test_db(path, nsc_test_schema);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE", NULL, NULL, NULL),
        SQLITE_OK);
    expect(path, NSC_EIO, "being written");
    sqlite3_close(db);
}

/* Nothing but reading gets past the authorizer. */
TEST_WITH(test_only_reading, set_up, tear_down)
{
    static const char *const denied[] = {
        "ATTACH ':memory:' AS a",
        "CREATE TEMP TABLE t(a)",
        "DELETE FROM StringIds",
        "PRAGMA journal_mode",
        "SELECT load_extension('x')",
        "SELECT randomblob(9)",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x FROM c) SELECT x FROM c",
        "VACUUM INTO 'x'",
        "CREATE VIEW v AS SELECT 1",
        "DROP TABLE StringIds"};
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_source *source;
    char path[NSC_TEST_PATH];
    size_t i;

    nsc_test_path(path, folder, "x");
    nsc_test_db(path, nsc_test_schema);
    assert_int_equal(nsc_source_open(&source, path, &options, &error), NSC_OK);
    for (i = 0; i < sizeof denied / sizeof *denied; i++)
        assert_int_not_equal(sqlite3_exec(source->db, denied[i], NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(source->db, "SELECT id FROM StringIds", NULL, NULL, NULL),
                     SQLITE_OK);
    nsc_source_close(source);
}

TEST_WITH(test_change_is_seen, set_up, tear_down)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_source *source;
    char path[NSC_TEST_PATH];

    nsc_test_path(path, folder, "x");
    nsc_test_db(path, nsc_test_schema);
    assert_int_equal(nsc_source_open(&source, path, &options, &error), NSC_OK);
    assert_int_equal(nsc_source_compare(source), NSC_SOURCE_SAME);
    nsc_test_db(path, "INSERT INTO StringIds VALUES (1, 'a')");
    assert_int_equal(nsc_source_compare(source), NSC_SOURCE_CHANGED);
    nsc_source_close(source);
}
