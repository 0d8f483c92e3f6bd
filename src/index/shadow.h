/*
 * A trace of intervals that represent events of another trace: the same names and texts at other
 * times, so that the same functions work on both.
 *
 * It borrows names and texts from its base, which must outlive it. It has lanes and a summary, but
 * no tracks, covers or counters. About 26 bytes a row.
 */
#ifndef NSC_INDEX_SHADOW_H
#define NSC_INDEX_SHADOW_H

#include "nsyscope/trace.h"

struct nsc_shadow {
    struct nsc_window at;
    nsc_event event; /* row of the base; becomes source[] of the shadow's row */
};

/* Row i is rows[i]. Lane k holds rows [ends[k - 1], ends[k]), which ascend and never overlap. NULL
 * if out of memory. */
struct nsc_trace *nsc_shadow_new(const struct nsc_trace *base, const struct nsc_shadow rows[],
                                 uint32_t n, const uint32_t ends[], uint32_t n_lanes);
void nsc_shadow_free(struct nsc_trace *shadow); /* NULL is fine */

#endif
