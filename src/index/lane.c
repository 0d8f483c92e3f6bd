/*
 * Finds rows of a lane by time and by selection.
 */
#include "index/search.h"

/* The first row of a lane that touches t or comes later, of which one in [low, high] is the first that
 * starts at t or later. */
static nsc_event find_between(const struct nsc_trace *trace, uint32_t lane, nsc_time t,
                              nsc_event low, nsc_event high)
{
    const struct nsc_lane *at = &trace->lanes[lane];
    nsc_event row = 0;

    if (t == INT64_MAX) /* no row ends later */
        return at->first + at->n;
    row = nsc_search_half(trace->events.start, low, high, t);
    /* A row that starts at t touches it; of the rows before, only the last one can end after t. */
    if (row > at->first && nsc_event_end(&trace->events, row - 1) > t)
        return row - 1;
    return row;
}

nsc_event nsc_lane_find(const struct nsc_trace *trace, uint32_t lane, nsc_time t)
{
    const struct nsc_lane *at = &trace->lanes[lane];

    return find_between(trace, lane, t, at->first, at->first + at->n);
}

nsc_event nsc_lane_find_near(const struct nsc_trace *trace, uint32_t lane, nsc_time t,
                             nsc_event near)
{
    const nsc_time *start = trace->events.start;
    nsc_event first = trace->lanes[lane].first;
    nsc_event end = first + trace->lanes[lane].n;
    nsc_event low = near;
    nsc_event high = near;
    uint32_t step = 1;

    while (low > first && start[low - 1] >= t) {
        high = low - 1;
        low -= low - first < step ? low - first : step;
        step *= 2;
    }
    while (high < end && start[high] < t) {
        low = high + 1;
        high += end - high < step ? end - high : step;
        step *= 2;
    }
    return find_between(trace, lane, t, low, high);
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
