/*
 * The longest selected row of a range of rows.
 */
#ifndef NSC_INDEX_LONGEST_H
#define NSC_INDEX_LONGEST_H

#include "index/summary_data.h"
#include "index/trace_data.h"

/* The key (nsc_longest_key) of the longest selected row of whole blocks [from, to); 0 is none. */
uint64_t nsc_longest_of_blocks(const struct nsc_summary *summary, const struct nsc_events *events,
                               uint32_t from, uint32_t to);
/* The longest selected row of [from, to), of which some are selected; NSC_NONE of no rows. */
nsc_event nsc_longest_of_rows(const struct nsc_summary *summary, const struct nsc_events *events,
                              nsc_event from, nsc_event to);

#endif
