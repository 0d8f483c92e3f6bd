/*
 * A sweep over the window of a device: which ops run in each stretch, and which comes next.
 *
 * A stretch is a maximal interval [t0, t1) of the device's window in which no op with a length
 * starts or ends. Stretches ascend and fill the window. Naive meaning: paint each ns of the window
 * with the ops that run in it; adjacent ns painted alike form one stretch.
 *
 * Each question about the time of a device is a rider: it gets the ops and the stretches that it asks
 * for. A run merges the lanes of the device once for all its riders. A command with many questions shares one run for each scope, and sweeps the devices in
 * parallel (nsc_steady_share). A single question has a run of its own.
 *
 * Questions about many short windows of one device (the screen, iterations, ranks) use covers
 * instead (base/activity.h): a sweep costs O(ops of the window), a cover of the trace O(log ops).
 * Questions about gaps alone (gaps.h) start from a cover too.
 * Questions that do not depend on the order of ops walk the rows of the lanes (kernel_work,
 * launch_times). queue_depth orders the ops of a stream by launch, and sync_cost starts from the
 * calls of threads.
 */
#ifndef NSC_ANALYSIS_SWEEP_H
#define NSC_ANALYSIS_SWEEP_H

#include "analysis/base/device_ops.h"
#include "analysis/base/field_sets.h"
#include "analysis/base/shared.h"

/* What is swept. */
struct nsc_sweep {
    const struct nsc_scope *scope;
    const struct nsc_events *events;
    uint32_t device, n_tracks; /* track of the device, and the number of tracks including its
                                * streams */
    bool has_window;           /* false: no op has a length, so there are no stretches */
    struct nsc_window window;
};

struct nsc_stretch {
    nsc_time t0, t1;
    uint32_t kinds;            /* running kinds, one bit per enum nsc_op_kind */
    uint32_t n_ops, n_streams; /* running ops, and streams with one */
    uint32_t before;           /* so many ops of the sweep's block come before the stretch: those
                                * that start in an earlier one or at t0 */
};

struct nsc_rider {
    struct nsc_shared_kind kind; /* bytes and fini of the answer; build is not used */
    size_t own_bytes;            /* size of the rider's state during the sweep */
    /* own and answer are zeroed; param comes from the caller. */
    void (*begin)(void *own, void *answer, const struct nsc_sweep *sweep, const void *param);
    /* Each op by start, and each stretch after the ops that come before it. */
    void (*op)(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op);
    void (*stretch)(void *own, const struct nsc_sweep *sweep, const struct nsc_stretch *stretch);
    /* Frees what own holds. Returns false if there is no answer. NULL: returns has_window. */
    bool (*end)(void *own, const struct nsc_sweep *sweep);
};

struct nsc_ride {
    const struct nsc_rider *rider;
    const void *param;
    void *answer; /* rider->kind.bytes, owned by the caller */
    bool result;
};

void nsc_sweep_run(const struct nsc_scope *scope, uint32_t device, struct nsc_ride rides[],
                   uint32_t n);
/* Computes one answer, or takes it from the scope's store. *is_kept (may be NULL) is true if the
 * store owns what the answer owns; else the caller does. */
bool nsc_sweep_ask(void *out, bool *is_kept, const struct nsc_rider *rider, const void *param,
                   const struct nsc_scope *scope, uint32_t device);
/* Adds the answers to the store of the scope, in one run. Answers already there are kept. The field
 * answer of rides is not used; params must not move until the store is closed. */
void nsc_sweep_share(const struct nsc_scope *scope, uint32_t device, const struct nsc_ride rides[],
                     uint32_t n);

#endif
