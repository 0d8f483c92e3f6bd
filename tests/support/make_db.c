/* Makes databases from SQL text, and watches their folder. */
#include "support/make_db.h"

#include "nsyscope/open.h"

#include "core/buf.h"
#include "support/cm.h"
#include "support/dice.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const nsc_test_schema =
    "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, "
    "deviceId INTEGER NOT NULL, "
    "contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid "
    "INTEGER, demangledName "
    "INTEGER NOT NULL, shortName INTEGER NOT NULL, gridX INTEGER, gridY INTEGER, gridZ INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, "
    "eventClass INTEGER NOT "
    "NULL, globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL);"
    "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, "
    "category INTEGER, color "
    "INTEGER, text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER);";

void nsc_test_folder_new(char out[NSC_TEST_PATH])
{
    const char *base = getenv("TMPDIR");

    snprintf(out, NSC_TEST_PATH, "%s/nsyscope-test-XXXXXX", base ? base : "/tmp");
    assert_non_null(mkdtemp(out));
}

void nsc_test_path(char out[NSC_TEST_PATH], const char *folder, const char *name)
{
    assert_true(strlen(folder) + strlen(name) + 2 <= NSC_TEST_PATH);
    strcpy(out, folder);
    strcat(out, "/");
    strcat(out, name);
}

void nsc_test_folder_free(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        char path[NSC_TEST_PATH];

        nsc_test_path(path, folder, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            assert_int_equal(remove(path), 0);
    }
    closedir(dir);
    assert_int_equal(rmdir(folder), 0);
}

void nsc_test_db(const char *path, const char *sql)
{
    char *message = NULL;
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

struct nsc_trace *nsc_test_load(const char *path, struct dice *dice)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_capture *capture = NULL;
    struct nsc_trace *trace = NULL;

    options.threads = 1 + (unsigned)dice_below(dice, 3);
    options.no_pages = dice_below(dice, 4) == 0;
    if (nsc_capture_open(&capture, path, &options, &error) != NSC_OK ||
        nsc_capture_load(&trace, capture, NULL, &error) != NSC_OK)
        fail_msg("%s", error.text);
    nsc_capture_close(capture);
    return trace;
}

void nsc_test_file(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char *nsc_test_listing(const char *folder)
{
    struct nsc_buf all = NSC_BUF_INIT(1 << 16);
    char *lines[64];
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int n = 0, i;

    assert_non_null(dir);
    while ((entry = readdir(dir)) && n < 64) {
        struct nsc_buf line = NSC_BUF_INIT(4096);
        char path[NSC_TEST_PATH];
        struct stat stat;

        nsc_test_path(path, folder, entry->d_name);
        if (strcmp(entry->d_name, "..") == 0)
            continue;
        assert_int_equal(lstat(path, &stat), 0);
        nsc_buf_printf(&line, "%s %lld %lld.%ld\n", entry->d_name, (long long)stat.st_size,
                       (long long)stat.st_mtim.tv_sec, (long)stat.st_mtim.tv_nsec);
        lines[n++] = line.bytes;
    }
    closedir(dir);
    qsort(lines, (size_t)n, sizeof *lines, compare_lines);
    for (i = 0; i < n; i++) {
        nsc_buf_puts(&all, lines[i]);
        free(lines[i]);
    }
    return all.bytes;
}
