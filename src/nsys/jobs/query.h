/*
 * Runs one SQL query on an export: read-only, limited in time, rows and memory, cancelled from any
 * thread.
 *
 * It uses a connection of its own (nsys/source), so the export's threads go on. The authorizer
 * refuses every statement that writes, attaches, loads code or changes a setting before it runs.
 */
#ifndef NSC_NSYS_QUERY_H
#define NSC_NSYS_QUERY_H

#include "nsyscope/open.h"

#include "core/relation.h"

struct nsc_query_limits {
    uint64_t rows;  /* most rows; the rest is cut off */
    uint64_t bytes; /* most bytes of the result */
    uint64_t ms;    /* most ms; 0: no limit */
};

#define NSC_QUERY_SCREEN                    \
    (struct nsc_query_limits)               \
    {                                       \
        200000, (uint64_t)256 << 20, 120000 \
    }
#define NSC_QUERY_FILE                 \
    (struct nsc_query_limits)          \
    {                                  \
        50000000, (uint64_t)4 << 30, 0 \
    }

/* The value of a parameter of the statement. */
struct nsc_query_bound {
    const char *name; /* "limit", for :limit */
    enum {
        NSC_QUERY_BOUND_NULL,
        NSC_QUERY_BOUND_INT,
        NSC_QUERY_BOUND_NUMBER,
        NSC_QUERY_BOUND_TEXT
    } type;
    int64_t integer;
    double number;
    const char *text;
};

/* Everything is borrowed. */
struct nsc_query_ask {
    const char *path; /* NULL: that of loaded */
    const struct nsc_open_options *options;
    const char *sql;
    struct nsc_query_limits limits;
    struct nsc_progress *progress;    /* any thread cancels it; NULL: cannot be cancelled */
    const struct nsc_capture *loaded; /* fails unless path is still this unchanged export; NULL: any
                                       * file */
    const struct nsc_query_bound *bound; /* n_bound of them; a statement may have no other
                                          * parameters. NULL: parameters are NULL */
    uint32_t n_bound;
};

/*
 * Runs one SELECT (or VALUES, WITH, EXPLAIN). If a limit ends it, is_cut is set and a note says so.
 * NSC_EINVAL: the error in the SQL in one line; *column is its place if SQLite knows it (bytes from
 * 0; -1: unknown). NSC_ECANCELLED. NSC_EIO if the file changed meanwhile, or since it was loaded;
 * NSC_EDAMAGED.
 */
NSC_NODISCARD enum nsc_status nsc_query_run(struct nsc_relation **out,
                                            const struct nsc_query_ask *ask, int *column,
                                            struct nsc_error *error);

/* ---- the same for tables of the program itself, of which SQLite has a module each ---- */

struct sqlite3;

/* Opens a connection without tables and without a file, for the caller's modules. It has no gate yet:
 * making a table is a statement that writes. NSC_ENOMEM. */
NSC_NODISCARD enum nsc_status nsc_query_open_empty(struct sqlite3 **out, struct nsc_error *error);
/*
 * Runs one statement on such a connection as nsc_query_run does on a file: ask->path, options and
 * loaded are not used. Refuses the schema (sqlite_schema, pragmas), which names no table. rows NULL:
 * only checks the statement.
 */
NSC_NODISCARD enum nsc_status nsc_query_run_on(struct nsc_relation **rows, struct sqlite3 *db,
                                               const struct nsc_query_ask *ask, int *column,
                                               struct nsc_error *error);

/*
 * Replaces SQLite's allocator: a small allocation that fails ends the program with status 5, as
 * everywhere in the program. Without this, a failure while SQLite reads a schema looks like a
 * missing table. A large one (a value, a sort) is an error of the statement. Call once, before
 * other threads run and before SQLite is used.
 */
void nsc_memory_init(void);

#endif
