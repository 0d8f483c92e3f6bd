/*
 * Picks the launches to profile with Nsight Compute: the kernels that take most of a scope, by
 * launch shape, and for each the launch of median length and its number in launch order.
 */
#ifndef NSC_ANALYSIS_NCU_PLAN_H
#define NSC_ANALYSIS_NCU_PLAN_H

#include "analysis/base/scope.h"
#include "analysis/ncu/ncu_shape.h"
#include "analysis/ranges/named_range.h"
#include "core/vec.h"

/*
 * A kernel to profile. Nsight Compute counts launches per process among those whose short name
 * matches. skip counts likewise: earlier launches of that short name in the same process that are
 * inside an included range, if there are any, and in no excluded one.
 */
struct nsc_ncu_pick {
    nsc_name name;    /* ncu matches its short name */
    nsc_event like;   /* the launch of median duration in the scope */
    uint64_t process; /* of that launch */
    uint32_t shape;   /* number in the shapes; NSC_NONE: not known */
    uint32_t calls;   /* launches in the scope with this short name and shape */
    nsc_time total;   /* their summed durations; saturating */
    nsc_time kernel;  /* the sum over all shapes of this short name */
    uint32_t skip;
};

struct nsc_ncu_picks {
    NSC_VEC(struct nsc_ncu_pick)
    list;         /* the longest kernel first; within a kernel the longest
                                        * shape */
    nsc_time all; /* summed kernel time of the scope */
};

/* What to pick. All is borrowed. */
struct nsc_ncu_ask {
    uint32_t top;                           /* kernels (short names), 1 or more */
    const struct nsc_ncu_shapes *shapes;    /* NULL: a kernel is one pick */
    const struct nsc_named_ranges *include; /* NULL: picks from the scope's window; otherwise from
                                             * the kernels launched inside number `index`, on its
                                             * thread, whenever they run */
    uint32_t index;
    const struct nsc_named_ranges *exclude; /* NULL: none; no launch inside any of these counts */
};

/*
 * Picks at most top kernels by summed time, and of each the shapes with most time: until they cover
 * NSC_LIMIT_NEARLY_ALL of its time, at most NSC_LIMIT_NCU_SHAPES.
 */
void nsc_ncu_picks_build(struct nsc_ncu_picks *out, const struct nsc_scope *scope,
                         const struct nsc_ncu_ask *ask);
void nsc_ncu_picks_fini(struct nsc_ncu_picks *picks);

#endif
