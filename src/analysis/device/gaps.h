/*
 * The gaps of a device, and what each was waiting for.
 *
 * A gap is a maximal interval [a, b) of the device's window in which no op of the scope runs on any
 * stream. It is attributed to the first op after it, through the call that launched that op and
 * starts at L: in [a, min(L, b)) the CPU was late, in the rest the op was queued and waited on the
 * GPU's side (a dependency, stream order, the latency of the launch). Without a known call, or
 * without a next op in the window, the cause is unknown: graph replays and trimmed traces are never
 * called host-bound. While the CPU was late, the launching thread was inside a synchronizing call, a
 * blocking copy, another CUDA call, an OS wait or no traced call: the first of these that holds at
 * each ns. The parts of a gap add up to its length.
 */
#ifndef NSC_ANALYSIS_GAPS_H
#define NSC_ANALYSIS_GAPS_H

#include "analysis/device/host_walk.h"
#include "analysis/device/sweep.h"

enum nsc_gap_part {
    NSC_GAP_IN_SYNC,     /* CPU late, its thread inside a synchronizing call */
    NSC_GAP_IN_COPY,     /* ... a blocking copy call */
    NSC_GAP_IN_CUDA,     /* ... another CUDA call */
    NSC_GAP_IN_OS_WAIT,  /* ... an OS wait */
    NSC_GAP_IN_UNTRACED, /* ... no traced call: work of the CPU, or calls that are not traced */
    NSC_GAP_QUEUED,      /* launched already: the GPU's side waits */
    NSC_GAP_UNKNOWN,     /* no call is known */
    NSC_N_GAP_PARTS
};

/* Parts below this one: the CPU was late. */
#define NSC_GAP_LATE NSC_GAP_QUEUED

/* "synchronizing call", "blocking copy", ... */
const char *nsc_gap_part_word(enum nsc_gap_part part);

struct nsc_gap {
    nsc_time start, end;
    nsc_event next;  /* the op that ends it; NSC_NONE at the end of the window */
    nsc_event call;  /* that launched it; NSC_NONE */
    nsc_event range; /* the innermost NVTX push/pop range of the launching thread at the launch, of
                        several domains the one that started last; only where the CPU was late */
    nsc_time part[NSC_N_GAP_PARTS];
};

/* The gap of a stretch in which nothing runs. The host is walked forward: gaps must be asked for in
 * order of time. */
struct nsc_gap nsc_gap_of(const struct nsc_sweep *sweep, struct nsc_host_walk *host);

static inline nsc_time nsc_gap_late(const struct nsc_gap *gap)
{
    return gap->part[NSC_GAP_IN_SYNC] + gap->part[NSC_GAP_IN_COPY] + gap->part[NSC_GAP_IN_CUDA] +
           gap->part[NSC_GAP_IN_OS_WAIT] + gap->part[NSC_GAP_IN_UNTRACED];
}

#endif
