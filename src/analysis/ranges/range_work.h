/*
 * The GPU work of NVTX ranges, by path: projected, inside, and of its own (DEFINITIONS 22, 23).
 *
 * An op belongs to a push/pop range when its launching call starts inside the range on the same
 * thread, in whatever domain. A node is a path of ranges whose texts are equal but for their digits
 * (nsyscope/calltree.h). Of a node: span adds up, over its instances, the time from the first start
 * to the last end of the ops inside (nsys' projection: may overlap and exceed the wall); work adds
 * up durations of the ops inside; busy is the length of the union of the ops inside, device by
 * device, added over devices. What is of its own counts the ops whose innermost range, of several
 * domains the one that starts last, is of this node: together with the ops under no range that is
 * all work of the scope. Durations are whole; busy and exposed are clipped to the window. Start/end
 * ranges are not projected.
 *
 * Linear in launches times domains and ops times depth. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_RANGE_WORK_H
#define NSC_ANALYSIS_RANGE_WORK_H

#include "nsyscope/calltree.h"
#include "nsyscope/cover.h"

#include "analysis/base/device_ops.h"

struct nsc_range_figures {
    uint32_t ops, launches;
    nsc_time work; /* saturating */
    nsc_time busy;
};

struct nsc_range_node {
    struct nsc_range_figures inside;
    struct nsc_range_figures own;
    nsc_time exposed;   /* of its own communication, while no other op runs on the device */
    uint32_t projected; /* instances with ops inside */
    nsc_time span;
    double mean, spread; /* of the work inside, over those instances; spread: sum of squares */
};

struct nsc_range_work {
    struct nsc_calltree *tree;
    struct nsc_range_node *at;  /* by node of the tree */
    struct nsc_range_node none; /* own: ops under no range, or of unknown launch */
    nsc_time work;              /* of all ops */
    uint32_t ops;
    bool is_kept; /* by the scope's store (analysis/base/shared.h), which frees it */
};

/* False when the memory is refused. */
bool nsc_range_work_build(struct nsc_range_work *out, const struct nsc_scope *scope);
void nsc_range_work_fini(struct nsc_range_work *work);
/* The standard deviation (n - 1) of the work of instances by its mean; below 0 for less than
 * two. */
double nsc_range_node_cv(const struct nsc_range_node *node);

#endif
