/*
 * The time of each set of op kinds that run at once on a device. breakdown, work_times and
 * concurrency derive from it.
 *
 * Times are clipped to the window; counts and summed durations are of whole ops. Naive meaning:
 * paint each ns of the window with the kinds of ops that run in it and count the ns of each set of
 * kinds.
 */
#ifndef NSC_ANALYSIS_DEVICE_TIMES_H
#define NSC_ANALYSIS_DEVICE_TIMES_H

#include "analysis/device/sweep.h"

#define NSC_LEVELS 5 /* number of ops at once: 0, 1, 2, 3, 4 or more */

struct nsc_op_kind_sum {
    uint32_t count;
    nsc_time work; /* summed whole durations; saturating */
    nsc_time min, max;
};

struct nsc_device_times {
    bool has_window; /* some op has a length */
    struct nsc_window window;
    struct nsc_op_kind_sum of[NSC_N_OP_KINDS];
    uint32_t n_graphs; /* CUDA graphs recorded whole; they count as compute too */
    nsc_time graph_work;
    uint32_t n; /* sets of kinds, in the order in which they first run */
    struct nsc_kinds_time {
        uint32_t kinds; /* one bit per enum nsc_op_kind; 0: idle */
        nsc_time length;
    } * at;
    nsc_time level[NSC_LEVELS]; /* time by number of ops at once */
    nsc_time streams;           /* time while ops of two or more streams run */
    uint32_t most;              /* most ops at once */
    double op_ns;               /* integral of ops at once over ns */
    bool has_kernels;
    struct nsc_window span; /* first start to last end of kernels */
    nsc_time busy_in_span;
    bool is_kept; /* kept and freed by the scope's store (analysis/base/shared.h) */
};

/* False if no op of the scope has any length; even then counts and the span are filled. The owner
 * calls fini in both cases. */
bool nsc_device_times_build(struct nsc_device_times *out, const struct nsc_scope *scope,
                            uint32_t device);
void nsc_device_times_fini(struct nsc_device_times *times);
/* The time in which some of kinds run and none of others. */
nsc_time nsc_device_times_without(const struct nsc_device_times *times, uint32_t kinds,
                                  uint32_t others);
/* The time in which some of a and some of b run at once; a = b: the time in which a runs. */
nsc_time nsc_device_times_both(const struct nsc_device_times *times, uint32_t a, uint32_t b);

/* ---- ops at once ---- */

struct nsc_concurrency {
    struct nsc_window window;
    nsc_time level[NSC_LEVELS];
    nsc_time streams; /* two or more streams active */
    nsc_time busy;
    uint32_t most;       /* most ops at once */
    double mean;         /* mean over the window */
    double mean_of_busy; /* mean over the busy time */
};

/* False when the device has no work in the scope. */
bool nsc_concurrency_build(struct nsc_concurrency *out, const struct nsc_scope *scope,
                           uint32_t device);

extern const struct nsc_rider nsc_device_times_rider;

#endif
