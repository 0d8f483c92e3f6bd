/*
 * A radix sort from the lowest digit up: each pass counts the digits of every task, turns the
 * counts into places, and moves the rows there.
 */
#include "core/radix.h"

#include "core/die.h"
#include "core/pages.h"
#include "core/threads.h"

#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
enum { TASK_ROWS = 16, DIGIT_BITS = 3 };
#else
enum {
    TASK_ROWS = 1 << 18, /* rows per task */
    DIGIT_BITS = 12      /* at most */
};
#endif
enum { BATCH = NSC_RADIX_BATCH };

typedef uint64_t pair; /* key << 32 | row */

struct radix {
    uint32_t *out;
    uint32_t n, n_tasks;
    nsc_radix_source *source;
    const void *context;
    uint32_t shift, bits; /* the digit of this pass */
    uint32_t *counts;     /* counts per digit value, task after task */
    const pair *from;     /* NULL: the source */
    pair *to;             /* NULL: out */
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t task_end(const struct radix *radix, uint32_t task)
{
    return task + 1 < radix->n_tasks ? (task + 1) * TASK_ROWS : radix->n;
}

/* ---- a pass ---- */

/* Loads n pairs from place `at` on; uses batch for pairs that the source computes. */
static const pair *load(const struct radix *radix, uint32_t at, uint32_t n, pair batch[BATCH])
{
    if (radix->from)
        return radix->from + at;
    radix->source(radix->context, at, n, batch);
    return batch;
}

static uint32_t digit_of(const struct radix *radix, pair p)
{
    return (uint32_t)(p >> (32 + radix->shift)) & (((uint32_t)1 << radix->bits) - 1);
}

static uint32_t *counts_of(const struct radix *radix, uint32_t task)
{
    return radix->counts + ((size_t)task << radix->bits);
}

static void count_task(void *context, unsigned worker, uint32_t task)
{
    const struct radix *radix = context;
    uint32_t *counts = counts_of(radix, task);
    uint32_t end = task_end(radix, task);
    pair batch[BATCH];

    (void)worker;
    memset(counts, 0, sizeof *counts << radix->bits);
    for (uint32_t at = task * TASK_ROWS; at < end; at += BATCH) {
        uint32_t n = smaller(end - at, BATCH);
        const pair *pairs = load(radix, at, n, batch);

        for (uint32_t i = 0; i < n; i++)
            counts[digit_of(radix, pairs[i])]++;
    }
}

/* Turns counts into places: digit by digit, task after task. */
static void place_tasks(struct radix *radix)
{
    uint32_t place = 0;

    for (uint32_t digit = 0; digit < (uint32_t)1 << radix->bits; digit++)
        for (uint32_t task = 0; task < radix->n_tasks; task++) {
            uint32_t *count = &counts_of(radix, task)[digit];
            uint32_t here = *count;

            *count = place;
            place += here;
        }
}

static void deal_task(void *context, unsigned worker, uint32_t task)
{
    const struct radix *radix = context;
    uint32_t *places = counts_of(radix, task);
    uint32_t end = task_end(radix, task);
    pair batch[BATCH];

    (void)worker;
    for (uint32_t at = task * TASK_ROWS; at < end; at += BATCH) {
        uint32_t n = smaller(end - at, BATCH);
        const pair *pairs = load(radix, at, n, batch);

        if (radix->to)
            for (uint32_t i = 0; i < n; i++)
                radix->to[places[digit_of(radix, pairs[i])]++] = pairs[i];
        else
            for (uint32_t i = 0; i < n; i++)
                radix->out[places[digit_of(radix, pairs[i])]++] = (uint32_t)pairs[i];
    }
}

static void run_pass(struct radix *radix, struct nsc_pool *pool)
{
    nsc_pool_run(pool, radix->n_tasks, count_task, radix);
    place_tasks(radix);
    nsc_pool_run(pool, radix->n_tasks, deal_task, radix);
}

/* ---- the whole ---- */

/* Moves pairs between two buffers; uses one buffer if one pass is enough. */
static bool run_passes(struct radix *radix, struct nsc_pool *pool, uint32_t bits, uint32_t passes)
{
    uint32_t n_buffers = passes > 2 ? 2 : passes - 1;
    size_t bytes = (size_t)radix->n * n_buffers * sizeof(pair);
    pair *pairs = n_buffers ? nsc_pages_new(bytes) : NULL;

    if (n_buffers && radix->n && !pairs)
        return false;
    for (uint32_t pass = 0; pass < passes; pass++) {
        radix->shift = bits * pass / passes;
        radix->bits = bits * (pass + 1) / passes - radix->shift;
        radix->to = pass + 1 == passes ? NULL : pass % 2 ? pairs + radix->n : pairs;
        run_pass(radix, pool);
        radix->from = radix->to;
    }
    if (pairs)
        nsc_pages_free(pairs, bytes);
    return true;
}

bool nsc_radix_sort(uint32_t out[], struct nsc_pool *pool, uint32_t n, uint32_t most,
                    nsc_radix_source *source, const void *context)
{
    uint32_t bits = most ? 32 - (uint32_t)__builtin_clz(most) : 0;
    /* With bits = 0, one pass still writes the rows, in the order of the source. */
    uint32_t passes = bits > DIGIT_BITS ? (bits + DIGIT_BITS - 1) / DIGIT_BITS : 1;
    size_t digits = (size_t)1 << ((bits + passes - 1) / passes);
    struct radix radix = {.out = out,
                          .n = n,
                          .n_tasks = n / TASK_ROWS + (n % TASK_ROWS != 0),
                          .source = source,
                          .context = context};
    bool done = false;

    radix.counts = nsc_xmalloc((radix.n_tasks + 1) * digits * sizeof *radix.counts);
    done = run_passes(&radix, pool, bits, passes);
    free(radix.counts);
    return done;
}
