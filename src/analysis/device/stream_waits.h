/*
 * The gaps of each stream, by what came before the op that ends them, as HTA counts them.
 *
 * A gap of a stream lies between the end of what ran on it and the start of the next op k: host
 * wait when the call that launched k started after the gap began; else kernel wait when the gap is
 * below the threshold; else other. Gaps of streams add up to more than the device's idle time:
 * while one stream waits another may run. Never before the first op or after the last one.
 */
#ifndef NSC_ANALYSIS_STREAM_WAITS_H
#define NSC_ANALYSIS_STREAM_WAITS_H

#include "analysis/base/limit.h"
#include "analysis/device/sweep.h"

#define NSC_STREAM_WAIT_NS NSC_LIMIT_STREAM_WAIT /* HTA's threshold */

enum nsc_stream_wait {
    NSC_STREAM_HOST,
    NSC_STREAM_KERNEL,
    NSC_STREAM_OTHER,
    NSC_STREAM_UNKNOWN, /* no call is known */
    NSC_N_STREAM_WAITS
};

struct nsc_stream_waits {
    uint32_t n; /* streams with ops in the scope, in order of track */
    struct nsc_stream_wait_sums {
        uint32_t stream; /* track */
        uint32_t ops, gaps;
        nsc_time wait[NSC_N_STREAM_WAITS];
        nsc_time reach; /* where its last op ends */
    } * at;
    bool is_kept; /* by the scope's store (analysis/base/shared.h), which frees it */
};

void nsc_stream_waits_build(struct nsc_stream_waits *out, const struct nsc_scope *scope,
                            uint32_t device);
void nsc_stream_waits_fini(struct nsc_stream_waits *waits);

extern const struct nsc_rider nsc_stream_waits_rider;

#endif
