/*
 * Which launches are worth a look in Nsight Compute: the kernels that take most of a scope, each
 * launch shape by itself, and for each the launch of median length and its number in launch order.
 */
#ifndef NSC_ANALYSIS_NCU_PLAN_H
#define NSC_ANALYSIS_NCU_PLAN_H

#include "analysis/base/scope.h"
#include "analysis/ncu/ncu_shape.h"
#include "analysis/ranges/named_range.h"
#include "core/vec.h"

/*
 * A kernel to profile. Nsight Compute counts launches by the name it matches, the short one, in
 * each process by itself; so does skip: the launches of that short name in the launch's process
 * that were started before it, and where ranges are given inside any of them.
 */
struct nsc_ncu_pick {
    nsc_name name;    /* its short name is what ncu matches */
    nsc_event like;   /* the launch of median duration in the scope */
    uint64_t process; /* of that launch */
    uint32_t shape;   /* number in the shapes; NSC_NONE: not known */
    uint32_t calls;   /* in the scope, of this short name and shape */
    nsc_time total;   /* their durations, added; saturating */
    nsc_time kernel;  /* the same of all shapes of this short name */
    uint32_t skip;
};

struct nsc_ncu_picks {
    NSC_VEC(struct nsc_ncu_pick) list; /* the longest kernel first, of a kernel the longest shape */
    nsc_time all;                      /* summed kernel time of the scope */
};

/*
 * At most top kernels (short names) by summed time; of each the shapes that take most of it, until
 * NSC_LIMIT_NCU_COVERED of its time is covered, at most NSC_LIMIT_NCU_SHAPES. shapes NULL: a kernel is one pick. ranges NULL: of the
 * scope's window. Else of what was launched inside the range number `index` of them, on its thread,
 * whenever it runs.
 */
void nsc_ncu_picks_build(struct nsc_ncu_picks *out, const struct nsc_scope *scope, uint32_t top,
                         const struct nsc_ncu_shapes *shapes, const struct nsc_named_ranges *ranges,
                         uint32_t index);
void nsc_ncu_picks_fini(struct nsc_ncu_picks *picks);

#endif
