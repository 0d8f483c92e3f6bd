/*
 * Finds the event at a position of a list in order of time, and the position of an event.
 */
#include "analysis/select/listing.h"

#include "core/bisect.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/heap.h"
#include "core/pages.h"
#include "core/vec.h"
#include "index/summary_data.h"

#include <stdlib.h>

/* Counts the selected rows of [0, row). */
static uint32_t rank_of(const struct nsc_summary *summary, nsc_event row)
{
    uint32_t block = row / NSC_SUMMARY_BLOCK;
    uint32_t in = row % NSC_SUMMARY_BLOCK;
    uint64_t below = ((uint64_t)1 << in) - 1;

    if (!summary->mask)
        return row;
    return summary->count_before[block] +
           (in ? nsc_bits_count_word(nsc_summary_word(summary, block) & below) : 0);
}

static uint32_t count_selected(const struct nsc_summary *summary, nsc_event from, nsc_event to)
{
    return rank_of(summary, to) - rank_of(summary, from);
}

/* The first selected row of [row, end), else end. */
static nsc_event next_selected(const struct nsc_summary *summary, nsc_event row, nsc_event end)
{
    if (!summary->mask)
        return row;
    while (row < end) {
        uint32_t in = row % NSC_SUMMARY_BLOCK;
        uint64_t word = nsc_summary_word(summary, row / NSC_SUMMARY_BLOCK) >> in;

        if (word) {
            row += (uint32_t)__builtin_ctzll(word);
            return row < end ? row : end;
        }
        if (end - row <= NSC_SUMMARY_BLOCK - in)
            return end;
        row += NSC_SUMMARY_BLOCK - in;
    }
    return end;
}

/* Moves past n selected rows. */
static nsc_event skip_selected(const struct nsc_summary *summary, nsc_event row, nsc_event end,
                               uint32_t n)
{
    uint32_t wanted = rank_of(summary, row) + n;
    nsc_event high = end;

    NSC_BISECT(row, high, middle, rank_of(summary, middle) < wanted);
    return row;
}

/* The first row of the range that starts at t or later (past: later than t). */
static nsc_event find_start(const struct nsc_events *events, struct nsc_row_range range, nsc_time t,
                            bool past)
{
    NSC_BISECT(range.first, range.end, middle,
               events->start[middle] < t || (past && events->start[middle] == t));
    return range.first;
}

NSC_COMPARE(compare_ranges, struct nsc_row_range, NSC_LEAST(first))

void nsc_listing_init(struct nsc_listing *listing, const struct nsc_trace *trace,
                      const struct nsc_summary *summary, struct nsc_window window,
                      const uint32_t lanes[], uint32_t n_lanes)
{
    *listing = (struct nsc_listing){.trace = trace, .summary = summary};
    listing->ranges = nsc_xmalloc((size_t)n_lanes * sizeof *listing->ranges + 1);
    listing->before = nsc_xmalloc((size_t)n_lanes * sizeof *listing->before + 1);
    for (uint32_t i = 0; i < n_lanes; i++) {
        struct nsc_row_range range = nsc_lane_rows(trace, lanes[i], window);

        if (count_selected(summary, range.first, range.end))
            listing->ranges[listing->n_ranges++] = range;
    }
    if (listing->n_ranges > 1)
        qsort(listing->ranges, listing->n_ranges, sizeof *listing->ranges, compare_ranges);
    for (uint32_t i = 0; i < listing->n_ranges; i++) {
        listing->before[i] = listing->n;
        listing->n += count_selected(summary, listing->ranges[i].first, listing->ranges[i].end);
    }
}

void nsc_listing_fini(struct nsc_listing *listing)
{
    if (listing->rows)
        nsc_pages_free(listing->rows, listing->rows_bytes);
    free(listing->ranges);
    free(listing->before);
    *listing = (struct nsc_listing){0};
}

/* ---- stored rows ---- */

/* The range that contains the listed row with this number, in ascending order of rows. */
static uint32_t range_at(const struct nsc_listing *listing, uint32_t place)
{
    uint32_t low = 1;
    uint32_t high = listing->n_ranges;

    NSC_BISECT(low, high, middle, listing->before[middle] <= place);
    return low - 1;
}

void nsc_listing_ascending(const struct nsc_listing *listing, uint32_t at, uint32_t n,
                           uint32_t out[])
{
    const struct nsc_summary *summary = listing->summary;
    uint32_t i = range_at(listing, at);
    nsc_event end = listing->ranges[i].end;
    nsc_event row = skip_selected(summary, listing->ranges[i].first, end, at - listing->before[i]);

    for (uint32_t written = 0; written < n;) {
        uint32_t whole = summary->mask ? 0 : end - row < n - written ? end - row : n - written;

        for (uint32_t k = 0; k < whole; k++) /* without a filter, rows are consecutive */
            out[written + k] = row + k;
        written += whole;
        row += whole;
        for (row = next_selected(summary, row, end); written < n && row < end;
             row = next_selected(summary, row + 1, end))
            out[written++] = row;
        if (written == n)
            return;
        row = listing->ranges[++i].first;
        end = listing->ranges[i].end;
    }
}

