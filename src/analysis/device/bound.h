/*
 * Splits the window of a device into parts that add up, and derives what bounds the device.
 *
 * Each ns of the window is in the first part that applies:
 *   compute    a compute kernel runs, or a CUDA graph recorded whole (whatever runs inside)
 *   comm       communication runs and no compute: the device waits for communication, also when its
 *              host waits in a synchronizing call meanwhile
 *   copies     copies or memsets run and neither compute nor communication
 *   starved    nothing runs, and the CPU has not launched the next work (analysis/device/gaps.h)
 *   profiler   the same while the profiler itself holds the CPU up
 *   requests   the same while a server waits for requests
 *   other      nothing runs; the host waits for another GPU of its process
 *   waiting    nothing runs; the next work is launched
 *   unknown    nothing runs; the launch of the next work is not known
 * idle is the sum of the last six: the idle time of breakdown and of the findings.
 *
 * Communication and copies that nothing waits for are not what bounds the device: behind_comm and
 * behind_copies are the parts of them in which the CPU has not launched the next compute and does not
 * wait (analysis/device/compute_absent.h).
 */
#ifndef NSC_ANALYSIS_BOUND_H
#define NSC_ANALYSIS_BOUND_H

#include "analysis/base/limit.h"
#include "analysis/device/depend.h"
#include "analysis/ranges/iteration_phases.h"

enum nsc_bound_part {
    NSC_BOUND_COMPUTE,
    NSC_BOUND_COMM,
    NSC_BOUND_COPIES,
    NSC_BOUND_STARVED,
    NSC_BOUND_PROFILER,
    NSC_BOUND_REQUESTS,
    NSC_BOUND_OTHER_GPU,
    NSC_BOUND_WAITING,
    NSC_BOUND_UNKNOWN,
    NSC_N_BOUND_PARTS
};

/* "compute", "communication alone", "copies alone", "starved", ... */
const char *nsc_bound_part_word(enum nsc_bound_part part);

struct nsc_bound {
    struct nsc_window window;
    nsc_time whole;
    nsc_time part[NSC_N_BOUND_PARTS]; /* add up to whole */
    nsc_time within;                  /* of copies: within the device, or memsets */
    nsc_time beside;                  /* of communication: copies run too */
    nsc_time behind_comm, behind_copies;
};

/* False when the device has no work in the scope. behind_comm and behind_copies are 0. */
bool nsc_bound_build(struct nsc_bound *out, const struct nsc_scope *scope, uint32_t device);
/* Finds behind_comm and behind_copies, if communication or copies would give the verdict. *depends is
 * NULL or of the scope; it is asked for with fields (may be NULL) when it is needed, and the caller
 * frees it. */
void nsc_bound_look_behind(struct nsc_bound *bound, const struct nsc_scope *scope, uint32_t device,
                           struct nsc_depends **depends, const struct nsc_field_sets *fields);

/*
 * GPU-bound: compute for 90 % of the window or more; copies within the device and memsets count as its
 * own work. This does not say what bounds the kernels. Otherwise the part that holds at least half
 * of the time without compute and at least 10 % of the window gives the verdict; communication
 * beside copies is not known to be waited for, so it gives one only together with the copies; what
 * the CPU is late behind counts as starved; mixed without one. These thresholds are ours.
 */

/* "GPU-bound", "CPU-bound", "held up by the profiler", "waits for requests",
 * "waits for another GPU", "waits for communication", "waits for copies",
 * "waits for communication or copies", "waits on the GPU's side", "not known", "mixed". */
const char *nsc_bound_verdict(const struct nsc_bound *bound);

/* ---- phases (device/phase_times.c) ---- */

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
