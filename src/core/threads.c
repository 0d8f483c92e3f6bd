/*
 * A fork-join pool: helper threads sleep between runs and take the tasks of a run from a shared
 * counter.
 */
/* For sched_getaffinity: the cores that this process may use. */
#define _GNU_SOURCE 1 // NOLINT(readability-identifier-naming,bugprone-reserved-identifier)

#include "core/threads.h"

#include "core/die.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 64 };

struct helper {
    struct nsc_pool *pool;
    pthread_t thread;
    unsigned worker;
};

struct nsc_pool {
    pthread_mutex_t mutex;
    pthread_cond_t start, done;
    struct helper helpers[THREADS_MAX]; /* worker 0 is the caller and has no entry */
    unsigned threads;
    /* Protected by the mutex. */
    uint64_t run;  /* number of the current run, so that a helper joins each run once */
    unsigned busy; /* helpers that have not finished the current run */
    bool quit;
    /* Written before a run, read during it. */
    uint32_t n;
    void (*task)(void *context, unsigned worker, uint32_t i);
    void *context;
    _Atomic uint64_t next; /* 64 bits: every worker adds one past the end */
};

static void take_tasks(struct nsc_pool *pool, unsigned worker)
{
    for (;;) {
        uint64_t i = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);

        if (i >= pool->n)
            return;
        pool->task(pool->context, worker, (uint32_t)i);
    }
}

static void *help(void *argument)
{
    struct helper *helper = argument;
    struct nsc_pool *pool = helper->pool;
    uint64_t seen = 0;

    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (pool->run == seen && !pool->quit)
            pthread_cond_wait(&pool->start, &pool->mutex);
        if (pool->quit)
            break;
        seen = pool->run;
        pthread_mutex_unlock(&pool->mutex);
        take_tasks(pool, helper->worker);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static unsigned count_cores(void)
{
    long n = 0;
#ifdef CPU_COUNT
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        n = CPU_COUNT(&set);
#endif
    if (n <= 0)
        n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : (unsigned)n;
}

/* Makes a smaller pool if the system refuses a thread. */
struct nsc_pool *nsc_pool_new(unsigned threads)
{
    struct nsc_pool *pool = nsc_xcalloc(1, sizeof *pool);
    unsigned wanted = threads ? threads : count_cores();

    if (wanted > THREADS_MAX)
        wanted = THREADS_MAX;
    if (pthread_mutex_init(&pool->mutex, NULL) || pthread_cond_init(&pool->start, NULL) ||
        pthread_cond_init(&pool->done, NULL))
        nsc_die_oom();
    for (pool->threads = 1; pool->threads < wanted; pool->threads++) {
        struct helper *helper = &pool->helpers[pool->threads];

        helper->pool = pool;
        helper->worker = pool->threads;
        if (!nsc_thread_start(&helper->thread, help, helper))
            break;
    }
    return pool;
}

void nsc_pool_free(struct nsc_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->quit = true;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 1; i < pool->threads; i++)
        pthread_join(pool->helpers[i].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->start);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

unsigned nsc_pool_threads(const struct nsc_pool *pool)
{
    return pool->threads;
}

void nsc_pool_run(struct nsc_pool *pool, uint32_t n,
                  void (*task)(void *context, unsigned worker, uint32_t i), void *context)
{
    bool alone = pool->threads == 1 || n < 2;

    pthread_mutex_lock(&pool->mutex);
    assert(pool->busy == 0);
    pool->n = n;
    pool->task = task;
    pool->context = context;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    if (!alone) {
        pool->busy = pool->threads - 1;
        pool->run++;
        pthread_cond_broadcast(&pool->start);
    }
    pthread_mutex_unlock(&pool->mutex);
    take_tasks(pool, 0);
    pthread_mutex_lock(&pool->mutex);
    while (pool->busy)
        pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

bool nsc_thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    static const int crashing[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    sigset_t blocked;
    sigset_t before;
    bool has_started;

    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof crashing / sizeof *crashing; i++)
        sigdelset(&blocked, crashing[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &before); /* the thread inherits the mask */
    has_started = pthread_create(thread, NULL, run, context) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return has_started;
}

void nsc_wake(int fd)
{
    char byte = 0;

    if (write(fd, &byte, 1) < 0)
        return; /* the pipe is full: the reader wakes */
}
