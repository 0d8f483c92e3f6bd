/*
 * The idle time of a device as one cover per class of causes.
 *
 * The covers are disjoint. Together they are the idle time with a known cause between the first and
 * the last op of the device. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_IDLE_COVERS_H
#define NSC_ANALYSIS_IDLE_COVERS_H

#include "nsyscope/cover.h"

#include "analysis/device/gaps.h"

/* Classes of parts of a gap (device/gaps.h). */
enum nsc_idle_class {
    NSC_IDLE_CALLS, /* CUDA calls, the way to the GPU */
    NSC_IDLE_WAITS, /* synchronizing calls, blocking copies, for another GPU */
    NSC_IDLE_CPU,   /* CPU work, Python's lock and garbage collection */
    NSC_IDLE_OS,    /* files, locks, sleep, network, events */
    NSC_IDLE_MPI,
    NSC_IDLE_PROFILER,
    NSC_IDLE_QUEUED,   /* issued work that waits on the GPU */
    NSC_N_IDLE_CLASSES /* unknown */
};

struct nsc_idle_covers {
    uint32_t device;
    struct nsc_cover *of[NSC_N_IDLE_CLASSES]; /* NULL: no such time, or out of memory */
};

/* Covers all work of the device, whatever a filter selects. False, with nothing to free, if the
 * device has no work. */
bool nsc_idle_covers_build(struct nsc_idle_covers *out, const struct nsc_trace *trace,
                           uint32_t device);
/* The idle time in the window of a scope by part; unknown time has none. out: NULL if there is no such
 * time, or out of memory; owned by the caller. False if no op has any length. */
bool nsc_gap_covers_build(struct nsc_cover *out[NSC_GAP_UNKNOWN], const struct nsc_scope *scope,
                          uint32_t device);
void nsc_idle_covers_fini(struct nsc_idle_covers *covers);

#endif
