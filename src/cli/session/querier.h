/*
 * Runs SQL queries on a thread, without blocking the screen.
 *
 * One query at a time: a new one cancels the one that runs. The caller polls for the answer when
 * the wake descriptor is readable.
 */
#ifndef NSC_CLI_QUERIER_H
#define NSC_CLI_QUERIER_H

#include "nsys/jobs/query.h"

struct nsc_querier;

/* Borrows paths (of all exports) and options. wake_fd gets a byte for each answer and must be
 * non-blocking. */
struct nsc_querier *nsc_querier_new(const char *const *paths,
                                    const struct nsc_open_options *options, int wake_fd);
/* Cancels the query and waits for it. NULL is allowed. */
void nsc_querier_free(struct nsc_querier *querier);
/* capture_no: index of the path to query. loaded: the export loaded from there, borrowed until the
 * answer; a file that has changed since is not queried. */
void nsc_querier_ask(struct nsc_querier *querier, struct nsc_text sql, uint32_t capture_no,
                     const struct nsc_capture *loaded);
void nsc_querier_cancel(struct nsc_querier *querier);
/* Cancels the query and waits at most ms. False if it has not stopped. */
bool nsc_querier_stop(struct nsc_querier *querier, int ms);
bool nsc_querier_is_busy(const struct nsc_querier *querier);

struct nsc_query_answer {
    struct nsc_relation *relation; /* owned by the caller; NULL if the query failed */
    struct nsc_error error;
    int column; /* position of the error in the SQL; -1: unknown */
};
/* Returns the answer to the last query, once. False if there is none. */
bool nsc_querier_next(struct nsc_querier *querier, struct nsc_query_answer *out);

#endif
