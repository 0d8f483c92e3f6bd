/*
 * Ops in the order in which each thread launched them, and sums over any stretch of that order.
 *
 * Every op with a known call has one position. The positions of a thread are contiguous and ascend
 * by the start of the call. Immutable once built, owned by the caller; about 5 bytes per op.
 */
#ifndef NSC_ANALYSIS_LAUNCHES_H
#define NSC_ANALYSIS_LAUNCHES_H

#include "analysis/base/scope.h"

struct nsc_launches;

struct nsc_positions { /* [first, end) */
    uint32_t first, end;
};

struct nsc_gpu_figures {
    uint32_t launches;     /* calls that launched an op */
    uint32_t ops;          /* kernels, graphs, copies, memsets */
    nsc_time work;         /* summed durations, saturating; not wall time */
    nsc_event first, last; /* the ops with the first start and the last end; NSC_NONE without ops */
};

/* Orders the rows that mask selects (NULL: all); mask is borrowed for this call only. NULL if out
 * of memory, or stopped (stop NULL: nothing stops it). */
struct nsc_launches *nsc_launches_build(const struct nsc_trace *trace, const uint64_t *mask,
                                        struct nsc_progress *stop);
/* Those of a scope's mask in any window, with sums, built once for a run (base/shared.h). NULL if
 * out of memory, or stopped. */
struct nsc_launches *nsc_launches_ask(const struct nsc_scope *scope);
/* The same without sums, for callers that do not measure: another thread may be adding the sums. */
struct nsc_launches *nsc_launches_ask_order(const struct nsc_scope *scope);
/* NULL is allowed. Does nothing if a store keeps them. */
void nsc_launches_free(struct nsc_launches *launches);

/* The positions of a thread, given any track of its group. */
struct nsc_positions nsc_launches_of_track(const struct nsc_launches *launches, uint32_t track);
/* The positions of the ops launched inside an event, on its thread: the call starts in [start,
 * touch end). */
struct nsc_positions nsc_launches_inside(const struct nsc_launches *launches, nsc_event event);
/* The first of these positions whose call starts at t or later; their end if none does. O(log). */
uint32_t nsc_launches_find(const struct nsc_launches *launches, struct nsc_positions in,
                           nsc_time t);
/* The same in O(log(found - in.first)), for results near the first position. */
uint32_t nsc_launches_find_ahead(const struct nsc_launches *launches, struct nsc_positions in,
                                 nsc_time t);
/* The number of positions. */
uint32_t nsc_launches_count(const struct nsc_launches *launches);
nsc_event nsc_launches_op(const struct nsc_launches *launches, uint32_t position);
/* The ops by position; NULL without any. */
const nsc_event *nsc_launches_ops(const struct nsc_launches *launches);
/* The start of the call that launched the op at a position. */
nsc_time nsc_launches_time(const struct nsc_launches *launches, uint32_t position);
/* The position of an op; NSC_NONE if its call is unknown. */
uint32_t nsc_launches_position(const struct nsc_launches *launches, nsc_event op);
/* The positions around one, within in, whose ops all have the same brief name and kind. in contains
 * the position. O(length / 64) once they are compared. */
struct nsc_positions nsc_launches_alike(const struct nsc_launches *launches,
                                        struct nsc_positions in, uint32_t position);
/* Prepares sums, so that nsc_launches_measure is O(log). False if out of memory. */
bool nsc_launches_sum(struct nsc_launches *launches);
/* Prepares nsc_launches_alike. False if out of memory. */
bool nsc_launches_compare(struct nsc_launches *launches);
/* The positions whose ops are wanted, in the same order. NULL if out of memory. */
struct nsc_launches *nsc_launches_select(const struct nsc_launches *of,
                                         bool (*is_wanted)(const void *context, nsc_event op),
                                         const void *context);
/* Any ops in any order, as positions; n > 0. They can only be measured. NULL if out of memory. */
struct nsc_launches *nsc_launches_list(const struct nsc_trace *trace, const nsc_event ops[],
                                       uint32_t n);
/* Adds the figures of other positions. */
void nsc_gpu_figures_add(struct nsc_gpu_figures *to, const struct nsc_events *events,
                         struct nsc_gpu_figures more);
/* The figures of a stretch of positions. O(positions) without the sums. */
struct nsc_gpu_figures nsc_launches_measure(const struct nsc_launches *launches,
                                            struct nsc_positions in);

#endif
