/*
 * GPU work in the order in which each thread launched it, and what any stretch of that order adds
 * up to.
 *
 * Work that is known to be launched by a call stands at one position; the positions of a thread are
 * contiguous and ascend by the start of the call. Immutable once built, owned by the caller; about
 * 5 bytes an operation.
 */
#ifndef NSC_ANALYSIS_LAUNCHES_H
#define NSC_ANALYSIS_LAUNCHES_H

#include "nsyscope/trace.h"

struct nsc_launches;

struct nsc_positions { /* [first, end) */
    uint32_t first, end;
};

struct nsc_gpu_figures {
    uint32_t launches;     /* calls that launched something */
    uint32_t ops;          /* kernels, graphs, copies, memsets */
    nsc_time work;         /* their durations added, saturating: never wall time */
    nsc_event first, last; /* which op starts first and which ends last; NSC_NONE without any */
};

/* Of the rows that mask selects (NULL: all), which is borrowed for this call only. NULL when the
 * memory is refused. */
struct nsc_launches *nsc_launches_build(const struct nsc_trace *trace, const uint64_t *mask);
void nsc_launches_free(struct nsc_launches *launches);

/* The positions of a thread, given any track of its group. */
struct nsc_positions nsc_launches_of_track(const struct nsc_launches *launches, uint32_t track);
/* Those launched inside an event of a thread, on that thread: the call starts in [start, touch
 * end). */
struct nsc_positions nsc_launches_inside(const struct nsc_launches *launches, nsc_event event);
/* The first of these positions whose call starts at t or later; end when none. O(log). */
uint32_t nsc_launches_find(const struct nsc_launches *launches, struct nsc_positions in,
                           nsc_time t);
nsc_event nsc_launches_op(const struct nsc_launches *launches, uint32_t position);
/* When the op at a position was launched: the start of its call. */
nsc_time nsc_launches_time(const struct nsc_launches *launches, uint32_t position);
/* The position of an op; NSC_NONE when its call is unknown. */
uint32_t nsc_launches_position(const struct nsc_launches *launches, nsc_event op);
/* For who measures often: makes nsc_launches_measure O(log). False when the memory is refused. */
bool nsc_launches_sum(struct nsc_launches *launches);
/* O(positions) without the sums. */
struct nsc_gpu_figures nsc_launches_measure(const struct nsc_launches *launches,
                                            struct nsc_positions in);

#endif
