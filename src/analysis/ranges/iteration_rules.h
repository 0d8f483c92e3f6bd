/*
 * The thresholds by which iterations are found and judged, each with its meaning. No other file
 * has a threshold of iterations.
 */
#ifndef NSC_ANALYSIS_ITERATION_RULES_H
#define NSC_ANALYSIS_ITERATION_RULES_H

/* ---- finding ---- */
#define NSC_ITERATIONS_LEAST          3    /* repetitions, to be iterations at all */
#define NSC_ITERATIONS_LEAST_LAUNCHES 4    /* the same without ranges */
#define NSC_ITERATIONS_DEPTHS         8    /* outermost depths of ranges that are searched */
#define NSC_ITERATIONS_COVERAGE       0.5  /* share of a process's GPU time that they must launch */
#define NSC_ITERATIONS_LOOP           0.2  /* the same where ranges that come once have the rest */
#define NSC_ITERATIONS_USUAL          0.85 /* share of repetitions that must be alike */
#define NSC_ITERATIONS_MOST           0.7 /* share of repetitions with the range that does nearly all */
#define NSC_ITERATIONS_TRUST          0.6 /* confidence below which the answer is withheld */
#define NSC_ITERATIONS_EXTRA          0.25 /* what sets a border apart, as a share of the usual part */
#define NSC_ITERATIONS_SAME           0.97 /* in common: a step with a few launches more, as for a log */
#define NSC_ITERATIONS_LAYERS         256 /* most parts of one iteration: layers, micro-batches */
#define NSC_ITERATIONS_DRIVER         0.3 /* share of the work of a thread that drives, not loads */
#define NSC_ITERATIONS_WAITED         0.9 /* share of others' work for which a driver waits */
#define NSC_ITERATIONS_AHEAD          0.5 /* periods that GPU work ends after its own: the host is ahead */

#define NSC_ITERATIONS_PAUSE \
    0.5 /* of the longest pause of the host: where an iteration may begin */

#define NSC_ITERATIONS_BACKLOG 0.25 /* periods of work that are left when the host is done */

/* ---- kinds ---- */
#define NSC_ITERATIONS_KINDS      4    /* most kinds */
#define NSC_ITERATIONS_UNLIKE     0.5  /* share of launches in common, below which kinds differ */
#define NSC_ITERATIONS_KIND_SHARE 0.2  /* share of iterations that a kind by length has */
#define NSC_ITERATIONS_KIND_GAP   1.25 /* factor between the lengths of two kinds */

/* ---- warm-up ---- */
#define NSC_ITERATIONS_SETTLED     3    /* in a row near the median end the warm-up */
#define NSC_ITERATIONS_NEAR        0.10 /* near: within this share of the median, or 3 MAD */
#define NSC_ITERATIONS_NEAR_MADS   3
#define NSC_ITERATIONS_MOST_WARMUP 5 /* at most one in so many */

/* ---- slow ---- */
#define NSC_ITERATIONS_SLOW_LEAST 8 /* iterations of a kind, to ask which are slow */
#define NSC_ITERATIONS_SLOW_MADS  3
#define NSC_ITERATIONS_SLOW_SHARE 0.05 /* and longer than the median by this share */

/* ---- a change of level ---- */
#define NSC_ITERATIONS_LEVEL_LEAST 5    /* iterations on either side */
#define NSC_ITERATIONS_LEVEL_SHARE 0.05 /* of the median before it */
#define NSC_ITERATIONS_LEVEL_SIDES 0.85 /* share of each side that lies on its side of the middle */

#endif
