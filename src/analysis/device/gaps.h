/*
 * Finds the gaps of a device, and what it waits for in each.
 *
 * A gap is a maximal interval [a, b) of the device's window in which no op of the scope runs on any
 * stream. Each gap is attributed to the first op after it that a call launched, even if that op
 * lies after the window; migrations of unified memory have no call. The op is issued when its call
 * returns, at I. In [a, min(I, b)) the CPU was late. Each ns has the act of the launching thread at
 * that ns (device/host_walk.h), with these exceptions:
 *
 *   - A thread that sleeps until another one wakes it is not the cause. Its time has the acts of the
 *     thread that worked meanwhile and hands over when the sleep ends: among the process's threads
 *     that sleep for less than half of that time, the one with a call or range that ends, a range
 *     that begins or a wait that begins at most NSC_HANDOVER_NS from the end of the sleep;
 *     one that waits for events or requests counts only if no other does. A sleep that ends by a timeout
 *     continues in the next one if that begins at most NSC_HANDOVER_NS after it.
 *     A thread without any record from a on has the acts of the thread that launched the op before
 *     the gap, if that one launched it later than the silent thread did anything.
 *   - Work of a thread outside of ranges, while the main thread of its process waits for it (or it is
 *     one of autograd's), counts in the main thread's range.
 *   - A synchronizing call, or a copy of another GPU that blocks, waits for another GPU while one
 *     runs work of the process (device/other_gpus.h). Pauses of at most NSC_HANDOVER_NS between
 *     that work count too. Then the CPU is not late.
 *   - CPU work of at most NSC_LAUNCH_BETWEEN_NS between two CUDA calls, one of them a launch, is
 *     launch overhead.
 *   - If the thread was in a synchronizing call, a blocking copy or cudaFree when the gap began, the
 *     queue was drained by that call, if what follows would be hidden without it. Let it take w from the
 *     end of the wait to that of the gap, and the GPU work g since the first call after the last wait
 *     before it (waits in a row are one): w <= NSC_LAUNCH_BETWEEN_NS, or 3/4 w <= g. Then CPU
 *     work and launch overhead of the gap are "after a wait that drained the queue", with that call; except those of another thread that the launching thread sleeps for.
 *
 * Then [min(I, b), b). This time is launch overhead if the op starts at most NSC_LAUNCH_LATENCY_NS
 * after I and either nothing ran at I or the gap is longer than NSC_LIMIT_STREAM_GAP. Otherwise the op
 * was queued: behind migrations if one ends the gap; for at most NSC_HANDOVER_NS behind the op that
 * ended last before the gap (its own stream, a copy, another stream). If an op of the process ended on
 * another GPU at most NSC_LAUNCH_LATENCY_NS before the op started, it was behind that GPU while that
 * one ran work. The rest is for unknown reasons.
 *
 * If no such op follows, there is no more work until the last op of the other GPUs of its export
 * ends. Then, as at the end of a truncated recording, the CPU is late; the thread is that of the last
 * launch before it. Unknown: the op has no known call, or the export has more than NSC_HOST_GPUS GPUs.
 * Time before the first and after the last event of its export is not recorded. The parts of a gap
 * add up to its length.
 */
#ifndef NSC_ANALYSIS_GAPS_H
#define NSC_ANALYSIS_GAPS_H

#include "analysis/base/limit.h"
#include "analysis/device/gap_ops.h"
#include "analysis/device/host_walk.h"
#include "analysis/device/other_gpus.h"
#include "core/sum.h"

/* threshold.def */
#define NSC_LAUNCH_LATENCY_NS (1000 * NSC_LIMIT_PROMPT)
#define NSC_LAUNCH_BETWEEN_NS (1000 * NSC_LIMIT_LAUNCH_BETWEEN)
#define NSC_HANDOVER_NS       (1000 * NSC_LIMIT_HANDOVER)
#define NSC_DRAIN_SLACK_NS    (1000 * NSC_LIMIT_SLACK)

