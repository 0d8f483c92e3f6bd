/*
 * The summary of a selection: running totals per block of rows, and a flat tree of the longest
 * rows.
 */
#include "nsyscope/summary.h"

#include "core/bits.h"
#include "core/die.h"
#include "core/pages.h"
#include "index/builds.h"
#include "index/summary_data.h"
#include "index/trace_data.h"

#include <stdlib.h>
#include <string.h>

/* All bits set if bit k of word is set, else none: keeps the loops below free of branches. */
static inline uint64_t select_all(uint64_t word, uint32_t k)
{
    return (uint64_t)0 - (word >> k & 1);
}

static uint64_t sum_long_rows(const struct nsc_events *events, uint64_t word, nsc_event first,
                              uint32_t from, uint32_t to)
{
    uint64_t sum = 0;

    for (uint32_t k = from; k < to; k++)
        sum += (uint64_t)nsc_event_duration(events, first + k) & select_all(word, k);
    return sum;
}

uint64_t nsc_rows_sum(const struct nsc_events *events, uint64_t word, nsc_event first,
                      uint32_t from, uint32_t to)
{
    const uint32_t *duration = events->duration + first;
    uint64_t sum = 0;
    bool is_long = false;

    for (uint32_t k = from; word == UINT64_MAX && k < to; k++) {
        sum += duration[k];
        is_long |= duration[k] == NSC_LONG;
    }
    for (uint32_t k = from; word != UINT64_MAX && k < to; k++) {
        sum += duration[k] & select_all(word, k);
        is_long |= duration[k] == NSC_LONG;
    }
    return is_long ? sum_long_rows(events, word, first, from, to) : sum;
}

static uint64_t find_long_row(const struct nsc_events *events, uint64_t word, nsc_event first,
                              uint32_t from, uint32_t to)
{
    uint64_t longest = 0;

    for (uint32_t k = from; k < to; k++) {
        uint64_t key = nsc_longest_key(events->duration[first + k], first + k);

        longest = nsc_longest_pick(events, longest, key & select_all(word, k));
    }
    return longest;
}

/* The longest of rows that are all selected, at least one: no branch per row. */
static uint64_t longest_of_all(const uint32_t *duration, nsc_event first, uint32_t from,
                               uint32_t to)
{
    uint32_t longest = duration[from];
    uint32_t at = from;

    for (uint32_t k = from + 1; k < to; k++) {
        bool longer = duration[k] > longest;

        longest = longer ? duration[k] : longest;
        at = longer ? k : at;
    }
    return nsc_longest_key(longest, first + at);
}

uint64_t nsc_rows_longest(const struct nsc_events *events, uint64_t word, nsc_event first,
                          uint32_t from, uint32_t to)
{
    const uint32_t *duration = events->duration + first;
    uint64_t longest = 0;

    if (word == UINT64_MAX && from < to)
        longest = longest_of_all(duration, first, from, to);
    for (uint32_t k = from; word != UINT64_MAX && k < to; k++) {
        uint64_t key = nsc_longest_key(duration[k], first + k) & select_all(word, k);

        longest = key > longest ? key : longest;
    }
    if (nsc_longest_is_long(longest))
        return find_long_row(events, word, first, from, to);
    return longest;
}

/* ---- building ---- */

#ifdef NSC_SMALL
#define TASK_BLOCKS 2u
#else
#define TASK_BLOCKS 2048u
#endif

enum { FEW_ROWS = 12 }; /* a block with at most so many is summed row by row */

/* The totals of a task's blocks. */
struct part {
    uint64_t ns, count;
    nsc_time busy;
};

struct building {
    struct nsc_summary *summary;
    const struct nsc_events *events;
    struct part *parts;              /* one per task */
    const struct nsc_summary *whole; /* summary of all rows; NULL if this is it */
};

/* The number of keys above n keys. */
static uint32_t count_above(uint32_t n)
{
    return n / NSC_SUMMARY_FAN + (n % NSC_SUMMARY_FAN != 0);
}

/* Levels are stored one after the other, each padded to whole groups of keys. */
static size_t place_levels(struct nsc_summary *summary, uint64_t *at)
{
    size_t used = 0;
    uint32_t n = summary->n_blocks;

    for (summary->n_levels = 0; n > 1;) {
        n = count_above(n);
        summary->longest[summary->n_levels++] = at ? at + used : NULL;
        used += (size_t)count_above(n) * NSC_SUMMARY_FAN;
    }
    return used;
}

static bool allocate_arrays(struct nsc_summary *summary)
{
    size_t blocks = summary->n_blocks;
    size_t fars = blocks / NSC_SUMMARY_FAR + 1;
    size_t keys = place_levels(summary, NULL);
    size_t counts = summary->mask ? blocks + 1 : 0;

    summary->bytes = (blocks + 1) * sizeof *summary->block + fars * sizeof *summary->far_start +
                     keys * sizeof **summary->longest + counts * sizeof *summary->count_before;
    summary->pages = nsc_pages_new(summary->bytes);
    if (!summary->pages)
        return false;
    summary->block = summary->pages;
    summary->far_start = (nsc_time *)(summary->block + blocks + 1);
    (void)place_levels(summary, (uint64_t *)(summary->far_start + fars));
    if (summary->mask)
        summary->count_before = (uint32_t *)(summary->far_start + fars + keys);
    return true;
}

