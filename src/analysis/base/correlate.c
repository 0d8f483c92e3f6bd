/*
 * Finds the launch of an event, its queue time and the NVTX ranges around it.
 */
#include "analysis/base/correlate.h"

#include "nsyscope/calltree.h"

#include "core/vec.h"

#ifdef NSC_SMALL
enum { FEW = 2 };
#else
enum { FEW = 64 }; /* ranges of a path that need no memory */
#endif

nsc_event nsc_event_launch(const struct nsc_trace *trace, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    return nsc_kind_is_gpu(events->kind[event]) ? events->link[event] : NSC_NONE;
}

bool nsc_event_queue_time(const struct nsc_trace *trace, nsc_event event, nsc_time *out)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event launch = nsc_event_launch(trace, event);

    if (launch == NSC_NONE)
        return false;
    return !__builtin_sub_overflow(events->start[event], nsc_event_end(events, launch), out) &&
           *out >= 0;
}

/* How many of path[0, n) come before row: what starts with a range and comes after it is inside. */
static uint32_t count_before(const nsc_event path[], uint32_t n, nsc_event row)
{
    for (uint32_t i = 0; i < n; i++)
        if (path[i] == row)
            return i;
    return n;
}

uint32_t nsc_event_path(const struct nsc_trace *trace, nsc_event event, nsc_event out[],
                        uint32_t max)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_track *track = NULL;
    nsc_event few[FEW];
    nsc_event *path = few;
    uint32_t n = 0;

    if (nsc_kind_is_gpu(events->kind[event]) &&
        (event = nsc_event_launch(trace, event)) == NSC_NONE)
        return 0;
    track = nsc_trace_track(trace, nsc_event_track(trace, event));
    if (track->device >= 0)
        return 0;
    n = nsc_nvtx_path(trace, track->process, track->tid, events->start[event], few, FEW);
    if (n > FEW) {
        path = nsc_xmalloc((size_t)n * sizeof *path);
        nsc_nvtx_path(trace, track->process, track->tid, events->start[event], path, n);
    }
    n = count_before(path, n, event);
    for (uint32_t i = 0; i < n && i < max; i++)
        out[i] = path[i];
    free(path != few ? path : NULL);
    return n;
}
