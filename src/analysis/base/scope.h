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
#include "core/progress.h"
#include "index/lane_merge.h"

struct nsc_shared;

/* Rows between two looks at a stop. */
#ifdef NSC_SMALL /* tests reach every edge with few rows */
enum { NSC_LOOK_ROWS = 3 };
#else
enum { NSC_LOOK_ROWS = 1 << 16 };
#endif

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
    const char *words;         /* a sentence that describes the window; NULL: not determined */
    struct nsc_progress *stop; /* once it is cancelled, passes over events end early, later ones at
                                * their first look, and figures are wrong; NULL: nothing stops them */
};

/* Whether a trace has tracks of the kinds first to last (enum nsc_track_kind). */
bool nsc_trace_has_tracks(const struct nsc_trace *trace, uint8_t first, uint8_t last);
static inline bool nsc_scope_is_stopped(const struct nsc_scope *scope)
{
    return nsc_progress_is_cancelled(scope->stop);
}
/* The whole trace as a scope. */
struct nsc_scope nsc_scope_all(const struct nsc_trace *trace);
/* Whether event a ends after event b (NSC_NONE: none); ties: the greater row. */
static inline bool nsc_ends_later(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    if (b == NSC_NONE || nsc_event_end(events, a) != nsc_event_end(events, b))
        return b == NSC_NONE || nsc_event_end(events, a) > nsc_event_end(events, b);
    return a > b;
}
/* Whether an event belongs to the scope. */
bool nsc_scope_has(const struct nsc_scope *scope, nsc_event event);
/* The same, for callers that take any context. */
static inline bool nsc_scope_keeps(const void *scope, nsc_event event)
{
    return nsc_scope_has(scope, event);
}
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
/* A bit for each event of the scope whose kind is kept; the caller frees it. */
uint64_t *nsc_scope_mask(const struct nsc_scope *scope, bool (*keeps)(uint8_t kind));
/* The rows [first, end) of a lane that touch the window; ignores the mask. O(log). */
void nsc_scope_rows(const struct nsc_scope *scope, uint32_t lane, nsc_event *first, nsc_event *end);
/* Widens w to contain the whole events of a lane that belong to the scope. O(log) without a
 * mask. */
void nsc_scope_widen(struct nsc_window *w, const struct nsc_scope *scope, uint32_t lane);

/* ---- the rows of a scope ---- */

/*
 * Passes every event of the scope on tracks of some kinds, in the order of track, lane and start:
 * for (struct nsc_scope_cursor at = nsc_scope_open(scope, kinds); nsc_scope_next(&at);)
 * Owns nothing.
 */
struct nsc_scope_cursor {
    const struct nsc_scope *scope;
    uint32_t kinds;
    bool by_device;
    nsc_event row;            /* the current event */
    uint32_t track, lane;     /* that hold it */
    uint32_t n_tracks, lanes; /* lanes: the end of those of the track */
    nsc_event next, end;      /* rows until the next look at scope->stop */
    nsc_event lane_end;
};

struct nsc_scope_cursor nsc_scope_open(const struct nsc_scope *scope, uint32_t kinds);
/* The same; on streams, only those that touch the window of their device (of_devices). */
struct nsc_scope_cursor nsc_scope_open_devices(const struct nsc_scope *scope, uint32_t kinds);
/* The same of the streams of one device, whatever of_devices; of one track. */
struct nsc_scope_cursor nsc_scope_open_device(const struct nsc_scope *scope, uint32_t device);
struct nsc_scope_cursor nsc_scope_open_track(const struct nsc_scope *scope, uint32_t track);
/* Moves to the next rows of the lane, else of the next lane with rows; false after the last, or once
 * the scope is stopped. */
bool nsc_scope_next_rows(struct nsc_scope_cursor *at);
static inline bool nsc_scope_next(struct nsc_scope_cursor *at)
{
    do
        while (at->next < at->end) {
            at->row = at->next++;
            if (nsc_scope_selects(at->scope, at->row))
                return true;
        }
    while (nsc_scope_next_rows(at));
    return false;
}

#endif
