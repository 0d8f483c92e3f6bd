/*
 * Groups launches of Nsight Compute by kernel and computes speed of light, roofline and FLOP/s.
 *
 * A kernel is its name, device and NVTX range. Sums are over launches; percentages and rates are
 * means weighted by the launch's time (by calls if it has none). NaN means not measured.
 */
#ifndef NSC_ANALYSIS_NCU_KERNELS_H
#define NSC_ANALYSIS_NCU_KERNELS_H

#include "analysis/base/scope.h"
#include "analysis/ncu/ncu.h"
#include "core/sheet.h"

struct nsc_ncu_kernel {
    nsc_str kernel, range; /* ids in the pool of struct nsc_ncu */
    int64_t device;
    uint64_t calls;                  /* that were profiled */
    double value[NSC_N_NCU_METRICS]; /* see ncu_metric.def; DURATION is the sum, ns */
    double flop;                     /* summed */
};

struct nsc_ncu_kernels {
    const struct nsc_ncu *ncu;           /* borrowed */
    NSC_VEC(struct nsc_ncu_kernel) list; /* the longest total first, then by name */
};

void nsc_ncu_kernels_build(struct nsc_ncu_kernels *out, const struct nsc_ncu *ncu);
void nsc_ncu_kernels_fini(struct nsc_ncu_kernels *kernels);

/* The bottleneck of a kernel. "latency" if SM and memory are both below NSC_LIMIT_BUSY; else
 * "compute" or "memory" if one exceeds the other by more than NSC_LIMIT_NCU_APART points; "cache"
 * instead of memory if the memory pipeline exceeds DRAM by more than that; else "balanced". Memory
 * is the busier of DRAM and the memory pipeline. "unknown" without SM or without both of these. */
const char *nsc_ncu_bound(const struct nsc_ncu_kernel *kernel);

/*
 * The place of a kernel below its roof: FLOP over DRAM bytes, FLOP over time. From the counted
 * operations and bytes; without those from the roofline chart's fp32 rows.
 */
struct nsc_roofline {
    double flop_per_byte; /* NaN: unknown */
    double flop_per_s;
    double peak;   /* FLOP/s: from the chart's fp32 rows, else the given peak */
    double memory; /* bytes/s, by the chart */
    double roof;   /* FLOP/s at this flop_per_byte: min(peak, memory x flop_per_byte) */
    bool is_chart;
};
/* peak: FLOP/s; 0: unknown. */
struct nsc_roofline nsc_ncu_roofline(const struct nsc_ncu_kernel *kernel, double peak);

/* Adds the sheets "kernels", "speed_of_light", "roofline", "stages" (FLOP/s and MFU per range), and
 * "rules" if the page has rules. */
void nsc_ncu_sheets(struct nsc_sheets *out, const struct nsc_ncu_kernels *kernels, double peak);

/* Adds the sheet "rules": the results of ncu's rules per kernel, the greatest estimated speed-up
 * first. A rule for several launches of a kernel is one row with their mean. */
void nsc_ncu_rules_sheet(struct nsc_sheets *out, const struct nsc_ncu *ncu);

/*
 * Adds the sheet "joined": every kernel of the scope, by summed time, with the counters of the same
 * kernel: the same full name, else the same name without namespaces and casts, else the same short
 * name if only one kernel of each side has it. Notes list the kernels without partner.
 */
void nsc_ncu_join(struct nsc_sheets *out, const struct nsc_ncu_kernels *kernels,
                  const struct nsc_scope *scope);

#endif
