/*
 * The ops of NVTX ranges, by path (docs/analyses/device-time.md).
 *
 * An op belongs to a push/pop range of any domain if its launch starts inside the range, on the
 * same thread. A node is a path of ranges with equal texts, or texts equal but for digits
 * (nsyscope/calltree.h). An op that another thread launches for the main one (ranges/helper_launches.h) also
 * belongs to the main thread's ranges around it; its own node is one of its own thread, if it has
 * one there.
 *
 * Figures of a node: span sums, over its instances, the time from the first start to the last end
 * of the ops inside, as nsys projects them; it may exceed the wall time. work is the summed
 * duration of the ops inside. busy is the length of their union on each device, summed over
 * devices. Own figures count the ops whose innermost range belongs to the node; among several
 * domains, the range that starts last decides. The own figures of all nodes and of the ops outside
 * of ranges add up to all ops of the scope. Durations are whole; busy and exposed are clipped to
 * the window. Start/end ranges are not projected.
 *
 * Linear in launches times domains and in ops times depth. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_RANGE_WORK_H
#define NSC_ANALYSIS_RANGE_WORK_H

#include "nsyscope/calltree.h"

#include "analysis/base/device_ops.h"

#define NSC_RANGE_DOMAINS 16 /* most NVTX tracks read per thread; further ones are ignored */

struct nsc_range_figures {
    uint32_t ops;
    uint32_t launches; /* of own figures only */
    nsc_time work;     /* saturating */
    nsc_time busy;
};

struct nsc_range_node {
    struct nsc_range_figures inside;
    struct nsc_range_figures own;
    nsc_time exposed;   /* own communication while nothing else runs on the device */
    uint32_t projected; /* instances with ops inside */
    nsc_time span;
    double squares; /* summed squares of the work per instance */
};

struct nsc_range_work {
    struct nsc_calltree *tree;
    bool has_kept_tree;         /* owned by a store */
    struct nsc_range_node *at;  /* by node of the tree */
    struct nsc_range_node none; /* own figures: ops outside of ranges, or with an unknown launch */
    nsc_time work;              /* of all ops */
    uint32_t ops;
    bool is_kept; /* owned by the store of the scope (analysis/base/shared.h), which frees it */
};

/* paths: NSC_PATHS_BY_DIGITS, or NSC_PATHS_BY_TEXT if numbers distinguish paths. False if out of
 * memory, or with more paths than NSC_CALLTREE_TEXTS. */
bool nsc_range_work_build(struct nsc_range_work *out, const struct nsc_scope *scope,
                          enum nsc_paths paths);
void nsc_range_work_fini(struct nsc_range_work *work);
/* The coefficient of variation of the work per instance: standard deviation (n - 1) divided by
 * mean; below 0 for fewer than two instances. */
double nsc_range_node_cv(const struct nsc_range_node *node);

#endif
