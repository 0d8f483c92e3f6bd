/*
 * The figures from which TensorRT-LLM concludes that a GPU is host-bound, for windows and for the
 * phases of a job.
 *
 * Figures of a window: idle and busy time; launch calls of its kernels, clipped; preparation that
 * the GPU waits for (the CPU is late, but neither waits for the GPU or MPI nor is held up by
 * the profiler); all preparation (the time in which the thread that waits most does not wait for the
 * GPU). Times are ns and add up over windows.
 */
#ifndef NSC_ANALYSIS_HOST_TIMES_H
#define NSC_ANALYSIS_HOST_TIMES_H

#include "analysis/device/bound.h"
#include "analysis/ranges/iteration_phases.h"

struct nsc_host_times {
    nsc_time whole, idle, busy, launch, exposed, prepared;
    nsc_time long_launch; /* part of launch: idle during a long launch call (host_walk.h) */
    nsc_time overhead;    /* idle for launch overhead (gaps.h), also of launches for other GPUs */
    nsc_time late; /* idle; the CPU has not launched the next work, and not because it waits */
};

/* False when the device has no work in the scope. */
bool nsc_host_times_build(struct nsc_host_times *out, const struct nsc_scope *scope,
                          uint32_t device);

/* A phase on a device: the sums over its spans. */
struct nsc_phase_times {
    uint32_t n; /* spans with work on the device */
    struct nsc_bound bound;
    struct nsc_host_times host;
};

/* Fills one entry per phase of the first process that has phases and work on the device. Returns these
 * phases; NULL if there is no such process. */
const struct nsc_process_phases *nsc_phase_times_build(struct nsc_phase_times out[NSC_PHASES_MOST],
                                                       const struct nsc_job_phases *job,
                                                       const struct nsc_scope *scope,
                                                       uint32_t device,
                                                       const struct nsc_field_sets *fields);

#endif
