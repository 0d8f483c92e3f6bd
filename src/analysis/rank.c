/*
 * An event's rank among its like: counts in one pass, the median from two histograms of 16 bits of
 * the duration each.
 */
#include "analysis/rank.h"

#include "core/vec.h"

#include <stdlib.h>

enum { HALF = 1 << 16 };

struct scan {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    nsc_event event;
    bool by_text; /* equal names may stand for different texts */
    uint32_t *histogram;
    uint32_t n_long;
};

static bool is_alike(const struct scan *scan, nsc_event row)
{
    return scan->events->name[row] == scan->events->name[scan->event] &&
           scan->events->kind[row] == scan->events->kind[scan->event] &&
           (!scan->by_text || nsc_trace_same_text(scan->trace, row, scan->event));
}

static void count_rows(struct scan *scan, struct nsc_rank *rank)
{
    nsc_time own = nsc_event_duration(scan->events, scan->event);

    for (nsc_event row = 0; row < scan->events->n; row++) {
        nsc_time duration = 0;

        if (!is_alike(scan, row))
            continue;
        duration = nsc_event_duration(scan->events, row);
        rank->min = rank->count == 0 || duration < rank->min ? duration : rank->min;
        rank->max = duration > rank->max ? duration : rank->max;
        rank->count++;
        rank->shorter += duration < own;
        rank->longer += duration > own;
        if (scan->events->duration[row] == NSC_LONG)
            scan->n_long++;
        else
            scan->histogram[scan->events->duration[row] >> 16]++;
    }
}

static int compare_times(const void *a, const void *b)
{
    nsc_time x = *(const nsc_time *)a;
    nsc_time y = *(const nsc_time *)b;

    return x < y ? -1 : x > y;
}

/* The k-th of those whose durations lie in the side table. */
static nsc_time select_long(const struct scan *scan, uint32_t k)
{
    NSC_VEC(nsc_time) times = {0};
    nsc_time found = 0;

    for (uint32_t i = 0; i < scan->events->n_long; i++)
        if (is_alike(scan, scan->events->long_event[i]))
            *NSC_VEC_ADD(&times) = scan->events->long_duration[i];
    if (times.n > 0)
        qsort(times.at, times.n, sizeof *times.at, compare_times);
    found = k < times.n ? times.at[k] : 0;
    NSC_VEC_FINI(&times);
    return found;
}

/* The bucket that holds the k-th; k becomes its place there. */
static uint32_t find_bucket(const uint32_t histogram[HALF], uint32_t *k)
{
    uint32_t bucket = 0;

    while (*k >= histogram[bucket])
        *k -= histogram[bucket++];
    return bucket;
}

static nsc_time select_median(struct scan *scan, const struct nsc_rank *rank)
{
    uint32_t k = (rank->count - 1) / 2;
    uint32_t high = 0;
    uint32_t *low = NULL;

    if (k >= rank->count - scan->n_long)
        return select_long(scan, k - (rank->count - scan->n_long));
    high = find_bucket(scan->histogram, &k);
    low = nsc_xcalloc(HALF, sizeof *low);
    for (nsc_event row = 0; row < scan->events->n; row++) {
        uint32_t duration = scan->events->duration[row];

        if (duration >> 16 == high && duration != NSC_LONG && is_alike(scan, row))
            low[duration & (HALF - 1)]++;
    }
    high = high << 16 | find_bucket(low, &k);
    free(low);
    return high;
}

struct nsc_rank nsc_event_rank(const struct nsc_trace *trace, nsc_event event)
{
    struct scan scan = {.trace = trace, .events = nsc_trace_events(trace), .event = event};
    struct nsc_rank rank = {0};

    scan.by_text = nsc_trace_names(trace)->counters[scan.events->name[event]] > 0;
    scan.histogram = nsc_xcalloc(HALF, sizeof *scan.histogram);
    count_rows(&scan, &rank);
    rank.median = rank.min == rank.max ? rank.min : select_median(&scan, &rank);
    free(scan.histogram);
    return rank;
}

uint32_t nsc_rank_permille(const struct nsc_rank *rank)
{
    uint64_t equal = (uint64_t)rank->count - rank->shorter - rank->longer;

    return (uint32_t)((2 * (uint64_t)rank->shorter + equal) * 500 / rank->count);
}
