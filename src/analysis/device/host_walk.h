/*
 * What a host thread does in intervals of time, which must be read in ascending order.
 *
 * Naive meaning: at each ns of the interval, take all calls, OS calls, MPI calls and ranges of the
 * thread that contain it, and the profiler's overhead in the thread or its whole process. The first
 * act of names/host_act.h counts; ties: the one that starts first. The range is the one that starts
 * last. Adjacent ns with equal answers form one piece.
 *
 * Each row of a thread is read once, however many intervals there are. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_HOST_WALK_H
#define NSC_ANALYSIS_HOST_WALK_H

#include "analysis/base/limit.h"
#include "analysis/base/scope.h"
#include "analysis/names/host_act.h"
#include "core/sparse.h"
#include "core/vec.h"

/* A launch call is long if it takes more than this, and more than this many medians of the calls of
 * its name. With fewer than NSC_LIMIT_FEW calls there is no median. */
#define NSC_LONG_LAUNCH_NS (1000 * NSC_LIMIT_LAUNCH_BETWEEN)

/* While more calls of a thread overlap, none is looked for inside another: good exports have few. */
#ifdef NSC_SMALL
#define NSC_HOST_INSIDE 3
#else
#define NSC_HOST_INSIDE 100
#endif

/* Nobody reads the threads of exports with more GPUs each: for each GPU one would read all calls, and
 * no export of a real system has so many. */
#ifdef NSC_SMALL
#define NSC_HOST_GPUS 8
#else
#define NSC_HOST_GPUS 128
#endif

struct nsc_host_piece {
    nsc_time start, end;
    uint8_t act;      /* enum nsc_host_act */
    nsc_event row;    /* the call; NSC_NONE for NSC_HOST_CPU */
    nsc_event inside; /* outermost call inside it; NSC_NONE: none */
    nsc_event range;  /* the innermost push/pop range; NSC_NONE: none */
};

struct nsc_host_pieces { /* as NSC_VEC */
    struct nsc_host_piece *at;
    size_t n, capacity;
};

struct nsc_host_open { /* a row at some time of the interval */
    nsc_time end;
    nsc_event row;
    uint32_t lane; /* of the thread */
    uint8_t act;   /* NSC_HOST_CPU: a range */
};

struct nsc_host_opens { /* a heap; as NSC_VEC */
    struct nsc_host_open *at;
    size_t n, capacity;
};

struct nsc_host_next { /* a lane, and its next row in the interval */
    nsc_time start;
    nsc_event row;
    uint32_t lane; /* of the thread */
};

struct nsc_host_cursor {  /* of a lane */
    nsc_time start, stop; /* times of row; INT64_MAX: no row is left */
    nsc_event first, row, end;
    uint32_t number;
    bool is_api, is_span; /* calls; start/end ranges, which count only if they are no place */
};

struct nsc_host_thread {
    NSC_VEC(struct nsc_host_cursor) lanes; /* of calls and ranges */
};

struct nsc_host_peer { /* a thread of the process in which a thread slept last */
    uint32_t group;
    struct nsc_window quiet; /* no row of calls or ranges begins or ends inside */
    struct nsc_window sleep; /* a wait for another thread; empty: none is known */
};

struct nsc_host_walk {
    const struct nsc_trace *trace;
    const struct nsc_scope *scope; /* its store keeps the medians */
    bool is_barred;                /* the exports have more than NSC_HOST_GPUS each: do not read */
    struct nsc_sparse threads;     /* struct nsc_host_thread *, by track of the thread's group */
    NSC_VEC(struct nsc_host_thread *) used;
    uint32_t lane; /* lane of the last call looked up; the next is probably in it too */
    NSC_VEC(struct nsc_host_peer) peers;
    struct nsc_sparse near; /* uint32_t by lane: row - first where the next search begins */
    uint8_t
        *acts[4]; /* by name, for API calls, OS calls, ranges and overhead: act + 1; 0: not seen */
    nsc_time *medians;     /* by name of a launch call; 0: too few calls; NULL: not asked yet */
    bool has_kept_medians; /* the store of the scope owns them */
    NSC_VEC(struct nsc_host_next) waiting; /* a heap: the earliest start first */
    struct nsc_host_opens open;            /* the first to end first */
    /* Of open the calls, that which counts first, and the ranges, the innermost first; also some that
     * have ended. */
    struct nsc_host_opens calls, ranges;
    size_t n_calls;                /* of open */
    struct nsc_host_pieces pieces; /* pieces of the last interval; they fill it */
    nsc_event around; /* the innermost range around all of the interval; NSC_NONE: none */
    nsc_event before; /* the thread's last API call that ends by the interval's start */
};

/* Reads the whole trace of a scope, without regard to its mask and window. */
void nsc_host_walk_init(struct nsc_host_walk *walk, const struct nsc_scope *scope);
void nsc_host_walk_fini(struct nsc_host_walk *walk);
/* The group of the thread that made a call. */
uint32_t nsc_host_walk_thread(struct nsc_host_walk *walk, nsc_event call);
/* Fills pieces and before for [t0, t1) of a thread's group. For each thread t0 must not descend. */
void nsc_host_walk_read(struct nsc_host_walk *walk, uint32_t group, nsc_time t0, nsc_time t1);
/* The act of a call, OS call, MPI call, overhead or range (ranges: also NSC_N_HOST_ACTS). */
enum nsc_host_act nsc_host_walk_act(struct nsc_host_walk *walk, nsc_event row);

/* The group of the thread that worked in [t0, t1), a part of the sleep, and hands over at its end;
 * NSC_NONE: not known. */
uint32_t nsc_waker_find(struct nsc_host_walk *host, nsc_event sleep, nsc_time t0, nsc_time t1);

#endif
