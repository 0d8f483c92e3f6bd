/*
 * Attributes sampled GPU counters to kernels: bound by memory, by issuing, or by neither.
 *
 * A counter has one value for the whole GPU over the time between two samples, so it describes a
 * kernel only if nothing else ran then. Sample i counts for a kernel that runs at least from sample
 * i - 1 to sample i + 1, while no other op of the device touches that time. Values are percent of
 * the counter's peak. Kernels without samples are unknown, not 0. Linear in kernels and samples,
 * times lanes.
 */
#ifndef NSC_ANALYSIS_KERNEL_METRICS_H
#define NSC_ANALYSIS_KERNEL_METRICS_H

#include "analysis/base/device_ops.h"
#include "analysis/base/limit.h"

enum nsc_kernel_counter { /* recognized by name, which differs between versions of nsys */
                          NSC_COUNTER_SM_ACTIVE,
                          NSC_COUNTER_SM_ISSUE,
                          NSC_COUNTER_TENSOR,
                          NSC_COUNTER_DRAM_READ,
                          NSC_COUNTER_DRAM_WRITE,
                          NSC_N_KERNEL_COUNTERS
};

struct nsc_kernel_metric {
    uint32_t device; /* track */
    nsc_name name;
    uint32_t samples;
    uint32_t n[NSC_N_KERNEL_COUNTERS]; /* samples with this counter */
    double sum[NSC_N_KERNEL_COUNTERS]; /* sum of their values */
};

struct nsc_kernel_metrics {
    struct nsc_kernel_metric *at; /* sorted by samples, the most first */
    size_t n, capacity;
    bool has_counters; /* at least one GPU has counters of issuing or memory */
};

void nsc_kernel_metrics_build(struct nsc_kernel_metrics *out, const struct nsc_scope *scope);
void nsc_kernel_metrics_fini(struct nsc_kernel_metrics *metrics);

/* The mean of a counter in percent; -1: not sampled. */
double nsc_kernel_metric_mean(const struct nsc_kernel_metric *metric,
                              enum nsc_kernel_counter counter);
/* DRAM reads and writes together; -1: not sampled. */
double nsc_kernel_metric_dram(const struct nsc_kernel_metric *metric);

/*
 * The verdict from at least 8 samples: memory if DRAM is at 60 % or more and above issuing and
 * tensor cores; issuing or tensor cores if one of them is at 60 % or more; few SMs if less than
 * half of them are active; else latency. These thresholds are ours.
 */
#define NSC_METRIC_SAMPLES NSC_LIMIT_MANY
#define NSC_METRIC_BOUND   NSC_LIMIT_BUSY
#define NSC_METRIC_FEW_SMS NSC_LIMIT_MOST

/* "memory", "issuing instructions", "tensor cores", "few active SMs", "latency", "too few samples". */
const char *nsc_kernel_metric_verdict(const struct nsc_kernel_metric *metric);

#endif
