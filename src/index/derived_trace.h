/*
 * Traces made of another one.
 *
 * A trace of intervals that represent events of another trace: the same names and texts at other
 * times, so that the same functions work on both.
 *
 * It borrows names and texts from its base, which must outlive it. It has lanes and a summary, but
 * no tracks, covers or counters. About 26 bytes a row.
 */
#ifndef NSC_INDEX_DERIVED_TRACE_H
#define NSC_INDEX_DERIVED_TRACE_H

#include "nsyscope/trace.h"

#include "core/threads.h"

struct nsc_derived_trace {
    struct nsc_window at;
    nsc_event event; /* row of the base; becomes source[] of the derived's row */
};

struct nsc_derived_trace_long { /* a row of NSC_LONG or more */
    nsc_event row;              /* of the derived */
    nsc_time duration;
};

/* Has n rows, to be put each once. NULL if out of memory. */
struct nsc_trace *nsc_derived_trace_new(const struct nsc_trace *base, uint32_t n);
/* Populates the memory of n rows that are about to be put. */
void nsc_derived_trace_touch(struct nsc_trace *derived, nsc_event first, uint32_t n);
/* Puts a row; threads may put different rows at once. False: it is long, and the caller keeps it for
 * the end. */
bool nsc_derived_trace_put(struct nsc_trace *derived, const struct nsc_trace *base, nsc_event row,
                           const struct nsc_derived_trace *of);
/* Once all rows are put. Sorts the n_long long rows. Lane k holds rows [ends[k - 1], ends[k]), which
 * ascend and never overlap. False if out of memory. */
bool nsc_derived_trace_end(struct nsc_trace *derived, struct nsc_derived_trace_long longs[],
                           uint32_t n_long, const uint32_t ends[], uint32_t n_lanes,
                           struct nsc_pool *pool);
void nsc_derived_trace_free(struct nsc_trace *derived); /* NULL is fine */

/* ---- captured graphs: the same trace with other links ---- */

struct nsc_capture_link {
    nsc_event op, made; /* the event that made the original of the op's node */
};

/* Adds to a trace where the ops of CUDA graphs were captured (nsc_trace_captured): called at most
 * once, before others use the trace. False, without any change, if out of memory. */
bool nsc_captures_add(struct nsc_trace *trace, const struct nsc_capture_link links[], size_t n);
/* For nsc_trace_free. */
void nsc_captures_free(struct nsc_trace *captured);

#endif
