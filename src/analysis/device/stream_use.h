/*
 * What each stream of a device does with its kernels: how many, how long, how dense, where it
 * pauses.
 *
 * The owner calls fini. Kernels and graph launches only; times are clipped to the window, work and
 * counts are of whole events. A pause is the time between the latest end so far and the next start
 * on the same stream, if that is positive; the time before the first and after the last kernel is
 * none.
 */
#ifndef NSC_ANALYSIS_STREAM_USE_H
#define NSC_ANALYSIS_STREAM_USE_H

#include "analysis/device/sweep.h"

struct nsc_stream_use {
    uint32_t track;
    uint32_t kernels, comm_kernels;
    nsc_time work, comm_work; /* whole durations added; saturating */
    nsc_time busy;            /* union */
    struct nsc_window span;   /* first start to last end, clipped */
    uint32_t pauses;
    nsc_time paused, longest_pause;
    nsc_time longest_pause_at; /* where it begins */
    uint32_t stalls;           /* pauses longer than stall_ns */
};

struct nsc_stream_uses {
    uint32_t n; /* streams with kernels in the scope, in order of tracks */
    struct nsc_stream_use *at;
    bool is_kept; /* by the scope's store (analysis/base/shared.h), which frees it */
};

/* stall_ns: INT64_MAX where stalls are not asked for. */
void nsc_stream_uses_build(struct nsc_stream_uses *out, const struct nsc_scope *scope,
                           uint32_t device, nsc_time stall_ns);
void nsc_stream_uses_fini(struct nsc_stream_uses *uses);

extern const struct nsc_rider nsc_stream_uses_rider; /* param: NULL, or the nsc_time stall_ns */

#endif
