/* Asks for builds. */
#include "core/bits.h"
#include "view/app/explore.h"

#include <stdio.h>

#ifdef NSC_SMALL
#define LARGE_TRACE 20u
#else
#define LARGE_TRACE (2u * 1000 * 1000) /* events: a tree of so many takes a frame or two */
#endif

enum nsc_build_slot nsc_app_build_slot(enum nsc_build what)
{
    return what <= NSC_BUILD_ACTION ? NSC_BUILDS_TREE
                                    : (enum nsc_build_slot)(what - NSC_BUILD_ACTION);
}

bool nsc_app_builds_apart(const struct nsc_app *app, enum nsc_build_slot slot)
{
    return app->builds_apart &&
           (slot != NSC_BUILDS_TREE || nsc_trace_events(app->scene->trace)->n >= LARGE_TRACE);
}

bool nsc_app_tree_is_built(const struct nsc_app *app)
{
    return app->builds[NSC_BUILDS_TREE].what != NSC_BUILD_NONE;
}

bool nsc_app_build(struct nsc_app *app, enum nsc_build what)
{
    struct nsc_app_build *build = &app->builds[nsc_app_build_slot(what)];

    if (build->what != NSC_BUILD_NONE)
        return false;
    *build = (struct nsc_app_build){.what = what, .reveal = NSC_NONE};
    if (nsc_app_builds_apart(app, nsc_app_build_slot(what))) {
        app->effects.set |= NSC_EFFECT_BUILD;
        app->effects.builds |= 1u << nsc_app_build_slot(what);
    }
    if (what == NSC_BUILD_TREE || what == NSC_BUILD_FILTER || what == NSC_BUILD_FLAME ||
        what == NSC_BUILD_SELECTION)
        build->mask = /* the filter may change before the work is done */
            nsc_bits_copy(app->filter.pick.mask, nsc_trace_events(app->scene->trace)->n);
    (void)snprintf(build->filter, sizeof build->filter, "%s", app->filter.shown);
    return true;
}
