/*
 * An export made by any SQL: with any tables, columns, views and indexes it is opened and loaded,
 * or refused with a reason.
 * promises: A6
 */
#include "nsyscope/open.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int count_down(void *context)
{
    unsigned *left = context;

    return (*left)-- == 0;
}

/* The database made by the statements, without those that fail; sqlite3_free it. */
static unsigned char *make_database(sqlite3_int64 *n, const uint8_t *data, size_t size)
{
    char *sql = sqlite3_mprintf("%.*s", (int)size, (const char *)data);
    const char *rest = sql;
    unsigned char *bytes = NULL;
    unsigned left = 200;
    sqlite3 *db = NULL;

    assert(sql && sqlite3_open(":memory:", &db) == SQLITE_OK);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_progress_handler(db, 1000, count_down, &left);
    while (rest && *rest) {
        sqlite3_stmt *statement = NULL;

        if (sqlite3_prepare_v2(db, rest, -1, &statement, &rest) != SQLITE_OK)
            rest = strchr(rest, ';') ? strchr(rest, ';') + 1 : NULL;
        while (statement && sqlite3_step(statement) == SQLITE_ROW)
            ;
        sqlite3_finalize(statement);
    }
    bytes = sqlite3_serialize(db, "main", n, 0);
    sqlite3_close(db);
    sqlite3_free(sql);
    return bytes;
}

static void load(const char *path)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_capture *capture = NULL;
    struct nsc_trace *trace = NULL;
    struct nsc_error error = {0};
    enum nsc_status status;

    options.threads = 1;
    options.memory = (uint64_t)256 << 20;
    status = nsc_capture_open(&capture, path, &options, &error);
    if (status == NSC_OK)
        status = nsc_capture_load(&trace, capture, NULL, &error);
    assert(status == NSC_OK || error.text[0]);
    nsc_trace_free(trace);
    nsc_capture_close(capture);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/nsyscope-fuzz-schema-XXXXXX";
    sqlite3_int64 n = 0;
    unsigned char *bytes = size <= 1 << 16 ? make_database(&n, data, size) : NULL;
    int fd = bytes ? mkstemp(path) : -1;

    if (fd >= 0 && write(fd, bytes, (size_t)n) == n)
        load(path);
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    sqlite3_free(bytes);
    return 0;
}
