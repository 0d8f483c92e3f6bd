/*
 * What is looked up about an event when it is selected: its launch, its wait in the queue, the
 * ranges around it; and, once its row has come, how it ranks.
 */
#include "analysis/correlate.h"
#include "view/app_state.h"

void nsc_facts_build(struct nsc_app *app)
{
    struct nsc_facts *facts = &app->facts;
    nsc_event event = app->selected;
    uint32_t n = 0;

    *facts = (struct nsc_facts){.event = event, .launch = NSC_NONE};
    if (!app->trace || event == NSC_NONE)
        return;
    facts->launch = nsc_event_launch(app->trace, event);
    facts->has_queue = nsc_event_queue_time(app->trace, event, &facts->queue);
    n = nsc_event_path(app->trace, event, facts->path, NSC_APP_PATH);
    facts->n_path = n < NSC_APP_PATH ? n : NSC_APP_PATH;
}

void nsc_facts_rank(struct nsc_app *app)
{
    if (!app->trace || app->facts.event == NSC_NONE || app->facts.has_rank)
        return;
    app->facts.rank = nsc_event_spread(
        &app->facts.histogram, app->trace,
        nsc_summary_has(app->summary, app->facts.event) ? app->filter.pick.mask : NULL,
        app->facts.event);
    app->facts.has_rank = true;
}
