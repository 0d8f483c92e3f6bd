/*
 * Bins of a lane over a window: one search and one running total for each cut between columns.
 */
#include "core/bits.h"
#include "core/hints.h"
#include "index/search.h"

/*
 * The state of a cut at time t. Rows of a lane are disjoint, so at most one row crosses t: the last
 * one that starts before t. An instant never crosses. A column is the difference of its two cuts.
 */
struct cut {
    nsc_time t;
    struct nsc_search at; /* at.row: the first row that starts at t or later; an earlier row until
                             the cut is exact */
    uint32_t guess;       /* the block, then the row, to look at first */
    bool exact;           /* the values below are found */
    bool crossed;         /* row - 1 ends after t */
    uint32_t part;        /* 1 if that row is selected */
    uint64_t tail;        /* ns of that row after t, if it is selected */
    uint64_t before;      /* selected ns and rows before `row`: over the whole trace, modulo 2^64 */
    uint32_t rows;
};

struct lane_query {
    const struct nsc_events *events;
    const struct nsc_summary *summary;
    nsc_event first, end;
};

/* A batch of cuts takes each step together: while one cut is computed, the memory for the next ones
 * is on its way. Otherwise a frame of a big trace would wait for memory most of the time. */
#ifdef NSC_SMALL
enum { BATCH = 3, FETCHED_LEVELS = 3 };
#else
enum { BATCH = 32, FETCHED_LEVELS = 3 };
#endif

/* Sums from the nearest place with a known total: an end of the block, or its middle. */
static uint64_t sum_before(const struct nsc_summary *summary, const struct nsc_events *events,
                           nsc_event row)
{
    enum { QUARTER = NSC_SUMMARY_QUARTER, HALF = 2 * QUARTER };
    const struct nsc_block *block = &summary->block[row / NSC_SUMMARY_BLOCK];
    uint32_t k = row % NSC_SUMMARY_BLOCK;
    nsc_event first = row - k;
    uint32_t rows = summary->n_rows - first;
    uint64_t word = 0;

    if (k == 0)
        return block->before;
    word = nsc_summary_word(summary, row / NSC_SUMMARY_BLOCK);
    rows = rows < NSC_SUMMARY_BLOCK ? rows : NSC_SUMMARY_BLOCK;
    if (k > HALF + QUARTER)
        return block[1].before - nsc_rows_sum(events, word, first, k, rows);
    if (k <= QUARTER || block->half == NSC_LONG)
        return block->before + nsc_rows_sum(events, word, first, 0, k);
    if (k > HALF)
        return block->before + block->half + nsc_rows_sum(events, word, first, HALF, k);
    return block->before + block->half -
           nsc_rows_sum(events, word, first, k, rows < HALF ? rows : HALF);
}

static uint32_t count_before(const struct nsc_summary *summary, nsc_event row)
{
    uint32_t block = row / NSC_SUMMARY_BLOCK;
    uint32_t k = row % NSC_SUMMARY_BLOCK;

    if (!summary->mask)
        return row;
    if (k == 0)
        return summary->count_before[block];
    return summary->count_before[block] +
           nsc_bits_count_word(nsc_summary_word(summary, block) & (((uint64_t)1 << k) - 1));
}

/* Selected ns before `row`; starts from the previous cut if it is as near as a block end. */
static uint64_t sum_on(const struct lane_query *query, const struct cut *before, nsc_event row)
{
    uint32_t block = row / NSC_SUMMARY_BLOCK;
    uint32_t from = before->at.row % NSC_SUMMARY_BLOCK;
    uint32_t to = row % NSC_SUMMARY_BLOCK;

    if (before->exact && row == before->at.row)
        return before->before;
    if (!before->exact || before->at.row / NSC_SUMMARY_BLOCK != block ||
        to - from > NSC_SUMMARY_BLOCK / 4)
        return sum_before(query->summary, query->events, row);
    return before->before +
           nsc_rows_sum(query->events, nsc_summary_word(query->summary, block), row - to, from, to);
}

/* Whether a row crosses the cut, and the sums before it. */
static void cut_finish(const struct lane_query *query, struct cut *cut, const struct cut *before)
{
    nsc_event row = cut->at.row;

    cut->before = sum_on(query, before, row);
    cut->rows = count_before(query->summary, row);
    if (row > query->first) {
        nsc_time end = nsc_event_end(query->events, row - 1);

        cut->crossed = end > cut->t;
        if (cut->crossed && nsc_summary_has(query->summary, row - 1)) {
            cut->part = 1;
            cut->tail = (uint64_t)end - (uint64_t)cut->t;
        }
    }
    cut->exact = true;
}

/* Memory that a cut near this row needs: the starts of a quarter of its block, the row's duration
 * and the durations it is summed with. */
NSC_FETCHER fetch_row(const struct nsc_events *events, nsc_event row)
{
    NSC_FETCH(&events->start[row]);
    NSC_FETCH(&events->start[row + NSC_SUMMARY_QUARTER / 2]);
    NSC_FETCH(&events->duration[row]);
}

/* The block's group of keys and the keys above it in the tree of the longest rows. */
NSC_FETCHER fetch_longest(const struct nsc_summary *summary, uint32_t block)
{
    NSC_FETCH(&summary->block[block ^ 2]);
    for (uint32_t level = 0; level < summary->n_levels && level < FETCHED_LEVELS; level++) {
        block /= NSC_SUMMARY_FAN;
        NSC_FETCH(&summary->longest[level][block]);
    }
}

