/*
 * The innermost range of a process at a time, on any thread: the shortest range around it; ties:
 * the one that starts last.
 *
 * All threads count, because the autograd thread launches kernels while the range is on the main
 * thread.
 */
#ifndef NSC_ANALYSIS_PROCESS_RANGES_H
#define NSC_ANALYSIS_PROCESS_RANGES_H

#include "nsyscope/trace.h"

#include "analysis/base/around.h"
#include "index/fields.h"

#define NSC_PITH_CAP 256 /* PithTrain's scripts look back this many ranges */

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
    uint32_t cap; /* only the last cap ranges that start by then; 0: all */
};

/* A cursor along the ranges of a process. It must not move while it is open. */
struct nsc_process_cursor {
    struct nsc_process_query query;
    uint8_t *verdicts; /* by name */
    nsc_time zero;
    struct nsc_around around;
};

void nsc_process_cursor_open(struct nsc_process_cursor *cursor,
                             const struct nsc_process_query *query);
void nsc_process_cursor_close(struct nsc_process_cursor *cursor);

/*
 * The innermost range around a time (start <= t <= end); NSC_NONE without one. t never descends from
 * one question to the next.
 *
 * Candidates are the ranges and marks of the process from time 0 of its export on, except labels,
 * ranges without a name and ranges whose name begins with "nccl". A range without an end lasts 0
 * ns.
 */
nsc_event nsc_process_cursor_find(struct nsc_process_cursor *cursor, nsc_time t);

/* The innermost range around each of n times, in any order. */
void nsc_process_innermost(nsc_event out[], const struct nsc_process_query *query,
                           const nsc_time at[], uint32_t n);

/* Whether an NVTX range was never closed: its "end" is NULL in the export, so the index ends it at
 * the end of the trace. nvtx: the columns of NVTX_EVENTS, "end" first; NULL: every range counts as
 * closed. */
static inline bool nsc_nvtx_is_open(const struct nsc_fields *nvtx, nsc_event event)
{
    int64_t end;
    uint32_t row = nvtx ? nsc_fields_find(nvtx, event) : NSC_NONE;

    return row != NSC_NONE && nsc_fields_has(nvtx, 0) && !nsc_fields_int(&end, nvtx, 0, row);
}

#endif
