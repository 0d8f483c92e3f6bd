/*
 * Orders a listing by time, duration or name.
 */
#ifndef NSC_ANALYSIS_LISTING_SORT_H
#define NSC_ANALYSIS_LISTING_SORT_H

#include "analysis/select/listing.h"

/*
 * False, and nothing changes, when there are more than NSC_LISTING_MAX events or the memory is
 * refused. brief: names are compared without their demangled arguments. pool NULL: the call makes
 * threads of its own.
 */
bool nsc_listing_sort(struct nsc_listing *listing, struct nsc_pool *pool,
                      enum nsc_listing_order order, bool brief);

#endif
