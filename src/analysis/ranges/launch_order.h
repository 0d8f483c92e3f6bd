/* The order in which threads launch ops. For launches.c, which defines positions. */
#ifndef NSC_ANALYSIS_LAUNCH_ORDER_H
#define NSC_ANALYSIS_LAUNCH_ORDER_H

#include "analysis/ranges/launches.h"

struct nsc_launch_order {
    uint32_t
        *op; /* by position; pages of n * sizeof *op bytes, owned by the caller; NULL: n is 0 */
    uint32_t n;
    struct nsc_positions *of_group; /* by track; owned by the caller, all empty before */
};

/* Orders the ops that mask selects (NULL: all) and that have a known call: by group, start of the
 * call, track, row. Sets op and n, and fills of_group. False if out of memory, or stopped. */
bool nsc_launch_order_build(struct nsc_launch_order *out, const struct nsc_trace *trace,
                            const uint64_t *mask, struct nsc_progress *stop);

#endif
