/*
 * Building a summary on several cores.
 */
#ifndef NSC_INDEX_SUMMARY_BUILD_H
#define NSC_INDEX_SUMMARY_BUILD_H

#include "nsyscope/summary.h"

#include "core/threads.h"

/* As nsc_summary_build; pool NULL: on the caller's thread. */
struct nsc_summary *nsc_summary_build_on(struct nsc_pool *pool, const struct nsc_trace *trace,
                                         const uint64_t *mask);

/* ---- the same in steps, so that whoever waits for it can do something else in between ---- */

struct nsc_summary_pass;

/* Borrows the trace, and the mask as the summary does. NULL when the memory is refused. */
struct nsc_summary_pass *nsc_summary_work_new(const struct nsc_trace *trace, const uint64_t *mask);
void nsc_summary_work_free(struct nsc_summary_pass *work); /* NULL is fine */
/* Adds about so many rows more, each of which is met twice; true when all is done. pool as
 * above. */
bool nsc_summary_work_step(struct nsc_summary_pass *work, struct nsc_pool *pool, uint32_t rows);
/* Of work that is done. */
struct nsc_summary *nsc_summary_work_take(struct nsc_summary_pass *work);

#endif
