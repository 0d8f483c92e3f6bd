/*
 * A sweep over the window of a device: what runs on it in each stretch, and what comes next.
 *
 * A stretch is a maximal interval [t0, t1) of the device's window in which no op of any length
 * starts or ends; stretches come by time and fill the window. Naive meaning: paint each ns of the
 * window with the ops that run in it; ns next to each other that are painted alike are one stretch.
 *
 * All questions about the time of a device ride on a sweep: a rider is shown each op when it starts
 * and each stretch when it ends. The lanes of the device are merged once for all riders of a run. A
 * command that asks many questions shares one run for all of them (nsc_sweep_share), in which the
 * devices are swept side by side; a question that is asked alone makes a run of its own.
 *
 * Questions that measure many short windows of one device (the screen, iterations, ranks) stand on
 * covers instead (base/activity.h): a sweep costs O(ops of the window), a cover that the trace
 * keeps anyway O(log ops). Questions in which the order of ops does not matter walk the rows of the
 * lanes (kernel_work, launch_times); queue_depth orders the ops of a stream by launch, and
 * sync_cost looks from the calls of threads.
 */
#ifndef NSC_ANALYSIS_SWEEP_H
#define NSC_ANALYSIS_SWEEP_H

#include "analysis/base/device_ops.h"
#include "analysis/base/field_sets.h"
#include "analysis/base/shared.h"

/* What a rider sees. In op() the stretch at hand began at t0, not after the op's start, and t1 is not
 * known yet; an op of any length runs already. */
struct nsc_sweep {
    const struct nsc_scope *scope;
    const struct nsc_events *events;
    uint32_t device, n_tracks; /* its track, and how many there are with those of its streams */
    bool has_window;           /* false: no op has any length, and there are no stretches */
    struct nsc_window window;
    nsc_time t0, t1;
    uint32_t kinds;                   /* that run: a bit an enum nsc_op_kind */
    uint32_t n_ops, n_streams;        /* that run */
    uint32_t of_kind[NSC_N_OP_KINDS]; /* ops that run, by kind */
    uint32_t *on_stream;              /* ops that run, by track less device */
    nsc_event next; /* where nothing runs: the op that starts at t1, NSC_NONE at the end of the
                       window. What its launching thread does meanwhile: device/host_walk.h */
};

struct nsc_rider {
    struct nsc_shared_kind kind; /* bytes and fini of the answer; no build */
    size_t own_bytes;            /* of what the rider needs during the sweep */
    /* own and answer are zeroed; param is the asker's. */
    void (*begin)(void *own, void *answer, const struct nsc_sweep *sweep, const void *param);
    /* Ops come by start; the stretch that ends at an op's start is shown before the op. Either may
     * be NULL; a rider without stretch() must not look at the stretch in op(). */
    void (*op)(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op);
    void (*stretch)(void *own, const struct nsc_sweep *sweep);
    /* Frees what own holds; false: there is no answer. NULL: has_window. */
    bool (*end)(void *own, const struct nsc_sweep *sweep);
};

struct nsc_ride {
    const struct nsc_rider *rider;
    const void *param;
    void *answer; /* rider->kind.bytes, of the asker */
    bool result;
};

void nsc_sweep_run(const struct nsc_scope *scope, uint32_t device, struct nsc_ride rides[],
                   uint32_t n);
/* One answer: that of the scope's store, or of a run of its own. True in *is_kept (may be NULL): the
 * store owns what the answer owns; else the caller does. */
bool nsc_sweep_ask(void *out, bool *is_kept, const struct nsc_rider *rider, const void *param,
                   const struct nsc_scope *scope, uint32_t device);
/* Fills the scope's store with the answers to these questions (answer is not used) that it lacks, for all
 * devices, on the threads of a pool. params must not move until the store is closed. beside (may be NULL) is
 * called meanwhile, and puts an answer of its own into the store. */
void nsc_sweep_share(const struct nsc_scope *scope, const struct nsc_ride rides[], uint32_t n,
                     void (*beside)(const struct nsc_scope *scope));
/* The same with the questions of all findings, or of all findings and skills (share.c). fields may be
 * NULL. */
void nsc_device_share(const struct nsc_scope *scope, const struct nsc_field_sets *fields,
                      bool for_all);

#endif
