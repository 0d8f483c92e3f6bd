/*
 * The covers of a device, and the summary of a selection on a pool.
 */
#ifndef NSC_INDEX_BUILDS_H
#define NSC_INDEX_BUILDS_H

#include "nsyscope/cover.h"
#include "nsyscope/summary.h"

#include "core/threads.h"

/* ---- a summary ---- */

/* As nsc_summary_build. pool NULL: on the caller's thread. */
struct nsc_summary *nsc_summary_build_on(struct nsc_pool *pool, const struct nsc_trace *trace,
                                         const uint64_t *mask);

/* ---- the covers of a device ---- */

/* Merges the lanes of a device once for all its covers, owned by the caller. group: an
 * NSC_TRACK_DEVICE track. mask: one bit per row; NULL: all rows. False, with all covers NULL, if out
 * of memory. */
bool nsc_device_covers_build(struct nsc_device_covers *out, const struct nsc_trace *trace,
                             uint32_t group, const uint64_t *mask);
void nsc_device_covers_fini(struct nsc_device_covers *covers);

#endif
