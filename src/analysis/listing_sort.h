/*
 * Ordering the rows of a listing. Private to listing*.c.
 */
#ifndef NSC_ANALYSIS_LISTING_SORT_H
#define NSC_ANALYSIS_LISTING_SORT_H

#include "analysis/listing.h"

/* The listed rows at places [at, at + n) in ascending order of rows, whatever the listing's is. */
void nsc_listing_ascending(const struct nsc_listing *listing, uint32_t at, uint32_t n,
                           uint32_t out[]);
/* All of them, listing->n, in an order other than that of time. False when the memory is
 * refused. */
bool nsc_listing_order(uint32_t out[], const struct nsc_listing *listing, struct nsc_pool *pool,
                       enum nsc_listing_order order, bool brief);

#endif
