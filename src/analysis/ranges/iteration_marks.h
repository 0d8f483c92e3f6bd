/*
 * The outermost recurring ranges of an NVTX track, with the GPU work that each launches: the
 * candidates for iterations. Only for the files named iteration*.c.
 */
#ifndef NSC_ANALYSIS_ITERATION_MARKS_H
#define NSC_ANALYSIS_ITERATION_MARKS_H

#include "analysis/ranges/iteration_search.h"

struct nsc_mark {  /* a range, or work between two ranges */
    nsc_event row; /* NSC_NONE: launches outside of ranges */
    uint32_t lane;
    nsc_time start;
    nsc_str pattern;
    nsc_time weight; /* ns of GPU work that it launches; its own ns if search->by_time */
    bool works;      /* it launches work */
};

struct nsc_mark_tally { /* counts of a pattern */
    uint32_t n;
    nsc_time weight;
    bool usual;        /* part of a usual iteration */
    uint32_t last, in; /* last iteration with it, and number of iterations with it */
};

struct nsc_mark_list {
    struct nsc_iteration_search *search;
    const struct nsc_search_process *process;
    uint32_t track, group;
    bool takes_all; /* work of other threads of the process counts as well */
    NSC_VEC(struct nsc_mark) marks;
    struct nsc_mark_tally *tallies; /* by pattern, with one more entry for work outside of ranges */
    uint32_t n_patterns;
    nsc_time whole; /* ns: the total weight */
};

/* Fills the list of a track: its outermost ranges, without those that wrap all others. */
void nsc_marks_gather(struct nsc_mark_list *ranges);
/* Fills the list with all ranges of one lane. */
void nsc_marks_of_lane(struct nsc_mark_list *ranges, uint32_t lane);
/* Whether ranges of a pattern overlap each other, as requests served in parallel do. */
bool nsc_marks_overlap(const struct nsc_mark_list *ranges, nsc_str pattern);
/* The work in [t0, t1) of evaluations and checkpoints that are not a usual part of iterations. */
nsc_time nsc_marks_aside(const struct nsc_mark_list *ranges, nsc_time t0, nsc_time t1);
void nsc_marks_fini(struct nsc_mark_list *ranges);

/* The work that the thread launches under no range, from the end of the marks [first, next) to the start
 * of the mark next. */
struct nsc_gpu_figures nsc_marks_unmarked(const struct nsc_mark_list *ranges, size_t first,
                                          size_t next);

#endif
