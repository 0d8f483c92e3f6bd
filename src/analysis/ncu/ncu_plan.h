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
 * matches. skip counts likewise: earlier launches of that short name in the same process and, if
 * ranges are given, inside any of them.
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

/*
 * Picks at most top kernels (short names) by summed time, and of each the shapes with most time:
 * until they cover NSC_LIMIT_NCU_COVERED of its time, at most NSC_LIMIT_NCU_SHAPES. shapes NULL: a
 * kernel is one pick. ranges NULL: picks from the scope's window. Otherwise picks from the kernels
 * launched inside range number `index`, on its thread, whenever they run.
 */
void nsc_ncu_picks_build(struct nsc_ncu_picks *out, const struct nsc_scope *scope, uint32_t top,
                         const struct nsc_ncu_shapes *shapes, const struct nsc_named_ranges *ranges,
                         uint32_t index);
void nsc_ncu_picks_fini(struct nsc_ncu_picks *picks);

#endif
