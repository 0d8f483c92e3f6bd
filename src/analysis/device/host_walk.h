/*
 * What a thread of the host does in intervals of time that are asked for in ascending order: which
 * kind of call it is in, and its innermost range.
 *
 * Each row of the thread is read once, however many intervals there are. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_HOST_WALK_H
#define NSC_ANALYSIS_HOST_WALK_H

#include "analysis/base/around.h"
#include "analysis/names/call_class.h"
#include "core/vec.h"

enum nsc_host_state {
    NSC_HOST_SYNC, /* the first that holds counts */
    NSC_HOST_BLOCKING_COPY,
    NSC_HOST_CUDA,
    NSC_HOST_OS_WAIT,
    NSC_HOST_UNTRACED,
    NSC_N_HOST_STATES
};

struct nsc_host_thread {
    uint32_t n_lanes; /* of CUDA API and OS calls */
    struct nsc_host_cursor {
        nsc_event row, end;
    } * lanes;
    uint32_t n_ranges; /* NVTX tracks */
    struct nsc_around *ranges;
};

struct nsc_host_piece {
    nsc_time start, end;
    uint8_t state;
};

struct nsc_host_walk {
    const struct nsc_trace *trace;
    struct nsc_call_classes classes;
    struct nsc_host_thread **threads; /* by track of the thread's group; made when first asked */
    uint32_t n_tracks;
    uint32_t lane; /* of the call asked about last; the next one is most often in it too */
    NSC_VEC(struct nsc_host_piece) pieces;
};

void nsc_host_walk_init(struct nsc_host_walk *walk, const struct nsc_trace *trace);
void nsc_host_walk_fini(struct nsc_host_walk *walk);
/*
 * Adds to spent the ns that the thread of this call is in each state in [t0, t1); they add up to
 * t1 - t0. For each thread, intervals must be asked for in ascending order of t0.
 */
void nsc_host_walk_add(struct nsc_host_walk *walk, nsc_event call, nsc_time t0, nsc_time t1,
                       nsc_time spent[NSC_N_HOST_STATES]);
/* The innermost range of the call's thread around t; of several domains, the one that starts last;
 * NSC_NONE: none. For each thread, t must not descend. */
nsc_event nsc_host_walk_range(struct nsc_host_walk *walk, nsc_event call, nsc_time t);

#endif
