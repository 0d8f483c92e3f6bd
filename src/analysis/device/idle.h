/*
 * How long a device is idle, in how many gaps, and what the gaps wait for: the totals of
 * analysis/device/gaps.h.
 *
 * Samples of the CPU are taken by the profiler at times of their own. One belongs to a piece of a gap if
 * it is of the piece's thread and start <= its time < end, and the thread does CPU work there.
 *
 * The owner calls fini. busy + idle is the window; the parts add up to idle.
 */
#ifndef NSC_ANALYSIS_IDLE_H
#define NSC_ANALYSIS_IDLE_H

#include "analysis/device/gaps.h"

#define NSC_IDLE_LONGEST 20 /* gaps that are kept */
#define NSC_IDLE_SIZES   4  /* below 10 us, 100 us, 1 ms; the rest */

/* Idle time of one part with one call, one range and one thread. Ranges are one if their names differ
 * only in numbers. */
struct nsc_idle_cause {
    uint8_t part;     /* enum nsc_gap_part */
    nsc_event call;   /* the longest piece's; of DRAINED the wait; NSC_NONE: no call */
    nsc_event inside; /* the call inside it in which at least half of the time passes; NSC_NONE */
    nsc_event range;  /* one of the ranges in which the time passes; NSC_NONE: under none */
    uint32_t thread;  /* group; NSC_NONE where the CPU is not late */
    nsc_time ns;
    nsc_time inside_ns; /* in calls named as inside; 0: none */
    uint32_t gaps;
    /* CPU samples of the thread while it does CPU work, and how many of them are in the function that
     * more of them are in than in any other; 0: fewer than NSC_LIMIT_CAUSE_SAMPLES, a tie, or its
     * name is not known. */
    uint32_t samples, in_function;
    nsc_event function; /* one of those: its name is the innermost function; valid if in_function */
};

struct nsc_idle_range { /* CPU-late idle time that passes in ranges of that name */
    nsc_event like;     /* one of the ranges; NSC_NONE: under none */
    nsc_time late;
    uint32_t gaps; /* pieces of gaps, added up over the causes */
};

/* One of the longest gaps, and its largest cause. */
struct nsc_idle_gap {
    struct nsc_gap of;
    struct nsc_idle_cause cause; /* gaps is not set */
};

struct nsc_idle {
    uint32_t device;
    struct nsc_window window;
    nsc_time busy, idle;
    uint32_t n_gaps;
    uint32_t sizes[NSC_IDLE_SIZES]; /* gaps by length */
    nsc_time part[NSC_N_GAP_PARTS];
    nsc_time after_drain; /* late time of gaps that begin with a wait that drained the queue */
    uint32_t n_longest;   /* the longest first, of equals the earlier */
    struct nsc_idle_gap longest[NSC_IDLE_LONGEST];
    uint32_t n_causes; /* by ns, the greatest first */
    struct nsc_idle_cause *causes;
    uint32_t n_ranges; /* by late, the greatest first */
    struct nsc_idle_range *ranges;
    bool is_kept; /* by the scope's store (analysis/base/shared.h), which frees it */
};

/* False, and nothing to free, when the device has no work in the scope. */
bool nsc_idle_build(struct nsc_idle *out, const struct nsc_scope *scope, uint32_t device);
void nsc_idle_fini(struct nsc_idle *idle);
/* CPU-late time in all. */
nsc_time nsc_idle_late(const struct nsc_idle *idle);
/* Queued time in all. */
nsc_time nsc_idle_queued(const struct nsc_idle *idle);

extern const struct nsc_rider nsc_idle_rider;

#endif
