/*
 * The innermost range of a process at a time, whatever its thread: the shortest of those around it,
 * of equals the one that starts last.
 *
 * Any thread's: the autograd thread launches kernels while the range sits on the main thread.
 */
#ifndef NSC_ANALYSIS_PROCESS_RANGES_H
#define NSC_ANALYSIS_PROCESS_RANGES_H

#include "nsyscope/trace.h"

#include "index/fields.h"

#define NSC_PITH_CAP 256 /* PithTrain's scripts look this many ranges back */

/* Time 0 of a track's export, on the axis of the trace. */
static inline nsc_time nsc_process_zero(const struct nsc_trace *trace, uint32_t track)
{
    uint32_t n = 0;
    uint32_t capture_no = nsc_trace_tracks(trace, &n)[track].capture_no;

    return nsc_trace_captures(trace, &n)[capture_no].offset;
}

struct nsc_process_query {
    const struct nsc_trace *trace;
    const struct nsc_fields *nvtx; /* column 0: the end of NVTX_EVENTS; may be NULL */
    uint64_t process;
    uint32_t cap; /* only the last of the ranges that start by then, so many; 0: all */
};

/*
 * For each of n times, in any order, the innermost range around it (start <= t <= end), NSC_NONE
 * without one.
 *
 * Ranges and marks of the process count from its export's time 0 on, but labels, nameless ones and
 * those whose name begins with "nccl" do not. A range without an end lasts 0 ns.
 */
void nsc_process_innermost(nsc_event out[], const struct nsc_process_query *query,
                           const nsc_time at[], uint32_t n);

/* nvtx: the column "end" of NVTX_EVENTS as column 0; NULL: nothing is known to be open. */
static inline bool nsc_nvtx_is_open(const struct nsc_fields *nvtx, nsc_event event)
{
    int64_t end;
    uint32_t row = nvtx ? nsc_fields_find(nvtx, event) : NSC_NONE;

    return row != NSC_NONE && nsc_fields_has(nvtx, 0) && !nsc_fields_int(&end, nvtx, 0, row);
}

#endif
