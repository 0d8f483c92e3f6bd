/*
 * Launches of Nsight Compute put together by kernel, and what they say: speed of light, roofline,
 * FLOP/s.
 *
 * A kernel is its name, device and NVTX range. Sums are over launches; percentages and rates are
 * means weighted by the launch's time (by calls where it has none). What was not measured is NaN.
 */
#ifndef NSC_ANALYSIS_NCU_KERNELS_H
#define NSC_ANALYSIS_NCU_KERNELS_H

#include "analysis/base/scope.h"
#include "analysis/ncu/ncu.h"
#include "core/sheet.h"

struct nsc_ncu_kernel {
    nsc_str kernel, range; /* of the pool of struct nsc_ncu */
    int64_t device;
    uint64_t calls;                  /* that were profiled */
    double value[NSC_N_NCU_METRICS]; /* see ncu_metric.def; DURATION is the sum, ns */
    double flop;                     /* summed */
};

struct nsc_ncu_kernels {
    const struct nsc_ncu *ncu;           /* borrowed */
    NSC_VEC(struct nsc_ncu_kernel) list; /* the longest in all first, then by name */
};

void nsc_ncu_kernels_build(struct nsc_ncu_kernels *out, const struct nsc_ncu *ncu);
void nsc_ncu_kernels_fini(struct nsc_ncu_kernels *kernels);

/* What limits a kernel: latency when SM and memory are both below NSC_LIMIT_NCU_BUSY; else compute, or
 * memory, when one is more than NSC_LIMIT_NCU_APART points above the other; cache, when the memory
 * pipeline is so busy and DRAM is more than that below it; else balanced. Memory is the busier of DRAM
 * and the memory pipeline. "unknown" without SM or without both of these. */
const char *nsc_ncu_bound(const struct nsc_ncu_kernel *kernel);

/*
 * Where a kernel stands below its roof: FLOP over DRAM bytes, FLOP over time. From the counted
 * operations and bytes; without those from the roofline chart's fp32 rows.
 */
struct nsc_roofline {
    double flop_per_byte; /* NaN: unknown */
    double flop_per_s;
    double peak;   /* FLOP/s: the chart's fp32, else the peak given */
    double memory; /* bytes/s, by the chart */
    double roof;   /* FLOP/s at this flop_per_byte: min(peak, memory x flop_per_byte) */
    bool is_chart;
};
/* peak: FLOP/s; 0: unknown. */
struct nsc_roofline nsc_ncu_roofline(const struct nsc_ncu_kernel *kernel, double peak);

/* The sheets "kernels", "speed_of_light", "roofline", "stages" (FLOP/s and MFU a range), and "rules"
 * where the page has rows of rules. */
void nsc_ncu_sheets(struct nsc_sheets *out, const struct nsc_ncu_kernels *kernels, double peak);

/* The sheet "rules": what the rules of ncu said of each kernel, the greatest estimated speed-up
 * first; a rule of several launches of a kernel is one row with their mean. */
void nsc_ncu_rules_sheet(struct nsc_sheets *out, const struct nsc_ncu *ncu);

/*
 * The sheet "joined": every kernel of the scope, by summed time, with the counters of the same
 * kernel: the same full name, else the same name without namespaces and casts, else the same
 * short name when only one kernel of each side has it. What found no partner is said in notes.
 */
void nsc_ncu_join(struct nsc_sheets *out, const struct nsc_ncu_kernels *kernels,
                  const struct nsc_scope *scope);

#endif
