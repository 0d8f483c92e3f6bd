/*
 * Long builds from a large trace: the tree, its merged paths and their order, the projection of
 * ranges. Private to this room.
 *
 * Small traces, and callers without threads, build at once. Otherwise the application asks with
 * NSC_EFFECT_BUILD, the caller runs nsc_app_build_run on a thread and reports NSC_INPUT_BUILT.
 * Meanwhile the application does not touch the data that is built. The result of a cancelled build
 * is freed when it is done.
 */
#ifndef NSC_VIEW_APP_BUILD_H
#define NSC_VIEW_APP_BUILD_H

#include "view/app/state.h"

struct nsc_tree;
struct nsc_projection;

/* Whether another thread builds. */
bool nsc_app_builds_apart(const struct nsc_app *app);
/* The slot of a kind of build. */
enum nsc_build_slot nsc_app_build_slot(enum nsc_build what);
/* Starts a build. False if another one of its slot runs. */
bool nsc_app_build(struct nsc_app *app, enum nsc_build what);
/* After nsc_app_build: leaves the work to another thread, or does it now if the caller has none. */
void nsc_app_build_begin(struct nsc_app *app, enum nsc_build_slot slot);
/* Starts the build of a key that changes the tree. */
bool nsc_app_build_action(struct nsc_app *app, enum nsc_action action);
/* Whether another thread uses the tree: do not touch it then. */
bool nsc_app_tree_is_built(const struct nsc_app *app);
/* Cancels the build. False if there is none that can be cancelled. */
bool nsc_app_build_cancel(struct nsc_app *app);
void nsc_app_build_done(struct nsc_app *app, enum nsc_build_slot slot);
void nsc_app_build_fini(struct nsc_app *app);

#endif
