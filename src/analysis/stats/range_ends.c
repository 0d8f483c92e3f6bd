/* When ranges end: most rows of NVTX say it, those that are still open at the end of the recording do
 * not. */
#include "analysis/stats/ranges.h"
#include "index/lane_merge.h"

/* The end of the last row of the lanes of NVTX whose columns are not read; counts such rows. */
static nsc_time last_closed(const struct nsc_stats_input *input, uint64_t *n)
{
    const struct nsc_fields *ends = input->fields[NSC_STATS_FIELDS_NVTX];
    const struct nsc_events *events = nsc_trace_events(input->trace);
    nsc_time last = INT64_MIN;

    *n = 0;
    for (struct nsc_lane_walk at = nsc_trace_all_lanes(input->trace, NSC_RANGE_TRACKS);
         nsc_lane_walk_next(&at);) {
        nsc_event row = at.rows->first + at.rows->n;

        while (row > at.rows->first && nsc_fields_find(ends, row - 1) != NSC_NONE)
            row--;
        *n += row - at.rows->first;
        if (row > at.rows->first)
            last = nsc_later(last, nsc_event_end(events, row - 1));
    }
    return last;
}

nsc_time nsc_stats_last_time(const struct nsc_stats_input *input)
{
    const struct nsc_events *events = nsc_trace_events(input->trace);
    const struct nsc_fields *ends = input->fields[NSC_STATS_FIELDS_NVTX];
    uint64_t n;
    nsc_time last = last_closed(input, &n);
    int64_t end;

    for (uint32_t row = 0; ends && row < ends->n; row++) {
        last = nsc_later(last, events->start[ends->event[row]]);
        if (nsc_fields_int(&end, ends, 0, row))
            last = nsc_later(last, end);
    }
    return last;
}

nsc_time nsc_stats_range_end(const struct nsc_stats_input *input,
                             const struct nsc_stats_range *range, nsc_time last)
{
    const struct nsc_events *events = nsc_trace_events(input->trace);
    const struct nsc_fields *ends = input->fields[NSC_STATS_FIELDS_NVTX];
    uint32_t row = nsc_fields_find(ends, range->event);
    int64_t end;

    if (row != NSC_NONE && nsc_fields_has(ends, 0) && !nsc_fields_int(&end, ends, 0, row))
        return nsc_later(last, range->start);
    return nsc_event_end(events, range->event);
}

bool nsc_stats_has_no_ends(const struct nsc_stats_input *input)
{
    const struct nsc_fields *ends = input->fields[NSC_STATS_FIELDS_NVTX];
    uint64_t n_closed;
    int64_t end;

    if (!nsc_fields_has(ends, 0) || ends->n == 0)
        return false;
    for (uint32_t row = 0; row < ends->n; row++)
        if (nsc_fields_int(&end, ends, 0, row))
            return false;
    (void)last_closed(input, &n_closed);
    return n_closed == 0;
}

static bool is_special(const struct nsc_events *events, nsc_event e, nsc_time last)
{
    return events->kind[e] == NSC_KIND_NVTX_SPAN ||
           (events->kind[e] == NSC_KIND_NVTX_RANGE &&
            (events->name[e] == 0 || nsc_event_end(events, e) >= last));
}

bool nsc_stats_wants_nvtx(const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time last = nsc_trace_extent(trace).t1;

    for (nsc_event e = 0; e < events->n; e++)
        if (is_special(events, e, last))
            return true;
    return false;
}

bool nsc_stats_wants_range(const struct nsc_trace *trace, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    return events->kind[event] == NSC_KIND_NVTX_MARK ||
           is_special(events, event, nsc_trace_extent(trace).t1);
}
