/*
 * Classifies the gaps of each stream by what came before the op that ends them, as HTA does.
 *
 * A gap of a stream lasts from the end of its ops so far to the start of the next op k. It is a
 * host wait if the call that launched k started after the gap began; else a kernel wait if the gap
 * is shorter than the threshold; else other. The gaps of all streams exceed the device's idle time,
 * because one stream may run while another waits. The time before the first op and after the last
 * one is no gap.
 */
#ifndef NSC_ANALYSIS_STREAM_WAITS_H
#define NSC_ANALYSIS_STREAM_WAITS_H

#include "analysis/base/limit.h"
#include "analysis/device/sweep.h"

enum nsc_stream_wait {
    NSC_STREAM_HOST,
    NSC_STREAM_KERNEL,
    NSC_STREAM_OTHER,
    NSC_STREAM_UNKNOWN, /* the launch call is not known */
    NSC_N_STREAM_WAITS
};

struct nsc_stream_waits {
    uint32_t n; /* streams with ops in the scope, by track */
    struct nsc_stream_wait_sums {
        uint32_t stream; /* track */
        uint32_t ops, gaps;
        nsc_time wait[NSC_N_STREAM_WAITS];
        nsc_time reach; /* end of its ops so far */
    } * at;
    bool is_kept; /* kept and freed by the scope's store (analysis/base/shared.h) */
};

void nsc_stream_waits_build(struct nsc_stream_waits *out, const struct nsc_scope *scope,
                            uint32_t device);
void nsc_stream_waits_fini(struct nsc_stream_waits *waits);

extern const struct nsc_rider nsc_stream_waits_rider;

#endif
