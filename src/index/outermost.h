/*
 * The order of NVTX ranges that lie in each other: the outermost first.
 */
#ifndef NSC_INDEX_OUTERMOST_H
#define NSC_INDEX_OUTERMOST_H

#include "nsyscope/trace.h"

/* Sorts rows by start, the longer first, then by row. O(n log n). */
void nsc_sort_outermost(const struct nsc_trace *trace, nsc_event *rows, size_t n);

#endif
