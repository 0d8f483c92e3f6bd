/* Runs long builds, and takes over their results. */
#include "analysis/device/idle.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/model/tree.h"

#include <stdlib.h>
#include <string.h>

/* Runs on another thread: reads the trace, and writes only fields that the application does not
 * touch meanwhile. */
void nsc_app_build_run(struct nsc_app *app, enum nsc_build_slot slot)
{
    struct nsc_app_build *build = &app->builds[slot];

    switch (build->what) {
    case NSC_BUILD_TREE:
        build->tree = nsc_tree_new(app->scene->trace, build->mask);
        build->failed = !build->tree;
        return;
    case NSC_BUILD_FILTER:
        build->failed = !nsc_tree_filter(app->tree, build->mask);
        return;
    case NSC_BUILD_MERGE:
        build->failed = !nsc_tree_merge(app->tree);
        return;
    case NSC_BUILD_ACTION:
        build->failed = !nsc_tree_action(app->tree, build->action);
        return;
    case NSC_BUILD_PROJECTION:
        nsc_projection_run(build, app->scene->trace);
        return;
    case NSC_BUILD_FLAME:
        build->made = nsc_idle_flame(app->scene->trace, build->flame, NULL);
        return;
    case NSC_BUILD_IDLE:
        nsc_idle_row_run(&build->idle, app->scene->trace);
        return;
    case NSC_BUILD_SELECTION:
    case NSC_BUILD_SUMMARY:
        nsc_selection_run(build->selection, build->mask);
        return;
    case NSC_BUILD_NONE:
        return;
    }
}

/* ---- done ---- */

static void take_tree(struct nsc_app *app, struct nsc_app_build *done)
{
    if (done->given_up && done->what == NSC_BUILD_TREE) {
        nsc_tree_free(done->tree);
        return;
    }
    if (done->what == NSC_BUILD_TREE)
        app->tree = done->tree;
    if (done->what == NSC_BUILD_MERGE)
        app->tree->merged_face = !done->given_up;
    else
        memcpy(app->tree_filter, done->filter, sizeof app->tree_filter);
    if (done->what != NSC_BUILD_MERGE && app->tree)
        nsc_tree_show_matches(app->tree, done->filter[0]);
    if (done->reveal != NSC_NONE && !nsc_tree_reveal(app->tree, done->reveal))
        nsc_app_say(app, "The tree does not hold this event: no thread is known that launched it.");
}

void nsc_app_build_done(struct nsc_app *app, enum nsc_build_slot slot)
{
    struct nsc_app_build done = app->builds[slot];

    if (done.what == NSC_BUILD_NONE)
        return;
    app->builds[slot] = (struct nsc_app_build){.reveal = NSC_NONE};
    free(done.mask);
    if (done.what == NSC_BUILD_FLAME) {
        nsc_app_flame_take(app, &done);
        return;
    }
    if (done.what == NSC_BUILD_IDLE) {
        nsc_idle_row_take(app, &done);
        return;
    }
    if (done.what == NSC_BUILD_SELECTION || done.what == NSC_BUILD_SUMMARY) {
        if (done.given_up)
            nsc_selection_free(done.selection);
        else
            *done.measured = done.selection;
        return;
    }
    if (done.what == NSC_BUILD_ACTION) {
        if (done.failed)
            nsc_app_tree_say_nothing(app, done.action);
        return;
    }
    if (done.failed) {
        nsc_app_say(app, "There is not enough memory for that.");
        app->is_short = true;
        app->explore.projection_tried |= done.what == NSC_BUILD_PROJECTION;
        memcpy(app->tree_filter, done.filter, sizeof app->tree_filter); /* do not build again */
        if (!app->tree && nsc_app_tree_is_shown(app))
            nsc_app_pane_back(app);
        return;
    }
    if (done.what == NSC_BUILD_PROJECTION)
        nsc_projection_take(app, &done);
    else
        take_tree(app, &done);
}

bool nsc_app_is_short(const struct nsc_app *app)
{
    return app->is_short;
}

void nsc_app_build_begin(struct nsc_app *app, enum nsc_build_slot slot)
{
    if (nsc_app_builds_apart(app, slot))
        return;
    nsc_app_build_run(app, slot);
    nsc_app_build_done(app, slot);
}

bool nsc_app_build_cancel(struct nsc_app *app)
{
    for (unsigned i = 0; i < NSC_N_BUILD_SLOTS; i++) {
        struct nsc_app_build *build = &app->builds[i];

        if (build->what == NSC_BUILD_NONE || build->what == NSC_BUILD_ACTION ||
            build->what >= NSC_BUILD_FLAME ||
            (build->what == NSC_BUILD_PROJECTION && !app->explore.projection_asked) ||
            build->given_up)
            continue;
        build->given_up = true;
        nsc_app_say(app, "Given up.");
        if (i == NSC_BUILDS_TREE && !app->tree)
            nsc_app_pane_back(app);
        return true;
    }
    return false;
}

/* Call it only when no build runs. */
void nsc_app_build_fini(struct nsc_app *app)
{
    for (unsigned i = 0; i < NSC_N_BUILD_SLOTS; i++) {
        struct nsc_app_build *build = &app->builds[i];

        nsc_tree_free(build->tree);
        nsc_projection_free(build->projection);
        nsc_flame_free(build->made);
        nsc_idle_row_fini(&build->idle);
        nsc_selection_free(build->selection);
        free(build->mask);
        *build = (struct nsc_app_build){.reveal = NSC_NONE};
    }
}
