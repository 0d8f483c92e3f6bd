/*
 * When a device is idle, and why: its idle time as a cover for each class of causes.
 *
 * The covers are disjoint, none holds busy time, and together they hold the idle time between the
 * first and the last op of the device, less what is of unknown cause. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_IDLE_COVERS_H
#define NSC_ANALYSIS_IDLE_COVERS_H

#include "nsyscope/cover.h"

#include "analysis/device/gaps.h"

/* The parts of a gap (device/gaps.h) by where the time goes. */
enum nsc_idle_class {
    NSC_IDLE_CALLS, /* calls of CUDA, the way to the GPU */
    NSC_IDLE_WAITS, /* synchronizing calls, blocking copies */
    NSC_IDLE_CPU,   /* work of the CPU, Python's lock and its garbage collection */
    NSC_IDLE_OS,    /* files, locks, sleep, network, events */
    NSC_IDLE_MPI,
    NSC_IDLE_PROFILER,
    NSC_IDLE_QUEUED,   /* issued work that waits on the GPU's side */
    NSC_N_IDLE_CLASSES /* unknown */
};

enum nsc_idle_class nsc_idle_class(enum nsc_gap_part part);

struct nsc_idle_covers {
    uint32_t device;
    struct nsc_cover *of[NSC_N_IDLE_CLASSES]; /* NULL: no such time, or too little memory */
};

/* Of all work of the device, whatever a filter leaves. False, and nothing to free, when the device
 * has no work. */
bool nsc_idle_covers_build(struct nsc_idle_covers *out, const struct nsc_trace *trace,
                           uint32_t device);
void nsc_idle_covers_fini(struct nsc_idle_covers *covers);

#endif
