/* Computes idle times: the sums over the gaps of a device, and the causes made of them. */
#ifndef NSC_ANALYSIS_IDLE_DATA_H
#define NSC_ANALYSIS_IDLE_DATA_H

#include "analysis/base/tally.h"
#include "analysis/device/idle.h"
#include "core/vec.h"

struct nsc_idle_group { /* causes with equal names; one per row of the tally */
    struct nsc_idle_cause cause;
    nsc_time longest;
    uint32_t gap; /* number of the gap in in_gap */
    nsc_time in_gap;
    const struct nsc_gap_piece *piece; /* the longest in the gap; ties: the first */
    uint32_t inside;                   /* row of the tally inside that was counted last */
    uint64_t inside_name;              /* its name; 0: none */
};

struct nsc_idle_totals {
    struct nsc_idle *idle;
    struct nsc_gap_walk walk;
    struct nsc_tally tally;
    struct nsc_tally inside;    /* by group and name of the call inside */
    NSC_VEC(nsc_event) inner;   /* one call per name and group */
    struct nsc_tally samples;   /* by group and function; total: number of samples */
    NSC_VEC(nsc_event) sampled; /* one sample each */
    NSC_VEC(struct nsc_idle_group) groups;
    NSC_VEC(uint32_t) touched; /* groups of the current gap */
};

/* The name of a row + 1; 0 for NSC_NONE. */
static inline uint64_t nsc_idle_name(const struct nsc_idle_totals *totals, nsc_event row)
{
    return row == NSC_NONE ? 0
                           : (uint64_t)nsc_trace_events(totals->walk.scope->trace)->name[row] + 1;
}

/* Makes causes and ranges of the groups, in which names that differ only in numbers are one. */
void nsc_idle_fold(struct nsc_idle_totals *totals);

#endif
