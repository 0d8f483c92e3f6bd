/*
 * Looks for pages that belong to no table, or to two. Both mean that rows are lost which no table
 * misses: where another page was written over the root of a table, its rows are still in the file,
 * but SQLite reads those of the other page and says nothing.
 */
#ifndef NSC_NSYS_PAGES_CHECK_H
#define NSC_NSYS_PAGES_CHECK_H

#include "nsys/source.h"

/* False, with error set (NSC_EDAMAGED), if there is such a page. True if there is none, if a tree
 * cannot be followed (who reads it says so) or the file changes. Reads interior pages, a leaf of
 * each, and the first bytes of at most 1,024 pages that no tree names. */
bool nsc_pages_check(struct nsc_source *source, struct nsc_error *error);

#endif
