/*
 * The time of a device by activity: compute, communication, copies and memsets, idle; and the
 * overlap between them (docs/analyses/device-time.md).
 *
 * All figures except sums are lengths of unions over all streams and processes, clipped to the
 * device's window. X: compute (kernels other than communication, and CUDA graphs recorded whole).
 * C: communication kernels. M: copies and memsets. T: copies between host and device. Communication
 * is recognized by kernel name (index/comm.c); a dispatcher kernel is not communication.
 *
 * All comes from the device times (device_times.h): O(ops of the window).
 */
#ifndef NSC_ANALYSIS_BREAKDOWN_H
#define NSC_ANALYSIS_BREAKDOWN_H

#include "analysis/base/device_ops.h"

struct nsc_breakdown {
    struct nsc_window window;
    nsc_time whole; /* length of the window: busy + idle */
    nsc_time busy;  /* X, C or M runs */
    nsc_time idle;
    nsc_time compute;  /* X */
    nsc_time comm;     /* C */
    nsc_time memory;   /* M */
    nsc_time overlap;  /* X and C at once; HTA's overlap is this divided by comm */
    nsc_time exposed;  /* C and neither X nor M: an upper bound of what hiding could save, not time
                        * known to block */
    nsc_time transfer; /* T */
    nsc_time transfer_exposed; /* T while no kernel and no graph runs */
    nsc_time transfer_overlap; /* T and X at once */
    nsc_time comm_alone;       /* C without X */
    nsc_time memory_alone;     /* M without X and C */
    nsc_time within_alone;     /* copies within the device and memsets, while nothing else runs */
    nsc_time comm_work;        /* summed whole durations of C: work, not wall time */
    nsc_time kernel_work;      /* summed whole durations of X and C */
    uint32_t n_comm, n_ops;
    uint32_t n_kernels; /* X and C */
    uint32_t n_graphs;  /* graphs recorded whole; they count as compute, whatever runs inside */
    nsc_time graph_work;
};

/* False when the device has no work in the scope. */
bool nsc_breakdown_build(struct nsc_breakdown *out, const struct nsc_scope *scope, uint32_t device);
/*
 * Moves *device to the next one with work in the scope; false after the last:
 * for (uint32_t d = NSC_NONE; nsc_breakdown_next(&time, scope, &d);)
 */
bool nsc_breakdown_next(struct nsc_breakdown *out, const struct nsc_scope *scope, uint32_t *device);

/* The most that hiding exposed work under compute can save: at most the compute that no such work
 * overlaps yet. */
nsc_time nsc_overlap_gain(nsc_time exposed, nsc_time compute, nsc_time overlapped);

/*
 * An upper bound of the speedup from removing a loss. With a window of T and a loss of R inside it,
 * the new time is at least T - R, so throughput grows by at most T / (T - R) - 1. This is no
 * forecast. Losses overlap, so gains must not be added. In percent; below 0 if there is no bound
 * (loss >= whole) or whole <= 0.
 */
double nsc_gain_ceiling(nsc_time whole, nsc_time loss);

#endif
