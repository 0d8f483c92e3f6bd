/* Picks: the rows that an expression keeps. */
#ifndef NSC_VIEW_MODEL_PICK_H
#define NSC_VIEW_MODEL_PICK_H

#include "nsyscope/summary.h"

#include "analysis/select/filter.h"

struct nsc_pick {
    uint64_t *mask;
    struct nsc_summary *summary; /* NULL: no expression, or an empty one */
};

/* Picks among the rows of within; NULL: all. False if out of memory. Once progress is cancelled, the
 * pick lacks rows. */
bool nsc_pick_make(struct nsc_pick *pick, const struct nsc_filter *filter,
                   const struct nsc_trace *trace, const uint64_t *within, struct nsc_pool *pool,
                   struct nsc_progress *progress);
void nsc_pick_clear(struct nsc_pick *pick);

#endif
