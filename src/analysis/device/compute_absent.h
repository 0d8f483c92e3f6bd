/*
 * The time in which a device does not compute, and why the next compute kernel does not run yet.
 *
 * An interval [a, b) without any compute op (kernels that are no communication, CUDA graphs) is
 * attributed to the compute op at b. Before the call that launches it starts, the op was not issued
 * (launch-starved). After that it waits for the op before it on its own stream, while that one
 * runs (stream order). The rest is unexplained: a dependency on another stream, or none at all.
 * Dependencies made by CUDA events are not resolved, so waiting for communication is a lower bound.
 * A CUDA graph launches many kernels with one call: once it is issued, the time counts as "in a
 * graph". The parts add up to the time without compute.
 */
#ifndef NSC_ANALYSIS_COMPUTE_ABSENT_H
#define NSC_ANALYSIS_COMPUTE_ABSENT_H

#include "analysis/device/sweep.h"

enum nsc_absent_part {
    NSC_ABSENT_STARVED, /* not issued yet */
    NSC_ABSENT_COMM,    /* issued; communication before it on its stream runs */
    NSC_ABSENT_MEMORY,  /* issued; a copy or memset before it on its stream runs */
    NSC_ABSENT_STALLED, /* issued; why it waits is not known */
    NSC_ABSENT_GRAPH,   /* in a graph that is issued */
    NSC_ABSENT_UNKNOWN, /* no launch is known, or no compute op follows in the window */
    NSC_N_ABSENT_PARTS
};

const char *nsc_absent_word(enum nsc_absent_part part);

struct nsc_absent {
    struct nsc_window window;
    nsc_time compute, absent; /* together the window */
    nsc_time part[NSC_N_ABSENT_PARTS];
    uint32_t n; /* intervals */
};

/* False when the device has no work in the scope. */
bool nsc_absent_build(struct nsc_absent *out, const struct nsc_scope *scope, uint32_t device);

extern const struct nsc_rider nsc_absent_rider;

#endif
