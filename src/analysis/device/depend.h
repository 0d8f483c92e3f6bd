/*
 * Finds the ops that an op waits for on the GPU.
 *
 * An op waits for the previous op on its stream. It also waits for each event whose
 * cudaStreamWaitEvent was called on its stream between the launch of the previous op and its own.
 * Such a wait belongs to one cudaEventRecord: the one with its eventSyncId, or, if the export has
 * none, the last record of the same event before the wait. The record is complete when the op
 * launched last before it on the record's stream is. An op on the legacy default stream waits for
 * the last op launched before it on each blocking stream of its context. An op on a blocking stream
 * waits for the last one on the legacy stream.
 *
 * An op is launched when its call begins; if the call is not known, when the op starts. Ops of a
 * stream start in launch order. The names of calls tell the kinds of waits, because syncType
 * changed its meaning between versions. Without the tables of events, only the order of streams is
 * known. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_DEPEND_H
#define NSC_ANALYSIS_DEPEND_H

#include "analysis/base/field_sets.h"
#include "analysis/base/limit.h"
#include "analysis/base/scope.h"

#define NSC_DEPENDS_MOST 32 /* most ops returned; further ones are dropped */

enum nsc_stream_order { NSC_STREAM_FREE, NSC_STREAM_BLOCKING, NSC_STREAM_LEGACY };

struct nsc_depend_wait {
    uint32_t track; /* stream that waits */
    nsc_time time;  /* of the call */
    uint32_t on;    /* stream of the record */
    nsc_time record;
};

struct nsc_depends {
    const struct nsc_trace *trace;
    uint32_t n;
    struct nsc_depend_wait *waits; /* by track, then time */
    uint8_t *order;                /* by track: enum nsc_stream_order */
    uint32_t *ordered;             /* the tracks that are not NSC_STREAM_FREE, ascending */
    uint32_t n_ordered;
    uint32_t n_unresolved; /* stream waits without a known record */
    bool is_kept;          /* owned by a store of answers */
};

/* fields may be NULL. Reads its sets EVENTS, SYNCS, CALLS and STREAMS. Not for pool threads. */
void nsc_depends_build(struct nsc_depends *out, const struct nsc_trace *trace,
                       const struct nsc_field_sets *fields);
void nsc_depends_fini(struct nsc_depends *depends);
/* The same, built once for a run (base/shared.h). The caller frees it. */
struct nsc_depends *nsc_depends_ask(const struct nsc_scope *scope,
                                    const struct nsc_field_sets *fields);
/* NULL is allowed. Does nothing if a store keeps it. */
void nsc_depends_free(struct nsc_depends *depends);

/* Of the ops that an op waits for directly, the one that ends last; NSC_NONE: none. near: a lane that
 * may be the op's, which saves a search. */
nsc_event nsc_depends_last(const struct nsc_depends *depends, nsc_event op, uint32_t near);

/*
 * When an op was issued. Usually this is the return of its launch call. Launching a whole graph
 * takes long, and a call waits while the queue is full; so an op that starts before its call
 * returns was issued at its start or earlier: before the end of the op it waits for (last;
 * NSC_NONE: none), if that ended at most NSC_ISSUE_NEXT_NS before its start. INT64_MIN if the call
 * is not known.
 */
#define NSC_ISSUE_NEXT_NS (1000 * NSC_LIMIT_PROMPT)
nsc_time nsc_depends_issued(const struct nsc_depends *depends, nsc_event op, nsc_event last);

#endif