static nsc_time add_saturating(nsc_time a, uint64_t b)
{
    return b > (uint64_t)(INT64_MAX - a) ? INT64_MAX : a + (nsc_time)b;
}

/* Adds row by row: few are selected, or their sum could wrap. */
static void add_rows(const struct building *building, struct part *part, uint64_t word,
                     uint32_t block)
{
    const struct nsc_events *events = building->events;
    struct nsc_summary *summary = building->summary;
    uint64_t longest = 0;
    nsc_time half = 0;

    for (; word; word &= word - 1) {
        nsc_event row = block * NSC_SUMMARY_BLOCK + (uint32_t)__builtin_ctzll(word);
        uint64_t ns = (uint64_t)nsc_event_duration(events, row);

        longest = nsc_longest_pick(events, longest, nsc_longest_key(events->duration[row], row));
        part->ns += ns;
        part->busy = add_saturating(part->busy, ns);
        if (row % NSC_SUMMARY_BLOCK < NSC_SUMMARY_BLOCK / 2)
            half = add_saturating(half, ns);
    }
    summary->block[block].longest = longest;
    summary->block[block].half = half < NSC_LONG ? (uint32_t)half : NSC_LONG;
}

static void add_block(const struct building *building, struct part *part, uint32_t block)
{
    struct nsc_summary *summary = building->summary;
    uint64_t word = nsc_summary_word(summary, block);
    nsc_event first = block * NSC_SUMMARY_BLOCK;
    uint32_t rows = summary->n_rows - first;
    uint32_t to = rows < NSC_SUMMARY_BLOCK ? rows : NSC_SUMMARY_BLOCK;
    uint32_t half = to < NSC_SUMMARY_BLOCK / 2 ? to : NSC_SUMMARY_BLOCK / 2;
    uint32_t count = nsc_bits_count_word(word);
    uint64_t longest = 0;
    uint64_t ns = 0;

    part->count += count;
    if (count > FEW_ROWS)
        longest = nsc_rows_longest(building->events, word, first, 0, to);
    if (count <= FEW_ROWS || nsc_longest_is_long(longest)) {
        add_rows(building, part, word, block);
        return;
    }
    summary->block[block].longest = longest;
    ns = nsc_rows_sum(building->events, word, first, 0, half);
    summary->block[block].half = ns < NSC_LONG ? (uint32_t)ns : NSC_LONG;
    ns += nsc_rows_sum(building->events, word, first, half, to);
    part->ns += ns;
    part->busy = add_saturating(part->busy, ns);
}

static uint32_t task_end(const struct nsc_summary *summary, uint32_t task)
{
    uint32_t left = summary->n_blocks - task * TASK_BLOCKS;

    return task * TASK_BLOCKS + (left < TASK_BLOCKS ? left : TASK_BLOCKS);
}

/* Sets the block's start and quarters. Quarters behind the last row begin at its start. */
static void put_start(const struct building *building, uint32_t at)
{
    struct nsc_summary *summary = building->summary;
    struct nsc_block *block = &summary->block[at];
    const nsc_time *start = building->events->start;
    uint32_t left = summary->n_rows - at * NSC_SUMMARY_BLOCK;
    nsc_time next = 0;

    start += at * (size_t)NSC_SUMMARY_BLOCK;
    next = start[left > NSC_SUMMARY_BLOCK ? NSC_SUMMARY_BLOCK : left - 1];
    block->start = start[0];
    for (uint32_t i = 0; i < 4; i++)
        block->shares[i] = i * NSC_SUMMARY_QUARTER < left
                               ? nsc_block_share(start[0], next, start[i * NSC_SUMMARY_QUARTER])
                               : UINT8_MAX;
    if (at % NSC_SUMMARY_FAR == 0)
        summary->far_start[at / NSC_SUMMARY_FAR] = start[0];
}

/* Starts do not depend on the selection: copies them from the summary of all rows. */
static void copy_start(struct nsc_summary *summary, const struct nsc_summary *whole, uint32_t at)
{
    summary->block[at].start = whole->block[at].start;
    memcpy(summary->block[at].shares, whole->block[at].shares, sizeof whole->block[at].shares);
    if (at % NSC_SUMMARY_FAR == 0)
        summary->far_start[at / NSC_SUMMARY_FAR] = summary->block[at].start;
}

/* Totals within the task's blocks; shift_blocks adds the blocks before the task. */
static void build_blocks(void *context, unsigned worker, uint32_t task)
{
    const struct building *building = context;
    struct nsc_summary *summary = building->summary;
    struct part *part = &building->parts[task];

    (void)worker;
    for (uint32_t block = task * TASK_BLOCKS; block < task_end(summary, task); block++) {
        add_block(building, part, block);
        summary->block[block + 1].before = part->ns;
        if (summary->mask)
            summary->count_before[block + 1] = (uint32_t)part->count;
        if (building->whole)
            copy_start(summary, building->whole, block);
        else
            put_start(building, block);
    }
}

