/* The functions of finding.def: each asks one question about a scope and adds its findings. */
#ifndef NSC_ANALYSIS_FINDING_SOURCES_H
#define NSC_ANALYSIS_FINDING_SOURCES_H

#include "analysis/device/launch_times.h"
#include "analysis/finding/cpu_threads.h"
#include "analysis/finding/finding.h"

/* fields may be NULL: none was read. */
#define NSC_FINDING(function, scopes)                                      \
    void function(struct nsc_findings *out, const struct nsc_scope *scope, \
                  const struct nsc_field_sets *fields);
#include "analysis/finding/finding.def"
#undef NSC_FINDING

/*
 * Says that a recording is healthy if no rule found a fault.
 *
 * Healthy: on every GPU with work, idle time, exposed communication and exposed copies are below
 * the limits of threshold.def, and no finding is above information. The title gives the worst share
 * of all GPUs. Called after all sources.
 */
void nsc_find_healthy(struct nsc_findings *out, const struct nsc_scope *scope);

/*
 * Finds waiting in MPI, and the process that the others wait for.
 *
 * Collectives of all processes of an export are matched by name, k-th to k-th. A name counts only
 * if every process calls it equally often and no process leaves an instance before the last one has
 * entered; so communicators of some of the processes are left out. A process waits from its arrival
 * to the last arrival. Each wait, also for a message that can be matched (base/mpi_messages.h), is
 * followed to the process at work (mpi_blame.h). Processes are named as late only if at most half of
 * all cause most of the waiting time, more than by chance.
 */
void nsc_findings_mpi(struct nsc_findings *out, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields, const struct nsc_cpu_threads *threads);

/* Whether a device is in a storm of launch calls that starves it: the rule small-launches, at any severity, from NSC_LIMIT_STORM_RATE on. */
bool nsc_finding_is_storm(const struct nsc_launch_times *times, double idle_percent);

/*
 * Advice to launch less often on a device: larger graphs if graphs launch most of the work already,
 * else graphs; torch.compile only for PyTorch. A sentence without a full stop.
 */
const char *nsc_finding_launch_advice(const struct nsc_scope *scope, uint32_t device);

#endif
