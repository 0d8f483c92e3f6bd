/*
 * The covers of a device in a scope: those of the trace, or new ones of the rows that count.
 *
 * For questions that measure many windows: each costs O(log n) then (analysis/base/activity.h).
 */
#ifndef NSC_ANALYSIS_SCOPE_COVERS_H
#define NSC_ANALYSIS_SCOPE_COVERS_H

#include "nsyscope/cover.h"

#include "analysis/base/scope.h"

struct nsc_scope_covers {
    struct nsc_device_covers of; /* what nsc_device_activity() takes */
    struct nsc_cover *owned[NSC_N_OP_CLASSES + 3];
};

/* Of the whole trace's time, whatever the scope's window. False when the memory is refused. */
bool nsc_scope_covers_build(struct nsc_scope_covers *out, const struct nsc_scope *scope,
                            uint32_t device);
void nsc_scope_covers_fini(struct nsc_scope_covers *covers);

/* The union of the events on all streams of the trace that satisfy keep, whose context is the
 * scope. */
struct nsc_cover *nsc_scope_cover_streams(const struct nsc_scope *scope,
                                          bool (*keep)(const void *context, nsc_event event));

#endif
