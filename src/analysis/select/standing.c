/* Measures the standing of an event: gathers the durations of the events like it, and selects among
 * them. */
#include "analysis/select/standing.h"

#include "analysis/base/quantile.h"
#include "core/bisect.h"
#include "core/bits.h"
#include "core/vec.h"

#include <stdlib.h>

struct scan {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    nsc_event event;
    const uint64_t *mask; /* NULL: all rows */
    bool by_text;         /* equal names may have different texts */
    uint64_t *wanted;     /* a bit a name */
    bool is_one;          /* only the event's own name is wanted */
};

/* Whether two names, or (brief) their brief forms, are equal. */
static bool is_name(const struct nsc_names *names, nsc_name a, nsc_name b, bool brief)
{
    return a == b || (brief && names->counters[b] == 0 && names->brief[a] == names->brief[b]);
}

/* Wants each name that counts as the event's. */
static void want_names(struct scan *scan, bool brief)
{
    const struct nsc_names *names = nsc_trace_names(scan->trace);
    nsc_name name = scan->events->name[scan->event];
    uint32_t n = 0;

    scan->wanted = nsc_xcalloc(nsc_bits_words(names->n) + 1, sizeof *scan->wanted);
    for (nsc_name other = 0; other < names->n; other++)
        if (is_name(names, other, name, brief)) {
            nsc_bits_set(scan->wanted, other);
            n++;
        }
    scan->is_one = n == 1;
}

/* Without it a key in the tree takes 7 ms more at 10 M kernels. Compilers at -O2 vectorize only a loop of
 * exactly this many rounds. */
static bool has_name(const nsc_name names[64], nsc_name name)
{
    nsc_name differ = 1;

    for (uint32_t k = 0; k < 64; k++)
        differ &= names[k] != name;
    return !differ;
}

static bool is_alike(const struct scan *scan, nsc_event row)
{
    return scan->events->kind[row] == scan->events->kind[scan->event] &&
           (!scan->by_text || nsc_trace_same_text(scan->trace, row, scan->event));
}

/* The rows first + k, k < n <= 64, with a wanted name. */
static uint64_t match_rows(const struct scan *scan, nsc_event first, uint32_t n)
{
    const nsc_name *names = scan->events->name + first;
    uint64_t word = 0;

    if (n == 64 && scan->is_one && !has_name(names, scan->events->name[scan->event]))
        return 0;
    for (uint32_t k = 0; k < n; k++)
        word |= (uint64_t)nsc_bits_get(scan->wanted, names[k]) << k;
    return word;
}

/* The kept rows of a block of 64 rows with a wanted name. */
static uint64_t match_block(const struct scan *scan, uint32_t block)
{
    nsc_event base = block * 64;
    uint32_t n = scan->events->n - base < 64 ? scan->events->n - base : 64;

    return match_rows(scan, base, n) & (scan->mask ? scan->mask[block] : UINT64_MAX);
}

static struct scan begin_scan(const struct nsc_trace *trace, const uint64_t *mask, nsc_event event,
                              bool brief)
{
    struct scan scan = {
        .trace = trace, .events = nsc_trace_events(trace), .event = event, .mask = mask};

    scan.by_text = nsc_trace_names(trace)->counters[scan.events->name[event]] > 0;
    want_names(&scan, brief);
    return scan;
}

/* ---- the durations of the events like it ---- */

/* Owned by the caller. */
static nsc_time *gather_times(const struct scan *scan, size_t *n)
{
    NSC_VEC(nsc_time) times = {0};

    for (uint32_t block = 0; block < nsc_bits_words(scan->events->n); block++)
        for (uint64_t word = match_block(scan, block); word; word &= word - 1) {
            nsc_event row = block * 64 + (uint32_t)__builtin_ctzll(word);

            if (is_alike(scan, row))
                *NSC_VEC_ADD(&times) = nsc_event_duration(scan->events, row);
        }
    *n = times.n;
    return times.at;
}

