/*
 * The summary of a selection of rows: running totals a block of rows, and a flat tree of the
 * longest.
 */
#include "nsyscope/summary.h"

#include "core/bits.h"
#include "core/die.h"
#include "core/pages.h"
#include "index/summary_data.h"
#include "index/trace_data.h"

#include <stdlib.h>

/* All bits set when bit k of word is, else none: the loops below stay free of branches. */
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

    for (uint32_t k = from; k < to; k++) {
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

uint64_t nsc_rows_longest(const struct nsc_events *events, uint64_t word, nsc_event first,
                          uint32_t from, uint32_t to)
{
    const uint32_t *duration = events->duration + first;
    uint64_t longest = 0;

    for (uint32_t k = from; k < to; k++) {
        uint64_t key = nsc_longest_key(duration[k], first + k) & select_all(word, k);

        longest = key > longest ? key : longest;
    }
    if (nsc_longest_is_long(longest))
        return find_long_row(events, word, first, from, to);
    return longest;
}

/* ---- building
 * ---------------------------------------------------------------------------------------------------
 */

static bool allocate_arrays(struct nsc_summary *summary)
{
    size_t blocks = summary->n_blocks;
    size_t counts = summary->mask ? blocks + 1 : 0;
    nsc_time *at = NULL;

    summary->bytes = sizeof *at * (blocks + (blocks + 1) + 2 * blocks) + sizeof(uint32_t) * counts;
    summary->pages = nsc_pages_new(summary->bytes);
    if (!summary->pages)
        return false;
    at = summary->pages;
    summary->block_start = at;
    summary->before = (uint64_t *)(at + blocks);
    summary->longest = summary->before + blocks + 1;
    if (summary->mask)
        summary->count_before = (uint32_t *)(summary->longest + 2 * blocks);
    return true;
}

/* Returns the ns of the block, which are added to the saturating total as well. */
static uint64_t build_block(struct nsc_summary *summary, const struct nsc_events *events,
                            uint32_t block)
{
    uint64_t word = nsc_summary_word(summary, block);
    nsc_event first = block * NSC_SUMMARY_BLOCK;
    uint32_t rows = summary->n_rows - first;
    uint32_t to = rows < NSC_SUMMARY_BLOCK ? rows : NSC_SUMMARY_BLOCK;
    uint64_t longest = word ? nsc_rows_longest(events, word, first, 0, to) : 0;

    summary->block_start[block] = events->start[first];
    summary->longest[summary->n_blocks + block] = longest;
    summary->count += nsc_bits_count_word(word);
    if (summary->mask)
        summary->count_before[block + 1] = (uint32_t)summary->count;
    return word ? nsc_rows_sum(events, word, first, 0, to) : 0;
}

static nsc_time add_saturating(nsc_time a, uint64_t b)
{
    return b > (uint64_t)(INT64_MAX - a) ? INT64_MAX : a + (nsc_time)b;
}

/* A block of 64 rows of at most INT64_MAX ns could wrap by itself: such rows are added one by one.
 */
static void add_busy(struct nsc_summary *summary, const struct nsc_events *events, uint32_t block,
                     uint64_t ns)
{
    uint64_t word = nsc_summary_word(summary, block);

    if (!nsc_longest_is_long(summary->longest[summary->n_blocks + block])) {
        summary->busy = add_saturating(summary->busy, ns);
        return;
    }
    for (; word; word &= word - 1) {
        nsc_event row = block * NSC_SUMMARY_BLOCK + (uint32_t)__builtin_ctzll(word);

        summary->busy = add_saturating(summary->busy, (uint64_t)nsc_event_duration(events, row));
    }
}

static void build_arrays(struct nsc_summary *summary, const struct nsc_events *events)
{
    for (uint32_t block = 0; block < summary->n_blocks; block++) {
        uint64_t ns = build_block(summary, events, block);

        summary->before[block + 1] = summary->before[block] + ns;
        add_busy(summary, events, block, ns);
    }
    for (uint32_t node = summary->n_blocks; node-- > 1;)
        summary->longest[node] = nsc_longest_pick(events, summary->longest[2 * (size_t)node],
                                                  summary->longest[2 * (size_t)node + 1]);
}

struct nsc_summary *nsc_summary_build(const struct nsc_trace *trace, const uint64_t *mask)
{
    struct nsc_summary *summary = nsc_xcalloc(1, sizeof *summary);
    const struct nsc_events *events = &trace->events;

    summary->mask = mask;
    summary->n_rows = events->n;
    summary->n_blocks = events->n / NSC_SUMMARY_BLOCK + (events->n % NSC_SUMMARY_BLOCK != 0);
    if (!allocate_arrays(summary)) {
        free(summary);
        return NULL;
    }
    build_arrays(summary, events);
    return summary;
}

void nsc_summary_free(struct nsc_summary *summary)
{
    if (!summary)
        return;
    nsc_pages_free(summary->pages, summary->bytes);
    free(summary);
}

/* ---- asking
 * ------------------------------------------------------------------------------------------------------
 */

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
