/*
 * Events of the same name, whatever the numbers in it and wherever they are: the next one, the one
 * before, the longest.
 */
#ifndef NSC_ANALYSIS_SAME_H
#define NSC_ANALYSIS_SAME_H

#include "nsyscope/summary.h"

/*
 * Of the selected events with the kind and name of event, in order of start (equal starts: of row)
 * the one after or before it; NSC_NONE when it is the last or first. One pass over all names: about
 * 1 ms a million.
 */
nsc_event nsc_event_next_same(const struct nsc_trace *trace, const struct nsc_summary *summary,
                              nsc_event event, bool forward);
/* The longest of them (ties: the first in that order); NSC_NONE when none is selected. */
nsc_event nsc_event_longest_same(const struct nsc_trace *trace, const struct nsc_summary *summary,
                                 nsc_event event);

#endif
