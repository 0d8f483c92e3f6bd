/*
 * The covers of a device, and the summary of a selection as a pass: a job that pauses between steps,
 * so that the caller can do something else.
 */
#ifndef NSC_INDEX_PASSES_H
#define NSC_INDEX_PASSES_H

#include "nsyscope/cover.h"
#include "nsyscope/summary.h"

#include "core/threads.h"

/* ---- a summary ---- */

/* As nsc_summary_build. pool NULL: on the caller's thread. */
struct nsc_summary *nsc_summary_build_on(struct nsc_pool *pool, const struct nsc_trace *trace,
                                         const uint64_t *mask);

/* ---- the summary as a pass ---- */

struct nsc_summary_pass;

/* Borrows the trace; the summary borrows the mask. NULL if out of memory. */
struct nsc_summary_pass *nsc_summary_pass_new(const struct nsc_trace *trace, const uint64_t *mask);
void nsc_summary_pass_free(struct nsc_summary_pass *pass); /* NULL is fine */
/* Processes about `rows` more rows, each of which is read twice; true once all are done. */
bool nsc_summary_pass_step(struct nsc_summary_pass *pass, struct nsc_pool *pool, uint32_t rows);
/* The summary of a completed pass, owned by the caller. */
struct nsc_summary *nsc_summary_pass_take(struct nsc_summary_pass *pass);

/* ---- the covers of a device ---- */

/* Merges the lanes of a device once for all its covers, owned by the caller. group: an
 * NSC_TRACK_DEVICE track. mask: one bit per row; NULL: all rows. False, with all covers NULL, if out
 * of memory. */
bool nsc_device_covers_build(struct nsc_device_covers *out, const struct nsc_trace *trace,
                             uint32_t group, const uint64_t *mask);
void nsc_device_covers_fini(struct nsc_device_covers *covers);

#endif
