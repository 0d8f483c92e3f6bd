/*
 * The hotspots: kernels, launches, waits, gaps and NVTX ranges as sheets, with warnings and
 * findings (docs/analyses/report.md). One function per question; nsc_hotspots_build asks them all.
 *
 * All figures are of the events of the scope, with whole durations. Every rate and percentile comes
 * with sums, counts and bins of fixed edges, so that reports of many traces can be added up.
 */
#ifndef NSC_ANALYSIS_REPORT_H
#define NSC_ANALYSIS_REPORT_H

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"
#include "analysis/base/tally.h"
#include "analysis/finding/finding.h"
#include "analysis/hotspots/phases.h"
#include "analysis/hotspots/text_sums.h"
#include "analysis/names/texts.h"

/* Most rows of a sheet; further rows are counted and, if requested, summed in a note. */
#define NSC_HOTSPOTS_ROWS 1000

struct nsc_progress;

/* Adds the sheets of a file of this folder (query/answer_file.h, nsc_answer_tables). */
typedef void nsc_hotspots_ask(struct nsc_sheets *out, const void *tables, const char *name,
                              const struct nsc_scope *scope, const char *const params[]);

struct nsc_hotspots_query {
    struct nsc_scope scope;
    const struct nsc_field_sets *fields; /* NULL: only the index is known */
    uint32_t kernel_limit;               /* kernels that are listed */
    bool percentiles;                    /* of kernels by name */
    bool map_nvtx;                       /* lay kernels to NVTX ranges */
    double warn_below;                   /* coverage, 0 to 1 */
    const struct nsc_phase_map *phases;  /* NULL: none was given */
    struct nsc_progress *progress;       /* counts questions as its rows; NULL: none is shown */
    nsc_hotspots_ask *ask;               /* NULL: the report has no tables that are files */
    const void *tables;                  /* the files, for ask; outlive the report */
};

/* The kernels of the scope on a stream that has any. */
struct nsc_hotspots_stream {
    uint32_t track;
    uint64_t n;
    nsc_time total; /* durations added, saturating */
};

/* The kernels of the scope: the input of most questions (nsc_kernel_walk in parts.h). */
struct nsc_hotspots_kernels {
    size_t n;
    NSC_VEC(struct nsc_hotspots_stream) streams;
    nsc_time total; /* durations added, saturating */
};

/* A group of kernels, calls or ranges: a row of most sheets. */
struct nsc_tally_line {
    struct nsc_text name; /* borrowed from the report's texts */
    uint64_t pid;
    struct nsc_tally_row of;
    struct nsc_tally_extremes extremes; /* only for collectives and barriers */
    double mean;                        /* ns */
    double share;                       /* % of the summed duration of all kernels */
};

struct nsc_hotspots {
    const struct nsc_hotspots_query *query;
    struct nsc_hotspots_query *own; /* a copy of the query, whose scope has a store */
    nsc_time end;                   /* of the trace */
    struct nsc_texts texts;
    struct nsc_texts asides[2]; /* of the names in sheets that other threads add */
    struct nsc_hotspots_kernels kernels;
    struct nsc_text_sums ranges; /* closed NVTX ranges; set by nsc_hotspots_nvtx_ranges */
    struct nsc_sheets sheets;
    struct nsc_findings findings; /* in the order of their rules */
    NSC_VEC(char *) warnings;
};

/* query must live as long as the report. */
void nsc_hotspots_build(struct nsc_hotspots *out, const struct nsc_hotspots_query *query);
void nsc_hotspots_fini(struct nsc_hotspots *report);

/* A cell of the sheet with that key; one that is unknown, and 0, if there is no such sheet or row. */
const struct nsc_sheet_cell *nsc_hotspots_find(const struct nsc_hotspots *report, const char *sheet,
                                               uint32_t row, const char *column);
/* The row of that sheet with the greatest number in the column, of equal ones the first. */
uint32_t nsc_hotspots_greatest(const struct nsc_hotspots *report, const char *sheet,
                               const char *column);

/* ---- the questions: each adds its sheets ---- */

/* No sheet: computes on another thread what nsc_hotspots_nvtx_kernels needs. */
void nsc_hotspots_find_kernel_ranges(struct nsc_hotspots *report);
/* "launch_storm", "storm_by_pid", "kernel_durations". */
void nsc_hotspots_launch_storm(struct nsc_hotspots *report);
/* "gpu_idle", "gpu_gaps". */
void nsc_hotspots_gpu_idle(struct nsc_hotspots *report);
/* "nvtx_ranges", "nvtx_instances", "nvtx_phases". */
void nsc_hotspots_nvtx_ranges(struct nsc_hotspots *report);
/* "nvtx_coverage", "nvtx_kernel_time", "nvtx_kernel_time_any_thread", "nvtx_coverage_by_pid",
 * "nvtx_by_pid", "nvtx_kernel_phases", "nvtx_kernel_phases_by_pid", "phase_split". */
void nsc_hotspots_nvtx_kernels(struct nsc_hotspots *report);
/* "barriers". */
void nsc_hotspots_barriers(struct nsc_hotspots *report);
/* "nccl_ops", "nccl_rank_skew", "nccl_by_pid". */
void nsc_hotspots_nccl(struct nsc_hotspots *report);
/* "launch_latency", "launch_latency_bins", "launch_latency_histogram", "launch_latency_worst". */
void nsc_hotspots_launch_latency(struct nsc_hotspots *report);
/* "stream_overlap", "concurrency". */
void nsc_hotspots_iterations(struct nsc_hotspots *report);
void nsc_hotspots_stream_overlap(struct nsc_hotspots *report);
/* "nvlink_during_nccl". */
void nsc_hotspots_nvlink(struct nsc_hotspots *report);
/* "largest_times": computed from the other sheets. */
void nsc_hotspots_largest_times(struct nsc_hotspots *report);
/* Adds the warnings, computed from the sheets. */
void nsc_hotspots_find_warnings(struct nsc_hotspots *report);

#endif
