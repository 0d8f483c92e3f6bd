/*
 * Which NVTX ranges are around a call: one cursor for all questions of this kind.
 *
 * A policy has three parts.
 *
 * Which ranges: those that nest in lanes (a domain of a thread), or those of the tracks of a thread or
 * process. The last come in order of start, and their source can skip ranges or move their ends. A range includes its first and its last moment (start, end).
 *
 * Which part of the call: a range is around [t0, t1] if start <= t0 and end >= t1. For the start of
 * the call, pass its start twice; for the whole call, pass its start and end.
 *
 * Which of the ranges around it:
 *     all       every one, in the order of the source
 *     latest    the one that starts last; of equal starts the last in the source
 *     shortest  the one of least end - start; of equals the one that starts last, then the one with
 *               the greatest tie. Its cap limits the choice to the last cap ranges that start by
 *               t0, in order of start and tie
 *
 * Nested ranges support only the start of the call, and cover [start, touch end). A few exports
 * have ranges of one domain that cross each other. There a range stays open until those opened
 * inside it have ended, and a lane opens a range only if each lane above it has an open one.
 *
 * t0 never descends from one question to the next. Each range is opened once, whatever the depth. A
 * plain value with memory of its own; the owner calls fini. A cursor answers one kind of question.
 */
#ifndef NSC_ANALYSIS_AROUND_H
#define NSC_ANALYSIS_AROUND_H

#include "core/sum.h"
#include "core/vec.h"
#include "index/lane_merge.h"

struct nsc_around_range {
    nsc_time start, end; /* inclusive */
    uint32_t id;         /* a row of the trace */
    uint32_t tie;        /* nested: the end of its lane */
    nsc_time least;      /* all, latest: the least end of this range and those opened before it */
};

struct nsc_around {
    const struct nsc_events *events;
    bool is_nested;
    uint32_t n_nested; /* lanes; lane i holds the ranges of depth i */
    uint32_t kept;     /* nested: how many of open were open at the question before */
    nsc_time until;    /* nested: no range is opened before, while none of open ends */
    /* The next range of the source; false after the last. Starts ascend. */
    bool (*next)(struct nsc_around *around, struct nsc_around_range *range);
    void *context;               /* of next */
    struct nsc_lane_merge lanes; /* for next */
    struct nsc_around_range ahead;
    bool has_ahead;
    uint32_t cap; /* of the shortest; 0: none */
    /* Nested: behind the open ones, the next of each lane. Shortest: a heap without a cap. */
    NSC_VEC(struct nsc_around_range) open;
};

void nsc_around_nested(struct nsc_around *around, const struct nsc_trace *trace,
                       uint32_t first_lane, uint32_t n);
/* Uses the rows of the tracks of a process with these kinds (NSC_TRACK_BIT). tid: NSC_NONE for all
 * threads. next reads the rows from around->lanes. */
void nsc_around_tracks(struct nsc_around *around, const struct nsc_trace *trace, uint32_t kinds,
                       uint64_t process, uint32_t tid,
                       bool (*next)(struct nsc_around *around, struct nsc_around_range *range),
                       void *context);
void nsc_around_fini(struct nsc_around *around);

/* For all: afterwards open has exactly the ranges around [t0, t0], in order. Those with end >= t1
 * are around [t0, t1]. */
void nsc_around_step(struct nsc_around *around, nsc_time t0);
/* Nested: the first time at which a step may change the open ranges. */
static inline nsc_time nsc_around_next(const struct nsc_around *around)
{
    size_t n = around->open.n;

    return n == 0 ? around->until : nsc_earlier(around->until, around->open.at[n - 1].end + 1);
}
/* Return the id of the latest or shortest range; NSC_NONE if no range is around the call. */
uint32_t nsc_around_latest(struct nsc_around *around, nsc_time t0, nsc_time t1);
uint32_t nsc_around_shortest(struct nsc_around *around, nsc_time t);

#endif
