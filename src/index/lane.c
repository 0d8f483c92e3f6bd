/*
 * Finding rows inside a lane: by time, and by the selection.
 */
#include "index/summary_data.h"
#include "index/trace_data.h"

/* The first row in [row, end) that starts at t or later, else end. */
static nsc_event search_start(const nsc_time *start, nsc_event row, nsc_event end, nsc_time t)
{
    while (row < end) {
        nsc_event middle = row + (end - row) / 2;

        if (start[middle] < t)
            row = middle + 1;
        else
            end = middle;
    }
    return row;
}

/* The last of (at, last] that starts before t, else at: near ones are found sooner. */
static uint32_t gallop(const nsc_time *start, uint32_t at, uint32_t last, nsc_time t)
{
    uint32_t step = 1;
    uint32_t high = 0;

    while (step <= last - at && start[at + step] < t) {
        at += step;
        step *= 2;
    }
    high = step <= last - at ? at + step : last + 1;
    while (high - at > 1) {
        uint32_t middle = at + (high - at) / 2;

        if (start[middle] < t)
            at = middle;
        else
            high = middle;
    }
    return at;
}

/*
 * A block may begin with rows of an earlier lane, which say nothing about this one: what is looked
 * at lies behind the place to start from, and its first row in the lane.
 */
uint32_t nsc_search_far(const struct nsc_summary *summary, uint32_t far, nsc_event end, nsc_time t)
{
    return gallop(summary->far_start, far, (end - 1) / NSC_SUMMARY_BLOCK / NSC_SUMMARY_FAR, t);
}

uint32_t nsc_search_block(const struct nsc_summary *summary, struct nsc_search near, nsc_event end,
                          nsc_time t)
{
    uint32_t first = near.far * NSC_SUMMARY_FAR;
    uint32_t last = (end - 1) / NSC_SUMMARY_BLOCK;

    if (last - first >= NSC_SUMMARY_FAR)
        last = first + NSC_SUMMARY_FAR - 1;
    if (near.block < first)
        near.block = first;
    return gallop(summary->block_start, near.block, last, t);
}

nsc_event nsc_search_row(const struct nsc_events *events, struct nsc_search near, nsc_event end,
                         nsc_time t)
{
    nsc_event first = near.block * NSC_SUMMARY_BLOCK;
    nsc_event stop = end - first < NSC_SUMMARY_BLOCK ? end : first + NSC_SUMMARY_BLOCK;
    nsc_event row = near.row > first ? near.row : first;
    uint32_t n = 0;

    if (row >= stop || events->start[row] >= t)
        return row;
    /* Which half holds it is a coin's toss: no branches. */
    for (n = stop - row; n > 1; n -= n / 2)
        row += n / 2 & ((uint32_t)0 - (uint32_t)(events->start[row + n / 2] < t));
    return row + 1;
}

nsc_event nsc_lane_find(const struct nsc_trace *trace, uint32_t lane, nsc_time t)
{
    const struct nsc_lane *at = &trace->lanes[lane];
    nsc_event end = at->first + at->n;
    nsc_event row = 0;

    if (t == INT64_MAX) /* no end lies past it */
        return end;
    row = search_start(trace->events.start, at->first, end, t);
    /* Whatever starts at t touches it; of the rows before, only the last can reach past t. */
    if (row > at->first && nsc_event_end(&trace->events, row - 1) > t)
        return row - 1;
    return row;
}

static uint64_t word_of(const struct nsc_summary *summary, nsc_event row)
{
    return nsc_summary_word(summary, row / NSC_SUMMARY_BLOCK);
}

/* The first selected row of [row, end). */
static nsc_event scan_forward(const struct nsc_summary *summary, nsc_event row, nsc_event end)
{
    while (row < end) {
        uint64_t word = word_of(summary, row) >> row % NSC_SUMMARY_BLOCK;

        if (word) {
            row += (uint32_t)__builtin_ctzll(word);
            return row < end ? row : NSC_NONE;
        }
        if (end - row <= NSC_SUMMARY_BLOCK - row % NSC_SUMMARY_BLOCK)
            break;
        row += NSC_SUMMARY_BLOCK - row % NSC_SUMMARY_BLOCK;
    }
    return NSC_NONE;
}

/* The last selected row of [first, end). */
static nsc_event scan_backward(const struct nsc_summary *summary, nsc_event first, nsc_event end)
{
    while (end > first) {
        uint32_t k = (end - 1) % NSC_SUMMARY_BLOCK;
        nsc_event base = end - 1 - k;
        uint64_t word = word_of(summary, base) << (NSC_SUMMARY_BLOCK - 1 - k);

        if (word) {
            nsc_event row = end - 1 - (uint32_t)__builtin_clzll(word);

            return row >= first ? row : NSC_NONE;
        }
        end = base;
    }
    return NSC_NONE;
}

nsc_event nsc_lane_next(const struct nsc_trace *trace, const struct nsc_summary *summary,
                        uint32_t lane, nsc_event event)
{
    const struct nsc_lane *at = &trace->lanes[lane];

    return scan_forward(summary, event + 1, at->first + at->n);
}

nsc_event nsc_lane_prev(const struct nsc_trace *trace, const struct nsc_summary *summary,
                        uint32_t lane, nsc_event event)
{
    return scan_backward(summary, trace->lanes[lane].first, event);
}
