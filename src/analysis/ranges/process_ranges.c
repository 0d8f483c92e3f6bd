/*
 * Finds the innermost ranges of a process with one cursor along the sorted times.
 */
#include "analysis/ranges/process_ranges.h"

#include "analysis/base/scope.h"
#include "analysis/names/pith_label.h"
#include "core/hints.h"
#include "core/sort.h"
#include "core/text.h"
#include "index/names.h"

#include <stdlib.h>

enum verdict { NO, YES, ASK };

/* Judges each name. Digits in a label may be counters, so the text of each event decides. */
static uint8_t *judge_names(const struct nsc_trace *trace)
{
    uint32_t n = nsc_trace_names(trace)->n;
    uint8_t *verdicts = nsc_xcalloc((size_t)n + 1, 1);

    for (nsc_name i = 1; i < n; i++) {
        struct nsc_text text = nsc_name_text(trace, i);

        verdicts[i] = nsc_text_begins(text, "rank=")                 ? ASK
                      : text.n == 0 || nsc_text_begins(text, "nccl") ? NO
                                                                     : YES;
    }
    return verdicts;
}

/* Whether a range whose name is like that of a label is none. */
static NSC_RARE bool is_no_label(const struct nsc_trace *trace, nsc_event event)
{
    char scratch[NSC_NAME_BYTES];

    return !nsc_pith_label_is_strict(nsc_trace_event_text(trace, event, false, scratch));
}

static inline bool is_candidate(const struct nsc_process_cursor *cursor,
                                const struct nsc_events *events, nsc_event event)
{
    uint8_t verdict = cursor->verdicts[events->name[event]];

    return events->start[event] >= cursor->zero &&
           (verdict == YES || (verdict == ASK && is_no_label(cursor->query.trace, event)));
}

static bool next_range(struct nsc_around *around, struct nsc_around_range *range)
{
    const struct nsc_process_cursor *cursor = around->context;

    do {
        range->id = nsc_lane_merge_next(&around->lanes);
        if (range->id == NSC_NONE)
            return false;
    } while (!is_candidate(cursor, around->events, range->id));
    range->start = around->events->start[range->id];
    range->end = nsc_nvtx_is_open(cursor->query.nvtx, range->id)
                     ? range->start
                     : nsc_event_end(around->events, range->id);
    range->tie = around->events->source[range->id];
    return true;
}

static nsc_time find_zero(const struct nsc_process_query *query)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(query->trace, &n);

    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].process == query->process)
            return nsc_process_zero(query->trace, t);
    return 0;
}

void nsc_process_cursor_open(struct nsc_process_cursor *cursor,
                             const struct nsc_process_query *query)
{
    cursor->query = *query;
    cursor->verdicts = judge_names(query->trace);
    cursor->zero = find_zero(query);
    nsc_around_tracks(&cursor->around, query->trace,
                      NSC_RANGE_TRACKS | NSC_TRACK_BIT(NSC_TRACK_MARKS), query->process, NSC_NONE,
                      next_range, cursor);
    cursor->around.cap = query->cap;
}

void nsc_process_cursor_close(struct nsc_process_cursor *cursor)
{
    nsc_around_fini(&cursor->around);
    free(cursor->verdicts);
}

nsc_event nsc_process_cursor_find(struct nsc_process_cursor *cursor, nsc_time t)
{
    return nsc_around_shortest(&cursor->around, t);
}

void nsc_process_innermost(nsc_event out[], const struct nsc_process_query *query,
                           const nsc_time at[], uint32_t n)
{
    uint32_t *order = nsc_sort_numbers(n);
    struct nsc_process_cursor cursor;

    nsc_sort_by_time(order, n, nsc_sort_time_at, at);
    nsc_process_cursor_open(&cursor, query);
    for (uint32_t i = 0; i < n; i++)
        out[order[i]] = nsc_process_cursor_find(&cursor, at[order[i]]);
    nsc_process_cursor_close(&cursor);
    free(order);
}
