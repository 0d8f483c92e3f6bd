/*
 * What runs at once on a device, and for how long: the ground of breakdown, work_times and
 * concurrency.
 *
 * Times are clipped to the window, counts and durations are of whole ops. Naive meaning: paint each
 * ns of the window with the kinds of ops that run in it and count the ns of each set of kinds.
 */
#ifndef NSC_ANALYSIS_DEVICE_TIMES_H
#define NSC_ANALYSIS_DEVICE_TIMES_H

#include "analysis/device/sweep.h"

#define NSC_LEVELS 5 /* ops at once: 0, 1, 2, 3, and 4 or more */

struct nsc_op_kind_sum {
    uint32_t count;
    nsc_time work; /* whole durations, added; saturating */
    nsc_time min, max;
};

struct nsc_device_times {
    bool has_window; /* some op has a length */
    struct nsc_window window;
    struct nsc_op_kind_sum of[NSC_N_OP_KINDS];
    uint32_t n_graphs; /* CUDA graphs recorded as graphs; they count as compute too */
    nsc_time graph_work;
    uint32_t n; /* sets of kinds, in the order in which they first run */
    struct nsc_kinds_time {
        uint32_t kinds; /* a bit an enum nsc_op_kind; 0: the device is idle */
        nsc_time length;
    } * at;
    nsc_time level[NSC_LEVELS]; /* time by ops at once */
    nsc_time streams;           /* while ops of two streams or more run */
    uint32_t most;              /* ops at once */
    double op_ns;               /* ops at once by ns */
    bool has_kernels;
    struct nsc_window span; /* first start to last end of kernels */
    nsc_time busy_in_span;
    bool is_kept; /* by the scope's store (analysis/base/shared.h), which frees it */
};

/* False if no op of the scope has any length; counts and the span are filled even so. The owner calls
 * fini in both cases. */
bool nsc_device_times_build(struct nsc_device_times *out, const struct nsc_scope *scope,
                            uint32_t device);
void nsc_device_times_fini(struct nsc_device_times *times);
/* How long something of kinds runs and nothing of others. */
nsc_time nsc_device_times_without(const struct nsc_device_times *times, uint32_t kinds,
                                  uint32_t others);
/* How long something of a and something of b runs at once; a = b: how long a runs. */
nsc_time nsc_device_times_both(const struct nsc_device_times *times, uint32_t a, uint32_t b);

/* ---- ops at once ---- */

struct nsc_concurrency {
    struct nsc_window window;
    nsc_time level[NSC_LEVELS];
    nsc_time streams; /* two or more streams active */
    nsc_time busy;
    uint32_t most;       /* ops at once */
    double mean;         /* over the window */
    double mean_of_busy; /* over the time in which something runs */
};

/* False when the device has no work in the scope. */
bool nsc_concurrency_build(struct nsc_concurrency *out, const struct nsc_scope *scope,
                           uint32_t device);

extern const struct nsc_rider nsc_device_times_rider;

#endif
