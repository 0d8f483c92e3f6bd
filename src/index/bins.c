/*
 * Bins of a lane over a window: one search and one running total for each cut between columns.
 */
#include "core/bits.h"
#include "index/summary_data.h"
#include "index/trace_data.h"

/*
 * What a cut at time t knows. Rows of a lane are disjoint, so at most one row crosses t, and it is
 * the one before the first that starts at t or later; an instant never crosses. A column is then
 * the difference of its two cuts.
 */
struct cut {
    nsc_time t;
    struct nsc_search at; /* at.row: the first row that starts at t or later */
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
 * Cuts are looked up so many at a time, all of them one level deeper before any goes on: what a
 * level needs is on its way from memory meanwhile, or a frame of a big trace would spend its time
 * waiting.
 */
#ifdef NSC_SMALL
enum { CHUNK = 3, LINE_BYTES = 64, TREE_LEVELS = 5 };
#else
enum { CHUNK = 32, LINE_BYTES = 64, TREE_LEVELS = 5 };
#endif

/* Sums from whichever end of the block is nearer. */
static uint64_t sum_before(const struct nsc_summary *summary, const struct nsc_events *events,
                           nsc_event row)
{
    uint32_t block = row / NSC_SUMMARY_BLOCK;
    uint32_t k = row % NSC_SUMMARY_BLOCK;
    nsc_event first = row - k;
    uint32_t rows = summary->n_rows - first;
    uint64_t word = 0;

    if (k == 0)
        return summary->before[block];
    word = nsc_summary_word(summary, block);
    if (k <= NSC_SUMMARY_BLOCK / 2)
        return summary->before[block] + nsc_rows_sum(events, word, first, 0, k);
    rows = rows < NSC_SUMMARY_BLOCK ? rows : NSC_SUMMARY_BLOCK;
    return summary->before[block + 1] - nsc_rows_sum(events, word, first, k, rows);
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

static void fetch(const void *from, size_t bytes)
{
    const char *at = from;

    for (size_t i = 0; i < bytes; i += LINE_BYTES)
        __builtin_prefetch(at + i);
}

static void fetch_blocks(const struct lane_query *query, uint32_t far)
{
    uint32_t first = far * NSC_SUMMARY_FAR;
    uint32_t n = query->summary->n_blocks - first;

    n = n < NSC_SUMMARY_FAR ? n : NSC_SUMMARY_FAR;
    fetch(query->summary->block_start + first, n * sizeof *query->summary->block_start);
}

/* Starts and durations of a block, its sums, and its place in the tree with what is above. */
static void fetch_rows(const struct lane_query *query, uint32_t block)
{
    const struct nsc_summary *summary = query->summary;
    nsc_event first = block * NSC_SUMMARY_BLOCK;
    uint32_t n = summary->n_rows - first;
    size_t node = (size_t)summary->n_blocks + block;

    n = n < NSC_SUMMARY_BLOCK ? n : NSC_SUMMARY_BLOCK;
    fetch(query->events->start + first, n * sizeof *query->events->start);
    fetch(query->events->duration + first, n * sizeof *query->events->duration);
    __builtin_prefetch(&summary->before[block]);
    for (int level = 0; level < TREE_LEVELS && node; level++, node /= 2)
        __builtin_prefetch(&summary->longest[node]);
}

/* cuts[1 .. n] from their times and cuts[0], which is finished. */
static void find_cuts(const struct lane_query *query, struct cut cuts[], uint32_t n)
{
    for (uint32_t i = 1; i <= n; i++) {
        cuts[i].at.far = nsc_search_far(query->summary, cuts[i - 1].at.far, query->end, cuts[i].t);
        if (cuts[i].at.far != cuts[i - 1].at.far)
            fetch_blocks(query, cuts[i].at.far);
    }
    for (uint32_t i = 1; i <= n; i++) {
        struct nsc_search near = {cuts[i].at.far, cuts[i - 1].at.block, 0};

        cuts[i].at.block = nsc_search_block(query->summary, near, query->end, cuts[i].t);
        if (cuts[i].at.block != near.block)
            fetch_rows(query, cuts[i].at.block);
    }
    for (uint32_t i = 1; i <= n; i++) {
        struct nsc_search near = {0, cuts[i].at.block, cuts[i - 1].at.row};

        cuts[i].at.row = nsc_search_row(query->events, near, query->end, cuts[i].t);
        cut_finish(query, &cuts[i], &cuts[i - 1]);
    }
}

/* The longest selected row of whole blocks [from, to). */
static uint64_t longest_of_blocks(const struct lane_query *query, uint32_t from, uint32_t to)
{
    const uint64_t *tree = query->summary->longest;
    size_t l = (size_t)from + query->summary->n_blocks;
    size_t r = (size_t)to + query->summary->n_blocks;
    uint64_t longest = 0;

    for (; l < r; l /= 2, r /= 2) {
        if (l & 1)
            longest = nsc_longest_pick(query->events, longest, tree[l++]);
        if (r & 1)
            longest = nsc_longest_pick(query->events, longest, tree[--r]);
    }
    return longest;
}

/* The better of best and the rows [from, to) of one block, which are looked at only when the
 * block's best could be one. */
static uint64_t longest_of_part(const struct lane_query *query, nsc_event from, nsc_event to,
                                uint64_t best)
{
    const struct nsc_summary *summary = query->summary;
    uint32_t block = from / NSC_SUMMARY_BLOCK;
    nsc_event first = block * NSC_SUMMARY_BLOCK;
    uint64_t top = summary->longest[summary->n_blocks + block];
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
    if (bin.events)
        bin.longest = longest_of_rows(query, a->at.row - a->crossed, b->at.row);
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
        find_cuts(&query, cuts, known);
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
