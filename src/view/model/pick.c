/* Picks: the rows that an expression keeps. */
#include "view/model/pick.h"

#include "core/bits.h"
#include "index/builds.h"

#include <stdlib.h>

bool nsc_pick_make(struct nsc_pick *pick, const struct nsc_filter *filter,
                   const struct nsc_trace *trace, const uint64_t *within, struct nsc_pool *pool,
                   struct nsc_progress *progress)
{
    size_t words = nsc_bits_words(nsc_trace_events(trace)->n);

    pick->mask = nsc_filter_apply(filter, trace, pool, progress);
    for (size_t i = 0; pick->mask && within && i < words; i++)
        pick->mask[i] &= within[i];
    pick->summary = pick->mask ? nsc_summary_build_on(pool, trace, pick->mask) : NULL;
    if (!pick->summary)
        nsc_pick_clear(pick);
    return pick->summary != NULL;
}

void nsc_pick_clear(struct nsc_pick *pick)
{
    nsc_summary_free(pick->summary);
    free(pick->mask);
    *pick = (struct nsc_pick){0};
}
