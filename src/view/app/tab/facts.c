/*
 * Facts about the selected event: launch, time in the queue, ranges around it and, when its row has
 * been read, its standing among events of its name.
 */
#include "nsyscope/cover.h"

#include "analysis/base/correlate.h"
#include "analysis/device/idle.h"
#include "view/app/explore.h"
#include "view/app/state.h"

#include <stdlib.h>

void nsc_facts_fini(struct nsc_app *app)
{
    app->builds[NSC_BUILDS_RANK].given_up = true;
    app->details.facts =
        (struct nsc_facts){.event = NSC_NONE, .launch = NSC_NONE, .gap.lane = NSC_NONE};
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

/* ---- where there is no event ---- */

/* The idle stretch of a device around the cursor, and its cause. */
static bool find_idle(const struct nsc_app *app, uint32_t device, struct nsc_gap *out)
{
    const struct nsc_cover *busy = nsc_trace_device_covers(app->scene->trace, device)->busy;
    struct nsc_scope scope = nsc_scope_all(app->scene->trace);
    uint32_t next = nsc_cover_find(busy, app->scene->cursor);
    struct nsc_idle idle;
    bool found = false;

    if (next == 0 || next == nsc_cover_count(busy) ||
        nsc_cover_at(busy, next).t0 <= app->scene->cursor)
        return false;
    scope.window.t0 = nsc_cover_at(busy, next - 1).t1 - 1;
    scope.window.t1 = nsc_cover_at(busy, next).t0 + 1;
    scope.has_window = true;
    if (!nsc_idle_build(&idle, &scope, device))
        return false;
    for (uint32_t i = 0; i < idle.n_longest && !found; i++)
        if (idle.longest[i].of.start <= app->scene->cursor &&
            app->scene->cursor < idle.longest[i].of.end) {
            *out = idle.longest[i].of;
            found = true;
        }
    nsc_idle_fini(&idle);
    return found;
}

static void build_gap(struct nsc_app *app)
{
    struct nsc_gap_facts *gap = &app->details.facts.gap;
    const struct nsc_scene *scene = app->scene;
    uint32_t lane = nsc_scene_lane(scene, scene->line);
    const struct nsc_lane *lanes = nsc_trace_lanes(scene->trace, NULL);
    uint32_t device = NSC_NONE;
    nsc_event next = NSC_NONE;

    *gap = (struct nsc_gap_facts){.lane = lane,
                                  .line = scene->line,
                                  .cursor = scene->cursor,
                                  .summary_no = scene->summary_no,
                                  .before = NSC_NONE,
                                  .after = NSC_NONE};
    if (scene->lines.n && scene->lines.at[scene->line].kind == NSC_LINE_IDLE)
        device = scene->lines.at[scene->line].track;
    else if (lane == NSC_NONE)
        return;
    gap->is_known = true;
    if (lane != NSC_NONE) {
        next = nsc_lane_find(scene->trace, lane, scene->cursor);
        gap->before = nsc_lane_prev(scene->trace, scene->summary, lane, next);
        gap->after =
            next < lanes[lane].first + lanes[lane].n && nsc_summary_has(scene->summary, next)
                ? next
                : nsc_lane_next(scene->trace, scene->summary, lane, next);
        device = nsc_trace_group_of(scene->trace, lanes[lane].track);
    }
    gap->is_idle = nsc_track_works(scene->trace, device) && find_idle(app, device, &gap->idle);
}

static void update_gap(struct nsc_app *app)
{
    const struct nsc_gap_facts *gap = &app->details.facts.gap;
    const struct nsc_scene *scene = app->scene;

    if (!scene->trace || scene->selected != NSC_NONE || !app->pane_open ||
        (gap->lane == nsc_scene_lane(scene, scene->line) && gap->line == scene->line &&
         gap->cursor == scene->cursor && gap->summary_no == scene->summary_no))
        return;
    build_gap(app);
}

/* ---- the rank ---- */

static void run(struct nsc_app_build *build)
{
    build->rank =
        nsc_event_standing(&build->histogram, build->trace, build->mask, build->of, build->brief);
}

static void take(struct nsc_app *app, struct nsc_app_build *done)
{
    struct nsc_facts *facts = &app->details.facts;

    if (done->given_up)
        return;
    facts->rank = done->rank;
    facts->histogram = done->histogram;
    facts->has_rank = true;
}

/* Begins to count for the details, unless that is under way. */
static void count(struct nsc_app *app)
{
    struct nsc_app_build *build = &app->builds[NSC_BUILDS_RANK];
    nsc_event event = app->details.facts.event;

    if (app->details.wanted == NSC_NONE || app->details.facts.has_rank ||
        !nsc_app_build(app, NSC_BUILDS_RANK, run, take))
        return;
    build->of = event;
    build->brief = !app->scene->demangled;
    if (!nsc_summary_has(app->scene->summary, event)) {
        free(build->mask);
        build->mask = NULL;
    }
    nsc_app_build_begin(app, NSC_BUILDS_RANK);
}

void nsc_facts_update_standing(struct nsc_app *app)
{
    app->builds[NSC_BUILDS_RANK].given_up = true;
    app->details.facts.has_rank = false;
}

void nsc_facts_update(struct nsc_app *app)
{
    if (app->details.facts.event != app->scene->selected)
        build_facts(app);
    update_gap(app);
    count(app);
    if (app->details.wanted != NSC_NONE &&
        (app->details.row_of != app->details.wanted || !app->details.facts.has_rank))
        app->effects.set |= NSC_EFFECT_SOON;
}
