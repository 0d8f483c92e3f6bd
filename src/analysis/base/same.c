/*
 * Events of the same name, by one pass over the names.
 */
#include "analysis/base/same.h"

static bool is_same(const struct nsc_events *events, const struct nsc_summary *summary,
                    nsc_event row, nsc_event like)
{
    return events->name[row] == events->name[like] && events->kind[row] == events->kind[like] &&
           nsc_summary_has(summary, row);
}

static bool comes_before(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    return events->start[a] != events->start[b] ? events->start[a] < events->start[b] : a < b;
}

/* Whether row is nearer than best, on the side of event that is asked for. */
static bool is_nearer(const struct nsc_events *events, nsc_event row, nsc_event best,
                      nsc_event event, bool forward)
{
    if (row == event || comes_before(events, event, row) != forward)
        return false;
    return best == NSC_NONE || comes_before(events, row, best) == forward;
}

nsc_event nsc_event_next_same(const struct nsc_trace *trace, const struct nsc_summary *summary,
                              nsc_event event, bool forward)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event best = NSC_NONE;

    for (nsc_event row = 0; row < events->n; row++)
        if (is_same(events, summary, row, event) && is_nearer(events, row, best, event, forward))
            best = row;
    return best;
}

nsc_event nsc_event_longest_same(const struct nsc_trace *trace, const struct nsc_summary *summary,
                                 nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event best = NSC_NONE;
    nsc_time longest = 0;

    for (nsc_event row = 0; row < events->n; row++) {
        nsc_time duration = 0;

        if (!is_same(events, summary, row, event))
            continue;
        duration = nsc_event_duration(events, row);
        if (best != NSC_NONE &&
            (duration < longest || (duration == longest && !comes_before(events, row, best))))
            continue;
        best = row;
        longest = duration;
    }
    return best;
}
