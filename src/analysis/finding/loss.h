/*
 * Whether the profiler lost GPU work: it warns that it lost CUDA events, and launch calls have no
 * work. Idle time and what runs alone may then be a hole of the recording.
 */
#ifndef NSC_ANALYSIS_LOSS_H
#define NSC_ANALYSIS_LOSS_H

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"

struct nsc_loss {
    struct nsc_text said; /* the profiler's message; lent by fields */
    double share;         /* percent of the launch calls that have no work */
};

/* False: no such message, or nearly all launch calls have their work. O(rows) after a message. */
bool nsc_loss_find(struct nsc_loss *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields);

#endif