static struct nsc_standing measure_times(struct nsc_histogram *histogram, nsc_time *times, size_t n,
                                         nsc_time own)
{
    struct nsc_standing rank = {.count = (uint32_t)n, .min = own, .max = own};

    for (size_t i = 0; i < n; i++) {
        rank.min = times[i] < rank.min ? times[i] : rank.min;
        rank.max = times[i] > rank.max ? times[i] : rank.max;
        rank.shorter += times[i] < own;
        rank.longer += times[i] > own;
    }
    rank.median = nsc_select(times, n, (n - 1) / 2);
    rank.p95 = nsc_select(times, n, (n * 95 + 99) / 100 - 1);
    *histogram = nsc_histogram(rank.min, rank.max);
    for (size_t i = 0; i < n; i++)
        histogram->count[nsc_histogram_bin(histogram, times[i])]++;
    return rank;
}

struct nsc_standing nsc_event_standing(struct nsc_histogram *histogram,
                                       const struct nsc_trace *trace, const uint64_t *mask,
                                       nsc_event event, bool brief)
{
    struct scan scan = begin_scan(trace, mask, event, brief);
    size_t n = 0;
    nsc_time *times = gather_times(&scan, &n);
    nsc_time own = nsc_event_duration(scan.events, event);
    struct nsc_standing rank = measure_times(histogram, times, n, own);

    free(times);
    free(scan.wanted);
    return rank;
}

/* ---- the events like it ---- */

#ifdef NSC_SMALL
enum { TASK_WORDS = 1 }; /* of 64 rows */
#else
enum { TASK_WORDS = 1 << 14 }; /* a task takes about a ms */
#endif

struct picking {
    struct scan scan;
    struct nsc_window durations;
    uint64_t *alike; /* the rows found, as a mask */
};

static void pick_task(void *context, unsigned worker, uint32_t i)
{
    struct picking *picking = context;
    const struct scan *scan = &picking->scan;
    uint32_t words = (uint32_t)nsc_bits_words(scan->events->n);
    uint32_t end = words - i * TASK_WORDS < TASK_WORDS ? words : (i + 1) * TASK_WORDS;

    (void)worker;
    for (uint32_t block = i * TASK_WORDS; block < end; block++)
        for (uint64_t word = match_block(scan, block); word; word &= word - 1) {
            nsc_event row = block * 64 + (uint32_t)__builtin_ctzll(word);
            nsc_time duration = nsc_event_duration(scan->events, row);

            if (duration >= picking->durations.t0 && duration < picking->durations.t1 &&
                is_alike(scan, row))
                nsc_bits_set(picking->alike, row);
        }
}

uint64_t *nsc_event_alike(struct nsc_pool *pool, const struct nsc_trace *trace,
                          const uint64_t *mask, nsc_event event, struct nsc_window durations,
                          bool brief)
{
    struct picking picking = {.scan = begin_scan(trace, mask, event, brief),
                              .durations = durations};
    uint32_t words = (uint32_t)nsc_bits_words(picking.scan.events->n);
    uint32_t n = (words + TASK_WORDS - 1) / TASK_WORDS;

    picking.alike = nsc_xcalloc((size_t)words + 1, sizeof *picking.alike);
    if (pool)
        nsc_pool_run(pool, n, pick_task, &picking);
    for (uint32_t i = 0; !pool && i < n; i++)
        pick_task(&picking, 0, i);
    free(picking.scan.wanted);
    return picking.alike;
}

uint32_t nsc_standing_permille(const struct nsc_standing *rank)
{
    uint64_t equal = (uint64_t)rank->count - rank->shorter - rank->longer;

    return (uint32_t)((2 * (uint64_t)rank->shorter + equal) * 500 / rank->count);
}

/* ---- next and longest event of a name ---- */

static struct scan begin_same(const struct nsc_trace *trace, nsc_event event, bool brief)
{
    struct scan scan = {.trace = trace, .events = nsc_trace_events(trace), .event = event};

    want_names(&scan, brief);
    return scan;
}