/* ---- the three steps of a cut; each step of a cut follows the same step of the cut before ---- */

static void find_far(const struct lane_query *query, struct cut *cut, const struct cut *before)
{
    const struct nsc_summary *summary = query->summary;

    cut->at.far = nsc_search_far(summary, before->at.far, query->end, cut->t);
    cut->guess = nsc_search_block_guess(summary, cut->at.far, query->end, cut->t);
    NSC_FETCH(&summary->block[cut->guess]);
    NSC_FETCH(&summary->block[cut->guess + 1]);
}

static void find_block(const struct lane_query *query, struct cut *cut, const struct cut *before)
{
    struct nsc_search near = {cut->at.far, before->at.block, 0};

    cut->at.block = nsc_search_block(query->summary, near, cut->guess, query->end, cut->t);
    cut->guess = nsc_search_row_guess(query->summary, cut->at.block, cut->t);
    fetch_row(query->events, cut->guess);
    fetch_longest(query->summary, cut->at.block);
}

static void find_row(const struct lane_query *query, struct cut *cut, const struct cut *before)
{
    struct nsc_search near = {0, cut->at.block, before->at.row};

    cut->at.row = nsc_search_row(query->events, near, cut->guess, query->end, cut->t);
    cut_finish(query, cut, before);
}

static struct nsc_bin bin_between(const struct lane_query *query, const struct cut *a,
                                  const struct cut *b)
{
    struct nsc_bin bin = {.longest = NSC_NONE};
    uint64_t busy = b->before - a->before + a->tail - b->tail;

    bin.busy = busy > (uint64_t)INT64_MAX ? INT64_MAX : (nsc_time)busy;
    bin.events = b->rows - a->rows + a->part;
    if (!bin.events)
        return bin;
    bin.longest =
        nsc_longest_of_rows(query->summary, query->events, a->at.row - a->crossed, b->at.row);
    bin.enters = a->crossed && bin.longest == a->at.row - 1;
    bin.leaves = b->crossed && bin.longest == b->at.row - 1;
    return bin;
}

__extension__ typedef unsigned __int128 wide;

/* Whether the level is neither idle nor full. */
static inline uint32_t between_ends(uint32_t level, uint32_t levels)
{
    return level < 1 ? 1 : level > levels - 1 ? levels - 1 : level;
}

uint32_t nsc_bin_level(nsc_time busy, nsc_time length, uint32_t levels)
{
    wide level = 0;

    if (busy <= 0 || length <= 0)
        return 0;
    if (busy >= length)
        return levels;
    level = ((wide)busy * levels * 2 + (uint64_t)length) / ((uint64_t)length * 2);
    return between_ends((uint32_t)level, levels);
}

/* ---- asking ---- */

/* out[i]: column i, which ends at cut i + 1. cuts[1] to cuts[n] are cuts at, at + 1, ... */
static void put_bins(const struct lane_query *query, struct cut cuts[], uint32_t n, uint32_t at,
                     struct nsc_bin out[])
{
    uint32_t first = at ? 1 : 2; /* no column ends at cut 0 */

    for (uint32_t k = 1; k <= n; k++)
        find_far(query, &cuts[k], &cuts[k - 1]);
    for (uint32_t k = 1; k <= n; k++)
        find_block(query, &cuts[k], &cuts[k - 1]);
    for (uint32_t k = 1; k <= n; k++)
        find_row(query, &cuts[k], &cuts[k - 1]);
    for (uint32_t k = first; k <= n; k++)
        out[at + k - 2] = bin_between(query, &cuts[k - 1], &cuts[k]);
}

void nsc_lane_bins(const struct nsc_trace *trace, const struct nsc_summary *summary, uint32_t lane,
                   struct nsc_window w, uint32_t n, struct nsc_bin out[])
{
    const struct nsc_lane *at = &trace->lanes[lane];
    const struct lane_query query = {&trace->events, summary, at->first, at->first + at->n};
    struct cut cuts[BATCH + 1];
    uint32_t known = 0; /* cuts of this batch; the first one searches from the lane's first row */

    if (!at->n)
        for (uint32_t i = 0; i < n; i++)
            out[i] = (struct nsc_bin){.longest = NSC_NONE};
    cuts[0] = (struct cut){.t = INT64_MIN, .at = nsc_search_begin(query.first), .exact = true};
    cuts[0].before = at->n ? sum_before(summary, &trace->events, query.first) : 0;
    for (uint32_t i = 0; i <= n && at->n; i += known) {
        known = n + 1 - i < BATCH ? n + 1 - i : BATCH;
        for (uint32_t k = 1; k <= known; k++)
            cuts[k] = (struct cut){.t = nsc_window_cut(w, i + k - 1, n)};
        put_bins(&query, cuts, known, i, out);
        cuts[0] = cuts[known];
    }
}

struct nsc_bin nsc_lane_measure(const struct nsc_trace *trace, const struct nsc_summary *summary,
                                uint32_t lane, struct nsc_window w)
{
    struct nsc_bin bin;

    nsc_lane_bins(trace, summary, lane, w, 1, &bin);
    return bin;
}
