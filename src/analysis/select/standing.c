/*
 * Measures the standing of an event: counts in one pass, then finds the quantiles with two
 * histograms, each over 16 bits of the duration.
 */
#include "analysis/select/standing.h"

#include "core/bisect.h"
#include "core/bits.h"
#include "core/sort.h"
#include "core/vec.h"

#include <stdlib.h>

enum { HALF = 1 << 16 };

struct scan {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    nsc_event event;
    const uint64_t *mask; /* NULL: all rows */
    bool by_text;         /* equal names may have different texts */
    uint64_t *wanted;     /* a bit a name; NULL: only the event's own */
    uint64_t *alike;      /* the rows found by the first pass, as a mask */
    uint32_t *histogram;
    uint32_t n_long;
};

/* Whether two names, or (brief) their brief forms, are equal. */
static bool is_name(const struct nsc_names *names, nsc_name a, nsc_name b, bool brief)
{
    return a == b || (brief && a < names->n && b < names->n && names->counters[b] == 0 &&
                      names->brief[a] == names->brief[b]);
}

/* A bit for each name that counts as the event's; NULL if there is only one. */
static uint64_t *wanted_names(const struct nsc_trace *trace, nsc_name name, bool brief)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    uint64_t *wanted = NULL;

    for (nsc_name other = 0; brief && other < names->n; other++)
        if (other != name && is_name(names, other, name, true)) {
            if (!wanted)
                wanted = nsc_xcalloc(nsc_bits_words(names->n) + 1, sizeof *wanted);
            nsc_bits_set(wanted, other);
        }
    if (wanted)
        nsc_bits_set(wanted, name);
    return wanted;
}

/* The rows base + k, k < n <= 64, with a wanted name. */
static uint64_t match_wanted(const nsc_name names[], uint32_t n, const uint64_t *wanted,
                             uint32_t n_names)
{
    uint64_t word = 0;

    for (uint32_t k = 0; k < n; k++)
        if (names[k] < n_names)
            word |= (uint64_t)nsc_bits_get(wanted, names[k]) << k;
    return word;
}

/* Compilers at -O2 vectorize only a loop of exactly this many rounds. */
static bool has_name(const nsc_name names[64], nsc_name name)
{
    nsc_name differ = 1;

    for (uint32_t k = 0; k < 64; k++)
        differ &= names[k] != name;
    return !differ;
}

/* The rows base + k, k < n <= 64, with the name of the event. */
static uint64_t match_names(const nsc_name names[], uint32_t n, nsc_name name)
{
    uint64_t word = 0;

    if (n == 64 && !has_name(names, name))
        return 0;
    for (uint32_t k = 0; k < n; k++)
        word |= (uint64_t)(names[k] == name) << k;
    return word;
}

static bool is_alike(const struct scan *scan, nsc_event row)
{
    return scan->events->kind[row] == scan->events->kind[scan->event] &&
           (!scan->by_text || nsc_trace_same_text(scan->trace, row, scan->event));
}

