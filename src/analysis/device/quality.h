/*
 * How far a recording can be trusted.
 *
 * Counts are of the scope's rows; the profiler's own messages are of the whole recording. Overhead
 * is the length of the union of the profiler's overhead rows on all threads, clipped to the window:
 * this is not the slowdown of the run.
 */
#ifndef NSC_ANALYSIS_QUALITY_H
#define NSC_ANALYSIS_QUALITY_H

#include "analysis/base/field_sets.h"
#include "analysis/ranges/range_work.h"

enum { NSC_DIAGNOSTIC_WARNING = 2, NSC_DIAGNOSTIC_ERROR };

struct nsc_quality {
    uint64_t kernels, known_kernels; /* known: with a known launch call */
    uint64_t ops, known_ops;
    nsc_time work, range_work; /* summed durations of all ops; of ops in an NVTX range */
    bool has_ranges;           /* false: no ranges, or not measured */
    uint64_t overhead_rows;
    nsc_time overhead;
    bool has_messages; /* the export has the profiler's messages */
    uint64_t errors, warnings;
    uint64_t kinds[NSC_N_KINDS]; /* rows of each kind */
};

/* ranges: of the same scope; NULL: not measured. */
void nsc_quality_build(struct nsc_quality *out, const struct nsc_scope *scope,
                       const struct nsc_field_sets *fields, const struct nsc_range_work *ranges);

#endif
