/*
 * Measures rows per second of one table of an export: reading leaf pages directly, with one and two
 * workers, compared with stepping SQLite.
 *
 *     bench_scan EXPORT TABLE [COLUMNS]     the first COLUMNS columns (default 10), as numbers
 */
#include "support/scan_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What a worker saw, a cache line each. */
struct tally {
    _Alignas(64) uint64_t n, sum;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool count_rows(void *context, unsigned worker, uint32_t task, const struct nsc_batch *batch)
{
    struct tally *tally = (struct tally *)context + worker;

    (void)task;
    tally->n += batch->n;
    for (uint32_t i = 0; i < batch->n; i++)
        tally->sum += (uint64_t)batch->value[0][i];
    return true;
}

static void print_figures(const char *what, uint64_t n, double seconds)
{
    printf("%-16s %10" PRIu64 " rows %8.3f s %8.2f M rows/s\n", what, n, seconds,
           1e-6 * (double)n / seconds);
}

static void time_pages(struct scan_file *file, const struct scan_subject *subject, unsigned threads)
{
    struct tally tally[2] = {{0, 0}, {0, 0}};
    struct nsc_scan scan = {
        &subject->table, subject->columns, subject->n_columns, count_rows, tally, NULL};
    struct nsc_pool *pool = nsc_pool_new(threads);
    uint32_t n_tasks = 0;
    char reason[80];
    double t = now();

    if (nsc_scan_pages(&file->source, pool, &scan, 0, &n_tasks, reason) == NSC_SCAN_DONE)
        print_figures(threads == 1 ? "pages, 1 worker" : "pages, 2 workers",
                      tally[0].n + tally[1].n, now() - t);
    else
        printf("pages: fell back: %s\n", reason);
    nsc_pool_free(pool);
}

static void time_step(struct scan_file *file, const struct scan_subject *subject)
{
    sqlite3_str *sql = sqlite3_str_new(file->source.db);
    sqlite3_stmt *statement = NULL;
    char *text = NULL;
    uint64_t n = 0;
    uint64_t sum = 0;
    double t = now();

    sqlite3_str_appendf(sql, "SELECT %s", subject->table.rowid);
    for (uint32_t c = 0; c < subject->n_columns; c++)
        sqlite3_str_appendf(sql, ",\"%w\"", subject->columns[c].name);
    sqlite3_str_appendf(sql, " FROM \"%w\" NOT INDEXED", subject->table.name);
    text = sqlite3_str_finish(sql);
    sqlite3_prepare_v2(file->source.db, text, -1, &statement, NULL);
    sqlite3_free(text);
    while (statement && sqlite3_step(statement) == SQLITE_ROW) {
        for (uint32_t c = 0; c < subject->n_columns; c++) {
            sum += (uint64_t)sqlite3_column_type(statement, (int)c + 1);
            sum += (uint64_t)sqlite3_column_int64(statement, (int)c + 1);
        }
        n++;
    }
    sqlite3_finalize(statement);
    print_figures(sum ? "sqlite3_step" : "sqlite3_step.", n, now() - t);
}

int main(int argc, char **argv)
{
    struct scan_file file;
    struct scan_subject subject;
    uint32_t columns = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 10;

    if (argc < 3 || !scan_file_open(&file, argv[1]) ||
        !scan_subject_find(&subject, &file, argv[2], false)) {
        fprintf(stderr, "usage: bench_scan EXPORT TABLE [COLUMNS]\n");
        return 2;
    }
    if (columns < subject.n_columns)
        subject.n_columns = columns;
    time_step(&file, &subject);
    time_pages(&file, &subject, 1);
    time_pages(&file, &subject, 1);
    time_pages(&file, &subject, 2);
    time_pages(&file, &subject, 2);
    scan_subject_free(&subject);
    scan_file_close(&file);
    return 0;
}
