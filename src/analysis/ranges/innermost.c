/*
 * The innermost range at ascending times: a stack of open rows, one lane a level.
 */
#include "analysis/ranges/innermost.h"

#include "core/die.h"

#include <stdlib.h>

void nsc_innermost_init(struct nsc_innermost *at, const struct nsc_trace *trace, uint32_t track)
{
    const struct nsc_track *of = nsc_trace_track(trace, track);

    *at = (struct nsc_innermost){
        .events = nsc_trace_events(trace),
        .lanes = nsc_trace_lanes(trace, NULL) + of->first_lane,
        .n_lanes = of->n_lanes,
    };
    at->next = nsc_xcalloc((size_t)at->n_lanes * 2 + 1, sizeof *at->next);
    at->open = at->next + at->n_lanes;
    for (uint32_t k = 0; k < at->n_lanes; k++)
        at->next[k] = at->lanes[k].first;
}

void nsc_innermost_fini(struct nsc_innermost *at)
{
    free(at->next);
    at->next = at->open = NULL;
}

nsc_event nsc_innermost_step(struct nsc_innermost *at, nsc_time t)
{
    while (at->depth > 0 && nsc_event_touch_end(at->events, at->open[at->depth - 1]) <= t)
        at->depth--;
    while (at->depth < at->n_lanes) {
        const struct nsc_lane *lane = &at->lanes[at->depth];
        nsc_event *next = &at->next[at->depth];

        while (*next < lane->first + lane->n && nsc_event_touch_end(at->events, *next) <= t)
            ++*next;
        if (*next >= lane->first + lane->n || at->events->start[*next] > t)
            break;
        at->open[at->depth++] = *next;
    }
    return at->depth > 0 ? at->open[at->depth - 1] : NSC_NONE;
}
