/*
 * CUDA graphs on a device: recorded whole, recorded node by node, or not at all.
 *
 * A launch recorded whole is one op; the export lacks what runs inside. Recorded node by node, its
 * kernels and copies are separate ops with one launching call, whose name contains "GraphLaunch".
 * Work sums whole durations; busy is the length of the clipped union.
 */
#ifndef NSC_ANALYSIS_GRAPHS_H
#define NSC_ANALYSIS_GRAPHS_H

#include "analysis/device/sweep.h"

struct nsc_graph_use {
    struct nsc_window window;
    nsc_time busy; /* busy time of the device: the denominator */
    uint32_t n_whole;
    nsc_time whole_work, whole_busy;
    uint32_t n_nodes, n_calls; /* ops recorded node by node, and their launch calls */
    nsc_time node_work, node_busy;
};

/* False when the device has no work in the scope. */
bool nsc_graph_use_build(struct nsc_graph_use *out, const struct nsc_scope *scope, uint32_t device);

extern const struct nsc_rider nsc_graph_use_rider;

#endif