/* Whether a row is selected and has the name. */
static bool is_same(const struct scan *scan, const struct nsc_summary *summary, nsc_event row)
{
    return scan->events->kind[row] == scan->events->kind[scan->event] &&
           nsc_summary_has(summary, row);
}

static bool comes_before(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    return events->start[a] != events->start[b] ? events->start[a] < events->start[b] : a < b;
}

/* The first row of the lane that comes after event or with it. */
static nsc_event find_place(const struct nsc_events *events, const struct nsc_lane *lane,
                            nsc_event event)
{
    nsc_event from = lane->first, to = lane->first + lane->n;

    NSC_BISECT(from, to, middle, comes_before(events, middle, event));
    return from;
}

/* The first matching row of [from, end), or best if that comes earlier. */
static nsc_event same_after(const struct scan *scan, const struct nsc_summary *summary,
                            nsc_event first, nsc_event end, nsc_event best)
{
    for (nsc_event base = first; base < end; base += 64) {
        uint32_t n = end - base < 64 ? end - base : 64;

        if (best != NSC_NONE && comes_before(scan->events, best, base))
            break;
        for (uint64_t word = match_rows(scan, base, n); word; word &= word - 1) {
            nsc_event row = base + (uint32_t)__builtin_ctzll(word);

            if (is_same(scan, summary, row))
                return best == NSC_NONE || comes_before(scan->events, row, best) ? row : best;
        }
        if (n < 64)
            break;
    }
    return best;
}

/* As same_after, backwards from the end. */
static nsc_event same_before(const struct scan *scan, const struct nsc_summary *summary,
                             nsc_event first, nsc_event end, nsc_event best)
{
    while (end > first) {
        uint32_t n = end - first < 64 ? end - first : 64;

        if (best != NSC_NONE && comes_before(scan->events, end - 1, best))
            break;
        end -= n;
        for (uint64_t word = match_rows(scan, end, n); word;) {
            uint32_t k = 63 - (uint32_t)__builtin_clzll(word);

            if (is_same(scan, summary, end + k))
                return best == NSC_NONE || comes_before(scan->events, best, end + k) ? end + k
                                                                                     : best;
            word &= ~((uint64_t)1 << k);
        }
    }
    return best;
}

nsc_event nsc_event_next_same(const struct nsc_trace *trace, const struct nsc_summary *summary,
                              nsc_event event, bool brief, bool forward)
{
    struct scan scan = begin_same(trace, event, brief);
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n_lanes);
    uint32_t own = nsc_trace_lane_of(trace, event);
    nsc_event best = NSC_NONE;

    for (uint32_t i = 0; i < n_lanes; i++) { /* its own lane first, because the others stop at the
                                              * result */
        const struct nsc_lane *lane = &lanes[i == 0 ? own : i <= own ? i - 1 : i];
        nsc_event at = find_place(scan.events, lane, event);

        if (forward)
            best = same_after(&scan, summary, at + (at == event), lane->first + lane->n, best);
        else
            best = same_before(&scan, summary, lane->first, at, best);
    }
    free(scan.wanted);
    return best;
}

nsc_event nsc_event_longest_same(const struct nsc_trace *trace, const struct nsc_summary *summary,
                                 nsc_event event, bool brief)
{
    struct scan scan = begin_same(trace, event, brief);
    const struct nsc_events *events = scan.events;
    nsc_event best = NSC_NONE;
    nsc_time longest = -1;

    for (uint32_t block = 0; block < nsc_bits_words(events->n); block++) {
        nsc_event base = block * 64;
        uint64_t word = match_rows(&scan, base, events->n - base < 64 ? events->n - base : 64);

        for (; word; word &= word - 1) {
            nsc_event row = base + (uint32_t)__builtin_ctzll(word);
            nsc_time duration = nsc_event_duration(events, row);

            if (duration < longest || (duration == longest && !comes_before(events, row, best)) ||
                !is_same(&scan, summary, row))
                continue;
            best = row;
            longest = duration;
        }
    }
    free(scan.wanted);
    return best;
}
