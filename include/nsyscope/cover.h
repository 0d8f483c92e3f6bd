/*
 * Sets of time: disjoint ascending intervals with a running total. The one algebra behind busy,
 * overlap, idle, exposed.
 *
 * A cover is immutable, owned by the caller (or by the trace, where borrowed). Intervals touch
 * nowhere: neighbours that meet are one. About 7 bytes an interval.
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

/* One merge each, O(a + b). NULL when the memory is refused. */
struct nsc_cover *nsc_cover_union(const struct nsc_cover *a, const struct nsc_cover *b);
struct nsc_cover *nsc_cover_intersect(const struct nsc_cover *a, const struct nsc_cover *b);

/* The union of the events of the lanes given that satisfy keep (NULL: all). Instants cover
 * nothing. */
struct nsc_cover *nsc_cover_build(const struct nsc_trace *trace, const uint32_t lanes[],
                                  uint32_t n_lanes,
                                  bool (*keep)(const void *context, nsc_event event),
                                  const void *context);

uint32_t nsc_cover_count(const struct nsc_cover *cover);
/* The i-th interval, i < count. O(1). */
struct nsc_window nsc_cover_at(const struct nsc_cover *cover, uint32_t i);
/* ns of w that are covered: exact, O(log n). */
nsc_time nsc_cover_measure(const struct nsc_cover *cover, struct nsc_window w);
/* The same for each of n columns of w (nsc_window_cut). */
void nsc_cover_bins(const struct nsc_cover *cover, struct nsc_window w, uint32_t n, nsc_time out[]);
/* The first interval whose end is past t; count when none. O(log n). */
uint32_t nsc_cover_find(const struct nsc_cover *cover, nsc_time t);

/*
 * The covers of a device, built with the trace over all processes and streams of one group
 * (DEFINITIONS 1, 4, 5, 8): one a class of work, their union (busy), and what communication
 * shares with other work. Borrowed; NULL when the group has no such work, or not both. group: index
 * of an NSC_TRACK_DEVICE track.
 */
struct nsc_device_covers {
    const struct nsc_cover *busy; /* any work */
    const struct nsc_cover
        *work[NSC_N_OP_CLASSES];     /* kernels and graphs that are no communication, ... */
    const struct nsc_cover *overlap; /* compute and communication at once */
    const struct nsc_cover *hidden;  /* communication and any other work at once */
};
const struct nsc_device_covers *nsc_trace_device_covers(const struct nsc_trace *trace,
                                                        uint32_t group);

#ifdef __cplusplus
}
#endif
#endif
