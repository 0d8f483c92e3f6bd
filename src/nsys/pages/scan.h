/*
 * Scans the rows of one table in parallel, in batches of columns: one interface, two
 * implementations. scan_sqlite.c is the reference: it steps one statement over the whole table, in
 * one task. scan_pages.c decodes the leaf pages of the table's b-tree from pread buffers and is
 * several times faster.
 *
 * On anything unusual it gives up (NSC_SCAN_FALLBACK with a reason), even after it has delivered
 * rows. The caller then discards the rows of those tasks (nsc_family_remove) and its own counts,
 * and starts over with SQLite, unless the file is damaged (nsc_scan_is_damage). Tasks deliver rows
 * in any order; within a task row ids ascend, and a later task has higher ones. Both deliver
 * identical rows (tests/property/nsys/test_scan_pages.c).
 */
#ifndef NSC_NSYS_SCAN_H
#define NSC_NSYS_SCAN_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#include "core/progress.h"
#include "core/threads.h"

#define NSC_SCAN_COLUMNS 24
#define NSC_SCAN_ROWS    512 /* most rows of a batch */
#define NSC_SCAN_TEXT_LIMIT \
    65536 /* bytes of a text that are delivered; full_n is its whole length */

/* NULL and INT come first: a type up to INT has a value. */
enum nsc_cell_type { NSC_CELL_NULL, NSC_CELL_INT, NSC_CELL_REAL, NSC_CELL_TEXT, NSC_CELL_BLOB };

struct nsc_scan_column {
    const char *name;
    int ordinal;     /* position in the declaration, from 0 */
    bool wants_text; /* otherwise texts are delivered as a type only */
    bool wants_blob; /* delivers blobs like texts; only nsc_scan_sqlite obeys it */
    bool is_rowid;   /* INTEGER PRIMARY KEY: its value is the row id */
};

struct nsc_scan_table {
    const char *name;
    uint32_t root;     /* page number */
    const char *rowid; /* a name for the row id that no column hides: "rowid", "_rowid_" or "oid" */
    uint32_t n_columns; /* all columns of the table */
    bool utf8;
};

struct nsc_cell_text {
    const char *bytes;
    uint32_t n;
    uint64_t full_n; /* bytes in the file */
};

/* Borrowed by the sink until it returns. Column c is columns[c] of the call. */
struct nsc_batch {
    uint32_t n;
    const int64_t *rowid;
    const uint8_t (*type)[NSC_SCAN_COLUMNS]; /* per row: enum nsc_cell_type of each column */
    const int64_t *value[NSC_SCAN_COLUMNS];  /* INT; REAL: the bits of the double; else 0 */
    const struct nsc_cell_text
        *text[NSC_SCAN_COLUMNS]; /* TEXT in columns with wants_text; BLOB with
                                                         * wants_blob */
};

struct nsc_scan {
    const struct nsc_scan_table *table;
    const struct nsc_scan_column *columns;
    uint32_t n_columns;
    /* Called by several workers at once, but by each worker one call at a time. False stops the
     * scan. */
    bool (*sink)(void *context, unsigned worker, uint32_t task, const struct nsc_batch *batch);
    void *context;
    struct nsc_progress *progress; /* counts the rows */
    uint64_t *odd; /* set if SQLite reads: rows that lack some of the columns; without columns: that
                    * lack any, or have texts for integers; may be NULL */
    /* Whether rows with ids in [first, last] are wanted: only then must the sink get them. NULL: all
     * are. */
    bool (*wants)(const void *context, int64_t first, int64_t last);
};

struct nsc_source; /* an open, checked file: see source.h */

enum nsc_scan_result { NSC_SCAN_DONE, NSC_SCAN_STOPPED, NSC_SCAN_FALLBACK, NSC_SCAN_FAILED };

/* Sets error for FAILED and reason (80 bytes) for FALLBACK. Task numbers are dense from first_task;
 * *n_tasks: the number used. */
enum nsc_scan_result nsc_scan_sqlite(struct nsc_source *source, const struct nsc_scan *scan,
                                     uint32_t task, struct nsc_error *error);
enum nsc_scan_result nsc_scan_pages(struct nsc_source *source, struct nsc_pool *pool,
                                    const struct nsc_scan *scan, uint32_t first_task,
                                    uint32_t *n_tasks, char reason[80]);
/* Whether the reason of a FALLBACK is damage; then sets error (NSC_EDAMAGED). SQLite must not read
 * such a table: it might read the rest and report nothing. */
bool nsc_scan_is_damage(const char *reason, const struct nsc_source *source,
                        const struct nsc_scan *scan, struct nsc_error *error);
/* Checks the pages of a table. False, with error set (NSC_EDAMAGED), if a page has lost a row or is
 * damaged otherwise: SQLite would read the rest and report nothing. True if the pages cannot be
 * checked. */
bool nsc_scan_check(struct nsc_source *source, const struct nsc_scan *scan,
                    struct nsc_error *error);
/* Scans by pages unless no_pages. If that gives up, calls forget to undo what the sink received,
 * then scans with SQLite. */
enum nsc_scan_result nsc_scan_table(struct nsc_source *source, struct nsc_pool *pool,
                                    const struct nsc_scan *scan, bool no_pages,
                                    void (*forget)(void *context), struct nsc_error *error);

#endif
