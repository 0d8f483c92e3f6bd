/* Long builds: asks for them, runs them, and gives their results to who asked. */
#include "core/bits.h"
#include "view/app/explore.h"
#include "view/model/tree.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    uint32_t large; /* events from which another thread does it: less takes a frame or two */
    bool has_mask;  /* reads what the filter keeps now */
} slots[NSC_N_BUILD_SLOTS] = {
#ifdef NSC_SMALL
    [NSC_BUILDS_TREE] = {20, true},     [NSC_BUILDS_FLAME] = {0, true},
    [NSC_BUILDS_RANK] = {0, true},      [NSC_BUILDS_HITS] = {0, true},
#else
    [NSC_BUILDS_TREE] = {2 * 1000 * 1000, true}, [NSC_BUILDS_FLAME] = {0, true},
    [NSC_BUILDS_RANK] = {1 << 18, true},         [NSC_BUILDS_HITS] = {1 << 18, true},
    [NSC_BUILDS_PICK] = {1 << 18, false},        [NSC_BUILDS_OVERLAP] = {1 << 18, false},
#endif
    [NSC_BUILDS_SELECTION] = {0, true},
};

bool nsc_app_builds_apart(const struct nsc_app *app, enum nsc_build_slot slot)
{
    return app->builds_apart && nsc_trace_events(app->scene->trace)->n >= slots[slot].large;
}

bool nsc_app_tree_is_built(const struct nsc_app *app)
{
    return app->builds[NSC_BUILDS_TREE].runs;
}

bool nsc_app_build(struct nsc_app *app, enum nsc_build_slot slot,
                   void (*run)(struct nsc_app_build *build),
                   void (*take)(struct nsc_app *app, struct nsc_app_build *done))
{
    struct nsc_app_build *build = &app->builds[slot];

    if (build->runs)
        return false;
    *build = (struct nsc_app_build){.slot = slot,
                                    .runs = true,
                                    .apart = nsc_app_builds_apart(app, slot),
                                    .run = run,
                                    .take = take,
                                    .trace = app->scene->trace,
                                    .pool = app->pool,
                                    .reveal = NSC_NONE};
    if (build->apart) {
        app->effects.set |= NSC_EFFECT_BUILD;
        app->effects.builds |= 1u << slot;
    }
    if (slots[slot].has_mask)
        build->mask = nsc_bits_copy(app->filter.pick.mask, nsc_trace_events(app->scene->trace)->n);
    (void)snprintf(build->filter, sizeof build->filter, "%s", app->filter.shown);
    return true;
}

void nsc_app_build_run(struct nsc_app *app, enum nsc_build_slot slot)
{
    if (app->builds[slot].runs)
        app->builds[slot].run(&app->builds[slot]);
}

void nsc_app_build_done(struct nsc_app *app, enum nsc_build_slot slot)
{
    struct nsc_app_build done = app->builds[slot];

    if (!done.runs)
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
        nsc_app_pick(app, done->slot, done->next, done->picked);
}

void nsc_app_pick(struct nsc_app *app, enum nsc_build_slot slot, struct nsc_filter *expression,
                  void (*picked)(struct nsc_app *app, const struct nsc_pick *pick))
{
    nsc_app_pick_drop(app, slot);
    if (!nsc_app_build(app, slot, run_pick, take_pick)) {
        app->builds[slot].next = expression;
        return;
    }
    app->builds[slot].expression = expression;
    app->builds[slot].picked = picked;
    nsc_app_build_begin(app, slot);
}

void nsc_app_pick_drop(struct nsc_app *app, enum nsc_build_slot slot)
{
    struct nsc_app_build *build = &app->builds[slot];

    build->given_up = true;
    atomic_store(&build->progress.cancel, true);
    nsc_filter_free(build->next);
    build->next = NULL;
}

bool nsc_app_pick_is_waiting(const struct nsc_app *app, enum nsc_build_slot slot)
{
    const struct nsc_app_build *build = &app->builds[slot];

    return build->runs && (!build->given_up || build->next);
}
