/*
 * The time of a device by class of work: compute, each collective, each direction of copies,
 * memsets; alone, at once, and idle.
 *
 * A plain value. Unions are over all processes and streams of the device and clipped to the window;
 * counts and sums are of whole events. Naive meaning: mark each ns of the window with the kinds
 * that run in it and count the ns (device_times.h does that).
 */
#ifndef NSC_ANALYSIS_WORK_TIMES_H
#define NSC_ANALYSIS_WORK_TIMES_H

#include "analysis/device/device_times.h"

struct nsc_work_times {
    uint32_t device; /* its track */
    struct nsc_op_kind_sum of[NSC_N_OP_KINDS];
    nsc_time both[NSC_N_OP_KINDS][NSC_N_OP_KINDS]; /* time in which both run; [i][i]: in which i
                                                    * runs */
    nsc_time comm;                                 /* all collectives */
    nsc_time kernels;                              /* compute or communication */
    nsc_time busy;                                 /* anything */
    bool has_kernels;
    struct nsc_window span; /* first start to last end of kernels, clipped to the window */
    nsc_time busy_in_span;
};

void nsc_work_times_build(struct nsc_work_times *out, const struct nsc_scope *scope,
                          uint32_t device);

#endif
