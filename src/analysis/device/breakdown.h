/*
 * What a device does with its time: computing, communicating, moving memory, nothing; and how much
 * of each runs under another (docs/analyses/device-time.md).
 *
 * All but the sums are lengths of unions over every stream and process, clipped to the device's
 * window. X compute (kernels that are no communication, and CUDA graphs recorded as graphs), C
 * communication kernels, M copies and memsets, T copies between host and device. Communication is
 * told by names (index/comm.c): a dispatcher kernel is not the network.
 */
#ifndef NSC_ANALYSIS_BREAKDOWN_H
#define NSC_ANALYSIS_BREAKDOWN_H

#include "analysis/base/device_ops.h"

struct nsc_breakdown {
    struct nsc_window window;
    nsc_time whole; /* its length: busy + idle */
    nsc_time busy;  /* X, C or M */
    nsc_time idle;
    nsc_time compute;  /* X */
    nsc_time comm;     /* C */
    nsc_time memory;   /* M */
    nsc_time overlap;  /* X and C at once: HTA's overlap is this of comm */
    nsc_time exposed;  /* C and neither X nor M: an upper bound of what could be hidden, not time
                          that is known to block */
    nsc_time transfer; /* T */
    nsc_time transfer_exposed; /* T and no kernel or graph */
    nsc_time transfer_overlap; /* T and X at once */
    nsc_time comm_alone;       /* C and no X */
    nsc_time memory_alone;     /* M and neither X nor C */
    nsc_time comm_work;        /* durations added, whole: work, not wall time */
    nsc_time kernel_work;      /* the same of X and C */
    uint32_t n_comm, n_ops;
    uint32_t n_kernels; /* X and C */
    uint32_t n_graphs;  /* graphs recorded as graphs: they count as compute, whatever runs inside */
    nsc_time graph_work;
};

/* False when the device has no work in the scope. */
bool nsc_breakdown_build(struct nsc_breakdown *out, const struct nsc_scope *scope, uint32_t device);

/* What hiding exposed work under compute wins at most: no more than the compute that nothing of its
 * kind overlaps yet. */
nsc_time nsc_overlap_gain(nsc_time exposed, nsc_time compute, nsc_time overlapped);

/*
 * How much could be won at most if a loss were gone: with a window of T and a loss of R inside it,
 * the new time is T - R or more and the gain of throughput at most T / (T - R) - 1. A ceiling, not a
 * forecast; losses overlap, so gains must not be added. In percent; below 0 where there is no limit
 * (loss >= whole) or whole <= 0.
 */
double nsc_gain_ceiling(nsc_time whole, nsc_time loss);

#endif
