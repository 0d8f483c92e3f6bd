/*
 * Whether the profiler lost GPU work: it warns that it lost CUDA events, and launch calls have no work; or CUDA
 * calls and GPU work stop together for long, while NVTX ranges go on that have calls at other times. Without a
 * warning: many kernels in a row have none, outside of captured graphs, between others that have. Idle time and what
 * runs alone may then be a hole of the recording.
 */
#ifndef NSC_ANALYSIS_LOSS_H
#define NSC_ANALYSIS_LOSS_H

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"

struct nsc_loss {
    struct nsc_text said; /* the profiler's message, lent by fields; or what tells the loss else */
    char seen[128]; /* "12.5 % of launch calls have no work", or how long calls and work stop */
};

/* False: nearly all launch calls have their work, or it cannot be told. fields may be NULL. O(rows of CUDA calls); with
 * a warning O(n log lanes) of the rows of calls and work. */
bool nsc_loss_find(struct nsc_loss *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields);

#endif
