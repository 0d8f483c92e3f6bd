/*
 * The cost of waits on the host: the time of synchronizing calls while no GPU of their process
 * works.
 *
 * A wait while the GPU is busy costs nothing. Counts the synchronizing calls of
 * analysis/names/call_class.h by thread and name. Time is the union of the calls of a name on a
 * thread in the scope's window. Idle is the part in which no op of the process runs on any GPU,
 * without a window of the user only from the first op of the process to its last. Threads wait in
 * parallel, so their times must not be added.
 */
#ifndef NSC_ANALYSIS_SYNC_COST_H
#define NSC_ANALYSIS_SYNC_COST_H

#include "analysis/base/device_ops.h"
#include "analysis/base/sync_calls.h"

struct nsc_sync_cost {
    uint32_t track; /* of the thread's CUDA calls */
    nsc_name name;
    uint32_t count;
    nsc_time time, idle;
    nsc_time process_idle; /* idle time of the window: the denominator */
    nsc_event longest;     /* call */
};

struct nsc_sync_costs {
    struct nsc_sync_cost *at; /* sorted by idle, then time, the greatest first */
    size_t n, capacity;
    NSC_VEC(struct nsc_sync_cost) threads; /* all names of a thread together; their name is 0 */
    bool is_kept; /* kept and freed by the scope's store (analysis/base/shared.h) */
};

void nsc_sync_costs_build(struct nsc_sync_costs *out, const struct nsc_scope *scope);
void nsc_sync_costs_fini(struct nsc_sync_costs *costs);

#endif
