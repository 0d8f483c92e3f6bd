/*
 * The GPU work of one device in a scope, op by op in order of start, clipped to the window.
 *
 * All questions about a device walk this way: kernels, graph launches, copies and memsets of every
 * process and stream. A plain value; the owner calls fini.
 */
#ifndef NSC_ANALYSIS_DEVICE_WORK_H
#define NSC_ANALYSIS_DEVICE_WORK_H

#include "analysis/base/scope.h"
#include "index/lane_merge.h"

/* The next NSC_TRACK_DEVICE after this track (NSC_NONE: the first); NSC_NONE after the last. */
uint32_t nsc_device_next(const struct nsc_trace *trace, uint32_t track);

/*
 * What is measured of a device (DEFINITIONS 1): the scope's window when one was asked for, else
 * from the start of its first op to the end of its last one, so that the time before and after the
 * work is nobody's idle time. False when it has no op of any length in the scope.
 */
bool nsc_device_window(struct nsc_window *out, const struct nsc_scope *scope, uint32_t device);

struct nsc_device_op {
    nsc_event event;
    nsc_time start, end; /* clipped; equal for an instant */
    uint32_t stream;     /* track */
};

struct nsc_device_ops {
    const struct nsc_scope *scope;
    struct nsc_lane_merge merge;
    uint32_t *lane_end; /* rows of a lane end here, ascending */
    uint32_t *lane_track;
    uint32_t n_lanes, at_lane;
};

void nsc_device_ops_init(struct nsc_device_ops *work, const struct nsc_scope *scope,
                         uint32_t device);
/* The next op of the scope; false after the last. Ops of equal start come in order of row. */
bool nsc_device_ops_next(struct nsc_device_ops *work, struct nsc_device_op *op);
void nsc_device_ops_fini(struct nsc_device_ops *work);

#endif
