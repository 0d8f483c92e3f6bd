/*
 * The cost of launching the kernels of a device, and how long they queue.
 *
 * For a kernel k and the call r that launched it (same process and correlation id): API time r.end
 * - r.start; queue time k.start - r.end, only where that is 0 or more; total max(r.end, k.end) -
 * r.start; delay k.start - r.end of either sign. Short: k lasts less than r. Starved: k begins less
 * than 10 us after r ends. Queueing is not bad by itself: a GPU whose queue is always empty may be
 * starving. All durations are whole. Quantiles: analysis/base/quantile.h.
 */
#ifndef NSC_ANALYSIS_LAUNCH_TIMES_H
#define NSC_ANALYSIS_LAUNCH_TIMES_H

#include "analysis/base/limit.h"
#include "analysis/device/queue_depth.h"
#include "core/sparse.h"

#define NSC_STARVED_NS    (1000 * NSC_LIMIT_STARVED_AFTER)
#define NSC_DEEP_QUEUE_NS 1000000 /* usual limit of nsc_launch_sums.late */

struct nsc_launch_figures { /* of n values */
    uint64_t n;
    nsc_time sum; /* saturating */
    nsc_time median, p95, max;
};

struct nsc_launch_times {
    struct nsc_window window;
    uint64_t n;                         /* number of kernels */
    uint64_t known;                     /* kernels with a known call */
    struct nsc_launch_figures duration; /* of all kernels; sum is their work */
    struct nsc_launch_figures api;      /* of calls; each counts once, with its first op */
    struct nsc_launch_figures queue;    /* of kernels that queued */
    struct nsc_launch_figures total;    /* of known kernels */
    nsc_time delay_median;              /* of known kernels; 0 without any */
    uint64_t starved, is_short;         /* numbers of kernels */
    nsc_time short_work;                /* summed durations of short kernels */
    uint64_t below_5us, below_10us, below_20us;
    uint64_t replayed; /* kernels of CUDA graphs recorded node by node; one call launches many */
};

/* False when the device has no work in the scope. */
bool nsc_launch_times_build(struct nsc_launch_times *out, const struct nsc_scope *scope,
                            uint32_t device);

/* ---- by name and by thread ---- */

/* Kernels with a known call. Sums saturate. */
struct nsc_launch_sums {
    uint32_t key; /* name, or the group of the thread that launched them */
    uint32_t kernels;
    uint32_t calls;            /* fewer than kernels, because a graph's call launches many */
    uint32_t queued;           /* kernels that began after their call ended */
    uint32_t late;             /* kernels queued longer than a limit */
    nsc_time kernel;           /* summed durations */
    nsc_time api, api_max;     /* of calls */
    nsc_time queue, queue_max; /* of queued kernels */
};

/* Sums by key. The owner calls fini. */
struct nsc_launch_table {
    struct nsc_launch_sums *at; /* in the order in which keys were added */
    size_t n, capacity;
    struct nsc_sparse slot; /* uint32_t by key: index in at + 1; 0: none. Empty in a detail */
};

/* keys: one more than the largest. */
void nsc_launch_table_init(struct nsc_launch_table *table, uint32_t keys);
void nsc_launch_table_fini(struct nsc_launch_table *table);
/* Adds sums to those of a key. */
void nsc_launch_table_add(struct nsc_launch_table *table, uint32_t key,
                          const struct nsc_launch_sums *of);

struct nsc_launch_detail {
    struct nsc_launch_times times;
    struct nsc_launch_table by_name, by_thread;
    struct nsc_queue_depths depths;
    bool is_kept; /* kept and freed by the scope's store (analysis/base/shared.h) */
};

/* Measures times, sums and queues in one walk. late_ns: the limit of nsc_launch_sums.late. False when
 * the device has no work in the scope; the owner calls fini then too. */
bool nsc_launch_detail_build(struct nsc_launch_detail *out, const struct nsc_scope *scope,
                             uint32_t device, nsc_time late_ns);
void nsc_launch_detail_fini(struct nsc_launch_detail *detail);

#endif
