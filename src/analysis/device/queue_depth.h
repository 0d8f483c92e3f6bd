/*
 * The number of ops that are launched but not finished, by stream.
 *
 * The depth at t is the number of ops of the stream whose call has started and which have not ended
 * at t. Ops without a known call are skipped and counted separately. At 1024 ops or more the
 * launching thread waits (HTA). Measured over the device's window.
 */
#ifndef NSC_ANALYSIS_QUEUE_DEPTH_H
#define NSC_ANALYSIS_QUEUE_DEPTH_H

#include "analysis/base/device_ops.h"
#include "analysis/base/limit.h"

struct nsc_queue_depth {
    uint64_t n, unknown; /* ops with and without a known call */
    uint64_t deepest;
    double mean;    /* mean over the window */
    nsc_time empty; /* time at depth 0 */
    nsc_time full;  /* time at depth NSC_LIMIT_QUEUE_FULL or more */
};

/* The streams of a device, in its window. at is by track minus device. The owner calls fini. */
struct nsc_queue_depths {
    struct nsc_queue_depth *at;
    uint32_t device, n_tracks;
    struct nsc_window window;
};

/* False if the device has no work in the scope; the owner calls fini then too. */
bool nsc_queue_depths_build(struct nsc_queue_depths *out, const struct nsc_scope *scope,
                            uint32_t device);
void nsc_queue_depths_fini(struct nsc_queue_depths *depths);

#endif
