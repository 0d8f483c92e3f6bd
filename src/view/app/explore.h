/*
 * What the application keeps for exploring: the overlap pane's figures, iterations, the mark, the
 * meaning of the time axis. Private to this room.
 */
#ifndef NSC_VIEW_APP_EXPLORE_H
#define NSC_VIEW_APP_EXPLORE_H

#include "view/app/state.h"

void nsc_explore_loaded(struct nsc_app *app);
void nsc_explore_fini(struct nsc_app *app);
/* After every input: measures a slice of what the overlap pane shows. */
void nsc_explore_update(struct nsc_app *app, const struct nsc_input *input,
                        struct nsc_effects *effects);

bool nsc_explore_overlap_is_shown(const struct nsc_app *app);

/* ---- the axis and the mark ---- */

bool nsc_app_axis_next(struct nsc_app *app);
/* False when the trace does not tell it. */
bool nsc_app_axis_set(struct nsc_app *app, enum nsc_axis axis);
/* Puts the mark at the cursor, or takes it away from there. */
bool nsc_app_mark(struct nsc_app *app);

/* ---- iterations ---- */

/* Marks iterations by the ranges whose name holds a text, or by what is detected when it is empty.
 * False, and nothing changes, when there are none. */
bool nsc_app_set_iterations(struct nsc_app *app, struct nsc_text name);
bool nsc_app_iteration_step(struct nsc_app *app, bool forward);

/* ---- events of one name ---- */

bool nsc_app_same_step(struct nsc_app *app, bool forward);
bool nsc_app_same_longest(struct nsc_app *app);

/* ---- NVTX projected onto devices ---- */

/* Shows the lines, or hides them; made after the next frame when they are not there yet. */
bool nsc_app_project(struct nsc_app *app);
void nsc_projection_update(struct nsc_app *app, struct nsc_effects *effects);
/* Shows the lines of one that was made, which is taken over. */
void nsc_projection_show(struct nsc_app *app, struct nsc_projection *projection);
void nsc_projection_drop(struct nsc_app *app);

#endif
