/*
 * Building a summary on several cores.
 */
#ifndef NSC_INDEX_SUMMARY_BUILD_H
#define NSC_INDEX_SUMMARY_BUILD_H

#include "nsyscope/summary.h"

#include "core/threads.h"

/* As nsc_summary_build; pool NULL: on the caller's thread. Borrows from the trace's own summary. */
struct nsc_summary *nsc_summary_build_on(struct nsc_pool *pool, const struct nsc_trace *trace,
                                         const uint64_t *mask);

#endif
