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

/* Summed time of kernels by matrix type; opaque: time of graphs recorded whole. ns. */
struct nsc_matrix_times {
    nsc_time of[NSC_N_MATRICES];
    nsc_time opaque;
};

/* The work that is measured. */
struct nsc_flop_work {
    bool *is_used;    /* by track: it is a GPU with work; to be given to free() */
    nsc_time running; /* in which kernels or whole graphs run, on the GPU with the most of it */
    struct nsc_matrix_times matrices;
};

struct nsc_flop_peak {
    uint32_t gpus;   /* GPUs in use */
    double peak;     /* TFLOP/s of all GPUs; 0: unknown */
    double bytes;    /* GB/s of all GPUs; 0: unknown */
    bool is_fp16;    /* at least one has no bf16 */
    bool is_passed;  /* by a rate that was measured */
    const char *of;  /* "bf16, tensor cores", "given" */
    const char *why; /* why the peak is unknown; else NULL */
};

struct nsc_flop_rate {
    nsc_time ns;
    int64_t gpus;
    double tflops, peak, mfu; /* peak, mfu: NAN if unknown; mfu also if above 100 % */
};

/* The row of a rate. */
struct nsc_flop_row {
    const char *time;
    uint32_t kernels;
    double flops; /* TFLOP */
    struct nsc_flop_rate rate;
};

struct nsc_flop_time {
    const char *word;
    nsc_time ns;
};

/* No work yet. */
struct nsc_flop_work nsc_flop_work_new(const struct nsc_trace *trace);
/* Adds an op, unless it is no kernel or graph; running is left to the caller. */
void nsc_flop_work_add(struct nsc_flop_work *work, const struct nsc_trace *trace, nsc_event op);
/* That of a scope. */
struct nsc_flop_work nsc_flop_work_measure(const struct nsc_scope *scope);
/* The summed time of matrix kernels. */
nsc_time nsc_matrix_times_sum(const struct nsc_matrix_times *times);
/* The peak of the GPUs in use, in the precision of their kernels. -p peak= overrides it. */
struct nsc_flop_peak nsc_flop_peak_find(const struct nsc_question *question,
                                        const struct nsc_flop_work *work);
struct nsc_flop_rate nsc_flop_rate_measure(nsc_time ns, double flops,
                                           struct nsc_flop_peak *ceiling);
/* Adds a row of the operations for each time, and the notes. */
void nsc_flop_rates_add(struct nsc_sheet *sheet, const struct nsc_flop_time times[], unsigned n,
                        double flops, uint32_t kernels, struct nsc_flop_peak *ceiling);
/* Notes the limits of the figures. */
void nsc_flop_rates_note(struct nsc_sheet *sheet, const struct nsc_flop_peak *ceiling,
                         double flops);

#endif
