/*
 * The part of a trace that a question is about: a window and the rows that count.
 *
 * A plain value that owns nothing. All questions of analysis/ follow one rule: an event belongs to
 * the scope if the mask has it and it touches the window; counts are of whole events; times
 * measured against the window (busy, idle, exposed) are clipped to it; sums of durations say
 * whether they are whole or clipped. A question with another rule (PithTrain's full containment)
 * says so.
 */
#ifndef NSC_ANALYSIS_SCOPE_H
#define NSC_ANALYSIS_SCOPE_H

#include "nsyscope/summary.h"

#include "core/bits.h"

struct nsc_shared;

struct nsc_scope {
    const struct nsc_trace *trace;
    const struct nsc_summary *summary; /* summary of the rows that count; never NULL */
    const uint64_t *mask;              /* the rows that count, one bit an event; NULL: all */
    struct nsc_window window;          /* the whole extent unless the user gave a window */
    bool has_window;                   /* the question has a window */
    struct nsc_shared *shared; /* the store of answers (analysis/base/shared.h); NULL: none */
    bool is_whole;             /* the user asked for the whole recording, not its steady state */
    const struct nsc_scope *steady;      /* the same scope narrowed to the steady state
                                     * (finding/steady.h), for questions about the time of GPUs;
                                     * NULL: none */
    const struct nsc_window *of_devices; /* by track: the window of a device, where it differs
                                          * (finding/steady.h); NULL: none does */
    const char *words; /* a sentence that describes the window; NULL: not determined */
};

/* The whole trace as a scope. */
struct nsc_scope nsc_scope_all(const struct nsc_trace *trace);
/* Whether an event belongs to the scope. */
bool nsc_scope_has(const struct nsc_scope *scope, nsc_event event);
/* Whether the scope has an event of the kinds first to last. O(events). */
bool nsc_scope_has_kinds(const struct nsc_scope *scope, enum nsc_kind first, enum nsc_kind last);
/* Whether the mask selects a row, which is known to touch the window (nsc_scope_rows). */
static inline bool nsc_scope_selects(const struct nsc_scope *scope, nsc_event row)
{
    return !scope->mask || nsc_bits_get(scope->mask, row);
}
/* As nsc_scope_has, for callers that have the events at hand. */
static inline bool nsc_scope_has_row(const struct nsc_scope *scope, const struct nsc_events *events,
                                     nsc_event row)
{
    return nsc_scope_selects(scope, row) && events->start[row] < scope->window.t1 &&
           nsc_event_touch_end(events, row) > scope->window.t0;
}
/* The start and end of an event clipped to the window; false if it does not belong to the scope. */
bool nsc_scope_clip(const struct nsc_scope *scope, nsc_event event, nsc_time *start, nsc_time *end);
static inline bool nsc_scope_clip_row(const struct nsc_scope *scope,
                                      const struct nsc_events *events, nsc_event row,
                                      nsc_time *start, nsc_time *end)
{
    nsc_time last = nsc_event_end(events, row);

    if (!nsc_scope_has_row(scope, events, row))
        return false;
    *start = events->start[row] > scope->window.t0 ? events->start[row] : scope->window.t0;
    *end = last < scope->window.t1 ? last : scope->window.t1;
    if (*end < *start) /* an instant, or an end at the window's first ns */
        *end = *start;
    return true;
}
/* The rows [first, end) of a lane that touch the window; ignores the mask. O(log). */
void nsc_scope_rows(const struct nsc_scope *scope, uint32_t lane, nsc_event *first, nsc_event *end);
/* Widens w to contain the whole events of a lane that belong to the scope. O(log) without a
 * mask. */
void nsc_scope_widen(struct nsc_window *w, const struct nsc_scope *scope, uint32_t lane);

/* Calls each for every event of the scope on tracks of these kinds (NSC_TRACK_BIT(kind) of enum
 * nsc_track_kind), in the order of track, lane and start; on streams, for those that touch the window
 * of their device (of_devices). */
void nsc_scope_walk(const struct nsc_scope *scope, uint32_t kinds,
                    void (*each)(void *context, uint32_t track, nsc_event event), void *context);

#define NSC_TRACK_BIT(kind) ((uint32_t)1 << (kind))
#define NSC_RANGE_TRACKS    (NSC_TRACK_BIT(NSC_TRACK_NVTX) | NSC_TRACK_BIT(NSC_TRACK_SPANS))

#endif
