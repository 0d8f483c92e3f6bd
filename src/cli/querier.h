/*
 * The thread that runs a query by SQL while the screen goes on.
 *
 * One at a time: asking again cancels what runs. The caller polls for the answer on its own thread
 * when the wake descriptor says so.
 */
#ifndef NSC_CLI_QUERIER_H
#define NSC_CLI_QUERIER_H

#include "nsys/query.h"

struct nsc_querier;

/* paths, of all exports, and options are borrowed; wake_fd gets a byte at each answer and must not
 * block. */
struct nsc_querier *nsc_querier_new(const char *const *paths,
                                    const struct nsc_open_options *options, int wake_fd);
/* Cancels what runs and waits for it. NULL is fine. */
void nsc_querier_free(struct nsc_querier *querier);
/* capture_no: which of the paths. */
void nsc_querier_ask(struct nsc_querier *querier, struct nsc_text sql, uint32_t capture_no);
void nsc_querier_cancel(struct nsc_querier *querier);
/* Cancels what runs and waits for it, that long at most. False: it has not stopped. */
bool nsc_querier_stop(struct nsc_querier *querier, int ms);
bool nsc_querier_busy(const struct nsc_querier *querier);

struct nsc_query_answer {
    struct nsc_relation *relation; /* the caller's; NULL when it failed */
    struct nsc_error error;
    int column; /* where the SQL is wrong; -1: not known */
};
/* The answer to what was asked last, once. False: there is none. */
bool nsc_querier_next(struct nsc_querier *querier, struct nsc_query_answer *out);

#endif
