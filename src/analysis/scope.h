/*
 * What a question is asked of: a trace, a window of it and the rows that count.
 *
 * A plain value, everything borrowed. The rule for all questions of analysis/: an event belongs to
 * the scope when the mask has it and it touches the window; counts are of whole events; times that
 * are measured against the window (busy, idle, exposed) are clipped to it; sums of durations say
 * whether they are whole or clipped. A question that differs (PithTrain's full containment) says
 * so.
 */
#ifndef NSC_ANALYSIS_SCOPE_H
#define NSC_ANALYSIS_SCOPE_H

#include "nsyscope/summary.h"

#include "core/bits.h"

struct nsc_scope {
    const struct nsc_trace *trace;
    const struct nsc_summary *summary; /* of the rows that count; never NULL */
    const uint64_t *mask;              /* the same rows, one bit an event; NULL: all */
    struct nsc_window window;          /* the whole extent when nothing narrower was asked */
    bool has_window;                   /* something narrower was asked */
};

/* All of a trace. */
struct nsc_scope nsc_scope_all(const struct nsc_trace *trace);
/* Whether an event belongs to the scope. */
bool nsc_scope_has(const struct nsc_scope *scope, nsc_event event);
/* Whether an event of the kinds from first to last belongs to it. O(events). */
bool nsc_scope_has_kinds(const struct nsc_scope *scope, enum nsc_kind first, enum nsc_kind last);
/* Its start and end clipped to the window; false when it does not belong to the scope. */
bool nsc_scope_clip(const struct nsc_scope *scope, nsc_event event, nsc_time *start, nsc_time *end);
/* The rows [first, end) of a lane that touch the window (the mask is not looked at). O(log). */
void nsc_scope_rows(const struct nsc_scope *scope, uint32_t lane, nsc_event *first, nsc_event *end);
/* Widens w to hold the events of a lane that belong to the scope, whole. O(log) without a mask. */
void nsc_scope_widen(struct nsc_window *w, const struct nsc_scope *scope, uint32_t lane);

#endif
