/*
 * Walks the events of a scope.
 */
#include "analysis/base/scope_walk.h"

void nsc_scope_walk(const struct nsc_scope *scope, uint32_t kinds,
                    void (*each)(void *context, uint32_t track, nsc_event event), void *context)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, &n);
    const struct nsc_events *events = nsc_trace_events(scope->trace);

    for (uint32_t t = 0; t < n; t++) {
        if (!(kinds & NSC_TRACK_BIT(tracks[t].kind)))
            continue;
        for (uint32_t k = 0; k < tracks[t].n_lanes; k++) {
            nsc_event event, end;

            nsc_scope_rows(scope, tracks[t].first_lane + k, &event, &end);
            for (; event < end; event++)
                if (nsc_scope_has_row(scope, events, event))
                    each(context, t, event);
        }
    }
}
