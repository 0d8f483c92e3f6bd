/*
 * The innermost range of a process at a time, whatever its thread: the shortest of those around it,
 * of equals the one that starts last.
 *
 * Any thread's: the autograd thread launches kernels while the range sits on the main thread.
 */
#ifndef NSC_ANALYSIS_PROCESS_RANGES_H
#define NSC_ANALYSIS_PROCESS_RANGES_H

#include "nsyscope/trace.h"

#include "core/vec.h"
#include "index/fields.h"

#define NSC_PITH_CAP 256 /* PithTrain's scripts look this many ranges back */

/* Time 0 of a track's export, on the axis of the trace. */
static inline nsc_time nsc_process_zero(const struct nsc_trace *trace, uint32_t track)
{
    uint32_t n = 0;
    uint32_t capture_no = nsc_trace_tracks(trace, &n)[track].capture_no;

    return nsc_trace_captures(trace, &n)[capture_no].offset;
}

struct nsc_process_range {
    nsc_time start, end; /* inclusive; end of an open range: its start */
    nsc_event event;
};

struct nsc_process_ranges {
    NSC_VEC(struct nsc_process_range) all; /* by start, then row of the file */
};

/* Ranges and marks of the process from its export's time 0 on, but labels, nameless ones and those
 * whose name begins with "nccl". nvtx: see analysis/ranges/nvtx_open.h. */
void nsc_process_ranges_build(struct nsc_process_ranges *out, const struct nsc_trace *trace,
                              const struct nsc_fields *nvtx, uint64_t process);
void nsc_process_ranges_fini(struct nsc_process_ranges *ranges);

/*
 * For each of n times, in any order, the innermost range around it (start <= t <= end), NSC_NONE
 * without one. O((ranges + n) log).
 */
void nsc_process_innermost(nsc_event out[], const struct nsc_process_ranges *ranges,
                           const nsc_time at[], uint32_t n);
/* The same for one time among the last cap ranges that start by then. */
nsc_event nsc_process_innermost_capped(const struct nsc_process_ranges *ranges, nsc_time at,
                                       uint32_t cap);

#endif
