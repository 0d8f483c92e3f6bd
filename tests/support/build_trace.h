/* Builds a trace from an array of plain rows, for tests that do not test the builder. */
#ifndef NSC_TEST_BUILD_TRACE_H
#define NSC_TEST_BUILD_TRACE_H

#include "nsyscope/trace.h"

/*
 * One event. The track follows from the kind: GPU work goes to (process, device, context, stream),
 * NVTX to (process, tid, domain), everything else to (process, tid). Fields that the kind does not
 * use are ignored.
 */
struct nsc_test_row {
    uint8_t kind;     /* enum nsc_kind */
    uint64_t process; /* also the pid that labels show, when below 2^24 */
    uint32_t tid;
    int64_t device, context, stream, domain;
    nsc_time start, end; /* end may be NSC_TIME_OPEN (NVTX) */
    const char *name; /* NULL: unknown. NVTX names go through nsc_feed_text: their digits may become
                         counters */
    uint32_t correlation; /* GPU work, API, synchronization; 0: none */
    uint32_t capture_no;  /* number of its export, labelled "rank N"; several are aligned by UTC */
};

/*
 * The trace of n rows; the row at index i gets source i. Fails the test (cmocka) if the builder
 * fails. Rows of kinds NVTX_* may be mixed with others. Free it with nsc_trace_free.
 */
struct nsc_trace *nsc_test_trace_build(const struct nsc_test_row rows[], uint32_t n);

/* As nsc_test_trace_build, with this many workers and tasks of this many rows each. The trace must
 * not depend on either. */
struct nsc_trace *nsc_test_trace_build_parallel(const struct nsc_test_row rows[], uint32_t n,
                                                unsigned workers, uint32_t task_rows);
/*
 * *early: the trace before NVTX of the first export is read, or NULL; free it first. finish false:
 * the load fails at the end, and there is no other trace.
 */
struct nsc_trace *nsc_test_trace_build_early(struct nsc_trace **early,
                                             const struct nsc_test_row rows[], uint32_t n,
                                             bool finish);

/* The trace of rows that all touch trim, with an extent limited to it. */
struct nsc_trace *nsc_test_trace_build_trimmed(const struct nsc_test_row rows[], uint32_t n,
                                               struct nsc_window trim);

/* Says of some ops that some call or NVTX event captured them. */
struct dice;
void nsc_test_captures(struct nsc_trace *trace, struct dice *dice);

/* The event made from rows[i]; NSC_NONE if there is none. A scan over all events. */
nsc_event nsc_test_event_of(const struct nsc_trace *trace, uint32_t i);

/* The first track of this kind with number as tid (host) or stream (device); NSC_NONE if there is
 * none. */
uint32_t nsc_test_track_of(const struct nsc_trace *trace, uint8_t track_kind, int64_t number);

#endif
