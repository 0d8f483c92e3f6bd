/*
 * Rows of a table as lines of text, once from sqlite3_step and once from nsc_scan_pages, for
 * comparing.
 */
#ifndef NSC_TESTS_SCAN_ROWS_H
#define NSC_TESTS_SCAN_ROWS_H

#include "core/threads.h"
#include "nsys/pages/scan.h"
#include "nsys/pages/source.h"

/* A file opened for both readers: no checks, no locks. */
struct scan_file {
    struct nsc_source source;
};

/* A table and its compared columns. */
struct scan_subject {
    struct nsc_scan_table table;
    struct nsc_scan_column columns[NSC_SCAN_COLUMNS];
    uint32_t n_columns;
    char *names; /* owns the names */
};

/* One growing text. */
struct scan_lines {
    char *bytes;
    size_t n, capacity;
};

struct scan_outcome {
    enum nsc_scan_result result;
    char reason[80];
    uint32_t n_tasks;
    uint64_t n_rows;
    struct scan_lines lines;
};

/* False if SQLite cannot open it. */
bool scan_file_open(struct scan_file *out, const char *path);
void scan_file_close(struct scan_file *file);
/* False if there is no such table, or SQLite cannot read its row ids. texts: read texts of every
 * column. */
bool scan_subject_find(struct scan_subject *out, struct scan_file *file, const char *table,
                       bool texts);
void scan_subject_free(struct scan_subject *subject);

/* Both free with scan_outcome_fini. NSC_SCAN_FAILED: SQLite reports an error. */
void scan_rows_step(struct scan_outcome *out, struct scan_file *file,
                    const struct scan_subject *subject);
void scan_rows_pages(struct scan_outcome *out, struct scan_file *file,
                     const struct scan_subject *subject, unsigned threads);
void scan_outcome_fini(struct scan_outcome *outcome);

/*
 * True if pages gave the same rows as step, or gave up, or step failed. Otherwise prints the first
 * difference.
 */
bool scan_rows_agree(const struct scan_outcome *pages, const struct scan_outcome *step);

#endif
