/* Long builds: asks for them, runs them, and gives their results to who asked. */
#include "core/bits.h"
#include "view/app/explore.h"
#include "view/model/tree.h"

#include <stdio.h>
#include <stdlib.h>

/* Events from which another thread does the work of a slot: less takes a frame or two. */
static const uint32_t large_trace[NSC_N_BUILD_SLOTS] = {
#ifdef NSC_SMALL
    [NSC_BUILDS_TREE] = 20,
#else
    [NSC_BUILDS_TREE] = 2 * 1000 * 1000, [NSC_BUILDS_PICK] = 1 << 18,
    [NSC_BUILDS_HITS] = 1 << 18,         [NSC_BUILDS_RANK] = 1 << 18,
    [NSC_BUILDS_OVERLAP] = 1 << 18,
#endif
};

enum nsc_build_slot nsc_app_build_slot(enum nsc_build what)
{
    return what <= NSC_BUILD_ACTION ? NSC_BUILDS_TREE
                                    : (enum nsc_build_slot)(what - NSC_BUILD_ACTION);
}

bool nsc_app_builds_apart(const struct nsc_app *app, enum nsc_build_slot slot)
{
    return app->builds_apart && nsc_trace_events(app->scene->trace)->n >= large_trace[slot];
}

bool nsc_app_tree_is_built(const struct nsc_app *app)
{
    return app->builds[NSC_BUILDS_TREE].what != NSC_BUILD_NONE;
}

bool nsc_app_build(struct nsc_app *app, enum nsc_build what,
                   void (*run)(struct nsc_app_build *build),
                   void (*take)(struct nsc_app *app, struct nsc_app_build *done))
{
    struct nsc_app_build *build = &app->builds[nsc_app_build_slot(what)];

    if (build->what != NSC_BUILD_NONE)
        return false;
    *build = (struct nsc_app_build){.what = what,
                                    .apart = nsc_app_builds_apart(app, nsc_app_build_slot(what)),
                                    .run = run,
                                    .take = take,
                                    .trace = app->scene->trace,
                                    .pool = app->pool,
                                    .reveal = NSC_NONE};
    if (build->apart) {
        app->effects.set |= NSC_EFFECT_BUILD;
        app->effects.builds |= 1u << nsc_app_build_slot(what);
    }
    if (what == NSC_BUILD_TREE || what == NSC_BUILD_FILTER || what == NSC_BUILD_FLAME ||
        what == NSC_BUILD_SELECTION || what == NSC_BUILD_HITS || what == NSC_BUILD_RANK)
        build->mask = /* the filter may change before the work is done */
            nsc_bits_copy(app->filter.pick.mask, nsc_trace_events(app->scene->trace)->n);
    (void)snprintf(build->filter, sizeof build->filter, "%s", app->filter.shown);
    return true;
}

void nsc_app_build_run(struct nsc_app *app, enum nsc_build_slot slot)
{
    if (app->builds[slot].run)
        app->builds[slot].run(&app->builds[slot]);
}

void nsc_app_build_done(struct nsc_app *app, enum nsc_build_slot slot)
{
    struct nsc_app_build done = app->builds[slot];

    if (done.what == NSC_BUILD_NONE)
        return;
    app->builds[slot] = (struct nsc_app_build){.reveal = NSC_NONE};
    free(done.mask);
    if (done.failed) {
        nsc_app_say(app, "There is not enough memory for that.");
        app->is_short = true;
    }
    done.take(app, &done);
}

bool nsc_app_is_short(const struct nsc_app *app)
{
    return app->is_short;
}

void nsc_app_build_begin(struct nsc_app *app, enum nsc_build_slot slot)
{
    if (app->builds[slot].apart)
        return;
    nsc_app_build_run(app, slot);
    nsc_app_build_done(app, slot);
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
        nsc_filter_free(build->expression);
        nsc_filter_free(build->next);
        nsc_pick_clear(&build->pick);
        free(build->mask);
        *build = (struct nsc_app_build){.reveal = NSC_NONE};
    }
}

/* ---- picks ---- */

static void run_pick(struct nsc_app_build *build)
{
    unsigned threads = build->pool ? nsc_pool_threads(build->pool) : 0;
    struct nsc_pool *own = build->apart || !build->pool ? nsc_pool_new(threads) : NULL;

    build->failed = !nsc_pick_make(&build->pick, build->expression, build->trace, build->mask,
                                   own ? own : build->pool, &build->progress);
    nsc_pool_free(own);
}

static void take_pick(struct nsc_app *app, struct nsc_app_build *done)
{
    nsc_filter_free(done->expression);
    if (done->given_up)
        nsc_pick_clear(&done->pick);
    else
        done->picked(app, done->failed ? NULL : &done->pick);
    if (done->next)
        nsc_app_pick(app, done->what, done->next, done->picked);
}

void nsc_app_pick(struct nsc_app *app, enum nsc_build what, struct nsc_filter *expression,
                  void (*picked)(struct nsc_app *app, const struct nsc_pick *pick))
{
    enum nsc_build_slot slot = nsc_app_build_slot(what);

    nsc_app_pick_drop(app, what);
    if (!nsc_app_build(app, what, run_pick, take_pick)) {
        app->builds[slot].next = expression;
        return;
    }
    app->builds[slot].expression = expression;
    app->builds[slot].picked = picked;
    nsc_app_build_begin(app, slot);
}

void nsc_app_pick_drop(struct nsc_app *app, enum nsc_build what)
{
    struct nsc_app_build *build = &app->builds[nsc_app_build_slot(what)];

    build->given_up = true;
    atomic_store(&build->progress.cancel, true);
    nsc_filter_free(build->next);
    build->next = NULL;
}

bool nsc_app_pick_is_waiting(const struct nsc_app *app, enum nsc_build what)
{
    const struct nsc_app_build *build = &app->builds[nsc_app_build_slot(what)];

    return build->what != NSC_BUILD_NONE && (!build->given_up || build->next);
}
