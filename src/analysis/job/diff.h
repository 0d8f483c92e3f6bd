/*
 * Compares two recordings: first whether they are comparable, then what changed in an iteration.
 *
 * Decides by the mean period of the iterations, which is what a job's throughput follows: rare long
 * iterations count. Kinds of iterations that both have are compared with each other, so that another
 * mix of them is no change. The median stands beside it as evidence. Without iterations in either, the
 * kernels (ranges, where neither has GPU work) that both run equally often are compared, if they are
 * most of the time. Sums of kernels and ranges are divided by the number of iterations. A plain value; the recordings are borrowed.
 */
#ifndef NSC_ANALYSIS_DIFF_H
#define NSC_ANALYSIS_DIFF_H

#include "analysis/base/limit.h"
#include "analysis/job/recording.h"
#include "core/sheet.h"

enum nsc_diff_check {
    NSC_DIFF_VERSION,    /* of nsys */
    NSC_DIFF_DEVICES,    /* models and number */
    NSC_DIFF_PROCESSES,  /* that do GPU work */
    NSC_DIFF_ITERATIONS, /* found in both, of the same name */
    NSC_DIFF_LAUNCHES,   /* kernels an iteration: as many */
    NSC_DIFF_NAMES,      /* the share of kernel time whose names occur in both */
    NSC_N_DIFF_CHECKS
};

enum nsc_diff_verdict {
    NSC_DIFF_SAME,   /* within the noise floor */
    NSC_DIFF_SLOWER, /* more than noise, less than the gate */
    NSC_DIFF_FASTER,
    NSC_DIFF_REGRESSION, /* the gate or more */
    NSC_DIFF_IMPROVEMENT,
    NSC_DIFF_INCONCLUSIVE /* not comparable, or a's mean period is 0 ns */
};

/* "no change", "slower", "faster", "regression", "improvement", "inconclusive". */
const char *nsc_diff_word(enum nsc_diff_verdict verdict);

struct nsc_diff {
    const struct nsc_recording *a, *b;
    double factor[NSC_N_DIFF_CHECKS]; /* 0 to 1: the confidence that each check leaves */
    double confidence;                /* their product */
    double change;                    /* of the mean period, in % of a */
    double of_median;                 /* change of the median period, in % of a */
    double shared;                    /* without iterations: share of the time that is compared */
    bool by_kind;                     /* kinds are compared with each other */
    uint8_t kinds[2][NSC_ITERATIONS_KINDS]; /* of a and b, in the order in which they match */
    double mean[2];                         /* ns: the mean periods that are compared */
    const char *why;                        /* why there is no verdict; NULL: there is one */
    double noise;                           /* in % of a: below it is no change */
    double gate;                            /* in % of a */
    enum nsc_diff_verdict verdict;
};

#define NSC_DIFF_GATE   ((double)NSC_LIMIT_DIFF_GATE)   /* %: without one given */
#define NSC_DIFF_TRUST  (NSC_LIMIT_DIFF_TRUST / 100.0)  /* confidence */
#define NSC_DIFF_SHARED (NSC_LIMIT_DIFF_SHARED / 100.0) /* of the time at equal counts */
#define NSC_DIFF_NOISE \
    ((double)NSC_LIMIT_DIFF_NOISE) /* %: at least; else twice the error of the medians */

/* anyway: compare other GPUs too. */
void nsc_diff_measure(struct nsc_diff *out, const struct nsc_recording *a,
                      const struct nsc_recording *b, double gate, bool anyway);
/* How much the k-th kind of kinds[] counts where kinds are compared: how often both have it. */
double nsc_diff_weight(const struct nsc_diff *diff, uint32_t k);
/* For each group of run: the group of other with the same name, or NSC_NONE. The caller frees
 * it. */
uint32_t *nsc_diff_match(const struct nsc_recording *run, const struct nsc_recording_groups *groups,
                         const struct nsc_recording *other,
                         const struct nsc_recording_groups *others);
/* The sheets "verdict", "waterfall", "comparability", "iterations", "kernels" and "ranges", limit
 * rows of the waterfall and each of the latter two (0: all). */
void nsc_diff_sheets(struct nsc_sheets *out, const struct nsc_diff *diff, uint32_t limit);

/* The same of the first two recordings of a trace; B's window is on A's axis. */
NSC_NODISCARD enum nsc_status nsc_diff_of_trace(struct nsc_sheets *out,
                                                const struct nsc_trace *trace, uint32_t limit,
                                                struct nsc_error *error);

#endif
