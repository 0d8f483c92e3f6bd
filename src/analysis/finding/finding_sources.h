/*
 * The functions behind finding.def: each asks a scope one question and adds what it finds.
 */
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
 * Says that a recording is healthy where no rule found a fault.
 *
 * Healthy: every GPU with work is idle, waits for communication and copies for less than the limits
 * of threshold.def, and no finding is above information. The finding has the worst share of all GPUs
 * as evidence in its title. Added after all sources have been asked.
 */
void nsc_find_healthy(struct nsc_findings *out, const struct nsc_scope *scope);

/*
 * Finds waiting in MPI, and the process for which the others wait.
 *
 * The collectives of all processes of an export are matched by name, k-th to k-th. A name counts only
 * if every process calls it equally often and nobody leaves one before the last has arrived, so that
 * communicators of some of the processes are left out. The wait of a process is from its arrival to
 * the last arrival. A process is named as late only if it arrives last more often than chance allows.
 * Where messages can be matched as well (base/mpi_messages.h) and somebody waits for one, each wait is
 * followed to the process at work (mpi_blame.h); a process is named only if most of the waits are its
 * fault.
 */
void nsc_findings_mpi(struct nsc_findings *out, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields, const struct nsc_cpu_threads *threads);

/* Whether a device starves in a storm of launch calls: the rule launch-storm, whatever its severity. */
bool nsc_finding_is_storm(const struct nsc_launch_times *times, double idle_percent);

/*
 * How to launch less often on a device: larger graphs where graphs launch most of the work already,
 * else graphs; torch.compile only for PyTorch. A sentence without a full stop.
 */
const char *nsc_finding_launch_advice(const struct nsc_scope *scope, uint32_t device);

#endif
