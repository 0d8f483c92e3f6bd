/*
 * Rates of floating-point operations against what the GPUs that work can do.
 *
 * The peak is that of the precision which takes 90 % of the time of matrix kernels by name
 * (names/matrix_kernel.h), added over the GPUs. It is not known for parts that are not in the table
 * (names/peak.def), where no precision takes so much, and where graphs recorded whole, whose kernels
 * nobody knows, take more than 10 % as long as the matrix kernels.
 */
#ifndef NSC_ANALYSIS_FLOP_RATE_H
#define NSC_ANALYSIS_FLOP_RATE_H

#include "analysis/names/matrix_kernel.h"
#include "analysis/skill/skill.h"

struct nsc_flop_peak {
    uint32_t gpus;   /* that work */
    double peak;     /* TFLOP/s of all of them; 0: not known */
    double bytes;    /* GB/s of all; 0: not known */
    bool is_fp16;    /* one of them has no bf16 */
    const char *of;  /* "bf16, tensor cores", "given" */
    const char *why; /* the peak is not known; else NULL */
};

struct nsc_flop_rate {
    nsc_time ns;
    int64_t gpus;
    double tflops, peak, mfu; /* peak and mfu: NAN when not known; mfu also when above 100 % */
};

/* A flag for each track, all unset; the caller frees it. */
bool *nsc_flop_devices_new(const struct nsc_trace *trace);
/* Time of kernels by what multiplies matrices in them, ns added; opaque: of graphs recorded whole. */
struct nsc_matrix_times {
    nsc_time of[NSC_N_MATRICES];
    nsc_time opaque;
};
/* Of the scope's kernels on the GPUs whose track is set. */
struct nsc_matrix_times nsc_matrix_times_measure(const struct nsc_scope *scope,
                                                 const bool is_used[]);
/* What the GPUs can do whose track is set, in the precision of these kernels. -p peak= decides where
 * it is given. */
struct nsc_flop_peak nsc_flop_peak_find(const struct nsc_question *question, const bool is_used[],
                                        const struct nsc_matrix_times *times);
struct nsc_flop_rate nsc_flop_rate_measure(nsc_time ns, double flops,
                                           const struct nsc_flop_peak *ceiling);
bool nsc_flop_rate_is_too_high(const struct nsc_flop_rate *rate);
/* Notes the limits of the figures. */
void nsc_flop_rates_note(struct nsc_sheet *sheet, const struct nsc_flop_peak *ceiling, double flops,
                         bool is_high);
/* While kernels or whole graphs run, on the GPU on which they run longest; sets the GPUs that work.
 */
nsc_time nsc_flop_running_measure(bool is_used[], const struct nsc_scope *scope);

#endif
