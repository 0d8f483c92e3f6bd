/* The bounds of the phases of a job on a device, summed over their spans. Times are ns. */
#ifndef NSC_ANALYSIS_PHASE_TIMES_H
#define NSC_ANALYSIS_PHASE_TIMES_H

#include "analysis/device/bound.h"
#include "analysis/ranges/iteration_phases.h"

/* A phase on a device: the sums over its spans. */
struct nsc_phase_times {
    uint32_t n; /* spans with work on the device */
    struct nsc_bound bound;
};

/* Fills one entry per phase of the first process that has phases and work on the device. Returns these
 * phases; NULL if there is no such process. */
const struct nsc_process_phases *nsc_phase_times_build(struct nsc_phase_times out[NSC_PHASES_MOST],
                                                       const struct nsc_job_phases *job,
                                                       const struct nsc_scope *scope,
                                                       uint32_t device,
                                                       const struct nsc_field_sets *fields);

#endif
