/* Sums the ranges of slow and other iterations by name. */
#include "analysis/finding/slow_range.h"

#include "analysis/base/tally.h"
#include "analysis/names/label.h"
#include "core/bisect.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

/* The iteration in which the host is at t; NSC_NONE: before the first. */
static uint32_t host_iteration(const struct nsc_iterations *all, nsc_time t)
{
    uint32_t low = 0;
    uint32_t high = all->n;

    NSC_BISECT(low, high, middle, all->at[middle].host.t0 <= t);
    return low ? low - 1 : NSC_NONE;
}

static void add_ranges(struct nsc_slow_range named[], const struct nsc_iteration_stats *stats,
                       const struct nsc_scope *scope)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    nsc_name *fold = nsc_names_by_fold(scope->trace);
    struct nsc_tally seen = {0}; /* by name and iteration: threads come one after the other */

    for (struct nsc_scope_cursor at = nsc_scope_open(scope, NSC_RANGE_TRACKS);
         nsc_scope_next(&at);) {
        nsc_time ns = nsc_event_duration(events, at.row);
        uint32_t i = host_iteration(&stats->iterations, events->start[at.row] + ns / 2);
        struct nsc_slow_range *name = &named[fold[events->name[at.row]]];
        uint32_t n = (uint32_t)seen.rows.n;

        if (i < stats->first || i >= stats->first + stats->n)
            continue;
        name->like = at.row;
        if (stats->iterations.at[i].slow)
            name->ns = nsc_sum(name->ns, ns);
        name->n[stats->iterations.at[i].slow] +=
            nsc_tally_group(&seen, (uint64_t)(name - named), i) == n;
    }
    nsc_tally_fini(&seen);
    free(fold);
}

struct nsc_slow_range nsc_slow_range_find(const struct nsc_iteration_stats *stats,
                                          const struct nsc_scope *scope, nsc_time more)
{
    uint32_t n_names = nsc_trace_names(scope->trace)->n;
    struct nsc_slow_range *named = nsc_xcalloc((size_t)n_names + 1, sizeof *named);
    struct nsc_slow_range best = {.like = NSC_NONE, .ns = more / 2};

    add_ranges(named, stats, scope);
    for (uint32_t i = 0; i < n_names; i++)
        if (named[i].ns > best.ns && named[i].n[1] >= NSC_SHARE(ITERATION_USUAL) * stats->n_slow &&
            named[i].n[0] <= (1 - NSC_SHARE(ITERATION_USUAL)) * (stats->n_counted - stats->n_slow))
            best = named[i];
    free(named);
    return best;
}
