/*
 * The standing of an event: compares its duration with the events of the same kind and text. Also
 * finds the next and the longest event of the same name.
 */
#ifndef NSC_ANALYSIS_RANK_H
#define NSC_ANALYSIS_RANK_H

#include "nsyscope/summary.h"
#include "nsyscope/trace.h"

#include "analysis/base/histogram.h"
#include "core/threads.h"

struct nsc_standing {
    uint32_t count;           /* events like it, including itself */
    uint32_t shorter, longer; /* how many of these are shorter or longer; its rank is longer + 1 */
    nsc_time min, median, p95,
        max; /* nearest rank: for an even count the lower of the two in the middle */
};

/* brief, here and below: names count as equal if their brief forms are, as the screen shows
 * them. */

/* Compares an event with the rows of a mask, which contains it; NULL: all. histogram gets the
 * durations of the events like it. Reads the names of all events: about 1 ms a million. */
struct nsc_standing nsc_event_standing(struct nsc_histogram *histogram,
                                       const struct nsc_trace *trace, const uint64_t *mask,
                                       nsc_event event, bool brief);

/* The mask of the events like it whose durations lie in a window, made on the threads of the
 * pool (NULL: on the caller's). Free it with free(). */
uint64_t *nsc_event_alike(struct nsc_pool *pool, const struct nsc_trace *trace,
                          const uint64_t *mask, nsc_event event, struct nsc_window durations,
                          bool brief);

/* The share of other events that are shorter, in thousandths; equal ones count half. 500 if it is
 * alone. */
uint32_t nsc_standing_permille(const struct nsc_standing *rank);

/*
 * The next or previous selected event with the same kind and name, in order of start (equal starts:
 * of row); NSC_NONE at the end. Reads each lane from the event to the nearest result so far: at
 * most all names.
 */
nsc_event nsc_event_next_same(const struct nsc_trace *trace, const struct nsc_summary *summary,
                              nsc_event event, bool brief, bool forward);
/* The longest selected event of the same kind and name (ties: the first in that order); NSC_NONE if
 * none is selected. */
nsc_event nsc_event_longest_same(const struct nsc_trace *trace, const struct nsc_summary *summary,
                                 nsc_event event, bool brief);

#endif
