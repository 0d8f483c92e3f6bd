/*
 * How long a device is idle, in how many gaps, and why: totals of analysis/device/gaps.h.
 *
 * The profiler samples the CPU at its own times. A sample belongs to a piece of a gap if it is of
 * the piece's thread, start <= its time < end, and the thread does CPU work there.
 *
 * The owner calls fini. busy + idle is the window; the parts add up to idle.
 */
#ifndef NSC_ANALYSIS_IDLE_H
#define NSC_ANALYSIS_IDLE_H

#include "analysis/device/gaps.h"
#include "analysis/names/framework.h"
#include "analysis/ranges/flame.h"

#define NSC_IDLE_LONGEST 20 /* gaps kept */
#define NSC_IDLE_SIZES   4  /* below 10 us, 100 us, 1 ms, and longer */

/* Idle time of one part with the same call, range and thread. Ranges whose names differ only in
 * numbers count as the same. */
struct nsc_idle_cause {
    uint8_t part;     /* enum nsc_gap_part */
    nsc_event call;   /* call of the longest piece; for DRAINED the wait; NSC_NONE: none */
    nsc_event inside; /* call inside it, for DRAINED after it, with at least half of the time;
                       * NSC_NONE */
    nsc_event range;  /* one of the ranges around this time; NSC_NONE: none */
    bool is_mixed;    /* the names of the ranges differ in numbers */
    uint32_t thread;  /* group that is late or waits; NSC_NONE: none */
    nsc_event sleep;  /* call in which the launching thread waits for that one; NSC_NONE */
    nsc_time ns;
    nsc_time inside_ns; /* time in calls with the same name as inside; 0: none */
    uint32_t gaps;
    /* CPU samples of the thread while it does CPU work, and those in its most frequent function.
     * in_function is 0 with fewer than NSC_LIMIT_FEW samples, on a tie, or if the
     * function has no name. */
    uint32_t samples, in_function;
    uint32_t collecting; /* of these samples in functions of Python's garbage collection */
    nsc_event function;  /* one of these samples: its name is the innermost function; valid if
                         * in_function */
};

struct nsc_idle_range { /* CPU-late idle time in ranges of one name */
    nsc_event like;     /* one of the ranges; NSC_NONE: outside of ranges */
    bool is_mixed;      /* their names differ in numbers */
    nsc_time late;
    uint32_t gaps; /* pieces of gaps, summed over the causes */
};

/* One of the longest gaps, and its largest cause. */
struct nsc_idle_gap {
    struct nsc_gap of;
    struct nsc_idle_cause cause; /* its field gaps is not set */
};

struct nsc_idle {
    uint32_t device;
    struct nsc_window window;
    nsc_time busy, idle;
    uint32_t n_gaps;
    uint32_t sizes[NSC_IDLE_SIZES]; /* number of gaps by length */
    nsc_time part[NSC_N_GAP_PARTS];
    nsc_time after_drain; /* CPU-late time of gaps that follow a draining wait */
    uint32_t n_longest;   /* the longest first; ties: the earlier first */
    struct nsc_idle_gap *longest;
    uint32_t n_causes; /* sorted by ns, the greatest first */
    struct nsc_idle_cause *causes;
    uint32_t n_ranges; /* sorted by late, the greatest first */
    struct nsc_idle_range *ranges;
    enum nsc_purpose purpose; /* of the program; unknown if no wait may be for requests */
    nsc_time requests;        /* CPU-late time in which a server waits for requests */
    bool is_kept;             /* kept and freed by the scope's store (analysis/base/shared.h) */
};

/* False, and nothing to free, when the device has no work in the scope. */
bool nsc_idle_build(struct nsc_idle *out, const struct nsc_scope *scope, uint32_t device);
void nsc_idle_fini(struct nsc_idle *idle);
/* All CPU-late time. */
nsc_time nsc_idle_late(const struct nsc_idle *idle);
/* nsc_flame_build with idle times; stop: as in a scope. */
struct nsc_flame *nsc_idle_flame(const struct nsc_trace *trace, struct nsc_flame_query query,
                                 struct nsc_progress *stop);
/* Whether a call waits for requests: epoll_wait unless the program trains; in a server also poll, and a wait
 * for a condition or semaphore that nobody is known to end. A poll of other programs may wait for the workers
 * of an input pipeline. */
bool nsc_awaits_requests(const struct nsc_trace *trace, nsc_event call, enum nsc_purpose purpose);

#endif
