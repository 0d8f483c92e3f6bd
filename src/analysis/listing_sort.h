/*
 * Ordering the rows that a listing has written down. Private to listing*.c.
 */
#ifndef NSC_ANALYSIS_LISTING_SORT_H
#define NSC_ANALYSIS_LISTING_SORT_H

#include "analysis/listing.h"

/* False, and nothing changes, when the memory is refused. */
bool nsc_listing_order(struct nsc_listing *listing, enum nsc_listing_order order, bool brief);

#endif
