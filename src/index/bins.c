/*
 * Bins of a lane over a window: one search and one running total for each cut between columns.
 */
#include "core/bits.h"
#include "core/fetch.h"
#include "index/search.h"

/*
 * What a cut at time t knows. Rows of a lane are disjoint, so at most one row crosses t, and it is
 * the one before the first that starts at t or later; an instant never crosses. A column is then
 * the difference of its two cuts.
 */
struct cut {
    nsc_time t;
    struct nsc_search at; /* at.row: the first row that starts at t or later */
    uint32_t guess;       /* at which block, then at which row, to look first */
    bool crossed;         /* row - 1 goes on past t */
    uint32_t part;        /* 1 when that row is selected */
    uint64_t tail;        /* its ns past t, when selected */
    uint64_t before;      /* selected ns, and rows, before row: of the whole trace, modulo */
    uint32_t rows;
};

struct lane_query {
    const struct nsc_events *events;
    const struct nsc_summary *summary;
    nsc_event first, end;
};

/*
 * Cuts are looked up so many at a time, all of them one step deeper before any goes on: what a step
 * needs is on its way from memory meanwhile, or a frame of a big trace would spend its time
 * waiting.
 */
#ifdef NSC_SMALL
enum { CHUNK = 3, FETCHED_LEVELS = 3 };
#else
enum { CHUNK = 32, FETCHED_LEVELS = 3 };
#endif

/* Sums from whichever is nearest: an end of the block, or its middle where that is known. */
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

/* The sum before a row, from the cut before when that is as near as an end of the block. */
static uint64_t sum_on(const struct lane_query *query, const struct cut *before, nsc_event row)
{
    uint32_t block = row / NSC_SUMMARY_BLOCK;
    uint32_t from = before->at.row % NSC_SUMMARY_BLOCK;
    uint32_t to = row % NSC_SUMMARY_BLOCK;

    if (row == before->at.row)
        return before->before;
    if (before->at.row / NSC_SUMMARY_BLOCK != block || to - from > NSC_SUMMARY_BLOCK / 4)
        return sum_before(query->summary, query->events, row);
    return before->before +
           nsc_rows_sum(query->events, nsc_summary_word(query->summary, block), row - to, from, to);
}

/* What of the rows before the cut crosses it, and their sums. */
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
}

/* What a cut at about this row looks at: starts of a quarter of its block, its duration and those
 * it is summed with. */
NSC_FETCHER fetch_row(const struct nsc_events *events, nsc_event row)
{
    NSC_FETCH(&events->start[row]);
    NSC_FETCH(&events->start[row + NSC_SUMMARY_QUARTER / 2]);
    NSC_FETCH(&events->duration[row]);
}

/* The block's family, and what is above it in the tree of the longest. */
NSC_FETCHER fetch_longest(const struct nsc_summary *summary, uint32_t block)
{
    NSC_FETCH(&summary->block[block ^ 2]);
    for (uint32_t level = 0; level < summary->n_levels && level < FETCHED_LEVELS; level++) {
        block /= NSC_SUMMARY_FAN;
        NSC_FETCH(&summary->longest[level][block]);
    }
}

/* ---- the three steps of a cut, each after those of the cut before it ---- */

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

/* Of two keys; exact: also where both are of rows of NSC_LONG. */
static inline uint64_t pick_key(const struct lane_query *query, uint64_t a, uint64_t b, bool exact)
{
    if (exact)
        return nsc_longest_pick(query->events, a, b);
    return a > b ? a : b;
}

static inline uint64_t key_at(const struct nsc_summary *summary, uint32_t level, uint32_t i)
{
    return level ? summary->longest[level - 1][i] : summary->block[i].longest;
}

/*
 * The longest of the keys [from, to) of a level that stick out of those above: as many at both ends
 * as a key above has below it but one, whether they stick out or not. Counting would be a guess for
 * the processor at every end of every level, and none is outside what is asked for.
 */
static inline uint64_t longest_of_ends(const struct lane_query *query, uint32_t level,
                                       uint32_t from, uint32_t to, bool exact)
{
    uint64_t best = 0;

    for (uint32_t k = 0; k < NSC_SUMMARY_FAN - 1; k++) {
        uint32_t left = k < to - from ? from + k : from;
        uint32_t right = k < to - from ? to - 1 - k : from;

        best = pick_key(query, best, key_at(query->summary, level, left), exact);
        best = pick_key(query, best, key_at(query->summary, level, right), exact);
    }
    return best;
}

