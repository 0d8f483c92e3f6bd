/*
 * The outermost ranges of an NVTX track that recur, with the GPU work that each launches: what
 * iterations are made of. For the files named iteration*.c only.
 */
#ifndef NSC_ANALYSIS_ITERATION_MARKS_H
#define NSC_ANALYSIS_ITERATION_MARKS_H

#include "analysis/ranges/iteration_search.h"

struct nsc_mark {  /* a range, or work between two ranges */
    nsc_event row; /* NSC_NONE: launches under no range */
    uint32_t lane;
    nsc_time start;
    nsc_str pattern;
    nsc_time weight; /* ns of GPU work that it launches; of its own time if search->by_time */
    bool works;      /* it launches something */
};

struct nsc_mark_tally { /* of a pattern */
    uint32_t n;
    nsc_time weight;
    bool usual;        /* part of the usual iteration */
    uint32_t last, in; /* the last iteration with it, and how many have it */
};

struct nsc_mark_list {
    struct nsc_iteration_search *search;
    const struct nsc_search_process *process;
    uint32_t track, group;
    bool takes_all; /* work of other threads of the process counts as well */
    NSC_VEC(struct nsc_mark) marks;
    struct nsc_mark_tally *tallies; /* by pattern, and one more for work under no range */
    uint32_t n_patterns;
    nsc_time whole; /* ns: the weight that counts as all */
};

/* Fills the list of a track: its outermost ranges, without those that wrap the others once. */
void nsc_marks_gather(struct nsc_mark_list *ranges);
/* Fills the list with all ranges of one lane. */
void nsc_marks_of_lane(struct nsc_mark_list *ranges, uint32_t lane);
/* Counts the ranges again by pattern. */
void nsc_marks_tally(struct nsc_mark_list *ranges);
/* Whether ranges of a pattern overlap each other: requests that are served at once. */
bool nsc_marks_overlap(const struct nsc_mark_list *ranges, nsc_str pattern);
/* The work of evaluations and checkpoints that are no usual part of iterations, in [t0, t1). */
nsc_time nsc_marks_aside(const struct nsc_mark_list *ranges, nsc_time t0, nsc_time t1);
void nsc_marks_fini(struct nsc_mark_list *ranges);

#endif
