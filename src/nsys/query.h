/*
 * One SQL query on an export, for people: read-only, limited in time, rows and memory, and to be
 * cancelled from another thread.
 *
 * It runs on a connection of its own, opened by the recipe of nsys/source: the export's own threads
 * go on. Everything that could write, attach, load code or change a setting is refused by the
 * authorizer before it runs.
 */
#ifndef NSC_NSYS_QUERY_H
#define NSC_NSYS_QUERY_H

#include "nsyscope/open.h"

#include "core/relation.h"

struct nsc_query_limits {
    uint64_t rows;  /* of the result; what comes after them is left out */
    uint64_t bytes; /* of the result */
    uint64_t ms;    /* 0: as long as it takes */
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

/* What cancels a query: made before it runs, told from any thread while it does. */
struct nsc_query_stop;
struct nsc_query_stop *nsc_query_stop_new(void);
void nsc_query_stop_free(struct nsc_query_stop *stop);
void nsc_query_cancel(struct nsc_query_stop *stop);

/* All borrowed. */
struct nsc_query_ask {
    const char *path;
    const struct nsc_open_options *options;
    const char *sql;
    struct nsc_query_limits limits;
    struct nsc_query_stop *stop; /* NULL: nothing cancels it */
};

/*
 * Runs one SELECT (or VALUES, WITH, EXPLAIN). A limit that ends it is told by
 * is_cut and a note. NSC_EINVAL: what is wrong with the SQL, in one line, with its column where
 * SQLite knows it, also in *column (from 0, in bytes; -1: not known). NSC_ECANCELLED.
 */
NSC_NODISCARD enum nsc_status nsc_query_run(struct nsc_relation **out,
                                            const struct nsc_query_ask *ask, int *column,
                                            struct nsc_error *error);

#endif