enum nsc_gap_part {
#define NSC_GAP_PART(name, words) NSC_GAP_##name,
#include "analysis/device/gap_part.def"
#undef NSC_GAP_PART
    NSC_N_GAP_PARTS
};

/* Parts below this one: the CPU was late. Those from it to OTHER_GPU: queued. */
#define NSC_GAP_LATE NSC_GAP_STREAM

/* "synchronizing call", "blocking copy", ... */
const char *nsc_gap_part_word(enum nsc_gap_part part);
/* A sentence if CPU work may as well be a wait: the trace has no calls of the OS, CPU samples and thread
 * states, which would tell; else NULL. */
const char *nsc_gap_doubt(const struct nsc_trace *trace);
/* "CPU late", "queued", "host waits", "done" or "unknown". */
const char *nsc_gap_side_word(enum nsc_gap_part part);

struct nsc_gap_piece {
    nsc_time start, end;
    uint8_t part;     /* enum nsc_gap_part */
    nsc_event call;   /* a call of any kind; for DRAINED the wait; NSC_NONE: none */
    nsc_event inside; /* outermost call inside it; for DRAINED the call after it; NSC_NONE: none */
    nsc_event range;  /* innermost NVTX push/pop range around this time; NSC_NONE */
    uint32_t thread;  /* group of the thread that is late or waits; NSC_NONE: none */
    nsc_event sleep;  /* call in which the launching thread waits for that one; NSC_NONE */
};

struct nsc_gap {
    nsc_time start, end;
    nsc_event next;    /* the op it is attributed to; NSC_NONE: none */
    nsc_event call;    /* its launch call; NSC_NONE */
    nsc_event drained; /* wait that drained the queue; NSC_NONE */
    nsc_event range;   /* range with most of the CPU-late time */
    nsc_time part[NSC_N_GAP_PARTS];
};

struct nsc_gap_walk {
    const struct nsc_scope *scope;
    struct nsc_gap_ops ops;
    struct nsc_window recorded; /* of the device's export: from its first to its last event */
    struct nsc_host_walk host;
    struct nsc_gap_sleep {
        nsc_event row;   /* a sleep that was followed; NSC_NONE: none */
        uint32_t worker; /* the group of the thread that worked */
    } last_sleep;
    struct nsc_host_pieces own; /* of the launching thread, while others are read */
    NSC_VEC(uint32_t) workers;  /* by such piece: thread at work; NSC_NONE: the launching thread */
    struct nsc_other_gpus others;
    NSC_VEC(struct nsc_gap_piece) unsplit;
    NSC_VEC(struct nsc_gap_piece) pieces; /* pieces of the last gap; they fill it */
};

/* False if no op of the scope has any length: then there are no gaps. The owner calls fini in both
 * cases. */
bool nsc_gap_walk_init(struct nsc_gap_walk *walk, const struct nsc_scope *scope, uint32_t device);
void nsc_gap_walk_fini(struct nsc_gap_walk *walk);
/* The next gap, with its pieces; false after the last, or once the scope is stopped. */
bool nsc_gap_walk_next(struct nsc_gap_walk *walk, struct nsc_gap *gap);

/* The first track of a kind of a thread; NSC_NONE: none. */
uint32_t nsc_thread_track(const struct nsc_trace *trace, uint32_t thread, uint8_t kind);

/* The sum of the parts from one to before another. */
static inline nsc_time nsc_gap_sum(const nsc_time part[NSC_N_GAP_PARTS], int from, int to)
{
    nsc_time sum = 0;

    for (int i = from; i < to; i++)
        sum = nsc_sum(sum, part[i]);
    return sum;
}

static inline nsc_time nsc_gap_late(const struct nsc_gap *gap)
{
    return nsc_gap_sum(gap->part, 0, NSC_GAP_LATE);
}

static inline nsc_time nsc_gap_queued(const struct nsc_gap *gap)
{
    return nsc_gap_sum(gap->part, NSC_GAP_LATE, NSC_GAP_OTHER_GPU);
}

#endif
