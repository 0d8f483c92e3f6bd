/*
 * The phases of iterations: prefill and decode; forward, backward and optimizer.
 *
 * The names of ranges in an iteration decide, or else the kinds of iterations. A moment on the host
 * belongs to the phase of the innermost range around it, among the ranges on the iterations' track
 * that name exactly one phase. Names such as "forward" inside a prefill or a decode do not count.
 * Work belongs to the phase in which its call starts, and to "other" outside of these ranges. On
 * the GPU, a span of a phase lasts from the end of the work before it to the end of the work
 * launched in it. So the time in which the GPU waits for a phase belongs to the phase, even if the
 * host runs ahead. Spans ascend, do not overlap, and fill the time from the first iteration after
 * the warm-up on.
 *
 * At most NSC_PHASE_SPANS evenly spaced spans of each phase are kept. Times are ns. The owner calls
 * fini.
 */
#ifndef NSC_ANALYSIS_ITERATION_PHASES_H
#define NSC_ANALYSIS_ITERATION_PHASES_H

#include "analysis/base/scope.h"
#include "analysis/ranges/iterations.h"
#include "core/vec.h"

#define NSC_PHASES_MOST 8
#define NSC_PHASE_SPANS 128

struct nsc_phase_span {
    struct nsc_window window;
    uint8_t phase;
};

/* A part of the host's time whose launches belong to a phase. */
struct nsc_phase_segment {
    nsc_time t0, t1;
    uint8_t phase;
};

struct nsc_process_phases {
    uint64_t process; /* whose they are */
    uint32_t n;       /* two or more */
    char name[NSC_PHASES_MOST][NSC_ITERATIONS_LABEL];
    uint32_t count[NSC_PHASES_MOST]; /* number of all spans, kept or not */
    nsc_time time[NSC_PHASES_MOST];  /* time of all its spans */
    struct nsc_phase_span *spans;    /* the spans kept */
    uint32_t n_spans;
    NSC_VEC(struct nsc_phase_segment) segments; /* all, by time */
};

/* Those of each process that has lines of iterations and phases; of its first line. */
struct nsc_job_phases {
    NSC_VEC(struct nsc_process_phases) list;
    bool is_kept; /* owned by a store of answers (base/shared.h) */
};

/* Finds the phases of a trace's iterations, once for a run. False if no process has two. */
bool nsc_job_phases_find(struct nsc_job_phases *out, const struct nsc_scope *scope);
void nsc_job_phases_fini(struct nsc_job_phases *phases);
/* Those of a process; NULL: it has none. */
const struct nsc_process_phases *nsc_job_phases_of(const struct nsc_job_phases *phases,
                                                   uint64_t process);
/* The name of the phase to which launches at a time of the host belong. */
const char *nsc_process_phases_at(const struct nsc_process_phases *of, nsc_time t);

#endif
