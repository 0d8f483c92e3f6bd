/*
 * Results of Nsight Compute, read from any of its CSV pages: raw, details (also --section or
 * --metrics without a page), and --print-summary per-kernel.
 *
 * Each profiled kernel is one launch; in a summary, each kernel is one launch that counts for
 * `calls`. Values are in base units: ns, bytes, bytes/s, Hz; percentages as 0 to 100. Columns are
 * found by name. Invalid rows are skipped and counted. Values that are "n/a", empty or no number
 * are missing, never 0. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_NCU_H
#define NSC_ANALYSIS_NCU_H

#include "nsyscope/status.h"

#include "core/strpool.h"
#include "core/vec.h"

/* The metrics from which figures are computed: see ncu_metric.def. */
enum nsc_ncu_metric {
#define NSC_NCU_METRIC(id, is_sum) NSC_NCU_##id,
#define NSC_NCU_ALIAS(id, section, item, name)
#include "analysis/ncu/ncu_metric.def"
    NSC_N_NCU_METRICS
};

struct nsc_ncu_launch {
    nsc_str kernel; /* as in Nsight Compute: simplified, without namespaces */
    nsc_str range;  /* innermost NVTX push/pop range around the launch; 0: none */
    nsc_str grid, block;
    int64_t id, process, device;
    uint64_t calls;                  /* 1; in a summary the number of launches */
    double value[NSC_N_NCU_METRICS]; /* NaN: missing */
    double flop;                     /* counted operations, an FMA counts as two; NaN: not
                                      * counted */
};

/* The result of a rule of Nsight Compute for a launch. */
struct nsc_ncu_rule {
    uint32_t launch;
    nsc_str section, name, type, text; /* type: "OPT", "WRN", "INF" */
    nsc_str kind;                      /* kind of speed-up: "local", "global", "" */
    double speedup;                    /* estimated, percent; NaN: not estimated */
};

struct nsc_ncu {
    struct nsc_strpool texts;
    NSC_VEC(struct nsc_ncu_launch) launches;
    NSC_VEC(struct nsc_ncu_rule) rules;
    uint64_t n_skipped; /* rows that were none */
    uint64_t n_missing; /* values that were "n/a" or no number */
    bool is_summary;
};

/* NSC_EFORMAT: no line begins a table of Nsight Compute; out is then empty. */
NSC_NODISCARD enum nsc_status nsc_ncu_read(struct nsc_ncu *out, struct nsc_text text,
                                           struct nsc_error *error);
void nsc_ncu_fini(struct nsc_ncu *ncu);

/*
 * Parses a number as Nsight Compute writes it ("1,275,068", "158 (0: 158)", "n/a") with a unit of
 * its own ("us", "usecond", "Mbyte", "Gbyte/s", "Ghz", "%") into base units. False if it is no
 * number.
 */
bool nsc_ncu_parse(double *out, struct nsc_text number, struct nsc_text in);
/* The metric of a name in a section and item; NSC_N_NCU_METRICS for an unused one. */
enum nsc_ncu_metric nsc_ncu_metric_of(struct nsc_text section, struct nsc_text item,
                                      struct nsc_text name);
/* Operations per unit of a counter (an FMA: 2); 0 if it counts none, or a part of another counter
 * (with and without sparsity). */
double nsc_ncu_flop_of(struct nsc_text name);

#endif
