/*
 * How long a device is idle, in how many gaps, and what the gaps wait for: the totals of
 * analysis/device/gaps.h.
 *
 * The owner calls fini. busy + idle is the window; the parts add up to idle.
 */
#ifndef NSC_ANALYSIS_IDLE_H
#define NSC_ANALYSIS_IDLE_H

#include "analysis/device/gaps.h"

#define NSC_IDLE_LONGEST 20 /* gaps that are kept */
#define NSC_IDLE_SIZES   4  /* below 10 us, 100 us, 1 ms; the rest */

struct nsc_idle_range { /* CPU-late idle time under an NVTX range of that name */
    nsc_event like;     /* one of the ranges; NSC_NONE: under none */
    nsc_time late;
    uint32_t gaps;
};

struct nsc_idle {
    uint32_t device;
    struct nsc_window window;
    nsc_time busy, idle;
    uint32_t n_gaps;
    uint32_t sizes[NSC_IDLE_SIZES]; /* gaps by length */
    nsc_time part[NSC_N_GAP_PARTS];
    uint32_t n_longest; /* the longest first, of equals the earlier */
    struct nsc_gap longest[NSC_IDLE_LONGEST];
    uint32_t n_ranges; /* by late, the greatest first */
    struct nsc_idle_range *ranges;
    bool is_kept; /* by the scope's store (analysis/base/shared.h), which frees it */
};

/* False, and nothing to free, when the device has no work in the scope. */
bool nsc_idle_build(struct nsc_idle *out, const struct nsc_scope *scope, uint32_t device);
void nsc_idle_fini(struct nsc_idle *idle);
/* CPU-late time in all. */
nsc_time nsc_idle_late(const struct nsc_idle *idle);

extern const struct nsc_rider nsc_idle_rider;

#endif
