/* Asks for builds. */
#include "core/bits.h"
#include "core/die.h"
#include "view/app/build.h"

#include <stdio.h>
#include <string.h>

#ifdef NSC_SMALL
#define LARGE_TRACE 20u
#else
#define LARGE_TRACE (2u * 1000 * 1000) /* events: a tree of so many takes a frame or two */
#endif

bool nsc_app_builds_apart(const struct nsc_app *app)
{
    return app->builds_apart && nsc_trace_events(app->scene->trace)->n >= LARGE_TRACE;
}

static enum nsc_build_slot slot_of(enum nsc_build what)
{
    switch (what) {
    case NSC_BUILD_PROJECTION:
        return NSC_BUILDS_PROJECTION;
    case NSC_BUILD_FLAME:
        return NSC_BUILDS_FLAME;
    case NSC_BUILD_IDLE:
        return NSC_BUILDS_IDLE;
    case NSC_BUILD_SELECTION:
        return NSC_BUILDS_SELECTION;
    case NSC_BUILD_SUMMARY:
        return NSC_BUILDS_SUMMARY;
    default:
        return NSC_BUILDS_TREE;
    }
}

bool nsc_app_tree_is_built(const struct nsc_app *app)
{
    return app->builds[NSC_BUILDS_TREE].what != NSC_BUILD_NONE;
}

/* Copies the filter's mask: the filter may change before the work is done. */
static uint64_t *copy_mask(const struct nsc_app *app)
{
    size_t bytes = nsc_bits_words(nsc_trace_events(app->scene->trace)->n) * sizeof(uint64_t);

    return app->filter.pick.mask ? memcpy(nsc_xmalloc(bytes + 1), app->filter.pick.mask, bytes)
                                 : NULL;
}

bool nsc_app_build(struct nsc_app *app, enum nsc_build what)
{
    struct nsc_app_build *build = &app->builds[slot_of(what)];

    if (build->what != NSC_BUILD_NONE)
        return false;
    *build = (struct nsc_app_build){.what = what, .reveal = NSC_NONE};
    if (app->builds_apart) {
        app->effects.set |= NSC_EFFECT_BUILD;
        app->effects.builds |= 1u << slot_of(what);
    }
    if (what == NSC_BUILD_TREE || what == NSC_BUILD_FILTER || what == NSC_BUILD_FLAME ||
        what == NSC_BUILD_SELECTION)
        build->mask = copy_mask(app);
    (void)snprintf(build->filter, sizeof build->filter, "%s", app->filter.shown);
    return true;
}

bool nsc_app_build_action(struct nsc_app *app, enum nsc_action action)
{
    if (!nsc_app_build(app, NSC_BUILD_ACTION))
        return false;
    app->builds[NSC_BUILDS_TREE].action = action;
    return true;
}
