/* Numbers the groups of events in the order in which they occur. */
#ifndef NSC_ANALYSIS_PIVOT_H
#define NSC_ANALYSIS_PIVOT_H

#include "analysis/select/selection.h"
#include "index/idtable.h"

struct nsc_pivoting {
    const struct nsc_trace *trace;
    enum nsc_pivot pivot;
    bool brief;
    uint32_t *known; /* group + 1 of a name or track; 0: none yet */
    struct nsc_idtable table;
    uint64_t *keys; /* one per group */
    uint32_t n, capacity;
};

void nsc_pivoting_init(struct nsc_pivoting *pivoting, const struct nsc_selection_query *query);
void nsc_pivoting_fini(struct nsc_pivoting *pivoting);
/* The group of an event; *like represents it (see struct nsc_pivot_group). */
uint32_t nsc_pivoting_find(struct nsc_pivoting *pivoting, nsc_event event, nsc_event *like);

#endif
