/*
 * How many ops run on a device at once.
 *
 * The level at t is the number of ops of the scope that run at t, on any stream. Two streams are
 * active at t when ops of two different streams run. The levels add up to the window.
 */
#ifndef NSC_ANALYSIS_CONCURRENCY_H
#define NSC_ANALYSIS_CONCURRENCY_H

#include "analysis/device/device_times.h"

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

#endif