/* ---- order of time, by search ---- */

/* Counts the listed events that start before t (past: by t). */
static uint32_t count_before(const struct nsc_listing *listing, nsc_time t, bool past)
{
    const struct nsc_events *events = nsc_trace_events(listing->trace);
    uint32_t n = 0;

    for (uint32_t i = 0; i < listing->n_ranges; i++)
        n += count_selected(listing->summary, listing->ranges[i].first,
                            find_start(events, listing->ranges[i], t, past));
    return n;
}

/* The start of the event at a position. */
static nsc_time start_at(const struct nsc_listing *listing, uint32_t position)
{
    const nsc_time *start = nsc_trace_events(listing->trace)->start;
    nsc_time low = INT64_MAX;
    nsc_time high = INT64_MIN;

    for (uint32_t i = 0; i < listing->n_ranges; i++) {
        struct nsc_row_range range = listing->ranges[i];

        low = start[range.first] < low ? start[range.first] : low;
        high = start[range.end - 1] > high ? start[range.end - 1] : high;
    }
    while (low < high) {
        nsc_time middle = low + (nsc_time)(((uint64_t)high - (uint64_t)low) / 2);

        if (count_before(listing, middle, true) > position)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Sets the rest of each range from a position on: the next event is the first of one of them. */
static void place_cursors(const struct nsc_listing *listing, uint32_t position,
                          struct nsc_row_range left[])
{
    const struct nsc_events *events = nsc_trace_events(listing->trace);
    nsc_time t = start_at(listing, position);
    uint32_t skip = position - count_before(listing, t, false);

    for (uint32_t i = 0; i < listing->n_ranges; i++) {
        struct nsc_row_range range = listing->ranges[i];
        nsc_event first = find_start(events, range, t, false);
        nsc_event last = find_start(events, range, t, true);
        uint32_t equal = count_selected(listing->summary, first, last);
        uint32_t n = skip < equal ? skip : equal;

        skip -= n;
        first = n == equal ? (n ? last : first) : skip_selected(listing->summary, first, last, n);
        left[i].first = next_selected(listing->summary, first, range.end);
        left[i].end = range.end;
    }
}

static bool starts_first(const void *events, const void *a, const void *b)
{
    const nsc_time *start = ((const struct nsc_events *)events)->start;
    nsc_event x = ((const struct nsc_row_range *)a)->first;
    nsc_event y = ((const struct nsc_row_range *)b)->first;

    return start[x] != start[y] ? start[x] < start[y] : x < y;
}

static uint32_t search_positions(const struct nsc_listing *listing, uint32_t from, uint32_t n,
                                 nsc_event out[])
{
    struct nsc_row_range *left = nsc_xmalloc(listing->n_ranges * sizeof *left + 1);
    struct nsc_heap heap = {left, 0, sizeof *left, starts_first, nsc_trace_events(listing->trace)};

    place_cursors(listing, from, left);
    for (uint32_t i = 0; i < listing->n_ranges; i++)
        if (left[i].first < left[i].end)
            left[heap.n++] = left[i];
    nsc_heap_init(heap);
    for (uint32_t i = 0; i < n; i++) {
        out[i] = left->first;
        left->first = next_selected(listing->summary, left->first + 1, left->end);
        if (left->first == left->end)
            *left = left[--heap.n];
        nsc_heap_set(heap);
    }
    free(left);
    return n;
}

uint32_t nsc_listing_at(const struct nsc_listing *listing, uint32_t from, uint32_t n,
                        nsc_event out[])
{
    if (from >= listing->n)
        return 0;
    n = n < listing->n - from ? n : listing->n - from;
    if (!listing->rows)
        return n ? search_positions(listing, from, n, out) : 0;
    for (uint32_t i = 0; i < n; i++)
        out[i] = listing->rows[from + i];
    return n;
}

/* The range that contains the event; NSC_NONE: none. */
static uint32_t find_range(const struct nsc_listing *listing, nsc_event event)
{
    for (uint32_t i = 0; i < listing->n_ranges; i++)
        if (event >= listing->ranges[i].first && event < listing->ranges[i].end)
            return i;
    return NSC_NONE;
}

static uint32_t search_event(const struct nsc_listing *listing, nsc_event event, uint32_t range)
{
    const struct nsc_events *events = nsc_trace_events(listing->trace);
    nsc_time t = events->start[event];
    uint32_t position = count_before(listing, t, false);

    for (uint32_t i = 0; i <= range; i++)
        position +=
            count_selected(listing->summary, find_start(events, listing->ranges[i], t, false),
                           i < range ? find_start(events, listing->ranges[i], t, true) : event);
    return position;
}

uint32_t nsc_listing_find(const struct nsc_listing *listing, nsc_event event)
{
    uint32_t range = event == NSC_NONE ? NSC_NONE : find_range(listing, event);

    if (range == NSC_NONE || !nsc_summary_has(listing->summary, event))
        return NSC_NONE;
    if (!listing->rows)
        return search_event(listing, event, range);
    for (uint32_t i = 0; i < listing->n; i++)
        if (listing->rows[i] == event)
            return i;
    return NSC_NONE;
}
