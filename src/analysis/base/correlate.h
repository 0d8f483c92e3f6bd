/* Relates an event to the call that launched it, its queue time and the ranges around it. */
#ifndef NSC_ANALYSIS_CORRELATE_H
#define NSC_ANALYSIS_CORRELATE_H

#include "nsyscope/trace.h"

/* The API call that launched GPU work; NSC_NONE for other events, and if the export has no record
 * of the call. */
nsc_event nsc_event_launch(const struct nsc_trace *trace, nsc_event event);

/* From the end of the launch to the start of the op. False if the launch is unknown or ended after
 * that start. */
bool nsc_event_queue_time(const struct nsc_trace *trace, nsc_event event, nsc_time *out);

/* O(log lanes). */
static inline uint32_t nsc_event_track(const struct nsc_trace *trace, nsc_event event)
{
    return nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, event)].track;
}

/* The device of an op, or the thread of a call or range: the track of its group. O(log lanes). */
static inline uint32_t nsc_event_group(const struct nsc_trace *trace, nsc_event event)
{
    return nsc_trace_group_of(trace, nsc_event_track(trace, event));
}

/*
 * The NVTX ranges around an event, outermost first, without the event itself. For an op they are
 * the ranges of the launching thread at the start of the launch; for other events those of its own
 * thread at its start. A range that starts with the event and is shorter is inside it, not around
 * it. Writes at most max; returns how many there are.
 */
uint32_t nsc_event_path(const struct nsc_trace *trace, nsc_event event, nsc_event out[],
                        uint32_t max);

#endif
