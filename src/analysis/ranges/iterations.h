/*
 * Iterations: the windows of an NVTX range that recurs at a steady beat and covers most of the GPU
 * work.
 *
 * The owner calls fini. All iterations have one name, apart from numbers, and lie in one lane, so
 * they never overlap.
 */
#ifndef NSC_ANALYSIS_ITERATIONS_H
#define NSC_ANALYSIS_ITERATIONS_H

#include "nsyscope/trace.h"

#define NSC_ITERATIONS_DEPTHS 2 /* outermost depths of a thread that are searched */
#define NSC_ITERATIONS_LEAST  3 /* ranges of one name, to recur */
#define NSC_ITERATIONS_LABEL  96

struct nsc_iterations {
    uint32_t n;       /* 0: none found */
    nsc_event *event; /* in order of time */
    uint32_t lane;
    char label[NSC_ITERATIONS_LABEL];   /* the name, "#" for its numbers; raw bytes, cut */
    nsc_time shortest, median, longest; /* median: for an even count the lower one in the middle */
    uint32_t other_n; /* how many ranges another name marks that fits as well; 0: none does */
    char other[NSC_ITERATIONS_LABEL];
};

/*
 * Finds the iterations: at least three ranges of one name in a lane of the two outermost depths.
 * Three quarters of the distances between their starts are usual (half to twice the median), and
 * together they cover at least half of the time from first to last op. Among several such names one
 * like an iteration or a step wins, then the one that covers most. False if there is none.
 */
bool nsc_iterations_find(struct nsc_iterations *out, const struct nsc_trace *trace);
/*
 * Takes the ranges whose name contains text, in any case ("#" stands for a number), at any depth
 * and beat: the name and lane that cover most. False if there is none.
 */
bool nsc_iterations_named(struct nsc_iterations *out, const struct nsc_trace *trace,
                          struct nsc_text text);
void nsc_iterations_fini(struct nsc_iterations *iterations);

/* The last iteration that starts at t or before; NSC_NONE before the first. */
uint32_t nsc_iterations_at(const struct nsc_iterations *iterations, const struct nsc_trace *trace,
                           nsc_time t);
struct nsc_window nsc_iterations_window(const struct nsc_iterations *iterations,
                                        const struct nsc_trace *trace, uint32_t i);

#endif