static void count_row(struct scan *scan, struct nsc_standing *rank, nsc_event row)
{
    nsc_time own = nsc_event_duration(scan->events, scan->event);
    nsc_time duration = nsc_event_duration(scan->events, row);

    nsc_bits_set(scan->alike, row);
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

/* The rows first + k, k < n <= 64, with a wanted name. */
static uint64_t match_rows(const struct scan *scan, nsc_event first, uint32_t n)
{
    const nsc_name *names = scan->events->name;

    return scan->wanted
               ? match_wanted(names + first, n, scan->wanted, nsc_trace_names(scan->trace)->n)
               : match_names(names + first, n, names[scan->event]);
}

/* The kept rows of a block of 64 rows with a wanted name. */
static uint64_t match_block(const struct scan *scan, uint32_t block)
{
    nsc_event base = block * 64;
    uint32_t n = scan->events->n - base < 64 ? scan->events->n - base : 64;

    return match_rows(scan, base, n) & (scan->mask ? scan->mask[block] : UINT64_MAX);
}

/* Counts rows in blocks [from, to) of 64 rows. */
static void count_rows(struct scan *scan, struct nsc_standing *rank, uint32_t from, uint32_t to)
{
    for (uint32_t block = from; block < to; block++)
        for (uint64_t word = match_block(scan, block); word; word &= word - 1) {
            nsc_event row = block * 64 + (uint32_t)__builtin_ctzll(word);

            if (is_alike(scan, row))
                count_row(scan, rank, row);
        }
}

/* The k-th duration in the side table. */
static nsc_time select_long(const struct scan *scan, uint32_t k)
{
    NSC_VEC(nsc_time) times = {0};
    nsc_time found = 0;

    for (uint32_t i = 0; i < scan->events->n_long; i++)
        if (nsc_bits_get(scan->alike, scan->events->long_event[i]))
            *NSC_VEC_ADD(&times) = scan->events->long_duration[i];
    NSC_VEC_SORT(&times, nsc_time_compare);
    found = k < times.n ? times.at[k] : 0;
    NSC_VEC_FINI(&times);
    return found;
}

/* The bucket of the k-th duration; k becomes its place within. */
static uint32_t find_bucket(const uint32_t histogram[HALF], uint32_t *k)
{
    uint32_t bucket = 0;

    while (*k >= histogram[bucket])
        *k -= histogram[bucket++];
    return bucket;
}

static struct scan begin_scan(const struct nsc_trace *trace, const uint64_t *mask, nsc_event event,
                              bool brief)
{
    struct scan scan = {
        .trace = trace, .events = nsc_trace_events(trace), .event = event, .mask = mask};

    scan.by_text = nsc_trace_names(trace)->counters[scan.events->name[event]] > 0;
    scan.wanted = wanted_names(trace, scan.events->name[event], brief);
    scan.alike = nsc_xcalloc(nsc_bits_words(scan.events->n) + 1, sizeof *scan.alike);
    scan.histogram = nsc_xcalloc(HALF, sizeof *scan.histogram);
    return scan;
}

/* ---- in steps ---- */

/* First counts all rows, then reads the found rows once per figure. */
enum phase { PHASE_COUNT, PHASE_MEDIAN, PHASE_P95, PHASE_HISTOGRAM, PHASE_DONE };

struct nsc_spread_pass {
    struct scan scan;
    struct nsc_standing rank;
    struct nsc_histogram histogram;
    enum phase phase;
    uint32_t next; /* the next block of 64 rows of this phase */
    uint32_t *low; /* of a quantile: a histogram over the low halves of durations */
};

struct nsc_spread_pass *nsc_spread_pass_new(const struct nsc_trace *trace, const uint64_t *mask,
                                            nsc_event event, bool brief)
{
    struct nsc_spread_pass *work = nsc_xcalloc(1, sizeof *work);

    work->scan = begin_scan(trace, mask, event, brief);
    return work;
}

void nsc_spread_pass_free(struct nsc_spread_pass *work)
{
    if (!work)
        return;
    free(work->low);
    free(work->scan.histogram);
    free(work->scan.alike);
    free(work->scan.wanted);
    free(work);
}

/* The end of the blocks of a step of `rows` rows. */
static uint32_t step_end(const struct nsc_spread_pass *work, uint32_t rows)
{
    uint32_t blocks = (uint32_t)nsc_bits_words(work->scan.events->n);
    uint32_t some = rows / 64 + 1;

    return some < blocks - work->next ? work->next + some : blocks;
}

static void add_low(struct nsc_spread_pass *work, uint32_t high, uint32_t to)
{
    const struct scan *scan = &work->scan;

    for (uint32_t block = work->next; block < to; block++)
        for (uint64_t word = scan->alike[block]; word; word &= word - 1) {
            uint32_t duration =
                scan->events->duration[block * 64 + (uint32_t)__builtin_ctzll(word)];

            if (duration >> 16 == high && duration != NSC_LONG)
                work->low[duration & (HALF - 1)]++;
        }
}

/* Works on the k-th duration of all; true once it is found. */
static bool find_rank(struct nsc_spread_pass *work, nsc_time *found, uint32_t k, uint32_t to)
{
    uint32_t n_short = work->rank.count - work->scan.n_long, high;

    *found = work->rank.min;
    if (work->rank.min == work->rank.max)
        return true;
    if (k >= n_short) {
        *found = select_long(&work->scan, k - n_short);
        return true;
    }
    if (!work->low)
        work->low = nsc_xcalloc(HALF, sizeof *work->low);
    high = find_bucket(work->scan.histogram, &k);
    add_low(work, high, to);
    if (to < nsc_bits_words(work->scan.events->n))
        return false;
    *found = high << 16 | find_bucket(work->low, &k);
    free(work->low);
    work->low = NULL;
    return true;
}

static void add_bins(struct nsc_spread_pass *work, uint32_t to)
{
    const struct scan *scan = &work->scan;
    struct nsc_histogram *histogram = &work->histogram;

    if (work->next == 0)
        *histogram = nsc_histogram(work->rank.min, work->rank.max);
    for (uint32_t block = work->next; block < to; block++)
        for (uint64_t word = scan->alike[block]; word; word &= word - 1) {
            nsc_event row = block * 64 + (uint32_t)__builtin_ctzll(word);

            histogram->count[nsc_histogram_bin(histogram, nsc_event_duration(scan->events, row))]++;
        }
}

bool nsc_spread_pass_step(struct nsc_spread_pass *work, uint32_t rows)
{
    struct nsc_standing *rank = &work->rank;
    uint32_t to = step_end(work, rows), p95 = (uint32_t)(((uint64_t)rank->count * 95 + 99) / 100);
    bool is_found = false;

    if (work->phase == PHASE_COUNT)
        count_rows(&work->scan, rank, work->next, to);
    else if (work->phase == PHASE_MEDIAN)
        is_found = find_rank(work, &rank->median, (rank->count - 1) / 2, to);
    else if (work->phase == PHASE_P95)
        is_found = find_rank(work, &rank->p95, p95 - 1, to);
    else if (work->phase == PHASE_HISTOGRAM)
        add_bins(work, to);
    work->next = to;
    if (is_found || to == nsc_bits_words(work->scan.events->n)) {
        work->phase += work->phase != PHASE_DONE;
        work->next = 0;
    }
    return work->phase == PHASE_DONE;
}

struct nsc_standing nsc_spread_pass_take(const struct nsc_spread_pass *work,
                                         struct nsc_histogram *histogram)
{
    *histogram = work->histogram;
    return work->rank;
}

/* ---- at once ---- */

struct nsc_standing nsc_event_spread(struct nsc_histogram *histogram, const struct nsc_trace *trace,
                                     const uint64_t *mask, nsc_event event, bool brief)
{
    struct nsc_spread_pass *work = nsc_spread_pass_new(trace, mask, event, brief);
    struct nsc_standing rank;

    while (!nsc_spread_pass_step(work, UINT32_MAX))
        ;
    rank = nsc_spread_pass_take(work, histogram);
    nsc_spread_pass_free(work);
    return rank;
}

#ifdef NSC_SMALL
enum { TASK_WORDS = 1 }; /* of 64 rows */
#else
enum { TASK_WORDS = 1 << 14 }; /* a task takes about a ms */
#endif

struct picking {
    struct scan scan;
    struct nsc_window durations;
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
                nsc_bits_set(scan->alike, row);
        }
}

uint64_t *nsc_event_alike(struct nsc_pool *pool, const struct nsc_trace *trace,
                          const uint64_t *mask, nsc_event event, struct nsc_window durations,
                          bool brief)
{
    struct picking picking = {begin_scan(trace, mask, event, brief), durations};
    uint32_t words = (uint32_t)nsc_bits_words(picking.scan.events->n);
    uint32_t n = (words + TASK_WORDS - 1) / TASK_WORDS;

    if (pool)
        nsc_pool_run(pool, n, pick_task, &picking);
    for (uint32_t i = 0; !pool && i < n; i++)
        pick_task(&picking, 0, i);
    free(picking.scan.histogram);
    free(picking.scan.wanted);
    return picking.scan.alike;
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

    scan.wanted = wanted_names(trace, scan.events->name[event], brief);
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
