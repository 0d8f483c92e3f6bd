/*
 * Kernels of each stream of a device: number, time, density and pauses.
 *
 * The owner calls fini. Only kernels and graph launches count. Times are clipped to the window;
 * work and counts are of whole events. A pause lasts from the latest end so far to the next start
 * on the same stream. The time before the first kernel and after the last one is no pause.
 */
#ifndef NSC_ANALYSIS_STREAM_USE_H
#define NSC_ANALYSIS_STREAM_USE_H

#include "analysis/device/sweep.h"

#define NSC_STREAM_STALL_NS 1000000 /* the default of skill launch; kept by the scope's store */

struct nsc_stream_use {
    uint32_t track;
    uint32_t kernels, comm_kernels;
    nsc_time work, comm_work; /* summed whole durations; saturating */
    nsc_time busy;            /* union */
    struct nsc_window span;   /* first start to last end, clipped */
    uint32_t pauses;
    nsc_time paused, longest_pause;
    nsc_time longest_pause_at; /* start of the longest pause */
    uint32_t stalls;           /* pauses longer than stall_ns */
};

struct nsc_stream_uses {
    uint32_t n; /* streams with kernels in the scope, by track */
    struct nsc_stream_use *at;
    bool is_kept; /* kept and freed by the scope's store (analysis/base/shared.h) */
};

/* stall_ns: NSC_STREAM_STALL_NS if the caller does not need stalls. */
void nsc_stream_uses_build(struct nsc_stream_uses *out, const struct nsc_scope *scope,
                           uint32_t device, nsc_time stall_ns);
void nsc_stream_uses_fini(struct nsc_stream_uses *uses);

extern const struct nsc_rider nsc_stream_uses_rider; /* param: NULL, or another nsc_time stall_ns */

#endif
