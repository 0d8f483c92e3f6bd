/*
 * From an op of a CUDA graph to where its node was captured.
 *
 * An export recorded with --cuda-graph-trace=node has the node of each op that ran as part of a
 * graph (graphNodeId), and an event for each node that was made, with the node that it is a clone
 * of (CUDA_GRAPH_NODE_EVENTS; CUDA_GRAPH_EVENTS of nsys 2022.2 to 2024.5). Ops run as nodes of an
 * executable graph, which are clones. Their original was made when a stream was captured, or by
 * calls that add nodes: its event lies there in time, on the thread that did it.
 *
 * Naive meaning: take the events that made the node, of the op's process. While one of them names
 * an original, take those of the original. One event is left, which is the answer, or none is told:
 * if the events of a node name two originals or two events made it (its id was used again), if none
 * was recorded, and if clones name each other.
 */
#ifndef NSC_ANALYSIS_CAPTURED_H
#define NSC_ANALYSIS_CAPTURED_H

#include "analysis/base/field_sets.h"

/* Links the ops of the trace to the events that captured them (nsc_trace_captured). fields: by
 * export; nothing is read if no node was made or the trace is linked. O(log nodes) for each clone of an op's node. */
void nsc_captured_link(struct nsc_trace *trace, const struct nsc_field_sets *const fields[]);

#endif
