/*
 * Compares two recordings: first whether they are comparable, then what changed in an iteration.
 *
 * The verdict follows the mean period of the iterations, because a job's throughput does: rare long
 * iterations count. Kinds of iterations that both have are compared with each other, so that a
 * different mix of kinds is no change. The median is shown as evidence. If neither has iterations,
 * the comparison uses the kernels (or ranges, if neither has GPU work) that both run equally often,
 * if they take most of the time. Sums of kernels and ranges are divided by the number of
 * iterations. A plain value; the recordings are borrowed.
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
    NSC_DIFF_ITERATIONS, /* both have iterations of the same name */
    NSC_DIFF_LAUNCHES,   /* equally many kernels per iteration */
    NSC_DIFF_NAMES,      /* share of kernel time whose names occur in both */
    NSC_DIFF_GRIDS,      /* share of these, by time or name, with equally many blocks */
    NSC_N_DIFF_CHECKS
};

enum nsc_diff_verdict {
    NSC_DIFF_SAME,   /* within the noise floor */
    NSC_DIFF_SLOWER, /* beyond the noise, within the gate */
    NSC_DIFF_FASTER,
    NSC_DIFF_REGRESSION, /* the gate or more */
    NSC_DIFF_IMPROVEMENT,
    NSC_DIFF_INCONCLUSIVE /* not comparable, or a's mean period is 0 ns */
};

/* "no change", "slower", "faster", "regression", "improvement", "inconclusive". */
const char *nsc_diff_word(enum nsc_diff_verdict verdict);

struct nsc_diff {
    const struct nsc_recording *a, *b;
    double factor[NSC_N_DIFF_CHECKS];  /* 0 to 1: the confidence left after each check */
    double confidence;                 /* their product */
    double change;                     /* change of the mean period, in % of a */
    double of_median;                  /* change of the median period, in % of a */
    double shared;                     /* without iterations: share of the time that the comparison
                                       * covers */
    bool by_kind;                      /* kinds are compared with each other */
    uint8_t kinds[2][NSC_LIMIT_KINDS]; /* kinds of a and b, in matching order */
    double mean[2];                    /* ns: the compared mean periods */
    const char *why;                   /* reason why there is no verdict; NULL: there is one */
    double noise;                      /* in % of a: a smaller change is no change */
    double gate;                       /* in % of a */
    enum nsc_diff_verdict verdict;
};

#define NSC_DIFF_NOISE \
    ((double)NSC_LIMIT_DIFF_NOISE) /* %: lower limit of the noise; else twice the error of the
                                    * medians */

/* anyway: also compares different GPUs and grids. */
void nsc_diff_measure(struct nsc_diff *out, const struct nsc_recording *a,
                      const struct nsc_recording *b, double gate, bool anyway);
/* The weight of the k-th kind of kinds[] if kinds are compared: how often both have it. */
double nsc_diff_weight(const struct nsc_diff *diff, uint32_t k);
/* Maps each group of run to the group of other with the same name, or to NSC_NONE. Free it with
 * free(). */
uint32_t *nsc_diff_match(const struct nsc_recording *run, const struct nsc_recording_groups *groups,
                         const struct nsc_recording *other,
                         const struct nsc_recording_groups *others);
/* Adds the sheets "verdict", "waterfall", "comparability", "iterations", "families", "kernels" and "ranges";
 * the waterfall and the latter three with at most limit rows each (0: all). */
void nsc_diff_sheets(struct nsc_sheets *out, const struct nsc_diff *diff, uint32_t limit);

/* Compares the first two recordings of a trace; B's window is on A's axis. */
NSC_NODISCARD enum nsc_status nsc_diff_of_trace(struct nsc_sheets *out,
                                                const struct nsc_trace *trace, uint32_t limit,
                                                struct nsc_error *error);

#endif
