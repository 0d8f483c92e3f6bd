/*
 * Finds waiting in MPI, and the process for which the others wait.
 *
 * The collectives of all processes of an export are matched by name, k-th to k-th. A name counts only
 * if every process calls it equally often and nobody leaves one before the last has arrived, so that
 * communicators of some of the processes are left out. The wait of a process is from its arrival to
 * the last arrival. A process is named as late only if it arrives last more often than chance allows.
 */
#ifndef NSC_ANALYSIS_FIND_MPI_H
#define NSC_ANALYSIS_FIND_MPI_H

#include "analysis/finding/cpu_threads.h"
#include "analysis/finding/finding.h"

void nsc_findings_mpi(struct nsc_findings *out, const struct nsc_scope *scope,
                      const struct nsc_cpu_threads *threads);

#endif
