/*
 * Measures iterations: their time, and the activity of GPUs in them (docs/analyses/device-time.md).
 *
 * They are those of analysis/ranges/iterations.h, with their warm-up, kinds and slow ones. GPU
 * figures are unions clipped to the iteration's window without its interludes, added over the GPUs
 * on which the processes of the iterations work. The statistics leave the warm-up out.
 */
#ifndef NSC_ANALYSIS_ITERATION_STATS_H
#define NSC_ANALYSIS_ITERATION_STATS_H

#include "analysis/base/scope.h"
#include "analysis/ranges/iterations.h"

enum nsc_iteration_figure {
    NSC_ITERATION_DURATION, /* the period */
    NSC_ITERATION_BUSY,
    NSC_ITERATION_IDLE,
    NSC_ITERATION_COMPUTE,
    NSC_ITERATION_COMM,
    NSC_ITERATION_OVERLAP,
    NSC_ITERATION_EXPOSED,
    NSC_N_ITERATION_FIGURES
};

/* "period", "GPU busy", ... */
const char *nsc_iteration_figure_word(enum nsc_iteration_figure figure);

struct nsc_iteration_spread { /* a figure over the counted iterations; ns */
    nsc_time median, min, max, p95;
    nsc_time mad; /* median absolute deviation from the median */
    double mean;
    double deviation; /* standard deviation with n - 1; 0 for one value */
};

struct nsc_iteration_stats {
    struct nsc_iterations iterations; /* n 0: none found */
    uint32_t first, n;                /* those inside the scope's window */
    uint32_t n_counted, n_slow;       /* without warm-up; slow ones */
    uint32_t n_devices;
    nsc_time *values; /* n rows of NSC_N_ITERATION_FIGURES values */
    struct nsc_iteration_spread spread[NSC_N_ITERATION_FIGURES];
    bool is_kept; /* owned by a store of answers */
};

/* marker: the name of the range, "#" for numbers; empty: detect it. False if out of memory. The
 * owner always calls fini. */
bool nsc_iteration_stats_build(struct nsc_iteration_stats *out, const struct nsc_scope *scope,
                               struct nsc_text marker);
void nsc_iteration_stats_fini(struct nsc_iteration_stats *stats);
/* Of row i, i < n. */
bool nsc_iteration_is_warm_up(const struct nsc_iteration_stats *stats, uint32_t i);
bool nsc_iteration_is_slow(const struct nsc_iteration_stats *stats, uint32_t i);
/* Parts of the GPU time of row i; they add up to it. */
enum { NSC_ITERATION_PART_IDLE, NSC_ITERATION_PART_COMPUTE, NSC_N_ITERATION_PARTS = 4 };
nsc_time nsc_iteration_part(const struct nsc_iteration_stats *stats, uint32_t i, unsigned part);
const char *nsc_iteration_part_word(unsigned part);
nsc_time nsc_iteration_idle(const struct nsc_iteration_stats *stats, uint32_t i);

#endif
