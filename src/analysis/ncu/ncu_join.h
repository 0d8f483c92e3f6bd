/*
 * Counters of Nsight Compute beside the kernels of a trace.
 */
#ifndef NSC_ANALYSIS_NCU_JOIN_H
#define NSC_ANALYSIS_NCU_JOIN_H

#include "analysis/base/scope.h"
#include "analysis/ncu/ncu_kernels.h"

/*
 * The sheet "joined": every kernel of the scope, by summed time, with the counters of the same
 * kernel: the same full name, else the same name without namespaces and casts, else the same
 * short name when only one kernel of each side has it. What found no partner is said in notes.
 */
void nsc_ncu_join(struct nsc_sheets *out, const struct nsc_ncu_kernels *kernels,
                  const struct nsc_scope *scope);

#endif