/* Of blocks [from, to), at each level the ends. */
static inline uint64_t longest_of_levels(const struct lane_query *query, uint32_t from, uint32_t to,
                                         bool exact)
{
    uint64_t best = 0;

    for (uint32_t level = 0; from < to; level++) {
        best = pick_key(query, best, longest_of_ends(query, level, from, to, exact), exact);
        from = from / NSC_SUMMARY_FAN + (from % NSC_SUMMARY_FAN != 0);
        to /= NSC_SUMMARY_FAN;
    }
    return best;
}

/* The longest selected row of whole blocks [from, to). Rows of NSC_LONG are rare, and looked up
 * only where there is one. */
static uint64_t longest_of_blocks(const struct lane_query *query, uint32_t from, uint32_t to)
{
    uint64_t longest = longest_of_levels(query, from, to, false);

    return nsc_longest_is_long(longest) ? longest_of_levels(query, from, to, true) : longest;
}

/* The better of best and the rows [from, to) of one block, which are looked at only when the
 * block's best could be one. */
static uint64_t longest_of_part(const struct lane_query *query, nsc_event from, nsc_event to,
                                uint64_t best)
{
    const struct nsc_summary *summary = query->summary;
    uint32_t block = from / NSC_SUMMARY_BLOCK;
    nsc_event first = block * NSC_SUMMARY_BLOCK;
    uint64_t top = summary->block[block].longest;
    uint64_t key = top;

    if (top == 0 || nsc_longest_pick(query->events, best, top) == best)
        return best;
    if (nsc_longest_row(top) < from || nsc_longest_row(top) >= to)
        key = nsc_rows_longest(query->events, nsc_summary_word(summary, block), first, from - first,
                               to - first);
    return nsc_longest_pick(query->events, best, key);
}

static nsc_event longest_of_rows(const struct lane_query *query, nsc_event from, nsc_event to)
{
    uint32_t from_block = from / NSC_SUMMARY_BLOCK + (from % NSC_SUMMARY_BLOCK != 0);
    uint32_t to_block = to / NSC_SUMMARY_BLOCK;
    uint64_t longest = 0;

    if (from >= to)
        return NSC_NONE;
    if (to - from == 1) /* and it is selected, or nobody would ask */
        return from;
    if (from_block > to_block) /* both ends inside one block */
        return nsc_longest_row(longest_of_part(query, from, to, 0));
    longest = longest_of_blocks(query, from_block, to_block);
    if (from % NSC_SUMMARY_BLOCK)
        longest = longest_of_part(query, from, from_block * NSC_SUMMARY_BLOCK, longest);
    if (to % NSC_SUMMARY_BLOCK)
        longest = longest_of_part(query, to_block * NSC_SUMMARY_BLOCK, to, longest);
    return nsc_longest_row(longest);
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
    bin.longest = longest_of_rows(query, a->at.row - a->crossed, b->at.row);
    bin.enters = a->crossed && bin.longest == a->at.row - 1;
    bin.leaves = b->crossed && bin.longest == b->at.row - 1;
    return bin;
}

void nsc_lane_bins(const struct nsc_trace *trace, const struct nsc_summary *summary, uint32_t lane,
                   struct nsc_window w, uint32_t n, struct nsc_bin out[])
{
    const struct nsc_lane *at = &trace->lanes[lane];
    struct lane_query query = {&trace->events, summary, at->first, at->first + at->n};
    struct cut cuts[CHUNK + 1];
    uint32_t known = 0; /* cuts of this chunk: the first is a search from the lane's first row */

    if (!at->n)
        for (uint32_t i = 0; i < n; i++)
            out[i] = (struct nsc_bin){.longest = NSC_NONE};
    cuts[0] = (struct cut){.t = INT64_MIN, .at = nsc_search_begin(query.first)};
    cuts[0].before = at->n ? sum_before(summary, &trace->events, query.first) : 0;
    for (uint32_t i = 0; i <= n && at->n; i += known) {
        known = n + 1 - i < CHUNK ? n + 1 - i : CHUNK;
        for (uint32_t k = 1; k <= known; k++)
            cuts[k] = (struct cut){.t = nsc_window_cut(w, i + k - 1, n)};
        for (uint32_t k = 1; k <= known; k++)
            find_far(&query, &cuts[k], &cuts[k - 1]);
        for (uint32_t k = 1; k <= known; k++)
            find_block(&query, &cuts[k], &cuts[k - 1]);
        for (uint32_t k = 1; k <= known; k++)
            find_row(&query, &cuts[k], &cuts[k - 1]);
        for (uint32_t k = i ? 1 : 2; k <= known; k++)
            out[i + k - 2] = bin_between(&query, &cuts[k - 1], &cuts[k]);
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
