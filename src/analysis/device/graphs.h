/*
 * CUDA graphs on a device: recorded whole, recorded node by node, or not at all.
 *
 * Recorded whole, a launch is one op whose inside is not in the export. Recorded node by node, its
 * kernels and copies are ops of their own that share the launching call, whose name holds
 * "GraphLaunch". Work adds up whole durations; busy is the length of the union, clipped.
 */
#ifndef NSC_ANALYSIS_GRAPHS_H
#define NSC_ANALYSIS_GRAPHS_H

#include "analysis/device/sweep.h"

struct nsc_graph_use {
    struct nsc_window window;
    nsc_time busy; /* of the device: the denominator */
    uint32_t n_whole;
    nsc_time whole_work, whole_busy;
    uint32_t n_nodes, n_calls; /* ops, and calls that launched them */
    nsc_time node_work, node_busy;
};

/* False when the device has no work in the scope. */
bool nsc_graph_use_build(struct nsc_graph_use *out, const struct nsc_scope *scope, uint32_t device);

extern const struct nsc_rider nsc_graph_use_rider;

#endif
