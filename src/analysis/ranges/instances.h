/*
 * The tree of every NVTX push/pop range with the GPU work it launched, walked from place to place:
 * nothing of it is built, each step is a search in the trace's lanes.
 *
 * A root is a domain of a thread, or a thread that launches work without any ranges. The children
 * of a range are the ranges one deeper that start inside it and the work launched inside it but in
 * none of those, by time. Immutable once built, owned by the caller; borrows all it is given.
 */
#ifndef NSC_ANALYSIS_INSTANCES_H
#define NSC_ANALYSIS_INSTANCES_H

#include "analysis/ranges/launches.h"

struct nsc_instance_root {
    uint32_t track;  /* NVTX, or the group of a thread without ranges */
    bool takes_work; /* work launched outside any range stands under it */
};

struct nsc_instances {
    const struct nsc_trace *trace;
    const struct nsc_launches *launches;
    struct nsc_instance_root *roots;
    uint32_t n_roots;
    const uint64_t *keep; /* ranges that are shown; NULL: all */
};

/* A root: range and op NSC_NONE. A range: op NSC_NONE. Work: a position, and the range (or root) it
 * is under. */
struct nsc_instance {
    uint32_t root;   /* NSC_NONE: no place at all */
    nsc_event range; /* a row of NVTX */
    uint32_t op;     /* position in launches */
};

#define NSC_NO_INSTANCE ((struct nsc_instance){NSC_NONE, NSC_NONE, NSC_NONE})

/* The launches say which work is shown; they may be exchanged, with keep, between two calls. */
void nsc_instances_init(struct nsc_instances *all, const struct nsc_trace *trace,
                        const struct nsc_launches *launches);
void nsc_instances_fini(struct nsc_instances *all);

static inline bool nsc_instance_is_none(struct nsc_instance at)
{
    return at.root == NSC_NONE;
}

static inline bool nsc_instance_is_same(struct nsc_instance a, struct nsc_instance b)
{
    return a.root == b.root && a.range == b.range && a.op == b.op;
}

/* The row of a range or of work; NSC_NONE for roots. */
nsc_event nsc_instance_event(const struct nsc_instances *all, struct nsc_instance at);
/* 0 for roots. */
uint32_t nsc_instance_depth(const struct nsc_instances *all, struct nsc_instance at);
/* Whether at lies below above. */
bool nsc_instance_is_below(const struct nsc_instances *all, struct nsc_instance at,
                           struct nsc_instance above);

/* NSC_NO_INSTANCE where there is none. Of a root the siblings are the other roots. */
struct nsc_instance nsc_instance_parent(const struct nsc_instances *all, struct nsc_instance at);
struct nsc_instance nsc_instance_first_child(const struct nsc_instances *all,
                                             struct nsc_instance at);
struct nsc_instance nsc_instance_last_child(const struct nsc_instances *all,
                                            struct nsc_instance at);
struct nsc_instance nsc_instance_next(const struct nsc_instances *all, struct nsc_instance at);
struct nsc_instance nsc_instance_prev(const struct nsc_instances *all, struct nsc_instance at);

/*
 * Where an event stands: a range as itself, GPU work under the innermost range that launched it,
 * anything else of a thread at the innermost range around its start. NSC_NO_INSTANCE for what the
 * tree does not hold.
 */
struct nsc_instance nsc_instance_of(const struct nsc_instances *all, nsc_event event);
/* What a place launched: of a range or root all of it, of work itself. */
struct nsc_gpu_figures nsc_instance_figures(const struct nsc_instances *all,
                                            struct nsc_instance at);

#endif
