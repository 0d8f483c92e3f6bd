/*
 * Runs queries on a thread; only the newest counts.
 */
#include "cli/session/querier.h"

#include "core/die.h"
#include "core/threads.h"
#include "tui/signals.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POLL_MS = 10 };

struct nsc_querier {
    const char *const *paths;
    const struct nsc_open_options *options;
    int wake_fd;

    /* The query that runs or ran: the thread writes it before it sets done, then it stays
     * constant. */
    pthread_t thread;
    char *sql;
    uint32_t capture_no;
    const struct nsc_capture *loaded;
    struct nsc_query_stop *stop;
    struct nsc_query_answer answer;
    atomic_bool done;

    /* Used by the caller's thread only. */
    bool running; /* the thread must be joined */
    char *next;   /* requested while another ran; NULL: none */
    uint32_t next_capture;
    const struct nsc_capture *next_loaded;
};

struct nsc_querier *nsc_querier_new(const char *const *paths,
                                    const struct nsc_open_options *options, int wake_fd)
{
    struct nsc_querier *querier = nsc_xcalloc(1, sizeof *querier);

    querier->paths = paths;
    querier->options = options;
    querier->wake_fd = wake_fd;
    return querier;
}

static void *run(void *context)
{
    struct nsc_querier *querier = context;
    struct nsc_query_answer *answer = &querier->answer;
    const struct nsc_query_ask ask = {querier->paths[querier->capture_no],
                                      querier->options,
                                      querier->sql,
                                      NSC_QUERY_SCREEN,
                                      querier->stop,
                                      querier->loaded};

    nsc_signals_block();
    answer->error.status = nsc_query_run(&answer->relation, &ask, &answer->column, &answer->error);
    atomic_store(&querier->done, true);
    nsc_wake(querier->wake_fd);
    return NULL;
}

/* Takes ownership of sql. */
static void start(struct nsc_querier *querier, char *sql, uint32_t capture_no,
                  const struct nsc_capture *loaded)
{
    querier->sql = sql;
    querier->capture_no = capture_no;
    querier->loaded = loaded;
    querier->stop = nsc_query_stop_new();
    querier->answer = (struct nsc_query_answer){.column = -1};
    atomic_store(&querier->done, false);
    querier->running = true;
    if (pthread_create(&querier->thread, NULL, run, querier) == 0)
        return;
    querier->running = false;
    querier->answer.error.status =
        nsc_fail(&querier->answer.error, NSC_ENOMEM, "cannot start a thread");
    atomic_store(&querier->done, true);
}

/* Joins the thread, which has ended or is about to end. */
static void finish(struct nsc_querier *querier)
{
    if (querier->running)
        pthread_join(querier->thread, NULL);
    querier->running = false;
    nsc_query_stop_free(querier->stop);
    querier->stop = NULL;
    free(querier->sql);
    querier->sql = NULL;
}

void nsc_querier_ask(struct nsc_querier *querier, struct nsc_text sql, uint32_t capture_no,
                     const struct nsc_capture *loaded)
{
    char *copy = nsc_xmalloc((size_t)sql.n + 1);

    memcpy(copy, sql.bytes, sql.n);
    copy[sql.n] = '\0';
    if (!querier->sql) {
        start(querier, copy, capture_no, loaded);
        return;
    }
    nsc_query_cancel(querier->stop);
    free(querier->next);
    querier->next = copy;
    querier->next_capture = capture_no;
    querier->next_loaded = loaded;
}

void nsc_querier_cancel(struct nsc_querier *querier)
{
    free(querier->next);
    querier->next = NULL;
    if (querier->stop)
        nsc_query_cancel(querier->stop);
}

bool nsc_querier_stop(struct nsc_querier *querier, int ms)
{
    nsc_querier_cancel(querier);
    for (; querier->sql && !atomic_load(&querier->done); ms -= POLL_MS) {
        if (ms <= 0)
            return false;
        (void)poll(NULL, 0, POLL_MS);
    }
    return true;
}

bool nsc_querier_is_busy(const struct nsc_querier *querier)
{
    return querier->sql != NULL;
}

bool nsc_querier_next(struct nsc_querier *querier, struct nsc_query_answer *out)
{
    char *next = querier->next;

    if (!querier->sql || !atomic_load(&querier->done))
        return false;
    finish(querier);
    *out = querier->answer;
    querier->next = NULL;
    if (!next)
        return true;
    nsc_relation_free(out->relation);
    start(querier, next, querier->next_capture, querier->next_loaded);
    return false;
}

void nsc_querier_free(struct nsc_querier *querier)
{
    if (!querier)
        return;
    nsc_querier_cancel(querier);
    if (querier->sql) {
        finish(querier);
        nsc_relation_free(querier->answer.relation);
    }
    free(querier);
}
