/*
 * Says that a recording is healthy where no rule found a fault.
 *
 * Healthy: every GPU with work is idle, waits for communication and copies for less than the limits
 * of threshold.def, and no finding is above information. The finding has the worst share of all GPUs
 * as evidence in its title. Added after all sources have been asked.
 */
#ifndef NSC_ANALYSIS_HEALTHY_H
#define NSC_ANALYSIS_HEALTHY_H

#include "analysis/finding/finding.h"

void nsc_find_healthy(struct nsc_findings *out, const struct nsc_scope *scope);

#endif
