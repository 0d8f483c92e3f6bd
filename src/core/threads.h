/*
 * A small fork-join pool: runs one function on every core; a counter hands out the tasks.
 *
 * The pool owns its threads; run() returns when all tasks are done. A task must not start another
 * run.
 */
#ifndef NSC_CORE_THREADS_H
#define NSC_CORE_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct nsc_pool;

/*
 * threads = 0: one per core this process may use. A pool of one thread runs everything on the
 * caller's.
 */
struct nsc_pool *nsc_pool_new(unsigned threads);
void nsc_pool_free(struct nsc_pool *pool);
unsigned nsc_pool_threads(const struct nsc_pool *pool);

/*
 * Calls task(context, worker, i) once for each i in [0, n), in ascending order of starts. worker is
 * in [0, threads); no two tasks run at once with the same worker. Tasks see everything written
 * before the run, and the caller sees everything the tasks wrote.
 */
void nsc_pool_run(struct nsc_pool *pool, uint32_t n,
                  void (*task)(void *context, unsigned worker, uint32_t i), void *context);

/* Starts a thread that gets no signal but those of its own crashes: the main thread handles the
 * others, and a file that grows too large is a write error. False: the system refuses a thread. */
bool nsc_thread_start(pthread_t *thread, void *(*run)(void *), void *context);

/* Writes a byte to the write end of a non-blocking pipe, so that a poll of its read end returns. A
 * full pipe needs no byte. Async-signal-safe. */
void nsc_wake(int fd);

#endif