static void shift_blocks(void *context, unsigned worker, uint32_t task)
{
    const struct building *building = context;
    struct nsc_summary *summary = building->summary;
    const struct part *before = &building->parts[task];

    (void)worker;
    for (uint32_t block = task * TASK_BLOCKS; block < task_end(summary, task); block++) {
        summary->block[block + 1].before += before->ns;
        if (summary->mask)
            summary->count_before[block + 1] += (uint32_t)before->count;
    }
}

static void run_tasks(struct nsc_pool *pool, uint32_t n,
                      void (*task)(void *context, unsigned worker, uint32_t i),
                      struct building *building)
{
    if (pool)
        nsc_pool_run(pool, n, task, building);
    for (uint32_t i = 0; !pool && i < n; i++)
        task(building, 0, i);
}

/* Turns each part into the sum of the parts before it; the total is the summary's. */
static void sum_parts(struct building *building, uint32_t n)
{
    struct part sum = {0};

    for (uint32_t i = 0; i < n; i++) {
        struct part part = building->parts[i];

        building->parts[i] = sum;
        sum.ns += part.ns;
        sum.count += part.count;
        sum.busy = add_saturating(sum.busy, (uint64_t)part.busy);
    }
    building->summary->count = sum.count;
    building->summary->busy = sum.busy;
}

/* The greatest key of group i below a level; 0 after the last key. */
static uint64_t pick_of_family(const struct building *building, uint32_t level, uint32_t i)
{
    const struct nsc_summary *summary = building->summary;
    size_t first = (size_t)i * NSC_SUMMARY_FAN;
    uint64_t longest = 0;

    for (size_t k = first; k < first + NSC_SUMMARY_FAN && (level || k < summary->n_blocks); k++)
        longest =
            nsc_longest_pick(building->events, longest,
                             level ? summary->longest[level - 1][k] : summary->block[k].longest);
    return longest;
}

static void raise_longest(const struct building *building)
{
    struct nsc_summary *summary = building->summary;
    uint32_t n = summary->n_blocks;

    for (uint32_t level = 0; level < summary->n_levels; level++) {
        n = count_above(n);
        for (uint32_t i = 0; i < n; i++)
            summary->longest[level][i] = pick_of_family(building, level, i);
    }
}

/* ---- the whole ---- */

/* First each block is summed, then the total before its task is added. */
static void build(struct building *building, struct nsc_pool *pool)
{
    struct nsc_summary *summary = building->summary;
    uint32_t n = summary->n_blocks / TASK_BLOCKS + (summary->n_blocks % TASK_BLOCKS != 0);

    building->parts = nsc_xcalloc((size_t)n + 1, sizeof *building->parts);
    run_tasks(pool, n, build_blocks, building);
    sum_parts(building, n);
    run_tasks(pool, n, shift_blocks, building);
    raise_longest(building);
    if (summary->n_rows)
        summary->block[summary->n_blocks].start = building->events->start[summary->n_rows - 1];
    free(building->parts);
}

struct nsc_summary *nsc_summary_build_on(struct nsc_pool *pool, const struct nsc_trace *trace,
                                         const uint64_t *mask)
{
    struct nsc_summary *summary = nsc_xcalloc(1, sizeof *summary);
    struct building building = {
        .summary = summary, .events = &trace->events, .whole = trace->summary};
    uint32_t n = trace->events.n;

    summary->mask = mask;
    summary->n_rows = n;
    summary->n_blocks = n / NSC_SUMMARY_BLOCK + (n % NSC_SUMMARY_BLOCK != 0);
    if (!allocate_arrays(summary)) {
        free(summary);
        return NULL;
    }
    build(&building, pool);
    return summary;
}

struct nsc_summary *nsc_summary_build(const struct nsc_trace *trace, const uint64_t *mask)
{
    return nsc_summary_build_on(NULL, trace, mask);
}

void nsc_summary_free(struct nsc_summary *summary)
{
    if (!summary)
        return;
    nsc_pages_free(summary->pages, summary->bytes);
    free(summary);
}

/* ---- asking ---- */

const struct nsc_summary *nsc_trace_summary(const struct nsc_trace *trace)
{
    return trace->summary;
}

uint64_t nsc_summary_count(const struct nsc_summary *summary)
{
    return summary->count;
}

nsc_time nsc_summary_busy(const struct nsc_summary *summary)
{
    return summary->busy;
}

bool nsc_summary_has(const struct nsc_summary *summary, nsc_event event)
{
    return !summary->mask || nsc_bits_get(summary->mask, event);
}

size_t nsc_summary_bytes(const struct nsc_summary *summary)
{
    return sizeof *summary + summary->bytes;
}
