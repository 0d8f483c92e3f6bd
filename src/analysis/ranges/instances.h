/*
 * The tree of every NVTX push/pop range with the ops it launched. The tree is not stored: each step
 * searches the lanes of the trace.
 *
 * A root is a domain of a thread, or a thread that launches ops without any ranges. The children of
 * a range, ordered by time, are the ranges one lane deeper that start inside it, and the ops
 * launched inside it but outside of those. Immutable once built, owned by the caller; borrows all
 * its inputs.
 */
#ifndef NSC_ANALYSIS_INSTANCES_H
#define NSC_ANALYSIS_INSTANCES_H

#include "analysis/ranges/helper_figures.h"

struct nsc_instance_root {
    uint32_t track;  /* NVTX track, or the group of a thread without ranges */
    bool takes_work; /* ops launched outside of ranges belong to it */
};

struct nsc_instance_runs;

struct nsc_instances {
    const struct nsc_trace *trace;
    /* The ops that are shown; those that the figures of ranges count: more, if ops are hidden. */
    const struct nsc_launches *launches, *measured;
    struct nsc_instance_root *roots;
    uint32_t n_roots;
    const uint64_t *keep;                 /* ranges that are shown; NULL: all */
    const struct nsc_instance_runs *runs; /* of ranges (instance_runs.h); NULL: none */
    const struct nsc_helper_figures
        *lent; /* figures to add to the ranges that ops are lent to; NULL:
                                          * none */
};

/* Root: range and op are NSC_NONE. Range: op is NSC_NONE. Op: its position, and the range or root
 * above it. */
struct nsc_instance {
    uint32_t root;   /* NSC_NONE: no instance */
    nsc_event range; /* row of NVTX */
    uint32_t op;     /* position in launches */
};

#define NSC_NO_INSTANCE ((struct nsc_instance){NSC_NONE, NSC_NONE, NSC_NONE})

/* The launches decide which ops are shown and count. The caller may replace launches, measured, keep,
 * runs and lent between two calls. */
void nsc_instances_init(struct nsc_instances *all, const struct nsc_trace *trace,
                        const struct nsc_launches *launches);
void nsc_instances_fini(struct nsc_instances *all);

static inline const struct nsc_lane *nsc_instances_lane(const struct nsc_instances *all,
                                                        uint32_t lane)
{
    return &nsc_trace_lanes(all->trace, NULL)[lane];
}

/* Whether a range is shown. */
static inline bool nsc_instances_shows(const struct nsc_instances *all, nsc_event row)
{
    return !all->keep || nsc_bits_get(all->keep, row);
}

static inline bool nsc_instance_is_none(struct nsc_instance at)
{
    return at.root == NSC_NONE;
}

static inline bool nsc_instance_is_same(struct nsc_instance a, struct nsc_instance b)
{
    return a.root == b.root && a.range == b.range && a.op == b.op;
}

/* The row of a range or op; NSC_NONE for roots. */
nsc_event nsc_instance_event(const struct nsc_instances *all, struct nsc_instance at);
/* 0 for roots. */
uint32_t nsc_instance_depth(const struct nsc_instances *all, struct nsc_instance at);
/* Whether at lies below above. */
bool nsc_instance_is_below(const struct nsc_instances *all, struct nsc_instance at,
                           struct nsc_instance above);

/* The first root from this one on, or back from it, that is shown; with keep those that have a child. */
struct nsc_instance nsc_instance_root(const struct nsc_instances *all, uint32_t root, bool back);
/* NSC_NO_INSTANCE if there is none. The siblings of a root are the other shown roots. */
struct nsc_instance nsc_instance_parent(const struct nsc_instances *all, struct nsc_instance at);
struct nsc_instance nsc_instance_first_child(const struct nsc_instances *all,
                                             struct nsc_instance at);
struct nsc_instance nsc_instance_last_child(const struct nsc_instances *all,
                                            struct nsc_instance at);
struct nsc_instance nsc_instance_next(const struct nsc_instances *all, struct nsc_instance at);
struct nsc_instance nsc_instance_prev(const struct nsc_instances *all, struct nsc_instance at);

/*
 * The siblings around an op, without a shown range between them, that have the same brief name and
 * kind. Their positions are consecutive.
 */
struct nsc_positions nsc_instance_alike_ops(const struct nsc_instances *all,
                                            struct nsc_instance op);

/*
 * The place of an event: a range's own; for an op, under the innermost range that launched it; for
 * any other event of a thread, at the innermost range around its start. NSC_NO_INSTANCE for events
 * outside the tree.
 */
struct nsc_instance nsc_instance_of(const struct nsc_instances *all, nsc_event event);
/* The figures of the ops launched in a range or on the thread of a root, or lent to it; for an op its
 * own. */
struct nsc_gpu_figures nsc_instance_figures(const struct nsc_instances *all,
                                            struct nsc_instance at);

#endif
