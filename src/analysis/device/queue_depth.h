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

struct nsc_queue;

/* The streams of a device, in its window. at is by track minus device. The owner calls fini. */
struct nsc_queue_depths {
    struct nsc_queue_depth *at;
    uint32_t device, n_tracks;
    const struct nsc_scope *scope;
    struct nsc_window window;
    struct nsc_queue *queues;
};

/* False if the device has no work in the scope. scope must outlive out. */
bool nsc_queue_depths_init(struct nsc_queue_depths *out, const struct nsc_scope *scope,
                           uint32_t device);
/* Adds rows that nsc_device_rows_walk passes. */
void nsc_queue_depths_add(struct nsc_queue_depths *out, const struct nsc_scope *own, nsc_event row,
                          nsc_event end);
/* All rows are added: completes at. */
void nsc_queue_depths_end(struct nsc_queue_depths *out);
void nsc_queue_depths_fini(struct nsc_queue_depths *depths);

#endif
