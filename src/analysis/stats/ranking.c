/*
 * Ranks the groups of a summary: by the bits of most totals on all cores, by the whole of the few
 * great ones, and ties by comparison.
 */
#include "analysis/stats/rows.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/radix.h"
#include "core/threads.h"

#include <stdlib.h>

#ifdef NSC_SMALL
enum { TIES = 3, AHEAD = 1, KEYS = 5, GREAT = 62 };
#else
enum {
    TIES = 4096,          /* rows of a task */
    AHEAD = 16,           /* rows */
    KEYS = 1 << 16,       /* rows of a task */
    GREAT = (1 << 24) - 2 /* the least total without a key of its own: 17 ms, two digits */
};
#endif

/* ---- totals ---- */

struct totals {
    nsc_time (*total)(const void *context, uint32_t row);
    const void *context;
    uint32_t *key; /* by row: descending totals; 0: GREAT or more; GREAT + 1: negative */
    uint32_t n;
};

static nsc_time total_at(const struct totals *totals, uint32_t row)
{
    return totals->total(totals->context, row);
}

static bool has_own_key(uint32_t key)
{
    return key > 0 && key <= GREAT;
}

static void set_keys(void *context, unsigned worker, uint32_t task)
{
    const struct totals *totals = context;
    uint32_t first = task * KEYS, end = totals->n - first < KEYS ? totals->n : first + KEYS;

    (void)worker;
    for (uint32_t row = first; row < end; row++) {
        nsc_time total = total_at(totals, row);

        totals->key[row] = total < 0 ? GREAT + 1 : total > GREAT ? 0 : (uint32_t)(GREAT - total);
    }
}

static void list_keys(const void *context, uint32_t at, uint32_t n, uint64_t pairs[])
{
    const struct totals *totals = context;

    for (uint32_t i = 0; i < n; i++)
        pairs[i] = nsc_radix_pair(totals->key[at + i], at + i);
}

/* Orders the rows at places [first, end) by their whole totals. */
static void sort_wholly(struct nsc_stats_ranking *ranking, const struct totals *totals,
                        uint32_t first, uint32_t end)
{
    uint32_t n = end - first;
    struct nsc_sort_pair *pairs = nsc_xmalloc((2 * (size_t)n + 1) * sizeof *pairs);

    for (uint32_t i = 0; i < n; i++) {
        uint32_t row = ranking->index[first + i];

        pairs[i] = (struct nsc_sort_pair){~nsc_sort_key(total_at(totals, row)), row};
    }
    nsc_sort_pairs(pairs, pairs + n, n);
    for (uint32_t i = 0; i < n; i++)
        ranking->index[first + i] = pairs[i].value;
    free(pairs);
}

/* Sorts the totals without a key of their own, and finds ties. */
static void end_ranking(struct nsc_stats_ranking *ranking, const struct totals *totals)
{
    uint32_t next;

    for (uint32_t first = 0; first < ranking->n; first = next) {
        uint32_t key = totals->key[ranking->index[first]];

        for (next = first + 1; next < ranking->n && totals->key[ranking->index[next]] == key;)
            next++;
        nsc_bits_set(ranking->first, first);
        if (has_own_key(key))
            continue;
        sort_wholly(ranking, totals, first, next);
        for (uint32_t i = first + 1; i < next; i++)
            if (total_at(totals, ranking->index[i]) != total_at(totals, ranking->index[i - 1]))
                nsc_bits_set(ranking->first, i);
    }
}

void nsc_stats_rank(struct nsc_stats_ranking *out, uint32_t n,
                    nsc_time (*total)(const void *context, uint32_t row), const void *context)
{
    struct totals totals = {total, context, nsc_xmalloc(((size_t)n + 1) * sizeof(uint32_t)), n};
    struct nsc_pool *pool = nsc_pool_new(n > NSC_STATS_SHARED_FROM ? 0 : 1);

    *out = (struct nsc_stats_ranking){.n = n};
    out->index = nsc_xmalloc(((size_t)n + 1) * sizeof *out->index);
    out->first = nsc_xcalloc(nsc_bits_words(n) + 1, sizeof *out->first);
    nsc_pool_run(pool, (uint32_t)(((uint64_t)n + KEYS - 1) / KEYS), set_keys, &totals);
    if (!nsc_radix_sort(out->index, pool, n, GREAT + 1, list_keys, &totals))
        nsc_die_oom();
    end_ranking(out, &totals);
    nsc_pool_free(pool);
    free(totals.key);
}

void nsc_stats_ranking_fini(struct nsc_stats_ranking *ranking)
{
    free(ranking->index);
    free(ranking->first);
}

/* ---- ties ---- */

struct tying {
    struct nsc_stats_ranking *ranking;
    int (*compare)(const void *context, uint32_t a, uint32_t b);
    void (*fetch)(const void *context, uint32_t a, bool is_near);
    const void *context;
};

/* Prefetches the row at a place before end, and what leads to a later one. */
static void fetch_row(const struct tying *tying, uint32_t i, uint32_t end)
{
    const uint32_t *index = tying->ranking->index;

    if (i + 2 * AHEAD < end)
        tying->fetch(tying->context, index[i + 2 * AHEAD], false);
    if (i + AHEAD < end)
        tying->fetch(tying->context, index[i + AHEAD], true);
}

/* Sorts the ties that begin among the rows of a task. */
static void sort_ties(void *context, unsigned worker, uint32_t task)
{
    const struct tying *tying = context;
    const struct nsc_stats_ranking *ranking = tying->ranking;
    uint32_t i = task * TIES, end = ranking->n - i < TIES ? ranking->n : i + TIES, next;

    (void)worker;
    while (i < end && !nsc_bits_get(ranking->first, i))
        i++;
    for (; i < end; i = next) {
        for (next = i + 1; next < ranking->n && !nsc_bits_get(ranking->first, next);)
            next++;
        for (uint32_t k = i; tying->fetch && k < next; k++)
            fetch_row(tying, k, end);
        if (next - i > 1)
            nsc_sort_by(ranking->index + i, next - i, tying->compare, tying->context);
    }
}

void nsc_stats_rank_ties(struct nsc_stats_ranking *ranking,
                         int (*compare)(const void *context, uint32_t a, uint32_t b),
                         void (*fetch)(const void *context, uint32_t a, bool is_near),
                         const void *context)
{
    struct nsc_pool *pool = nsc_pool_new(ranking->n > NSC_STATS_SHARED_FROM ? 0 : 1);

    nsc_pool_run(pool, (uint32_t)(((uint64_t)ranking->n + TIES - 1) / TIES), sort_ties,
                 &(struct tying){ranking, compare, fetch, context});
    nsc_pool_free(pool);
}
