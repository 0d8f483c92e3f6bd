/*
 * Facts about the selected event: its launch, its wait in the queue, the ranges around it and, once
 * its row has come, its standing among events of its name.
 */
#include "analysis/base/correlate.h"
#include "view/app/state.h"

#ifdef NSC_SMALL
enum { SLICE_ROWS = 300 };
#else
enum { SLICE_ROWS = 12 * 1000 * 1000 };
#endif

void nsc_facts_fini(struct nsc_app *app)
{
    nsc_spread_pass_free(app->details.facts.spread);
    app->details.facts = (struct nsc_facts){.event = NSC_NONE, .launch = NSC_NONE};
}

static void build_facts(struct nsc_app *app)
{
    struct nsc_facts *facts = &app->details.facts;
    nsc_event event = app->scene->selected;
    uint32_t n = 0;

    nsc_facts_fini(app);
    facts->event = event;
    if (!app->scene->trace || event == NSC_NONE)
        return;
    facts->launch = nsc_event_launch(app->scene->trace, event);
    facts->has_queue = nsc_event_queue_time(app->scene->trace, event, &facts->queue);
    n = nsc_event_path(app->scene->trace, event, facts->path, NSC_SCENE_PATH);
    facts->n_path = n < NSC_SCENE_PATH ? n : NSC_SCENE_PATH;
}

/* ---- the rank ---- */

static void step(struct nsc_app *app)
{
    struct nsc_facts *facts = &app->details.facts;

    if (!nsc_spread_pass_step(facts->spread, SLICE_ROWS))
        return;
    facts->rank = nsc_spread_pass_take(facts->spread, &facts->histogram);
    facts->has_rank = true;
    nsc_spread_pass_free(facts->spread);
    facts->spread = NULL;
}

void nsc_facts_rank(struct nsc_app *app)
{
    struct nsc_facts *facts = &app->details.facts;
    bool is_kept = false;

    if (!app->scene->trace || facts->event == NSC_NONE || facts->has_rank || facts->spread)
        return;
    is_kept = nsc_summary_has(app->scene->summary, facts->event);
    facts->spread = nsc_spread_pass_new(app->scene->trace, is_kept ? app->filter.pick.mask : NULL,
                                        facts->event);
    while (facts->spread && nsc_trace_events(app->scene->trace)->n <= SLICE_ROWS)
        step(app);
}

void nsc_facts_update_standing(struct nsc_app *app)
{
    nsc_spread_pass_free(app->details.facts.spread);
    app->details.facts.spread = NULL;
    app->details.facts.has_rank = false;
    if (app->details.row_of == app->details.facts.event)
        nsc_facts_rank(app);
}

void nsc_facts_update(struct nsc_app *app, const struct nsc_input *input,
                      struct nsc_effects *effects)
{
    if (app->details.facts.event != app->scene->selected)
        build_facts(app);
    if (app->details.facts.spread && input->type == NSC_INPUT_TICK)
        step(app);
    if (app->details.facts.spread)
        effects->set |= NSC_EFFECT_WORK;
}
