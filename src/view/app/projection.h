/*
 * NVTX ranges projected onto devices. Private to this room.
 */
#ifndef NSC_VIEW_APP_PROJECTION_H
#define NSC_VIEW_APP_PROJECTION_H

#include "view/app/state.h"

#ifdef NSC_SMALL
#define NSC_PROJECTED_EVENTS 100000u
#else
#define NSC_PROJECTED_EVENTS 20000000u /* larger traces are projected on request only */
#endif

/* The key's action: cycles through few lines, all, none. */
bool nsc_app_project(struct nsc_app *app);
/* Computes the projection of a build; runs on any thread. */
void nsc_projection_run(struct nsc_app_build *build, const struct nsc_trace *trace);
/* Takes a projection over and shows its lines. */
void nsc_projection_take(struct nsc_app *app, struct nsc_app_build *done);
/* After each input: starts a build if needed. */
void nsc_projection_update(struct nsc_app *app);
/* Says that the trace is too large, unless there is another message. */
void nsc_projection_tell_withheld(struct nsc_app *app);
void nsc_projection_drop(struct nsc_app *app);

#endif
