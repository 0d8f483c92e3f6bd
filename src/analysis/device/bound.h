/*
 * Whether a device is bound by the CPU that feeds it or by its own work (DEFINITIONS 14).
 *
 * The thresholds are ours and shown: CPU-bound when it is launch-starved for a tenth of the window
 * or more and that is at least half of the time without compute; GPU-bound when it computes for
 * nine tenths of the window or more; else mixed.
 */
#ifndef NSC_ANALYSIS_BOUND_H
#define NSC_ANALYSIS_BOUND_H

#include "analysis/device/compute_absent.h"
#include "analysis/device/launch_times.h"

#define NSC_BOUND_STARVED_PERCENT 10
#define NSC_BOUND_COMPUTE_PERCENT 90

enum nsc_bound { NSC_BOUND_CPU, NSC_BOUND_GPU, NSC_BOUND_MIXED, NSC_BOUND_UNKNOWN };

/* NSC_BOUND_UNKNOWN: half of the time without compute or more has no known launch. */
enum nsc_bound nsc_bound_of(const struct nsc_absent *absent);
const char *nsc_bound_word(enum nsc_bound bound);

#endif
