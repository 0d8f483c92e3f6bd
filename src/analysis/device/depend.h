/*
 * Which ops an op waits for on the GPU's side.
 *
 * An op waits for the op before it on its stream. It waits for events: a cudaStreamWaitEvent that was
 * called on its stream after the op before it was launched and before the op itself was, is for one
 * cudaEventRecord: that with its eventSyncId, or where the export has none the last one of the same
 * event before the wait; the record is complete when the op that was launched last on its stream
 * before it is. An op on the legacy default stream waits for the op launched last before it on each
 * blocking stream of its context, and one on a blocking stream for that on the legacy one.
 *
 * An op is launched when its call begins; without a known call, when it starts. Ops of a stream start
 * in the order in which they are launched. Kinds of waits are told by the names of the calls, because
 * syncType changed its meaning between versions. Without the tables of events only the order of
 * streams is known. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_DEPEND_H
#define NSC_ANALYSIS_DEPEND_H

#include "analysis/base/field_sets.h"
#include "analysis/base/limit.h"
#include "analysis/base/scope.h"

#define NSC_DEPENDS_MOST 32 /* ops that are returned; further ones are left out */

enum nsc_stream_order { NSC_STREAM_FREE, NSC_STREAM_BLOCKING, NSC_STREAM_LEGACY };

struct nsc_depend_wait {
    uint32_t track; /* of the stream that waits */
    nsc_time time;  /* of the call */
    uint32_t on;    /* track of the record's stream */
    nsc_time record;
};

struct nsc_depends {
    const struct nsc_trace *trace;
    uint32_t n;
    struct nsc_depend_wait *waits; /* by track, then time */
    uint8_t *order;                /* by track: enum nsc_stream_order */
    uint32_t n_unresolved;         /* stream waits whose record is not known */
};

/* fields may be NULL. Reads their sets EVENTS, SYNCS, CALLS and STREAMS; not for threads of a pool. */
void nsc_depends_build(struct nsc_depends *out, const struct nsc_trace *trace,
                       const struct nsc_field_sets *fields);
void nsc_depends_fini(struct nsc_depends *depends);

/* When the op was launched. */
nsc_time nsc_depends_launched(const struct nsc_depends *depends, nsc_event op);
/* Writes the ops that an op waits for directly, not only those that end last; returns how many. */
uint32_t nsc_depends_of(const struct nsc_depends *depends, nsc_event op,
                        nsc_event out[NSC_DEPENDS_MOST]);
/* Of those the one that ends last; NSC_NONE: none. */
nsc_event nsc_depends_last(const struct nsc_depends *depends, nsc_event op);

/*
 * When an op was issued: when its launch call returned. An op that starts before that was issued at
 * its start; but if the op that it waits for (last; NSC_NONE: none) ended at most NSC_ISSUE_NEXT_NS
 * before its start, it was issued before that end: a call that launches a whole graph is long, and a
 * call for a full queue waits. INT64_MIN without a known call.
 */
#define NSC_ISSUE_NEXT_NS (1000 * NSC_LIMIT_ISSUE_NEXT)
nsc_time nsc_depends_issued(const struct nsc_depends *depends, nsc_event op, nsc_event last);

#endif
