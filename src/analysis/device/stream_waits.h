/*
 * The gaps of each stream, by what came before the op that ends them (DEFINITIONS 10, as HTA counts
 * them).
 *
 * A gap of a stream lies between the end of what ran on it and the start of the next op k: host
 * wait when the call that launched k started after the gap began; else kernel wait when the gap is
 * below the threshold; else other. Gaps of streams add up to more than the device's idle time:
 * while one stream waits another may run. Never before the first op or after the last one.
 */
#ifndef NSC_ANALYSIS_STREAM_WAITS_H
#define NSC_ANALYSIS_STREAM_WAITS_H

#include "analysis/base/device_ops.h"

#define NSC_STREAM_WAIT_NS 30 /* HTA's threshold */

enum nsc_stream_wait {
    NSC_STREAM_HOST,
    NSC_STREAM_KERNEL,
    NSC_STREAM_OTHER,
    NSC_STREAM_UNKNOWN, /* no call is known */
    NSC_N_STREAM_WAITS
};

struct nsc_stream_waits {
    uint32_t stream; /* track */
    uint32_t ops, gaps;
    nsc_time wait[NSC_N_STREAM_WAITS];
};

/* One entry for each stream of the device with ops in the scope, in order of track; the caller
 * frees it. */
struct nsc_stream_waits *nsc_stream_waits_build(const struct nsc_scope *scope, uint32_t device,
                                                uint32_t *n);

#endif
