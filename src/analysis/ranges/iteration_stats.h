/*
 * Measures iterations: how long each takes, what the GPUs do in it, and which are slow
 * (docs/analyses/device-time.md).
 *
 * An iteration is a window of CPU time, that of a recurring NVTX range
 * (analysis/ranges/iterations.h): queued ops may run in the next iteration. GPU figures are unions
 * clipped to the window, added over the GPUs on which the range's process works. With more than
 * three iterations the first is warm-up and not in the statistics. Slow: longer than the median
 * plus three times the median absolute deviation.
 */
#ifndef NSC_ANALYSIS_ITERATION_STATS_H
#define NSC_ANALYSIS_ITERATION_STATS_H

#include "analysis/base/scope.h"
#include "analysis/ranges/iterations.h"

enum nsc_iteration_figure {
    NSC_ITERATION_DURATION,
    NSC_ITERATION_BUSY,
    NSC_ITERATION_IDLE,
    NSC_ITERATION_COMPUTE,
    NSC_ITERATION_COMM,
    NSC_ITERATION_OVERLAP,
    NSC_ITERATION_EXPOSED,
    NSC_N_ITERATION_FIGURES
};

/* "duration", "GPU busy", ... */
const char *nsc_iteration_figure_word(enum nsc_iteration_figure figure);

struct nsc_iteration_spread { /* a figure over the iterations that count; ns */
    nsc_time median, min, max, p95;
    nsc_time mad; /* median absolute deviation from the median */
    double mean;
    double deviation; /* n - 1; 0 for one */
};

struct nsc_iteration_stats {
    struct nsc_iterations iterations; /* n 0: none found */
    uint32_t first, n;                /* those inside the scope's window */
    uint32_t n_counted, n_slow;       /* of these: without warm-up; slow ones */
    uint32_t n_devices;
    nsc_time *values; /* n rows of NSC_N_ITERATION_FIGURES */
    struct nsc_iteration_spread spread[NSC_N_ITERATION_FIGURES];
    nsc_time slow_above; /* ns */
};

/* marker: the name of the range, "#" for numbers; empty: detect it. False if out of memory; the
 * owner calls fini in any case. */
bool nsc_iteration_stats_build(struct nsc_iteration_stats *out, const struct nsc_scope *scope,
                               struct nsc_text marker);
void nsc_iteration_stats_fini(struct nsc_iteration_stats *stats);
/* Of row i, i < n. */
bool nsc_iteration_is_warm_up(const struct nsc_iteration_stats *stats, uint32_t i);
bool nsc_iteration_is_slow(const struct nsc_iteration_stats *stats, uint32_t i);

#endif
