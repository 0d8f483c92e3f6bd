/*
 * Compares iterations of two sides, such as slow ones with the others or late ones with early ones: ranges and kernels by name.
 * Names that differ in numbers are one.
 */
#ifndef NSC_ANALYSIS_SIDES_H
#define NSC_ANALYSIS_SIDES_H

#include "analysis/base/field_sets.h"
#include "analysis/ranges/iteration_stats.h"
#include "core/buf.h"

/*
 * The NVTX range that makes iterations slow; NSC_NONE: none. It runs in nearly all slow ones and in
 * hardly any other, and it, or the work that it launches, takes most of the time by which they are longer: `more`. Of
 * several, the one with most time.
 */
nsc_event nsc_slow_range_find(const struct nsc_iteration_stats *stats,
                              const struct nsc_scope *scope, nsc_time more);

/*
 * What makes late iterations longer than early ones (a drift, a change of level, swings). fields may
 * be NULL.
 */
struct nsc_growth {
    uint32_t early, late; /* an iteration of each side */
    bool is_work;         /* the work grows (finding/work_size.h) */
    struct nsc_buf text; /* how; else the part of the period that makes most of the growth, and what
                             in it grows; empty: not known. The owner frees it. */
};
void nsc_growth_find(struct nsc_growth *out, const struct nsc_iteration_stats *stats,
                     const struct nsc_scope *scope, const struct nsc_field_sets *fields,
                     bool ascii);

#endif
