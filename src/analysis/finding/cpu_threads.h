/*
 * What the threads of a recording do with their time, where no GPU tells: MPI calls, calls of the OS
 * outside of these, NVTX ranges, time on a CPU.
 *
 * Only outermost calls and ranges count, as unions, clipped to the scope's window. A thread's time is
 * that from its first record to its last; in a process that uses MPI that between MPI_Init and
 * MPI_Finalize. A thread is parked if it waits for locks or time for three quarters of its time
 * and has next to no ranges: a worker of a pool, or a parent that waits for its children. Ranges of
 * Python's lock (GIL) and garbage collection are no ranges here. Times are ns. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_CPU_THREADS_H
#define NSC_ANALYSIS_CPU_THREADS_H

#include "analysis/base/scope.h"
#include "analysis/names/host_act.h"
#include "core/vec.h"

#define NSC_CPU_CALLS 3

struct nsc_cpu_call {
    nsc_name name;
    nsc_time ns;
};

struct nsc_cpu_interval {
    nsc_time start, end;
    nsc_event event;
};

struct nsc_cpu_thread {
    uint32_t group; /* its track */
    uint32_t pid, tid;
    uint64_t process;
    struct nsc_window window;
    nsc_time ranges;
    nsc_time mpi;                             /* without MPI_Init and MPI_Finalize */
    nsc_time os[NSC_N_HOST_ACTS];             /* in calls of the OS outside MPI, by what they do */
    nsc_time on_cpu;                          /* 0: not recorded */
    struct nsc_cpu_call calls[NSC_CPU_CALLS]; /* of the OS, the longest sum first; ns 0: none */
    bool is_parked;
    NSC_VEC(struct nsc_cpu_interval) mpi_calls, os_calls; /* by start */
};

struct nsc_cpu_threads {
    NSC_VEC(struct nsc_cpu_thread) list;
};

void nsc_cpu_threads_build(struct nsc_cpu_threads *out, const struct nsc_scope *scope);
void nsc_cpu_threads_fini(struct nsc_cpu_threads *threads);
/* The length of a thread's window. */
nsc_time nsc_cpu_thread_time(const struct nsc_cpu_thread *thread);
/* Time in calls of the OS other than those that wait for events or requests. */
nsc_time nsc_cpu_thread_waits(const struct nsc_cpu_thread *thread);
/*
 * Whether a rather than b does the work: of the threads that are not parked the one with most time in
 * ranges and MPI, else the main thread, else the one with most time on a CPU, else the one with the
 * least OS calls.
 */
bool nsc_cpu_thread_works_more(const struct nsc_cpu_thread *a, const struct nsc_cpu_thread *b);
/* The thread that does the work of a process; NSC_NONE: the process has no thread with records. */
uint32_t nsc_cpu_threads_worker(const struct nsc_cpu_threads *threads, uint64_t process);

#endif
