/*
 * The innermost range of one NVTX track at ascending times: each row is passed once, whatever the
 * depth.
 *
 * A plain value with memory of its own; the owner calls fini.
 */
#ifndef NSC_ANALYSIS_INNERMOST_H
#define NSC_ANALYSIS_INNERMOST_H

#include "nsyscope/trace.h"

struct nsc_innermost {
    const struct nsc_events *events;
    const struct nsc_lane *lanes; /* of the track */
    uint32_t n_lanes;
    nsc_event *next; /* by lane: the first row not passed yet */
    nsc_event *open; /* by lane: the row that is open, of the first depth lanes */
    uint32_t depth;
};

/* track: one of NVTX push/pop ranges. */
void nsc_innermost_init(struct nsc_innermost *at, const struct nsc_trace *trace, uint32_t track);
void nsc_innermost_fini(struct nsc_innermost *at);
/* The deepest range around t, NSC_NONE without any; t must not be before the one asked last. */
nsc_event nsc_innermost_step(struct nsc_innermost *at, nsc_time t);

#endif
