/*
 * Explains the time in which a device does not compute: why the next compute op does not run yet.
 *
 * Compute ops are CUDA graphs and kernels other than communication. An interval [a, b) without them
 * is attributed to the compute op that starts at b. An op is ready when it is issued and the ops it
 * waits for have ended (device/depend.h). The interval is explained from b backwards:
 *
 *   - Between ready and start, the op was launched late if its issue came last and the
 *     op started at most NSC_LAUNCH_LATENCY_NS after it; an op of a CUDA graph waits in the graph;
 *     otherwise the time is residual.
 *   - If the issue came last, the time before it is late; but residual if communication that runs then ends before
 *     the op starts, more than NSC_LAUNCH_LATENCY_NS after the issue: launched sooner, the op would have
 *     waited for it, too, as a stage of a pipeline does. While communication runs, it is
 *     late behind communication; but if the launching thread waits in a synchronizing call meanwhile,
 *     it is blocked by communication. While a copy or memset runs and the thread waits in a blocking
 *     copy, or in a synchronizing call without communication, it is blocked by a copy. Queries
 *     (cudaEventQuery, cudaStreamQuery) and the time between them, up to NSC_POLL_NS, count as a
 *     synchronizing call.
 *   - Otherwise the last op it waits for blocks it while it runs: communication, a copy or
 *     memset, or compute on another device. The time before is explained by that op in the same way.
 *
 * An op that ended before the launch blocks nothing. If the launch call is not known, or no compute
 * op follows the interval, the rest is unknown. The parts add up to the time without compute.
 */
#ifndef NSC_ANALYSIS_COMPUTE_ABSENT_H
#define NSC_ANALYSIS_COMPUTE_ABSENT_H

#include "analysis/device/depend.h"
#include "analysis/device/sweep.h"

#define NSC_POLL_NS (1000 * NSC_LIMIT_POLL)

enum nsc_absent_part {
    NSC_ABSENT_LATE,      /* launched late */
    NSC_ABSENT_COMM,      /* blocked by communication */
    NSC_ABSENT_COPY,      /* blocked by a copy or memset */
    NSC_ABSENT_ELSEWHERE, /* blocked by compute on another device */
    NSC_ABSENT_BEHIND,    /* launched late while other communication runs */
    NSC_ABSENT_GRAPH,     /* issued, and waits inside its graph */
    NSC_ABSENT_RESIDUAL,
    NSC_ABSENT_UNKNOWN,
    NSC_N_ABSENT_PARTS
};

const char *nsc_absent_word(enum nsc_absent_part part);

struct nsc_absent {
    struct nsc_window window;
    nsc_time compute, absent; /* add up to the window */
    nsc_time part[NSC_N_ABSENT_PARTS];
    uint32_t n; /* number of intervals */
};

/* False when the device has no work in the scope. */
bool nsc_absent_build(struct nsc_absent *out, const struct nsc_scope *scope,
                      const struct nsc_depends *depends, uint32_t device);

extern const struct nsc_rider nsc_absent_rider;

#endif
