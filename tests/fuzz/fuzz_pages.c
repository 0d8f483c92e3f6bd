/*
 * Any bytes as a database file: direct reading gives SQLite's rows, or gives up, or SQLite reports
 * an error.
 * promises: A31
 */
#include "support/scan_rows.h"

#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare_table(struct scan_file *file, const char *table, bool texts)
{
    struct scan_subject subject;
    struct scan_outcome step;
    struct scan_outcome pages;

    if (!scan_subject_find(&subject, file, table, texts))
        return;
    scan_rows_step(&step, file, &subject);
    scan_rows_pages(&pages, file, &subject, 1);
    if (!scan_rows_agree(&pages, &step))
        abort();
    scan_outcome_fini(&pages);
    scan_outcome_fini(&step);
    scan_subject_free(&subject);
}

/* A hostile schema could make the reference itself run for ever. */
static int count_down(void *context)
{
    unsigned *left = context;

    return (*left)-- == 0;
}

static void compare_tables(struct scan_file *file)
{
    sqlite3_stmt *names = NULL;
    unsigned left = 1000;

    sqlite3_progress_handler(file->source.db, 10000, count_down, &left);
    compare_table(file, "sqlite_schema", true);
    sqlite3_prepare_v2(file->source.db, "SELECT name FROM sqlite_schema WHERE type='table' LIMIT 4",
                       -1, &names, NULL);
    while (names && sqlite3_step(names) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(names, 0);

        compare_table(file, name ? name : "", true);
        compare_table(file, name ? name : "", false);
    }
    sqlite3_finalize(names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/nsyscope-fuzz-pages-XXXXXX";
    struct scan_file file;
    int fd = -1;

    if (size < 512 || size > 1U << 20)
        return 0;
    fd = mkstemp(path);
    if (fd < 0)
        return 0;
    if (write(fd, data, size) == (ssize_t)size && scan_file_open(&file, path)) {
        compare_tables(&file);
        scan_file_close(&file);
    }
    close(fd);
    unlink(path);
    return 0;
}
