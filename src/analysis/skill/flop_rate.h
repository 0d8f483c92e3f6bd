/*
 * Compares rates of floating-point operations with the peak of the GPUs in use.
 *
 * The peak is for the precision that takes 90 % of the time of matrix kernels by name
 * (names/matrix_kernel.h), summed over the GPUs. It is unknown if a part is not in the table
 * (names/peak.def), if no precision takes so much, or if graphs recorded whole, whose kernels are
 * unknown, take more than 10 % of the time of matrix kernels.
 */
#ifndef NSC_ANALYSIS_FLOP_RATE_H
#define NSC_ANALYSIS_FLOP_RATE_H

#include "analysis/names/matrix_kernel.h"
#include "analysis/skill/skill.h"

struct nsc_flop_peak {
    uint32_t gpus;   /* GPUs in use */
    double peak;     /* TFLOP/s of all GPUs; 0: unknown */
    double bytes;    /* GB/s of all GPUs; 0: unknown */
    bool is_fp16;    /* at least one has no bf16 */
    const char *of;  /* "bf16, tensor cores", "given" */
    const char *why; /* why the peak is unknown; else NULL */
};

struct nsc_flop_rate {
    nsc_time ns;
    int64_t gpus;
    double tflops, peak, mfu; /* peak, mfu: NAN if unknown; mfu also if above 100 % */
};

/* One flag per track, all unset; the caller frees it. */
bool *nsc_flop_devices_new(const struct nsc_trace *trace);
/* Summed time of kernels by matrix type; opaque: time of graphs recorded whole. ns. */
struct nsc_matrix_times {
    nsc_time of[NSC_N_MATRICES];
    nsc_time opaque;
};
/* Measures the scope's kernels on the GPUs with a set flag. */
struct nsc_matrix_times nsc_matrix_times_measure(const struct nsc_scope *scope,
                                                 const bool is_used[]);
/* The peak of the GPUs with a set flag, in the precision of these kernels. -p peak= overrides
 * it. */
struct nsc_flop_peak nsc_flop_peak_find(const struct nsc_question *question, const bool is_used[],
                                        const struct nsc_matrix_times *times);
struct nsc_flop_rate nsc_flop_rate_measure(nsc_time ns, double flops,
                                           const struct nsc_flop_peak *ceiling);
bool nsc_flop_rate_is_too_high(const struct nsc_flop_rate *rate);
/* Notes the limits of the figures. */
void nsc_flop_rates_note(struct nsc_sheet *sheet, const struct nsc_flop_peak *ceiling, double flops,
                         bool is_high);
/* The time in which kernels or whole graphs run, on the GPU with the most of it. Sets the flags of
 * the GPUs in use. */
nsc_time nsc_flop_running_measure(bool is_used[], const struct nsc_scope *scope);

#endif
