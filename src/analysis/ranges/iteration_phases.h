/*
 * The phases of iterations: prefill and decode; forward, backward and optimizer.
 *
 * They are told by the names of the ranges in an iteration, or else by the kinds of iterations. A
 * moment of the host belongs to the phase that the innermost range around it says, of those on the
 * iterations' track whose names say exactly one; "forward" and the like inside a prefill or a decode
 * say nothing. Work belongs to the phase in which its call starts; outside these ranges that is
 * "other". A span of a phase lasts on the GPU from the end of the work before it to the end of the
 * work that is launched in it, so that the time in which the GPU waits for a phase belongs to it,
 * also where the host runs ahead. Spans ascend, do not overlap, and fill the time from the first
 * iteration after the warm-up on.
 *
 * Of each phase at most NSC_PHASE_SPANS spans are taken, evenly. Times are ns. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_ITERATION_PHASES_H
#define NSC_ANALYSIS_ITERATION_PHASES_H

#include "analysis/base/scope.h"
#include "analysis/ranges/iterations.h"

#define NSC_PHASES_MOST 8
#define NSC_PHASE_SPANS 128

struct nsc_phase_span {
    struct nsc_window window;
    uint8_t phase;
};

struct nsc_job_phases {
    uint32_t n; /* 0: there are no two phases */
    char name[NSC_PHASES_MOST][NSC_ITERATIONS_LABEL];
    uint32_t count[NSC_PHASES_MOST]; /* spans in all, taken or not */
    nsc_time time[NSC_PHASES_MOST];  /* of all its spans */
    struct nsc_phase_span *spans;    /* those taken */
    uint32_t n_spans;
    uint64_t process; /* whose they are: of the first line of the iterations */
};

/* Finds the phases of a trace's iterations. False if memory is refused or there are no two. */
bool nsc_job_phases_find(struct nsc_job_phases *out, const struct nsc_scope *scope);
void nsc_job_phases_fini(struct nsc_job_phases *phases);

#endif
