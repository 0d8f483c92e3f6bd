/*
 * Who makes the processes of a job wait in MPI.
 *
 * A process P waits for Q from a to b. Since P's wait before that, which ended at p, P has not waited;
 * where Q has waited itself in (p, b), it is late for that reason, at most by the length of those waits:
 * so much of [a, b) is the fault of the processes that Q waited for, found in the same way and in
 * proportion. The rest is Q's own fault, without the time of [a, b) in which Q is in calls of MPI that
 * are no known waits: that is nobody's. Of several waits of a process at once the one that ends last counts.
 * After NSC_MPI_BLAME_HOPS processes, and below 1 / NSC_MPI_BLAME_LEAST of a wait, nobody is looked for.
 */
#ifndef NSC_ANALYSIS_MPI_BLAME_H
#define NSC_ANALYSIS_MPI_BLAME_H

#include "analysis/base/mpi_messages.h"
#include "analysis/finding/cpu_threads.h"

#define NSC_MPI_BLAME_HOPS  32
#define NSC_MPI_BLAME_LEAST 50

struct nsc_mpi_blame { /* of a process */
    nsc_time waits;    /* for others */
    nsc_time causes;   /* of the waits of others */
    uint32_t times;    /* waits of others that are its fault more than that of any other */
};

/* Adds the blame of n processes; of[i]: the thread of a process that calls MPI. Sorts the waits and
 * keeps those that count, clipped to the windows of the threads. */
void nsc_mpi_blame_measure(struct nsc_mpi_blame out[], struct nsc_mpi_waits *waits,
                           const struct nsc_cpu_thread *const of[], uint32_t n);

#endif
