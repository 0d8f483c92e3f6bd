/*
 * The ops of NVTX ranges, by path (docs/analyses/device-time.md).
 *
 * An op belongs to a push/pop range of any domain if its launch starts inside the range, on the
 * same thread. A node is a path of ranges with equal texts, apart from digits if asked so (nsyscope/calltree.h).
 * An op that another thread launches for the main one (ranges/lend.h) belongs to the main thread's ranges
 * around it as well; its own node is one of its own thread where it has one there.
 * Figures of a node: span is the sum, over its instances, of the time from the first start to the
 * last end of the ops inside (as nsys projects: may overlap and exceed the wall). work is the
 * summed duration of the ops inside. busy is the length of their union on each device, added over
 * devices. Own figures count the ops whose innermost range belongs to the node; among several
 * domains the range that starts last decides. Own figures of all nodes and the ops under no range
 * add up to all ops of the scope. Durations are whole; busy and exposed are clipped to the window.
 * Start/end ranges are not projected.
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
    nsc_time exposed;   /* own communication while no other op runs on the device */
    uint32_t projected; /* instances with ops inside */
    nsc_time span;
    double mean, spread; /* of the work inside an instance; spread: sum of squares */
};

struct nsc_range_work {
    struct nsc_calltree *tree;
    bool has_kept_tree;         /* a store owns it */
    struct nsc_range_node *at;  /* by node of the tree */
    struct nsc_range_node none; /* own: ops under no range, or of unknown launch */
    nsc_time work;              /* of all ops */
    uint32_t ops;
    bool is_kept; /* owned by the store of the scope (analysis/base/shared.h), which frees it */
};

/* paths: NSC_PATHS_BY_DIGITS, or NSC_PATHS_BY_TEXT where numbers keep paths apart. False if out of
 * memory, or with more paths than NSC_CALLTREE_TEXTS. */
bool nsc_range_work_build(struct nsc_range_work *out, const struct nsc_scope *scope,
                          enum nsc_paths paths);
void nsc_range_work_fini(struct nsc_range_work *work);
/* The standard deviation (n - 1) of the work per instance, divided by its mean; below 0 for fewer
 * than two instances. */
double nsc_range_node_cv(const struct nsc_range_node *node);

#endif
