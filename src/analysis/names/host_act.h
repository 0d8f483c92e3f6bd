/*
 * What a thread of the host does, by the name of a call or of an NVTX range.
 *
 * The order is that of nesting: an MPI call polls inside, a synchronizing call holds an ioctl, a
 * launch call a lock. If several hold at one ns, the first counts. Names are compared in any case;
 * versioned names (cudaLaunchKernel_v7000) match too.
 */
#ifndef NSC_ANALYSIS_HOST_ACT_H
#define NSC_ANALYSIS_HOST_ACT_H

#include "nsyscope/trace.h"

enum nsc_host_act {
    NSC_HOST_OVERHEAD, /* the profiler's own work */
    NSC_HOST_MPI,
    NSC_HOST_GIL,         /* NVTX range "Waiting for GIL" */
    NSC_HOST_GC,          /* NVTX range of Python's garbage collection */
    NSC_HOST_SYNC,        /* a call named "...Synchronize" */
    NSC_HOST_COPY,        /* a copy that holds the thread until it is done */
    NSC_HOST_MEMORY,      /* allocates, frees, maps or registers memory */
    NSC_HOST_LONG_LAUNCH, /* a launch call that takes long (device/host_walk.h) */
    NSC_HOST_LAUNCH,      /* launches a kernel or a graph, or issues a copy or memset */
    NSC_HOST_CUDA,        /* any other call, also cudaStreamWaitEvent and cudaEventQuery */
    NSC_HOST_FILE,        /* read, write, getc ... */
    NSC_HOST_LOCK,        /* mutex, condition, semaphore, barrier, join, waitpid ... */
    NSC_HOST_SLEEP,
    NSC_HOST_NETWORK, /* recv, send ... */
    NSC_HOST_EVENTS,  /* poll, select, epoll_wait: waits for events or requests */
    NSC_HOST_OS,      /* another call of the OS */
    NSC_HOST_CPU,     /* no call that is recorded */
    NSC_N_HOST_ACTS
};

/* The act of a CUDA API call, by its name alone. An asynchronous copy is NSC_HOST_LAUNCH. */
enum nsc_host_act nsc_host_act_api(struct nsc_text name);
/* The act of an OS call. */
enum nsc_host_act nsc_host_act_os(struct nsc_text name);
/* The act of an NVTX range: GIL, GC or CPU; NSC_N_HOST_ACTS for "Holding GIL", which shows no
 * act. */
enum nsc_host_act nsc_host_act_range(struct nsc_text name);
/* The act of an overhead record: NSC_HOST_CUDA if CUDA itself loads, compiles or waits in a call,
 * else the profiler's. */
enum nsc_host_act nsc_host_act_overhead(struct nsc_text name);
/* Whether the call sleeps until another thread wakes it: a condition, a semaphore, a futex, a mutex,
 * a barrier. */
bool nsc_host_act_parks(struct nsc_text name);
bool nsc_parked_is(const struct nsc_trace *trace, nsc_event call);

#endif
