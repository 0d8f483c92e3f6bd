/*
 * From an event to what belongs to it: the call that launched it, its wait in the queue, the ranges
 * around it.
 */
#ifndef NSC_ANALYSIS_CORRELATE_H
#define NSC_ANALYSIS_CORRELATE_H

#include "nsyscope/trace.h"

/* The API call that launched GPU work; NSC_NONE for other events and where the export has no record
 * of it. */
nsc_event nsc_event_launch(const struct nsc_trace *trace, nsc_event event);

/* From the end of the launching call to the start of the work. False when there is no call or it
 * ended later. */
bool nsc_event_queue_time(const struct nsc_trace *trace, nsc_event event, nsc_time *out);

/*
 * The NVTX ranges around an event, outermost first: those of the launching thread at the launch for
 * GPU work, those of its own thread at its start for others, itself left out. Writes at most max,
 * returns how many there are.
 */
uint32_t nsc_event_path(const struct nsc_trace *trace, nsc_event event, nsc_event out[],
                        uint32_t max);

#endif
