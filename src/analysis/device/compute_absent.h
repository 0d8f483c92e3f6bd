/*
 * The time in which a device does not compute, and why the next compute kernel does not run yet.
 *
 * An interval [a, b) without any compute op (kernels that are no communication, CUDA graphs) is
 * attributed to the compute op at b, looking back from b: an op is ready when it is issued and the ops
 * that it waits for have ended (device/depend.h).
 *
 *   - From ready to its start, the op was launched late if its issue came last and the
 *     op started NSC_LAUNCH_LATENCY_NS after it at most; in a CUDA graph it waits inside the graph;
 *     else the time is residual.
 *   - If the issue came last, the time before it is launched late. While communication runs, it is
 *     late behind communication; but if the launching thread waits in a synchronizing call meanwhile,
 *     it is blocked by communication.
 *   - Else, while the last op that it waits for runs, it is blocked by it: by communication, by a copy or
 *     memset, or by compute on another device. Before that op starts, the same is asked of that op.
 *
 * What was waited for but ended before the launch blocks nothing. Without a known call, or without a
 * compute op after the interval, the rest is unknown. The parts add up to the time without compute.
 */
#ifndef NSC_ANALYSIS_COMPUTE_ABSENT_H
#define NSC_ANALYSIS_COMPUTE_ABSENT_H

#include "analysis/device/depend.h"
#include "analysis/device/sweep.h"

enum nsc_absent_part {
    NSC_ABSENT_LATE,      /* launched late */
    NSC_ABSENT_COMM,      /* blocked by communication */
    NSC_ABSENT_COPY,      /* blocked by a copy or memset */
    NSC_ABSENT_ELSEWHERE, /* blocked by compute on another device */
    NSC_ABSENT_BEHIND,    /* launched late while other communication runs */
    NSC_ABSENT_GRAPH,     /* in a graph that is issued */
    NSC_ABSENT_RESIDUAL,
    NSC_ABSENT_UNKNOWN,
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
bool nsc_absent_build(struct nsc_absent *out, const struct nsc_scope *scope,
                      const struct nsc_depends *depends, uint32_t device);

#endif
