/*
 * Iterations: the windows of an NVTX range that recurs through the work (DEFINITIONS: a recurring
 * name with a steady beat that covers most of it).
 *
 * The owner calls fini. The anchor is one name on one lane, whatever the numbers in it, so
 * iterations never overlap.
 */
#ifndef NSC_ANALYSIS_ITERATIONS_H
#define NSC_ANALYSIS_ITERATIONS_H

#include "nsyscope/trace.h"

#define NSC_ITERATIONS_DEPTHS 2 /* outermost ranges of a thread that are looked at */
#define NSC_ITERATIONS_LEAST  3 /* of a name, for it to recur */
#define NSC_ITERATIONS_LABEL  96

struct nsc_iterations {
    uint32_t n;       /* 0: none were found */
    nsc_event *event; /* in order of time */
    uint32_t lane;
    char label[NSC_ITERATIONS_LABEL];   /* the name, "#" for its numbers; raw bytes, cut */
    nsc_time shortest, median, longest; /* median: of an even count the lower one in the middle */
    uint32_t other_n; /* how many ranges another name marks that would do as well; 0: all agree */
    char other[NSC_ITERATIONS_LABEL];
};

/*
 * Finds them: at least three ranges of one name in a lane of the two outermost depths, three
 * quarters of whose starts are as far apart as usual (half to twice the median), together at least
 * half of the time from first to last GPU work. Of several the one named like an iteration or a
 * step, then the one that covers most. False when there is none.
 */
bool nsc_iterations_detect(struct nsc_iterations *out, const struct nsc_trace *trace);
/*
 * Those whose name holds text, in any case ("#" stands for a number), at any depth and with any
 * beat: the name and lane that cover most. False when there is none.
 */
bool nsc_iterations_named(struct nsc_iterations *out, const struct nsc_trace *trace,
                          struct nsc_text text);
void nsc_iterations_fini(struct nsc_iterations *iterations);

/* The last one that starts at t or before; NSC_NONE before the first. */
uint32_t nsc_iterations_at(const struct nsc_iterations *iterations, const struct nsc_trace *trace,
                           nsc_time t);
struct nsc_window nsc_iterations_window(const struct nsc_iterations *iterations,
                                        const struct nsc_trace *trace, uint32_t i);

#endif
