/*
 * What takes long to build from a large trace: the tree, its merged paths and their order, the
 * projection of ranges. Private to this room.
 *
 * Small traces, and callers without threads, build at once. Else the application asks with
 * NSC_EFFECT_BUILD, its caller runs nsc_app_build_run on a thread of its own and tells it with
 * NSC_INPUT_BUILT. Meanwhile the application does not touch what is being built; what was given up
 * is thrown away when it is done.
 */
#ifndef NSC_VIEW_APP_BUILD_H
#define NSC_VIEW_APP_BUILD_H

#include "view/app/state.h"

struct nsc_tree;
struct nsc_projection;

/* Whether building is left to another thread. */
bool nsc_app_builds_apart(const struct nsc_app *app);
/* Begins; false when something is being built already. */
bool nsc_app_build(struct nsc_app *app, enum nsc_build what);
/* The same for what a key does to the tree. */
bool nsc_app_build_action(struct nsc_app *app, enum nsc_action action);
/* Whether the tree is not to be touched. */
bool nsc_app_tree_is_built(const struct nsc_app *app);
/* Gives up what is being built; false when nothing is that can be. */
bool nsc_app_build_cancel(struct nsc_app *app);
void nsc_app_build_done(struct nsc_app *app);
void nsc_app_build_update(struct nsc_app *app, const struct nsc_input *input,
                          struct nsc_effects *effects);
void nsc_app_build_fini(struct nsc_app *app);

#endif
