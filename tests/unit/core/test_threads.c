/*
 * Unit tests of the pool: it runs every task once, one at a time per worker, and their writes are
 * visible afterwards.
 */
#include "core/threads.h"
#include "support/cm.h"

#include <stdatomic.h>
#include <string.h>

enum { TASKS = 2000, WORKERS = 8 };

struct work {
    unsigned char done[TASKS]; /* plain on purpose: the pool orders the accesses */
    uint32_t sums[WORKERS];
    _Atomic int inside[WORKERS];
    _Atomic int clashes;
    unsigned workers;
};

static void run_one(void *context, unsigned worker, uint32_t i)
{
    struct work *work = context;

    if (worker >= work->workers || atomic_fetch_add(&work->inside[worker], 1) != 0)
        atomic_fetch_add(&work->clashes, 1);
    work->done[i]++;
    work->sums[worker] += i;
    if (worker < work->workers)
        atomic_fetch_sub(&work->inside[worker], 1);
}

TEST(every_task_runs_once)
{
    for (unsigned threads = 1; threads <= WORKERS; threads++) {
        struct nsc_pool *pool = nsc_pool_new(threads);

        for (uint32_t n = 0; n <= TASKS; n = n * 3 + 1) {
            static struct work work;
            uint32_t sum = 0;

            memset(&work, 0, sizeof work);
            work.workers = nsc_pool_threads(pool);
            nsc_pool_run(pool, n, run_one, &work);
            assert_int_equal(work.clashes, 0);
            for (uint32_t i = 0; i < TASKS; i++)
                assert_int_equal(work.done[i], i < n);
            for (unsigned w = 0; w < WORKERS; w++)
                sum += work.sums[w];
            assert_int_equal(sum, n ? n * (n - 1) / 2 : 0);
        }
        nsc_pool_free(pool);
    }
}

TEST(many_short_runs)
{
    static struct work work;
    struct nsc_pool *pool = nsc_pool_new(4);

    work.workers = 4;
    for (int run = 0; run < 200; run++)
        nsc_pool_run(pool, 3, run_one, &work);
    for (int i = 0; i < 3; i++)
        assert_int_equal(work.done[i], 200);
    nsc_pool_free(pool);
}

TEST(the_default_is_at_least_one_and_limited)
{
    struct nsc_pool *pool = nsc_pool_new(0);

    assert_in_range(nsc_pool_threads(pool), 1, 64);
    nsc_pool_free(pool);
    pool = nsc_pool_new(100000);
    assert_in_range(nsc_pool_threads(pool), 1, 64);
    nsc_pool_free(pool);
    nsc_pool_free(NULL);
}
