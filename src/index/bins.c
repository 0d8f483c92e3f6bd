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
    nsc_event row;   /* the first row that starts at t or later */
    bool crossed;    /* row - 1 goes on past t */
    uint32_t part;   /* 1 when that row is selected */
    uint64_t tail;   /* its ns past t, when selected */
    uint64_t before; /* selected ns, and rows, before row: of the whole trace, modulo */
    uint32_t rows;
};

struct lane_query {
    const struct nsc_events *events;
    const struct nsc_summary *summary;
    nsc_event first, end;
};

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

static struct cut cut_at(const struct lane_query *query, nsc_event from, nsc_time t)
{
    struct cut cut = {.row =
                          nsc_rows_find_start(query->summary, query->events, from, query->end, t)};

    cut.before = sum_before(query->summary, query->events, cut.row);
    cut.rows = count_before(query->summary, cut.row);
    if (cut.row > query->first) {
        nsc_time end = nsc_event_end(query->events, cut.row - 1);

        cut.crossed = end > t;
        if (cut.crossed && nsc_summary_has(query->summary, cut.row - 1)) {
            cut.part = 1;
            cut.tail = (uint64_t)end - (uint64_t)t;
        }
    }
    return cut;
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
        bin.longest = longest_of_rows(query, a->row - a->crossed, b->row);
    return bin;
}

void nsc_lane_bins(const struct nsc_trace *trace, const struct nsc_summary *summary, uint32_t lane,
                   struct nsc_window w, uint32_t n, struct nsc_bin out[])
{
    const struct nsc_lane *at = &trace->lanes[lane];
    struct lane_query query = {&trace->events, summary, at->first, at->first + at->n};
    nsc_time t = w.t0;
    struct cut left = cut_at(&query, query.first, t);

    for (uint32_t i = 0; i < n; i++) {
        nsc_time next = nsc_window_cut(w, i + 1, n);
        struct cut right = left;

        if (next != t && (left.row < query.end || left.crossed))
            right = cut_at(&query, left.row, next);
        out[i] = bin_between(&query, &left, &right);
        left = right;
        t = next;
    }
}

struct nsc_bin nsc_lane_measure(const struct nsc_trace *trace, const struct nsc_summary *summary,
                                uint32_t lane, struct nsc_window w)
{
    struct nsc_bin bin;

    nsc_lane_bins(trace, summary, lane, w, 1, &bin);
    return bin;
}
