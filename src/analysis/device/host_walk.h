/*
 * What a thread of the host does in intervals of time that are asked for in ascending order.
 *
 * Naive meaning: at each ns of the interval look at all calls, OS calls, MPI calls, profiler
 * overhead and ranges of the thread that hold it, overhead of its whole process too. The first act
 * of names/host_act.h counts, of equals the one that starts first; the range is the one that starts
 * last. ns next to each other that are alike are one piece.
 *
 * Each row of a thread is read once, however many intervals there are. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_HOST_WALK_H
#define NSC_ANALYSIS_HOST_WALK_H

#include "analysis/base/limit.h"
#include "analysis/names/host_act.h"
#include "core/vec.h"

/* A launch call takes long over both: this, and this many times the median of its name. Of fewer
 * calls than NSC_LONG_LAUNCH_CALLS there is no median. */
#define NSC_LONG_LAUNCH_NS      (1000 * NSC_LIMIT_LONG_LAUNCH)
#define NSC_LONG_LAUNCH_MEDIANS NSC_LIMIT_LONG_LAUNCH_MEDIANS
#define NSC_LONG_LAUNCH_CALLS   NSC_LIMIT_LONG_LAUNCH_CALLS

struct nsc_host_piece {
    nsc_time start, end;
    uint8_t act;      /* enum nsc_host_act */
    nsc_event row;    /* the call; NSC_NONE for NSC_HOST_CPU */
    nsc_event inside; /* the same of the calls in it; NSC_NONE: none */
    nsc_event range;  /* the innermost push/pop range; NSC_NONE: none */
};

struct nsc_host_open { /* a row that touches the interval */
    nsc_time start, end;
    nsc_event row;
    uint8_t act; /* NSC_HOST_CPU: a range */
};

struct nsc_host_thread {
    uint32_t n_lanes; /* of calls and ranges */
    struct nsc_host_cursor {
        nsc_event first, row, end;
        bool is_api;
    } * lanes;
};

struct nsc_host_walk {
    const struct nsc_trace *trace;
    struct nsc_host_thread **threads; /* by track of the thread's group; made when first asked */
    uint32_t n_tracks;
    uint32_t lane; /* of the call asked about last; the next one is most often in it too */
    uint8_t
        *acts[4]; /* by name, of API calls, OS calls, ranges and overhead: the act + 1; 0: new */
    nsc_time *median; /* by name of a launch call, + 1; 0: new */
    NSC_VEC(struct nsc_host_open) rows;
    NSC_VEC(uint32_t) open; /* numbers in rows */
    NSC_VEC(nsc_time) edges;
    NSC_VEC(struct nsc_host_piece) pieces; /* of the last interval: they fill it */
    nsc_event before; /* the last API call of the thread that ends by the interval's start */
};

void nsc_host_walk_init(struct nsc_host_walk *walk, const struct nsc_trace *trace);
void nsc_host_walk_fini(struct nsc_host_walk *walk);
/* The group of the thread that made a call. */
uint32_t nsc_host_walk_thread(struct nsc_host_walk *walk, nsc_event call);
/* Fills pieces and before for [t0, t1) of a thread's group; t0 must not descend for each thread. */
void nsc_host_walk_read(struct nsc_host_walk *walk, uint32_t group, nsc_time t0, nsc_time t1);
/* The act of a call, OS call, MPI call, overhead or range (of these NSC_N_HOST_ACTS too). */
enum nsc_host_act nsc_host_walk_act(struct nsc_host_walk *walk, nsc_event row);

/* Whether a call sleeps until another thread wakes it. */
bool nsc_parked_is(const struct nsc_trace *trace, nsc_event call);
/* The group of the thread that was at work in [t0, t1), a part of the sleep, and hands over at its
 * end; NSC_NONE: none is known. */
uint32_t nsc_parked_find(struct nsc_host_walk *host, nsc_event sleep, nsc_time t0, nsc_time t1);

#endif
