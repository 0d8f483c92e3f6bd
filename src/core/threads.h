/*
 * A small fork-join pool: the same function on every core, tasks handed out by a counter.
 *
 * The pool owns its threads; run() returns when all tasks are done. Tasks of one run must not start
 * another.
 */
#ifndef NSC_CORE_THREADS_H
#define NSC_CORE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

struct nsc_pool;

/* threads = 0: one a core this process may use. A pool of one thread runs everything on the
 * caller's. */
struct nsc_pool *nsc_pool_new(unsigned threads);
void nsc_pool_free(struct nsc_pool *pool);
unsigned nsc_pool_threads(const struct nsc_pool *pool);

/*
 * Calls task(context, worker, i) for every i in [0, n), each once, i handed out in ascending order;
 * worker is in [0, threads) and no two calls run at once with the same worker. Everything written
 * before run() is seen by the tasks, everything the tasks wrote is seen after it.
 */
void nsc_pool_run(struct nsc_pool *pool, uint32_t n,
                  void (*task)(void *context, unsigned worker, uint32_t i), void *context);

/* Writes a byte to the write end of a non-blocking pipe, so that a poll of its read end returns. A
 * full pipe wakes as well. Async-signal-safe. */
void nsc_wake(int fd);

#endif
