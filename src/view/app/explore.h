/*
 * Exploring: axis and mark, iterations, events of one name, projected ranges, covers. Private
 * to this room.
 */
#ifndef NSC_VIEW_APP_EXPLORE_H
#define NSC_VIEW_APP_EXPLORE_H

#include "view/app/state.h"

/* found: the iterations, taken over. */
void nsc_explore_loaded(struct nsc_app *app, struct nsc_iterations *found);
void nsc_explore_fini(struct nsc_app *app);
/* After each input: measures a slice for the overlap pane. */
void nsc_explore_update(struct nsc_app *app, const struct nsc_input *input,
                        struct nsc_effects *effects);

bool nsc_explore_overlap_is_shown(const struct nsc_app *app);

/* ---- the axis and the mark ---- */

bool nsc_app_axis_next(struct nsc_app *app);
/* False if the trace does not have this origin. */
bool nsc_app_axis_set(struct nsc_app *app, enum nsc_axis axis);
/* Sets the mark at the cursor, or removes it if it is already there. */
bool nsc_app_mark(struct nsc_app *app);

/* ---- iterations ---- */

/* Uses the ranges whose name contains a text as iterations; detects them if the text is empty.
 * False, without any change, if there are none. */
bool nsc_app_set_iterations(struct nsc_app *app, struct nsc_text name);
bool nsc_app_iteration_step(struct nsc_app *app, bool forward);
/* Moves the cursor to the first event of its row in the first iteration after the warm-up that is
 * not slow; without iterations, to the first event of its row. */
void nsc_app_go_start(struct nsc_app *app);

/* ---- events of one name ---- */

bool nsc_app_same_step(struct nsc_app *app, bool forward);
bool nsc_app_same_longest(struct nsc_app *app);

/* ---- the idle rows ---- */

/* Finds the causes of all devices; runs on any thread. */
void nsc_idle_row_run(struct nsc_idle_row *out, const struct nsc_trace *trace);
void nsc_idle_row_fini(struct nsc_idle_row *row);
/* Shows the result. */
void nsc_idle_row_take(struct nsc_app *app, struct nsc_app_build *done);
void nsc_idle_row_drop(struct nsc_app *app);
/* After each input: starts a build if needed. */
void nsc_idle_row_update(struct nsc_app *app);

/* ---- NVTX projected onto devices ---- */

#ifdef NSC_SMALL
#define NSC_PROJECTED_EVENTS 100000u
#else
#define NSC_PROJECTED_EVENTS 20000000u /* larger traces are projected on request only */
#endif

/* The key's action: cycles through few lines, all, none. */
bool nsc_app_project(struct nsc_app *app);
/* Fits the selected event, its launch or the work it launched, and the work it waited for, with a
 * margin of a tenth on both sides. */
bool nsc_app_fit_links(struct nsc_app *app);
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
