/* Finds the wait that drained the queue of a GPU before a gap. */
#include "analysis/device/gap_steps.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/names.h"

/* Whether the call returns only after all earlier GPU work is done. cudaFree does, cudaFreeAsync
 * does not. */
static bool drains(struct nsc_gap_walk *walk, nsc_event call, enum nsc_host_act act)
{
    struct nsc_text name;

    if (act != NSC_HOST_MEMORY)
        return act == NSC_HOST_SYNC || act == NSC_HOST_COPY;
    name = nsc_event_name(walk->scope->trace, call);
    return nsc_text_contains_folded(name, nsc_text_from("free")) &&
           !nsc_text_contains_folded(name, nsc_text_from("async"));
}

/* Whether the work after a wait would be hidden without it: three quarters of it are no longer than
 * the GPU's work since the last wait before it. Otherwise the work itself keeps the GPU idle. */
static bool hides_work(struct nsc_gap_walk *walk, const struct nsc_gap *gap, nsc_event wait)
{
    const struct nsc_trace *trace = walk->scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event first = nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, wait)].first;
    nsc_time work = nsc_span(nsc_later(gap->start, nsc_event_end(events, wait)), gap->end);
    bool is_wait = true;

    if (work <= NSC_LAUNCH_BETWEEN_NS)
        return true;
    for (; wait > first; wait--) {
        bool drained = drains(walk, wait - 1, nsc_host_walk_act(&walk->host, wait - 1));

        if (drained && !is_wait)
            break;
        is_wait &= drained; /* item() copies, and then waits for the copy */
    }
    return work - work / 4 <=
           nsc_cover_measure(walk->ops.busy, (struct nsc_window){events->start[wait], gap->start});
}

/* The wait that drained the queue and holds up what follows: the thread was in it when the gap began,
 * or left it just before. */
nsc_event nsc_gap_find_drain(struct nsc_gap_walk *walk, const struct nsc_gap *gap,
                             const struct nsc_host_piece *first)
{
    const struct nsc_events *events = nsc_trace_events(walk->scope->trace);
    nsc_event before = walk->host.before;
    enum nsc_host_act act;

    if (first->start > gap->start)
        return NSC_NONE;
    if (first->row != NSC_NONE && events->start[first->row] < gap->start &&
        drains(walk, first->row, (enum nsc_host_act)first->act))
        return hides_work(walk, gap, first->row) ? first->row : NSC_NONE;
    if (before == NSC_NONE || nsc_event_end(events, before) + NSC_DRAIN_SLACK_NS < gap->start)
        return NSC_NONE;
    act = nsc_host_walk_act(&walk->host, before);
    return drains(walk, before, act) && hides_work(walk, gap, before) ? before : NSC_NONE;
}
