/*
 * Finds the processes of a job that make the others wait in MPI.
 *
 * Process P waits for Q in [a, b). P's previous wait ended at p. If Q waited itself in (p, b),
 * those waits made it late: a part of [a, b), at most as long as they are, is attributed to the
 * processes that Q waited for, in the same way and in proportion. The rest of [a, b) is Q's own
 * fault, except the time in which Q is in MPI calls that are not known as waits: that time is
 * attributed to nobody. If a process has several waits at the same time, the one that ends last
 * counts. The search ends after NSC_MPI_BLAME_HOPS processes, and below 1 / NSC_MPI_BLAME_LEAST of
 * a wait.
 */
#ifndef NSC_ANALYSIS_MPI_BLAME_H
#define NSC_ANALYSIS_MPI_BLAME_H

#include "analysis/base/mpi_messages.h"
#include "analysis/finding/cpu_threads.h"

#define NSC_MPI_BLAME_HOPS  32
#define NSC_MPI_BLAME_LEAST 50

struct nsc_mpi_blame { /* of a process */
    nsc_time waits;    /* its waits for others */
    nsc_time causes;   /* waits of others that it causes */
};

/* Adds the blame of n processes; of[i] is the thread of process i that calls MPI. Sorts the waits,
 * drops those that do not count, and clips them to the windows of the threads. */
void nsc_mpi_blame_measure(struct nsc_mpi_blame out[], struct nsc_mpi_waits *waits,
                           const struct nsc_cpu_thread *const of[], uint32_t n);

#endif
