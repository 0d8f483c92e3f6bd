/* The synchronizing calls of the CUDA API (analysis/names/call_class.h). */
#ifndef NSC_ANALYSIS_SYNC_CALLS_H
#define NSC_ANALYSIS_SYNC_CALLS_H

#include "analysis/base/scope.h"
#include "analysis/names/call_class.h"
#include "core/vec.h"

struct nsc_sync_calls {
    NSC_VEC(nsc_event) list; /* ascending by row */
    bool is_kept;            /* kept and freed by the outermost store (analysis/base/shared.h) */
};

/* The calls of the scope's window. With a store, those of the whole trace, found once. Either may
 * hold calls outside the scope. The owner calls fini. */
void nsc_sync_calls_build(struct nsc_sync_calls *out, const struct nsc_scope *scope);
void nsc_sync_calls_fini(struct nsc_sync_calls *calls);

/* The calls of a thread that touch the window, by start; *n: their number. of: an API track. The
 * caller frees it. */
nsc_event *nsc_sync_calls_of_thread(size_t *n, const struct nsc_sync_calls *calls,
                                    const struct nsc_scope *scope, const struct nsc_track *of);

#endif
