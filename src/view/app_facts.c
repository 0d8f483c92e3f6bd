/*
 * What is looked up about an event when it is selected: its launch, its wait in the queue, the
 * ranges around it.
 */
#include "nsyscope/calltree.h"

#include "view/app_state.h"

static const struct nsc_track *track_of(const struct nsc_trace *trace, nsc_event event)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &(uint32_t){0});

    return &nsc_trace_tracks(trace, &(uint32_t){0})[lanes[nsc_trace_lane_of(trace, event)].track];
}

/* Ranges around the host event at, except itself. */
static void path_build(struct nsc_facts *facts, const struct nsc_trace *trace, nsc_event at)
{
    const struct nsc_track *track = track_of(trace, at);
    uint32_t n = nsc_nvtx_path(trace, track->process, track->tid,
                               nsc_trace_events(trace)->start[at], facts->path, NSC_APP_PATH);

    n = n < NSC_APP_PATH ? n : NSC_APP_PATH;
    facts->n_path = 0;
    for (uint32_t i = 0; i < n; i++)
        if (facts->path[i] != at)
            facts->path[facts->n_path++] = facts->path[i];
}

void nsc_facts_build(struct nsc_app *app)
{
    struct nsc_facts *facts = &app->facts;
    nsc_event event = app->selected;
    const struct nsc_events *events = NULL;

    *facts = (struct nsc_facts){.event = event, .launch = NSC_NONE};
    if (!app->trace || event == NSC_NONE)
        return;
    events = nsc_trace_events(app->trace);
    if (!nsc_kind_is_gpu(events->kind[event])) {
        path_build(facts, app->trace, event);
        return;
    }
    facts->launch = events->link[event];
    if (facts->launch == NSC_NONE)
        return;
    path_build(facts, app->trace, facts->launch);
    /* DEFINITIONS 12: a wait in the queue only where the call ended first. */
    facts->has_queue =
        !__builtin_sub_overflow(events->start[event], nsc_event_end(events, facts->launch),
                                &facts->queue) &&
        facts->queue >= 0;
}
