/*
 * What the threads of a recording without GPU work do: MPI calls, OS calls outside of MPI, NVTX
 * ranges, time on a CPU.
 *
 * Only outermost calls and ranges count. Times are unions in ns, clipped to the scope's window. A
 * thread's time goes from its first record to its last. In a process that uses MPI it goes from
 * MPI_Init to MPI_Finalize. A thread is parked if it spends three quarters of its time waiting for
 * locks or sleeping and has next to no ranges: a worker of a pool, or a parent that waits for its
 * children. Ranges of Python's lock (GIL) and of garbage collection do not count as ranges here.
 * The owner calls fini.
 */
#ifndef NSC_ANALYSIS_CPU_THREADS_H
#define NSC_ANALYSIS_CPU_THREADS_H

#include "analysis/base/scope.h"
#include "analysis/names/host_act.h"
#include "core/sum.h"
#include "core/vec.h"
#include "index/lane_merge.h"

#define NSC_CPU_CALLS 3

struct nsc_cpu_call {
    nsc_name name;
    nsc_time ns;
};

struct nsc_cpu_thread {
    const struct nsc_scope *scope; /* borrowed, with its events */
    const struct nsc_events *events;
    uint32_t group; /* track of the thread */
    uint32_t pid, tid;
    uint64_t process;
    struct nsc_window window;
    nsc_time ranges;
    nsc_time mpi;                             /* without MPI_Init and MPI_Finalize */
    nsc_time os[NSC_N_HOST_ACTS];             /* in OS calls outside of MPI, by act */
    nsc_time on_cpu;                          /* 0: not recorded */
    struct nsc_cpu_call calls[NSC_CPU_CALLS]; /* OS calls, the longest sum first; ns 0: unused */
    bool is_parked;
    NSC_VEC(nsc_event)
    mpi_calls; /* by start; they do not overlap; without MPI_Init and MPI_Finalize */
    struct nsc_row_range os_calls; /* outermost ones, in one lane; the mask may leave some out */
};

struct nsc_cpu_threads {
    NSC_VEC(struct nsc_cpu_thread) list;
};

void nsc_cpu_threads_build(struct nsc_cpu_threads *out, const struct nsc_scope *scope);
void nsc_cpu_threads_fini(struct nsc_cpu_threads *threads);
/* The time of MPI call i of a thread inside the scope's window. */
static inline struct nsc_window nsc_cpu_thread_call(const struct nsc_cpu_thread *thread, size_t i)
{
    nsc_event row = thread->mpi_calls.at[i];
    nsc_time start = nsc_later(thread->events->start[row], thread->scope->window.t0);
    nsc_time end = nsc_earlier(nsc_event_end(thread->events, row), thread->scope->window.t1);

    return (struct nsc_window){start, nsc_later(start, end)};
}
/* The part of [start, end) outside of MPI calls. No call before *near reaches start; moves it forward. */
nsc_time nsc_cpu_thread_outside_mpi(const struct nsc_cpu_thread *thread, size_t *near,
                                    nsc_time start, nsc_time end);
/* The length of a thread's window. */
nsc_time nsc_cpu_thread_time(const struct nsc_cpu_thread *thread);
/* Time in OS calls, except those that wait for events or requests. */
nsc_time nsc_cpu_thread_waits(const struct nsc_cpu_thread *thread);
/*
 * Whether thread a works more than b. A thread that is not parked wins over a parked one; then more
 * time in ranges and MPI, the main thread, more time on a CPU, and fewer OS calls decide, in this
 * order.
 */
bool nsc_cpu_thread_works_more(const struct nsc_cpu_thread *a, const struct nsc_cpu_thread *b);
/* The thread that does the work of the process of thread first. The threads of a process come one
 * after the other; *end is the first thread of the next process. */
uint32_t nsc_cpu_threads_worker(uint32_t *end, const struct nsc_cpu_threads *threads,
                                uint32_t first);

#endif
