/*
 * Measures one recording per iteration, to compare it with another.
 *
 * Iterations are those of analysis/ranges/iterations.h that lie wholly in the scope, without the
 * warm-up. Without any, the whole scope counts as one: from first to last GPU work (or range,
 * without GPU work), unless the user chose a window. The breakdown of a device's window is ns of
 * compute, of exposed communication, of other work outside both, and of idle time; the four add up
 * to the window. Kernels and ranges are summed over the iterations without their interludes and
 * divided by the number of iterations. Only rows of the scope's mask count. The owner calls fini;
 * the trace is not needed afterwards.
 */
#ifndef NSC_ANALYSIS_RUN_H
#define NSC_ANALYSIS_RUN_H

#include "nsyscope/status.h"

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"
#include "analysis/job/recording_parts.h"
#include "analysis/ranges/iterations.h"
#include "core/strpool.h"
#include "core/vec.h"

enum nsc_recording_metric {
#define NSC_RECORDING_METRIC(id, title) NSC_RECORDING_##id,
#include "analysis/job/recording_metric.def"
    NSC_N_RECORDING_METRICS
};

struct nsc_recording_spread { /* over iterations; ns, or a count for KERNELS */
    double median, least, most;
    double mad; /* median absolute deviation from the median */
    double mean;
};

/* Iterations of one kind. Skips iterations cut short, such as the last batch of an epoch, here and
 * in the mean period: less than half of the kind's median, at most one in NSC_RECORDING_CUT. */
struct nsc_recording_kind {
    uint32_t n;
    double mean, median; /* period from start to start, ns */
    double kernels;      /* mean */
};
#define NSC_RECORDING_CUT 8

/* Kernels or NVTX ranges of one name. */
struct nsc_recording_group {
    nsc_str name;    /* id in the pool; NVTX texts have "#" for numbers */
    uint64_t count;  /* in all iterations */
    nsc_time total;  /* summed whole durations; saturating */
    nsc_time blocks; /* of kernels: summed over their grids, saturating; 0: not known */
};

struct nsc_recording_groups {
    NSC_VEC(struct nsc_recording_group)
    list; /* greatest total first, then by name; each name once */
};

struct nsc_recording {
    uint32_t n;                /* iterations measured; 1 if the scope is the only one */
    uint32_t n_found;          /* including the warm-up; 0: none found */
    uint32_t n_cut;            /* cut short, so not in the mean period */
    enum nsc_iterations_by by; /* how they were found */
    bool on_gpu;               /* periods are measured on the GPU, because the host runs ahead */
    bool has_work;             /* a GPU works in the window */
    bool is_torn;              /* events are lost (base/loss.h) */
    struct nsc_recording_kind kinds[NSC_LIMIT_KINDS]; /* the most frequent first */
    uint32_t n_kinds;
    char label[NSC_ITERATIONS_LABEL]; /* "" without iterations; raw bytes */
    struct nsc_window window;         /* from the first start to the last end */
    struct nsc_recording_spread metrics[NSC_N_RECORDING_METRICS];
    uint32_t n_devices, n_processes; /* those with GPU work in the window */
    struct nsc_strpool texts;
    struct nsc_recording_groups kernels;  /* by full name */
    struct nsc_recording_groups families; /* kernels, by kind of work (names/kernel_family.h) */
    struct nsc_recording_groups ranges;   /* push/pop */
    nsc_time kernel_time;                 /* sum over all kernels; saturating */
    uint64_t kernel_count;
    struct nsc_recording_parts parts; /* parts of the iterations in the mean period, without
                                       * interludes */
    nsc_str devices, version;         /* GPU models in order, separated by ", "; version of nsys */
};

/*
 * named: the iterations are ranges whose name contains it; an empty text: finds iterations by their
 * beat. fields: of the grids; may be NULL. NSC_ENODATA: neither GPU work nor ranges in the scope, or no whole range of that name.
 */
NSC_NODISCARD enum nsc_status nsc_recording_measure(struct nsc_recording *out,
                                                    const struct nsc_scope *scope,
                                                    const struct nsc_field_sets *fields,
                                                    struct nsc_text named, struct nsc_error *error);
/* Measures one recording of a trace of several, by its number; finds its iterations. */
NSC_NODISCARD enum nsc_status nsc_recording_measure_one(struct nsc_recording *out,
                                                        const struct nsc_trace *trace,
                                                        uint32_t capture, struct nsc_error *error);
void nsc_recording_fini(struct nsc_recording *run);

const char *nsc_recording_metric_title(enum nsc_recording_metric metric);

#endif
