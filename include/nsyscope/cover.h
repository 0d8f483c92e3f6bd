/*
 * Sets of time: disjoint ascending intervals with a running total. Busy, overlap, idle and exposed
 * time are all computed with them.
 *
 * A cover is immutable and owned by the caller, except where it is borrowed from a trace. Intervals
 * never touch: neighbours that meet are merged. About 7 bytes an interval.
 */
#ifndef NSYSCOPE_COVER_H
#define NSYSCOPE_COVER_H

#include "nsyscope/summary.h"
#include "nsyscope/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct nsc_cover;

void nsc_cover_free(struct nsc_cover *cover);

/* One pass over both: O(a + b). NULL if out of memory. */
struct nsc_cover *nsc_cover_union(const struct nsc_cover *a, const struct nsc_cover *b);
struct nsc_cover *nsc_cover_intersect(const struct nsc_cover *a, const struct nsc_cover *b);

/* The union of the events of n_lanes lanes for which keep returns true (keep NULL: all). Instants
 * cover nothing. NULL if out of memory. */
struct nsc_cover *nsc_cover_build(const struct nsc_trace *trace, const uint32_t lanes[],
                                  uint32_t n_lanes,
                                  bool (*keep)(const void *context, nsc_event event),
                                  const void *context);

uint32_t nsc_cover_count(const struct nsc_cover *cover);
/* Interval i, i < count. O(1). */
struct nsc_window nsc_cover_at(const struct nsc_cover *cover, uint32_t i);
/* Covered ns of w: exact, O(log n). */
nsc_time nsc_cover_measure(const struct nsc_cover *cover, struct nsc_window w);
/* Covered ns before times that never descend: O(1) for times that lie close together. */
struct nsc_cover_cursor {
    const struct nsc_cover *cover;
    struct nsc_window at; /* the first interval that ends after the time before; none: INT64_MAX */
    uint32_t i;           /* its number */
    uint64_t before;      /* ns of the intervals before it */
};
void nsc_cover_cursor_init(struct nsc_cover_cursor *cursor, const struct nsc_cover *cover);
uint64_t nsc_cover_cursor_step(struct nsc_cover_cursor *cursor, nsc_time t);
/* Covered ns of each of n columns of w (nsc_window_cut). */
void nsc_cover_bins(const struct nsc_cover *cover, struct nsc_window w, uint32_t n, nsc_time out[]);
/* The first interval that ends after t; the count if there is none. O(log n). */
uint32_t nsc_cover_find(const struct nsc_cover *cover, nsc_time t);

/*
 * The covers of a device over all its processes and streams, built with the trace. Borrowed; a
 * member is NULL if the device has no such work. group: index of an NSC_TRACK_DEVICE track; NULL
 * for any other track.
 */
struct nsc_device_covers {
    const struct nsc_cover *busy;                   /* union of all classes */
    const struct nsc_cover *work[NSC_N_OP_CLASSES]; /* one per class */
    const struct nsc_cover *overlap;                /* compute and communication run at once */
    const struct nsc_cover *hidden; /* communication and any other class run at once */
};
const struct nsc_device_covers *nsc_trace_device_covers(const struct nsc_trace *trace,
                                                        uint32_t group);

#ifdef __cplusplus
}
#endif
#endif
