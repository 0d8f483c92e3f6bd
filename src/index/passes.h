/*
 * The summary of a selection and the covers of a device, built in steps: a caller that waits for
 * them can do something else between two steps.
 */
#ifndef NSC_INDEX_PASSES_H
#define NSC_INDEX_PASSES_H

#include "nsyscope/cover.h"
#include "nsyscope/summary.h"

#include "core/threads.h"

/* ---- a summary ---- */

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

/* ---- the covers of a device ---- */

struct nsc_covers_pass;

/* group: an NSC_TRACK_DEVICE track. mask: one bit a row, borrowed until free; NULL: all. */
struct nsc_covers_pass *nsc_covers_work_new(const struct nsc_trace *trace, uint32_t group,
                                            const uint64_t *mask);
void nsc_covers_work_free(struct nsc_covers_pass *work); /* NULL is fine */
/* Looks at about so many rows more; true when all is done. Each row is looked at twice. */
bool nsc_covers_work_step(struct nsc_covers_pass *work, uint64_t rows);
/* Of work that is done: the covers, owned by the caller (nsc_device_covers_fini). False, and all of
 * them NULL, when the memory was refused. */
bool nsc_covers_work_take(struct nsc_covers_pass *work, struct nsc_device_covers *out);

void nsc_device_covers_fini(struct nsc_device_covers *covers);

#endif
