/*
 * Whether the profiler lost GPU work: it warns that it lost CUDA events, and launch calls have no work. Without
 * a warning: many kernels in a row have none, outside of captured graphs, between others that have. Idle time and
 * what runs alone may then be a hole of the recording.
 */
#ifndef NSC_ANALYSIS_LOSS_H
#define NSC_ANALYSIS_LOSS_H

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"

struct nsc_loss {
    struct nsc_text said; /* the profiler's message, lent by fields; or what tells the loss else */
    double share;         /* percent of the launch calls that have no work */
};

/* False: nearly all launch calls have their work, or it cannot be told. fields may be NULL. O(rows of CUDA calls). */
bool nsc_loss_find(struct nsc_loss *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields);

#endif
